#include "engine/algorithms/turns.hpp"

#include <gtest/gtest.h>

#include <string>

#include "engine/team/team.hpp"

namespace foldlane::engine {
namespace {

/// Two turns of a member, and what it was asked to do, in order. Each wait says "waiting" once.
template <std::uint64_t kTurnsAhead, bool kGives>
class Recorded {
 public:
  using Team = engine::Team;
  static constexpr std::uint64_t kAhead = kTurnsAhead;

  std::string log;

  static constexpr std::uint64_t count() { return 2; }
  static constexpr bool gives(std::uint64_t) { return kGives; }
  template <class How>
  Progress await_free(How&, std::uint64_t turn) {
    return wait_once("free", turn);
  }
  void give(std::uint64_t turn) { note("give", turn); }
  void make_ready() { log += "ready "; }
  static constexpr bool takes(std::uint64_t) { return true; }
  template <class How>
  Progress await_given(How&, std::uint64_t turn) {
    return wait_once("given", turn);
  }
  void take(std::uint64_t turn) { note("take", turn); }
  void finish(std::uint64_t turn) { note("finish", turn); }

 private:
  void note(const std::string& what, std::uint64_t turn) { log += what + std::to_string(turn) + " "; }
  Progress wait_once(const std::string& what, std::uint64_t turn) {
    const std::string wait = what + std::to_string(turn);
    if (last_wait_ == wait) return Progress::done;
    last_wait_ = wait;
    return Progress::waiting;
  }

  std::string last_wait_;
};

/// Step by step, as a nonblocking call is driven.
template <class Turns>
std::string log_of() {
  Turns turns;
  TurnCursor at;
  Blocking<Team> how;
  constexpr int kMostSteps = 5;  // one for each wait, and the last
  for (int step = 0; step < kMostSteps && advance_turns(turns, at, how) != Progress::done;) ++step;
  return turns.log;
}

TEST(Turns, MakeReadyOnceBehindTheFirstGiving) {
  EXPECT_EQ((log_of<Recorded<0, true>>()), "give0 ready take0 finish0 give1 take1 finish1 ");
  EXPECT_EQ((log_of<Recorded<1, true>>()), "give0 ready give1 take0 finish0 take1 finish1 ");
}

TEST(Turns, MakeReadyOnceThoughNothingIsGiven) {
  EXPECT_EQ((log_of<Recorded<0, false>>()), "ready take0 finish0 take1 finish1 ");
  EXPECT_EQ((log_of<Recorded<1, false>>()), "ready take0 finish0 take1 finish1 ");
}

}  // namespace
}  // namespace foldlane::engine
