// What all tables of handles have in common: the objects that the program has made and not freed, by kind.
#pragma once

#include <string>
#include <vector>

namespace foldlane::api {

class ObjectTable {
 public:
  struct Live {
    const char* made_by;  // a call
    std::string what;     // there is to say about it; may be empty
  };

  /// `kind` is "communicator", ...; null: of no interest to anybody.
  explicit ObjectTable(const char* kind) noexcept : kind_(kind) {
    if (kind_ == nullptr) return;
    next_ = first_;
    first_ = this;
  }
  ObjectTable(const ObjectTable&) = delete;
  ObjectTable& operator=(const ObjectTable&) = delete;

  const char* kind() const noexcept { return kind_; }
  /// No other thread may use the table.
  virtual std::vector<Live> not_freed() = 0;

  /// Calls `use` with every table of a kind.
  template <class Use>
  static void for_each_table(const Use& use) {
    for (ObjectTable* table = first_; table != nullptr; table = table->next_) use(*table);
  }

 protected:
  ~ObjectTable() = default;

 private:
  static inline ObjectTable* first_ = nullptr;

  const char* kind_;
  ObjectTable* next_ = nullptr;
};

}  // namespace foldlane::api
