// What a member tells the others at the start of a call that could be direct: where its buffers are in the
// memory that all ranks map (the heaps of the segment), or that they are private.
//
// Only the members together know whether a call can be direct. Who has private buffers knows the answer
// without asking and goes on with the usual algorithm at once; the others await everybody's offer, which for
// a direct call is the wait for the inputs.
//
// Buffers are the caller's again when it returns, so the members of a direct call await each other's
// finished(e), which here says more than in other calls: m has read everything of others and has written
// everything into their buffers.
// MODEL: tests/model/buffers/direct_model_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/algorithms/turns.hpp"
#include "engine/team/team.hpp"

namespace foldlane::engine {

/// Offsets in the common memory.
struct DirectOffer {
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};
  std::uint64_t send = kNone;  // none: the call cannot be direct
  std::uint64_t recv = kNone;  // none: nobody may write there

  bool accepts() const noexcept { return send != kNone; }
};

/// A member's offer, which it does not wait for the others' with.
template <class AnyTeam, class Offer = DirectOffer>
class OfferTurn {
 public:
  using Team = AnyTeam;
  static constexpr std::uint64_t kAhead = 0;
  static constexpr std::uint64_t count() { return 1; }

  OfferTurn(Team& team, std::uint64_t epoch, const Offer& offer)
      : team_(team), epoch_(epoch), offer_(offer) {}

  static constexpr bool gives(std::uint64_t) { return true; }
  template <class How>
  Progress await_free(How& how, std::uint64_t) {
    return how.inline_free(team_, epoch_);
  }
  void give(std::uint64_t) { team_.inline_lines().show(epoch_, &offer_, sizeof offer_); }

  static constexpr bool takes(std::uint64_t) { return false; }
  template <class How>
  static Progress await_given(How&, std::uint64_t) {
    return Progress::done;
  }
  static void take(std::uint64_t) {}
  static void finish(std::uint64_t) {}

 protected:
  Team& team_;
  std::uint64_t epoch_;
  Offer offer_;
};

/// Needs shown(member, epoch) awaited.
template <class Team>
DirectOffer offer_of(Team& team, int member, std::uint64_t epoch) {
  DirectOffer offer;
  team.inline_lines().read(member, epoch, offer);
  return offer;
}

/// Needs all_shown(epoch) awaited.
template <class Team>
bool everybody_accepts(Team& team, std::uint64_t epoch) {
  for (int member = 0; member < team.size(); ++member) {
    if (!offer_of(team, member, epoch).accepts()) return false;
  }
  return true;
}

}  // namespace foldlane::engine
