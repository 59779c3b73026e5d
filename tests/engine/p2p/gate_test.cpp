// Who waits for messages stays inside the messenger until somebody knocks.
#include "engine/p2p/gate.hpp"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace foldlane::testing {
namespace {

using engine::Bystanders;
using engine::Gate;

TEST(Gate, LetsOneInAtATime) {
  Gate gate;
  ASSERT_TRUE(gate.try_enter());
  std::thread other([&] { EXPECT_FALSE(gate.try_enter()); });
  other.join();
  gate.leave();
  EXPECT_TRUE(gate.try_enter());
  gate.leave();
}

/// Would never end if who is inside did not see the knock.
TEST(Gate, TellsWhoIsInsideThatSomebodyKnocks) {
  Gate gate;
  gate.enter();
  EXPECT_FALSE(gate.is_wanted());
  std::thread other([&] {
    gate.enter();
    gate.leave();
  });
  while (!gate.is_wanted()) std::this_thread::yield();
  gate.leave();
  other.join();
  EXPECT_FALSE(gate.is_wanted());
}

TEST(Gate, KeepsThreadsApart) {
  constexpr int kThreads = 4, kRounds = 2'000;
  Gate gate;
  int visits = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      for (int round = 0; round < kRounds; ++round) {
        gate.enter();
        ++visits;
        gate.leave();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(visits, kThreads * kRounds);
}

TEST(Bystanders, AreManyWhenThereAreFewerCpusThanThreads) {
  Bystanders all(2);
  Bystanders::One first(all), second(all);
  EXPECT_FALSE(all.are_many());
  first.note();
  first.note();  // counts once
  EXPECT_FALSE(all.are_many());
  {
    Bystanders::One third(all);
    third.note();
    EXPECT_TRUE(all.are_many());
  }
  EXPECT_FALSE(all.are_many());
}

}  // namespace
}  // namespace foldlane::testing
