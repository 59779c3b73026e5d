// The progress engine by itself: queues, rounds, ends and naps, with operations that do what the test says.
#include "engine/progress/progress.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <semaphore>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace foldlane::engine {
namespace {

/// Real atoms, but a barrier and a nap first tell the test.
struct ToldAtoms : shm::RealAtoms {
  static inline std::function<void()> at_barrier;
  static inline std::function<void(std::uint32_t bell, std::uint32_t seen)> at_nap;

  static void heavy_barrier() noexcept { at_barrier(); }
  static void sleep_while(const Word<std::uint32_t>& bell, std::uint32_t seen, std::int64_t) noexcept {
    at_nap(bell.observe(), seen);
  }
};

/// Rank 0 of three, whose waits nap after so many polls.
class Rank {
 public:
  explicit Rank(std::uint32_t polls = 0)
      : signals_(lines_[0].doorbell, abort_word_, {polls, 0, 1, 1}, shm::Wake::membarrier),
        progress_(watched(), 0, signals_) {}
  ~Rank() {
    ToldAtoms::at_barrier = nullptr;
    ToldAtoms::at_nap = nullptr;
  }

  BasicProgress<ToldAtoms>& progress() { return progress_; }
  bool is_watched(int rank) const {
    return lines_[static_cast<std::size_t>(rank)].watchers.ranks[0].observe() == 1 &&
           lines_[static_cast<std::size_t>(rank)].doorbell.sleepers.observe() == 1;
  }

 private:
  struct Lines {
    shm::Doorbell<ToldAtoms> doorbell{};
    shm::Inbox<ToldAtoms> inbox{};
    shm::Watchers<ToldAtoms> watchers{};
  };
  std::vector<BasicWatched<ToldAtoms>> watched() {
    std::vector<BasicWatched<ToldAtoms>> all;
    for (Lines& each : lines_) all.push_back({&each.doorbell, &each.inbox, &each.watchers});
    return all;
  }

  std::array<Lines, 3> lines_{};
  ToldAtoms::Word<std::uint64_t> abort_word_{};
  shm::Signals<ToldAtoms> signals_;
  BasicProgress<ToldAtoms> progress_;
};

/// Does what the test says at each step, and says when it is destroyed.
class Scripted final : public Operation {
 public:
  using Step = std::function<engine::Progress()>;
  explicit Scripted(
      Step step, std::function<void()> at_end = [] {})
      : step_(std::move(step)), at_end_(std::move(at_end)) {}
  ~Scripted() override { at_end_(); }

  int given_up = 0;
  std::atomic<int> awaited = 1;

 private:
  engine::Progress advance(Patience) override { return step_(); }
  engine::Progress run() override {  // its steps have nothing to block in
    engine::Progress state = step_();
    while (state == engine::Progress::waiting) state = step_();
    return state;
  }
  void give_up() noexcept override { ++given_up; }
  int awaited_rank() const noexcept override { return awaited; }
  std::uint64_t steps() const noexcept override { return 0; }

  Step step_;
  std::function<void()> at_end_;
};

/// Of a step that waits until something is true.
Scripted::Step until(const bool& open) {
  return [&open] { return open ? engine::Progress::done : engine::Progress::waiting; };
}

TEST(Progress, OperationsOfATeamTakePlaceOneAfterTheOther) {
  Rank rank;
  OperationQueue team;
  bool open = false;
  int steps_of_second = 0;
  Scripted first(until(open));
  Scripted second([&] {
    ++steps_of_second;
    return engine::Progress::done;
  });
  rank.progress().start(team, first);
  rank.progress().start(team, second);
  rank.progress().drive();
  EXPECT_EQ(steps_of_second, 0);
  EXPECT_FALSE(second.done());
  open = true;
  EXPECT_TRUE(rank.progress().drive());
  EXPECT_TRUE(first.done() && second.done());
  EXPECT_TRUE(rank.progress().is_undisturbed());
}

TEST(Progress, TeamsDoNotWaitForEachOther) {
  Rank rank;
  std::array<OperationQueue, 3> teams;
  std::array<bool, 3> open{};
  std::vector<std::unique_ptr<Scripted>> operations;
  for (std::size_t i = 0; i < teams.size(); ++i) {
    operations.push_back(std::make_unique<Scripted>(until(open[i])));
    rank.progress().start(teams[i], *operations.back());
  }
  for (const std::size_t i : {1u, 2u, 0u}) {
    EXPECT_FALSE(rank.progress().is_idle());
    open[i] = true;
    rank.progress().drive();
    EXPECT_TRUE(operations[i]->done());
  }
  EXPECT_TRUE(rank.progress().is_idle());
}

TEST(Progress, ADoneOperationCanBeStartedAgain) {
  Rank rank;
  OperationQueue team;
  bool open = false;
  Scripted operation(until(open));
  EXPECT_TRUE(operation.done());
  for (int round = 0; round < 3; ++round) {
    open = false;
    rank.progress().start(team, operation);
    EXPECT_FALSE(operation.done());
    open = true;
    rank.progress().drive();
    EXPECT_TRUE(operation.done());
  }
}

TEST(Progress, WhatAFunctionOfTheCallerThrowsIsPassedOnOnce) {
  Rank rank;
  OperationQueue team;
  Scripted thrower([]() -> engine::Progress { throw std::runtime_error("of the caller"); });
  Scripted next([] { return engine::Progress::done; });
  rank.progress().start(team, thrower);
  rank.progress().start(team, next);
  EXPECT_TRUE(thrower.done() && thrower.failed());
  EXPECT_EQ(thrower.given_up, 1);
  EXPECT_TRUE(next.done());
  EXPECT_THROW(thrower.rethrow(), std::runtime_error);
  EXPECT_NO_THROW(thrower.rethrow());
}

TEST(Progress, AFailureEndsOneOperationAndIsForgottenByItsNextStart) {
  Rank rank;
  OperationQueue broken;
  OperationQueue sound;
  engine::Progress outcome = engine::Progress::failed;
  bool open = false;
  Scripted failing([&] { return outcome; });
  Scripted waiting(until(open));
  rank.progress().start(sound, waiting);
  rank.progress().start(broken, failing);
  EXPECT_TRUE(failing.done() && failing.failed());
  EXPECT_FALSE(waiting.done());
  outcome = engine::Progress::done;
  rank.progress().start(broken, failing);
  EXPECT_TRUE(failing.done() && !failing.failed());
  open = true;
  rank.progress().drive();
  EXPECT_TRUE(waiting.done() && !waiting.failed());
}

/// Its destructor may use the progress engine, so nothing may be held meanwhile.
TEST(Progress, AForgottenOperationLivesUntilItsEnd) {
  Rank rank;
  rank.progress().allow_threads();
  OperationQueue team;
  OperationQueue other;
  bool open = false;
  int destroyed = 0;
  Scripted last([] { return engine::Progress::done; });
  rank.progress().start_and_forget(team, std::make_unique<Scripted>(until(open), [&] {
                                     ++destroyed;
                                     rank.progress().start(other, last);
                                   }));
  rank.progress().drive();
  EXPECT_EQ(destroyed, 0);
  open = true;
  rank.progress().drive();
  EXPECT_EQ(destroyed, 1);
  EXPECT_TRUE(last.done());
  EXPECT_TRUE(rank.progress().is_idle());
}

/// Another thread may drive it to its end, and does not touch it after that (ThreadSanitizer sees it).
TEST(Progress, AnOperationThatIsDoneIsItsOwners) {
  Rank rank;
  rank.progress().allow_threads();
  OperationQueue team;
  std::atomic<bool> over = false;
  std::jthread driver([&] {
    while (!over) rank.progress().drive();
  });
  for (int i = 0; i < 1000; ++i) {
    bool started = false;
    auto operation = std::make_unique<Scripted>([&started] {
      return std::exchange(started, true) ? engine::Progress::done : engine::Progress::waiting;
    });
    rank.progress().start(team, *operation);
    while (!operation->done()) std::this_thread::yield();
  }
  over = true;
}

TEST(Nap, IsNotBegunAsLongAsSomethingMovesNowAndThen) {
  Rank rank(4);
  OperationQueue team;
  int steps = 0, naps = 0;
  Scripted operation([&] {
    if (++steps % 3 == 0) operation.awaited = 3 - operation.awaited;
    return steps == 60 ? engine::Progress::done : engine::Progress::waiting;
  });
  rank.progress().start(team, operation);
  ToldAtoms::at_barrier = [] {};
  ToldAtoms::at_nap = [&](std::uint32_t, std::uint32_t) { ++naps; };
  rank.progress().wait_until([&] { return operation.done(); });
  EXPECT_EQ(naps, 0);
}

/// Between the list of what is to be watched and the nap, another thread makes an operation wait for another
/// rank, which this thread does not watch.
TEST(Nap, IsNotBegunWhenAnotherThreadHasChangedWhatIsAwaited) {
  Rank rank;
  rank.progress().allow_threads();
  OperationQueue team;
  int stage = 0;
  bool watched = true;
  Scripted operation([&] {
    if (stage > 0) operation.awaited = 2;
    return stage == 2 ? engine::Progress::done : engine::Progress::waiting;
  });
  rank.progress().start(team, operation);
  ToldAtoms::at_barrier = [&] {
    if (stage > 0) return;
    stage = 1;
    std::jthread([&] { rank.progress().drive(); }).join();
  };
  ToldAtoms::at_nap = [&](std::uint32_t bell, std::uint32_t seen) {
    if (bell != seen) return;  // so it does not sleep
    watched = rank.is_watched(2);
    stage = 2;  // rank 2 publishes
  };
  rank.progress().wait_until([&] { return operation.done(); });
  EXPECT_TRUE(watched);
}

/// Another thread has looked before what is awaited came, and is still in its round. The publisher may have
/// seen no sleeper, so this thread must look again, which is after the other one's round. That it waits for
/// that cannot be seen, so the round goes on for a while when nobody naps.
TEST(Nap, IsNotBegunOnTheWordOfARoundThatBeganEarlier) {
  Rank rank;
  rank.progress().allow_threads();
  OperationQueue team;
  std::binary_semaphore looked(0);
  std::binary_semaphore napped(0);
  std::atomic<bool> arrived = false;
  std::atomic<int> rounds = 0;
  bool slept = false;
  Scripted operation([&] {
    const bool seen = arrived;
    if (rounds++ == 2) {
      looked.release();
      (void)napped.try_acquire_for(std::chrono::milliseconds(100));
    }
    return seen ? engine::Progress::done : engine::Progress::waiting;
  });
  rank.progress().start(team, operation);  // round 0; round 1 before the nap
  std::jthread other;
  ToldAtoms::at_barrier = [&] {
    if (other.joinable()) return;
    other = std::jthread([&] { rank.progress().drive(); });
    looked.acquire();
    arrived = true;
  };
  ToldAtoms::at_nap = [&](std::uint32_t bell, std::uint32_t seen) {
    slept = slept || bell == seen;
    napped.release();
  };
  rank.progress().wait_until([&] { return operation.done(); });
  EXPECT_FALSE(slept);
}

}  // namespace
}  // namespace foldlane::engine
