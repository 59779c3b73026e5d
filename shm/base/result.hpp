// The one error vocabulary below the MPI face: an Error says what was attempted and why it failed, a Result
// carries a value or an Error. The function that first decides on an error writes its message.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <variant>

namespace foldlane::shm {

enum class Errc : std::uint8_t {
  invalid,       // the caller's argument or environment makes no sense
  no_memory,     // memory could not be committed
  system,        // a system call failed
  bad_segment,   // what was attached is not a segment of this library
  peer_failed,   // a rank of the job died or gave up
  disagreement,  // members of a team do not do the same
};

struct Error {
  Errc code;
  std::string message;
};

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}
  Result(Error error) : state_(std::move(error)) {}

  bool ok() const noexcept { return state_.index() == 0; }
  T& value() { return std::get<0>(state_); }
  const T& value() const { return std::get<0>(state_); }
  const Error& error() const { return std::get<1>(state_); }

 private:
  std::variant<T, Error> state_;
};

/// One word, because every collective returns it.
template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::make_unique<Error>(std::move(error))) {}

  bool ok() const noexcept { return error_ == nullptr; }
  const Error& error() const { return *error_; }

 private:
  std::unique_ptr<Error> error_;
};

/// An Error of class system (or no_memory for ENOMEM/ENOSPC): "<attempt>: <errno text>".
Error system_error(const std::string& attempt, int errno_value);

}  // namespace foldlane::shm
