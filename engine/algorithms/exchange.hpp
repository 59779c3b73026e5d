// Everybody shows a few bytes beside the epoch and learns what all showed. Of nothing: a barrier. Where ranks
// share CPUs they learn from the last to arrive that all have (engine/team/central_counter.hpp).
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/algorithms/by_the_last.hpp"
#include "engine/algorithms/turns.hpp"
#include "engine/team/team.hpp"

namespace foldlane::engine {

/// `all` has room for `bytes` of each member, one after the other.
template <class AnyTeam>
class Exchange {
 public:
  using Team = AnyTeam;
  static constexpr std::uint64_t kAhead = 0;
  static constexpr std::uint64_t count() { return 1; }

  /// A barrier.
  explicit Exchange(Team& team) : Exchange(team, nullptr, 0, nullptr) {}
  Exchange(Team& team, const std::byte* own, std::size_t bytes, std::byte* all)
      : team_(team), own_(own), bytes_(bytes), all_(all), epoch_(team.epochs().begin(1)) {}

  static constexpr bool gives(std::uint64_t) { return true; }
  template <class How>
  Progress await_free(How& how, std::uint64_t) {
    return how.inline_free(team_, epoch_);
  }
  void give(std::uint64_t) { team_.inline_lines().show(epoch_, own_, bytes_); }

  static constexpr bool takes(std::uint64_t) { return true; }
  template <class How>
  Progress await_given(How& how, std::uint64_t) {
    return how.all_shown(team_, epoch_, epoch_ - 1);
  }
  void take(std::uint64_t) {
    if (bytes_ == 0) return;
    for (int member = 0; member < team_.size(); ++member) {
      Team::Transfer::unpack_out(all_, nullptr, static_cast<std::size_t>(member) * bytes_,
                                 team_.inline_lines().payload(member, epoch_, bytes_), bytes_, false);
    }
  }
  void finish(std::uint64_t) { team_.epochs().finish(epoch_); }

 protected:
  Team& team() const noexcept { return team_; }
  std::uint64_t epoch() const noexcept { return epoch_; }

 private:
  Team& team_;
  const std::byte* own_;
  std::size_t bytes_;
  std::byte* all_;
  std::uint64_t epoch_;
};

template <class Team>
using CentralExchange = ByTheLast<Exchange<Team>>;

/// In the way of this team; as for Exchange.
template <class Team, class... Args>
Procedure exchange_as_procedure(Team& team, Args... args) {
  if (team.inline_limits().is_central()) return as_procedure<CentralExchange<Team>>(team, args...);
  return as_procedure<Exchange<Team>>(team, args...);
}

}  // namespace foldlane::engine
