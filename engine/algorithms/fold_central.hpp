// Where ranks share CPUs: whoever arrives last folds what all members show beside the epoch, for all of them
// (engine/team/central_counter.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "engine/algorithms/fold_whole.hpp"
#include "engine/algorithms/turns.hpp"
#include "engine/team/team.hpp"

namespace foldlane::engine {

/// Of a reduction whose result, or a part of it, every member wants; its operation is predefined.
template <class AnyTeam>
class CentralFold {
 public:
  using Team = AnyTeam;
  static constexpr std::uint64_t kAhead = 0;
  static constexpr std::uint64_t count() { return 1; }

  CentralFold(Team& team, const WholeFold& call) : team_(team), call_(call), epoch_(team.epochs().begin(1)) {}

  static constexpr bool gives(std::uint64_t) { return true; }
  template <class How>
  Progress await_free(How& how, std::uint64_t) {
    return how.inline_free(team_, epoch_);
  }
  void give(std::uint64_t) {
    is_last_ = team_.central_counter().arrive(epoch_);
    team_.inline_lines().show(epoch_, call_.send, bytes());
  }

  static constexpr bool takes(std::uint64_t) { return true; }
  template <class How>
  Progress await_given(How& how, std::uint64_t) {
    if (is_last_) return how.all_shown(team_, epoch_, epoch_ - 1);
    return how.wait(team_.waits().done(epoch_, epoch_ - 1));
  }
  void take(std::uint64_t) {
    if (is_last_) {
      fold_for_all();
      team_.central_counter().publish_done();
    }
    take_wanted(result());
  }
  void finish(std::uint64_t) { team_.epochs().finish(epoch_); }

 private:
  std::size_t bytes() const { return call_.count * call_.reduction->elem_bytes; }

  /// Else it is in the line of who has folded: nobody reads its input any more.
  bool is_beside_the_word() const { return bytes() <= Team::Membership::Lines::kCentralBytes; }
  const std::byte* result() const {
    const auto& counter = team_.central_counter();
    if (is_beside_the_word()) return counter.result();
    return team_.inline_lines().payload(counter.last(), epoch_, bytes());
  }
  void fold_for_all() {
    auto& lines = team_.inline_lines();
    const void* const* const sources = lines.sources(epoch_, call_.send, bytes(), 0, bytes());
    std::byte* const result =
        is_beside_the_word() ? team_.central_counter().result() : lines.own_payload(epoch_, bytes());
    Team::Transfer::will_write(result, bytes());
    call_.reduction->builtin(result, sources, static_cast<std::size_t>(team_.size()), call_.count);
  }
  void take_wanted(const std::byte* result) {
    if (call_.wanted_count == 0) return;  // recv may be null
    const std::size_t elem_bytes = call_.reduction->elem_bytes;
    const std::byte* const wanted = result + call_.wanted_start * elem_bytes;
    Team::Transfer::will_read(wanted, call_.wanted_count * elem_bytes);
    if (call_.wanted_count * elem_bytes == sizeof(double)) {  // without calling memcpy
      std::memcpy(call_.recv, wanted, sizeof(double));
    } else {
      std::memcpy(call_.recv, wanted, call_.wanted_count * elem_bytes);
    }
  }

  Team& team_;
  const WholeFold& call_;
  std::uint64_t epoch_;
  bool is_last_ = false;
};

}  // namespace foldlane::engine
