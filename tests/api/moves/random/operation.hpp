// A call with its buffers, from its start until it has been compared.
#pragma once

#include <optional>
#include <string>

#include "part.hpp"

namespace foldlane::moves {

/// Private memory, or of the segment.
class Memory {
 public:
  Memory(std::size_t bytes, bool in_segment);
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  ~Memory();

  void take(const std::vector<unsigned char>& image);
  /// The first byte that differs.
  std::optional<std::size_t> difference(const std::vector<unsigned char>& image) const;
  /// Behind the guard.
  unsigned char* buffer() { return at_ + Side::kGuard; }

 private:
  bool in_segment_;
  unsigned char* at_ = nullptr;
};

class Operation {
 public:
  Operation(const Move& move, const Circle& circle, const Layouts& layouts, const Noise& noise);
  Operation(const Operation&) = delete;
  Operation& operator=(const Operation&) = delete;
  ~Operation();

  /// Of the next round, of which there is one unless the form is persistent.
  void begin();
  bool is_under_way() const { return move_.form != Form::blocking; }
  MPI_Request& request() { return request_; }
  /// Once it is complete: what is wrong, or "".
  std::string compared();
  bool has_more_rounds() const { return round_ < move_.rounds; }

 private:
  void expect_in_place();
  std::string complaint(const char* what, std::size_t byte) const;

  Move move_;
  const Circle& circle_;
  const Noise& noise_;
  Part part_;
  Memory send_, recv_;
  std::vector<unsigned char> given_, before_, after_;  // what lies in the buffers
  MPI_Request request_ = MPI_REQUEST_NULL;
  int round_ = 0;
};

}  // namespace foldlane::moves
