// How much the calls of a team carry beside the epoch: the question that decides about most short calls.
#pragma once

#include <cstddef>

namespace foldlane::engine {

class InlineLimits {
 public:
  /// Of a flat team. Where it is central, all that every member wants of what everybody shows it gets from
  /// the last one to arrive (central_counter.hpp).
  InlineLimits(std::size_t bytes, bool is_central) noexcept
      : bytes_(bytes), for_all_bytes_(is_central ? 0 : bytes), is_central_(is_central) {}

  bool is_central() const noexcept { return is_central_; }
  /// Inputs of up to that many bytes travel beside the epoch to everybody.
  std::size_t bytes() const noexcept { return bytes_; }
  /// Zero bytes wrap around: nothing to move.
  bool carry(std::size_t bytes) const noexcept { return bytes - 1 < bytes_; }
  /// The same for calls in which every member looks at what everybody shows.
  bool carry_for_all(std::size_t bytes) const noexcept { return bytes - 1 < for_all_bytes_; }
  /// The same for those in which the last one to arrive looks for all.
  bool carry_centrally(std::size_t bytes) const noexcept { return is_central_ && carry(bytes); }
  /// A call that carries nothing, in which every member looks at everybody.
  bool allow_meeting() const noexcept { return for_all_bytes_ > 0; }

 private:
  std::size_t bytes_;
  std::size_t for_all_bytes_;
  bool is_central_;
};

}  // namespace foldlane::engine
