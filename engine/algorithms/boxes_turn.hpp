// What two members do before the first of their calls that goes through boxes.
#pragma once

#include <cstdint>

#include "engine/algorithms/turns.hpp"

namespace foldlane::engine {

/// Before their first use of boxes the members tell each other where these are, and find out whether they can
/// pull from each other.
template <class AnyTeam>
class BoxesTurn {
 public:
  using Team = AnyTeam;
  using Place = typename Team::Deliveries::Place;
  static constexpr std::uint64_t kAhead = 0;
  static constexpr std::uint64_t count() { return 1; }

  explicit BoxesTurn(Team& team)
      : team_(team), mine_(team.deliveries().take_boxes()), epoch_(team.epochs().begin(1)) {}

  static constexpr bool gives(std::uint64_t) { return true; }
  template <class How>
  Progress await_free(How& how, std::uint64_t) {
    return how.inline_free(team_, epoch_);
  }
  void give(std::uint64_t) { team_.inline_lines().show(epoch_, &mine_, sizeof mine_); }
  static constexpr bool takes(std::uint64_t) { return true; }
  template <class How>
  Progress await_given(How& how, std::uint64_t) {
    return how.all_shown(team_, epoch_, epoch_ - 1);
  }
  void take(std::uint64_t) {
    Place theirs{};
    team_.inline_lines().read(1 - team_.rank(), epoch_, theirs);
    team_.deliveries().set_boxes(mine_, theirs);
    if (team_.deliveries().boxes().known())
      team_.deliveries().offers().learn(theirs.proof,
                                        theirs.proof.template can_be_pulled<typename Team::Transfer>());
  }
  void finish(std::uint64_t) { team_.epochs().finish(epoch_); }

 private:
  Team& team_;
  Place mine_;
  std::uint64_t epoch_;
};

}  // namespace foldlane::engine
