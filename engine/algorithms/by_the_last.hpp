// Turns in which everybody waits for everybody, where ranks share CPUs: they learn from the last to arrive
// that all have given (engine/team/central_counter.hpp). One switch for each, instead of one for each pair.
#pragma once

#include <cstdint>

#include "engine/algorithms/turns.hpp"
#include "engine/team/central_counter.hpp"

namespace foldlane::engine {

/// `Turns` gives in its first turn only, tells its team and its epoch, and shows what it gives in such
/// places.
template <class Turns, Places kPlaces = Places::lines>
class ByTheLast : public Turns {
 public:
  using Turns::Turns;

  void give(std::uint64_t turn) {
    is_last_ = this->team().central_counter().arrive(this->epoch(), kPlaces);
    Turns::give(turn);
  }
  template <class How>
  Progress await_given(How& how, std::uint64_t turn) {
    if (is_last_ || turn > 0) return Turns::await_given(how, turn);
    return how.wait(this->team().waits().done(this->epoch(), this->epoch() - 1));
  }
  void take(std::uint64_t turn) {
    if (is_last_ && turn == 0) this->team().central_counter().publish_done();
    Turns::take(turn);
  }

 private:
  bool is_last_ = false;
};

}  // namespace foldlane::engine
