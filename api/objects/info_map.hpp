// The content of an info object: texts by key, in the order in which the keys came.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace foldlane::api {

class InfoMap {
 public:
  using Entry = std::pair<std::string, std::string>;  // key, value

  /// Null if there is no such key. Valid until the next change.
  const std::string* find(std::string_view key) const noexcept;

  /// A key that exists keeps its place.
  void set(std::string_view key, std::string_view value);

  /// False if there is no such key.
  bool erase(std::string_view key);

  const std::vector<Entry>& entries() const noexcept { return entries_; }

 private:
  std::vector<Entry> entries_;  // a handful: looking through them beats an index
};

}  // namespace foldlane::api
