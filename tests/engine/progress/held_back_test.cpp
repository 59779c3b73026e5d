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
  Waits() : LongWaits(100) {}
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

class HeldBack : public testing::Test {
 protected:
  /// Whether a wait for that rank lets go on whom this one holds back, at its first nap.
  bool lets_go(int awaited) {
    const auto describe = [&](WaitNote& note) {
      EXPECT_TRUE(note.is_brief);
      note.awaits(awaited);
    };
    const int before = held_.let_go;
    LongWait(&waits_, &held_, moves_, describe).goes_on(1);
    return held_.let_go > before;
  }
  void look(int times, bool in_vain) {
    for (int i = 0; i < times; ++i) looks_.note(in_vain, &waits_, &held_);
  }

  static constexpr int kMany = 20'000, kFew = 16'000;
  Held held_;
  Waits waits_;
  Moves moves_{};
  LooksInVain looks_;
};

TEST_F(HeldBack, GoOnIfTheWaitMayNeedIt) {
  EXPECT_TRUE(lets_go(1));
  EXPECT_FALSE(lets_go(2));
  EXPECT_EQ(waits_.told, 0) << "it is not long";
}

TEST_F(HeldBack, GoOnIfItIsNotKnownWhoIsAwaited) {
  EXPECT_TRUE(lets_go(kNoRank));
  LongWait(&waits_, &held_, moves_, {}).goes_on(1);
  EXPECT_EQ(held_.let_go, 2) << "a wait that nobody is to know of";
  LongWait(nullptr, &held_, moves_, [](WaitNote&) {}).goes_on(1);
  EXPECT_EQ(held_.let_go, 3) << "nobody knows of waits";
}

TEST_F(HeldBack, AreNotAskedForIfThereAreNone) {
  held_.ranks.clear();
  EXPECT_FALSE(lets_go(1));
  LongWait(&waits_, nullptr, moves_, {}).goes_on(1);
}

TEST_F(HeldBack, GoOnIfThisOneLooksAgainAndAgain) {
  look(kFew, true);
  EXPECT_EQ(held_.let_go, 0);
  look(1, false);
  look(kFew, true);
  EXPECT_EQ(held_.let_go, 0) << "counted from what moved";
  EXPECT_TRUE(waits_.looks.empty());
  look(kMany, true);
  EXPECT_GT(held_.let_go, 0);
  look(2, false);
  EXPECT_EQ(waits_.looks, (std::vector<bool>{true, false})) << "told when it begins, and when it ends";
}

}  // namespace
}  // namespace foldlane::engine
