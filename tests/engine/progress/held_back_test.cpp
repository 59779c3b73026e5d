// When a rank that keeps too much takes in more: while it waits for somebody who may need that.
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "engine/progress/long_wait.hpp"
#include "engine/progress/looks_in_vain.hpp"

namespace foldlane::engine {
namespace {

class Held final : public Traffic {
 public:
  bool is_called() const noexcept override { return false; }
  bool step(Patience) override { return false; }
  bool bury() override { return false; }
  bool holds_back() const noexcept override { return !ranks.empty(); }
  std::vector<int> held_back() override { return ranks; }
  void let_go_on() noexcept override { ++let_go; }

  std::vector<int> ranks{3};
  int let_go = 0;
};

/// Rank 1 waits for 3, and 2 runs.
class Waits final : public LongWaits {
 public:
  explicit Waits(std::int64_t ns = 1'000'000'000) : LongWaits(ns) {}
  void goes_on(const void*, std::uint64_t, const WaitDescriber&) noexcept override { ++told; }
  void is_over(const void*) noexcept override {}
  void looks_in_vain(bool does) noexcept override { looks.push_back(does); }
  bool may_depend_on(const std::vector<int>& awaited, const std::vector<int>& others) noexcept override {
    EXPECT_EQ(others, std::vector<int>{3});
    return awaited == std::vector<int>{1};
  }

  int told = 0;
  std::vector<bool> looks;
};

std::int64_t clock_ns = 0;
std::int64_t read_clock() noexcept { return clock_ns; }

class HeldBack : public testing::Test {
 protected:
  /// Whether a wait for these ranks lets go on whom this one holds back, at its first nap.
  bool lets_go(const std::vector<int>& awaited) {
    const auto describe = [&](WaitNote& note) {
      EXPECT_TRUE(note.is_brief);
      for (const int rank : awaited) note.awaits(rank);
    };
    const int before = held_.let_go;
    LongWait(&waits_, &held_, moves_, describe).goes_on();
    return held_.let_go > before;
  }
  /// In vain, as long as nothing moves.
  void look(int times, std::int64_t ns_between = 0) {
    for (int i = 0; i < times; ++i) {
      clock_ns += ns_between;
      looks_.note(moves_.peek());
    }
  }
  void move() { moves_.publish(moves_.peek() + 1); }

  static constexpr int kMany = 20'000, kFew = 16'000;
  Held held_;
  Waits waits_;
  Moves moves_{};
  LooksInVain looks_{waits_, held_, read_clock};
};

TEST_F(HeldBack, GoOnIfTheWaitMayNeedIt) {
  EXPECT_TRUE(lets_go({1}));
  EXPECT_FALSE(lets_go({2}));
  EXPECT_EQ(waits_.told, 0) << "it is not long";
}

TEST_F(HeldBack, GoOnIfItIsNotKnownWhoIsAwaited) {
  EXPECT_TRUE(lets_go({kNoRank}));
  EXPECT_TRUE(lets_go({})) << "as of a generalized request";
  LongWait(&waits_, &held_, moves_, {}).goes_on();
  EXPECT_EQ(held_.let_go, 3) << "a wait that nobody is to know of";
  LongWait(nullptr, &held_, moves_, [](WaitNote&) {}).goes_on();
  EXPECT_EQ(held_.let_go, 4) << "nobody knows of waits";
}

TEST_F(HeldBack, AreNotAskedForIfThereAreNone) {
  held_.ranks.clear();
  EXPECT_FALSE(lets_go({1}));
  LongWait(&waits_, nullptr, moves_, {}).goes_on();
}

TEST_F(HeldBack, GoOnIfThisOneLooksAgainAndAgain) {
  look(kFew);
  EXPECT_EQ(held_.let_go, 0);
  move();
  look(kFew);
  EXPECT_EQ(held_.let_go, 0) << "counted from what moved";
  EXPECT_TRUE(waits_.looks.empty());
  look(kMany);
  EXPECT_GT(held_.let_go, 0);
  move();
  look(2);
  EXPECT_EQ(waits_.looks, (std::vector<bool>{true, false})) << "told when it begins, and when it ends";
}

TEST_F(HeldBack, GoOnIfThisOneLooksForALongTime) {
  look(40, 1'000'000);
  EXPECT_TRUE(waits_.looks.empty()) << "for 24 ms, since the clock was looked at first";
  look(100, 1'000'000);
  EXPECT_EQ(waits_.looks, std::vector<bool>{true}) << "others know of it";
  EXPECT_EQ(held_.let_go, 0) << "its own memory it spares";
  look(32, 100'000'000);
  EXPECT_GT(held_.let_go, 0);
}

TEST_F(HeldBack, AreNotLetGoForAFewLooksThatAreFarApart) {
  look(15, 1'000'000'000);
  EXPECT_TRUE(waits_.looks.empty());
  EXPECT_EQ(held_.let_go, 0);
}

/// Whatever moves meanwhile.
TEST(LongWaitTest, IsToldAtABoundedRate) {
  Waits hourly(std::int64_t{3600} * 1'000'000'000), at_once(0);
  Moves moves{};
  const auto describe = [](WaitNote& note) { note.awaits(2); };
  LongWait rare(&hourly, nullptr, moves, describe), often(&at_once, nullptr, moves, describe);
  for (int i = 0; i < 10; ++i) {
    rare.goes_on();
    often.goes_on();
    moves.publish(moves.peek() + 1);
  }
  EXPECT_EQ(hourly.told, 0);
  EXPECT_EQ(at_once.told, 10);
}

}  // namespace
}  // namespace foldlane::engine
