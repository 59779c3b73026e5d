// The waiting ladder between real processes: every rung is reached, a sleeper is woken by the publisher's
// bell, and waiting for a late peer costs next to no CPU time.
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>

#include "shm/segment/layout.hpp"
#include "shm/sync/signals.hpp"

namespace foldlane::shm {
namespace {

using Bell = Doorbell<RealAtoms>;

struct Shared {
  alignas(64) Epoch word;
  alignas(64) Epoch abort_word;
  alignas(64) Epoch reply;
  Bell bells[2];
};

/// Until the word, or something that ends every wait, is there.
bool await(const Signals<RealAtoms>& signals, const Epoch& word, std::uint64_t value, Bell& bell) {
  return signals.await_patiently([&] { return word.observe() >= value; }, bell, [] { return false; });
}

class Waiting : public ::testing::TestWithParam<Wake> {
 protected:
  void SetUp() override {
    void* memory = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(memory, MAP_FAILED);
    shared_ = static_cast<Shared*>(memory);
    if (GetParam() == Wake::membarrier) {
      ASSERT_TRUE(register_global_barrier());
    }
  }
  void TearDown() override { munmap(shared_, sizeof(Shared)); }

  Signals<RealAtoms> signals(int rank, Ladder ladder) {
    return {shared_->bells[rank], shared_->abort_word, ladder, GetParam()};
  }

  template <class Body>
  pid_t start(const Body& body) {
    const pid_t child = fork();
    if (child == 0) _exit(body() ? 0 : 1);
    return child;
  }
  static int exit_code(pid_t child) {
    int status = 0;
    waitpid(child, &status, 0);
    return status;
  }
  void until_peer_sleeps(int bell) const {
    while (shared_->bells[bell].sleepers.observe() == 0) usleep(50);
  }
  /// Waits for the word, and counts in the reply how often it has looked.
  bool await_and_tell(const Signals<RealAtoms>& signals) {
    const auto arrived = [this] {
      shared_->reply.publish(shared_->reply.observe() + 1);
      return shared_->word.observe() >= 1;
    };
    return signals.await_patiently(arrived, shared_->bells[1], [] { return false; });
  }
  void until_peer_has_looked(std::uint64_t times) const {
    while (shared_->reply.observe() < times) usleep(50);
  }

  Shared* shared_ = nullptr;
};

constexpr std::int64_t kHourNs = 3'600'000'000'000;
constexpr Ladder kOnlySleep{0, 0, kHourNs, kHourNs};  // only the bell can wake

TEST_P(Waiting, TheBellWakesASleeper) {
  const pid_t sleeper =
      start([&] { return await(signals(0, kOnlySleep), shared_->word, 1, shared_->bells[1]); });
  until_peer_sleeps(1);
  signals(1, kOnlySleep).publish(shared_->word, 1);
  EXPECT_EQ(exit_code(sleeper), 0);
  EXPECT_EQ(shared_->bells[1].sleepers.observe(), 0u);
}

TEST_P(Waiting, ManyHandOffsBetweenSleepersLoseNone) {
  constexpr std::uint64_t kRounds = 20'000;
  const auto play = [&](int rank, Epoch& mine, Epoch& theirs, std::uint64_t lead) {
    const auto own = signals(rank, kOnlySleep);
    for (std::uint64_t round = 1; round <= kRounds; ++round) {
      if (!await(own, theirs, round - lead, shared_->bells[1 - rank])) return false;
      own.publish(mine, round);
    }
    return true;
  };
  const pid_t other = start([&] { return play(1, shared_->reply, shared_->word, 0); });
  EXPECT_TRUE(play(0, shared_->word, shared_->reply, 1));
  EXPECT_EQ(exit_code(other), 0);
}

TEST_P(Waiting, TheAbortWordEndsAWaitOnEveryRung) {
  for (const Ladder& ladder :
       {Ladder{0, 1'000'000'000, kHourNs, kHourNs}, Ladder{0, 0, 1'000'000, 1'000'000}}) {
    shared_->abort_word.publish(0);
    shared_->reply.publish(0);
    const pid_t waiter = start([&] { return !await_and_tell(signals(0, ladder)); });
    // Who does not yield has looked three times at most.
    ladder.yields > 0 ? until_peer_has_looked(5) : until_peer_sleeps(1);
    shared_->abort_word.publish(1);
    if (ladder.yields > 0) shared_->bells[1].ring();  // for a busy machine, where yields are slow and end
    EXPECT_EQ(exit_code(waiter), 0);
    EXPECT_EQ(shared_->bells[1].sleepers.observe(), 0u);
  }
}

/// Of a rank that polls for two peers and, once, yields.
constexpr Ladder kSharedCpus{.polls = 0,
                             .yields = 1,
                             .first_sleep_ns = 1,
                             .longest_sleep_ns = 1,
                             .others_running = 2,
                             .near_ns = kHourNs};

TEST_P(Waiting, OnSharedCpusPollsOnlyForAsManyAsCanBeRunning) {
  const auto polls_for = [&](std::uint32_t missing) {
    int looks = 0;
    const auto arrived = [&] { return ++looks == 1'000; };
    return signals(0, kSharedCpus)
        .await_patiently(
            arrived, shared_->bells[1], [] { return true; }, NoOtherWork{},
            [=](std::uint32_t most) { return missing <= most; });
  };
  EXPECT_TRUE(polls_for(1));
  EXPECT_TRUE(polls_for(2));
  EXPECT_FALSE(polls_for(3));
  EXPECT_FALSE(polls_for(1'000));
  EXPECT_EQ(Ladder::shared_cpu(2, 4).others_running, 1u);
  EXPECT_GT(Ladder::shared_cpu(2, 4).near_ns, 0);
}

TEST_P(Waiting, OnSharedCpusRemembersPollsInVain) {
  const auto own = signals(0, kSharedCpus);
  const auto arrives_at_look = [&](int look) {
    int looks = 0;
    return own.await_patiently([&] { return ++looks == look; }, shared_->bells[1], [] { return true; },
                               NoOtherWork{}, [](std::uint32_t) { return true; });
  };
  EXPECT_TRUE(arrives_at_look(1'000));
  for (int in_vain = 0; in_vain < 3; ++in_vain) EXPECT_FALSE(arrives_at_look(0)) << "never";
  EXPECT_FALSE(arrives_at_look(1'000)) << "it does not poll any more";
}

TEST_P(Waiting, OnSharedCpusPollsOnceInAWait) {
  Ladder ladder = kSharedCpus;
  ladder.yields = 20;
  int asked = 0;
  const auto few_missing = [&](std::uint32_t) { return ++asked > 0; };
  EXPECT_FALSE(signals(0, ladder).await_patiently([] { return false; }, shared_->bells[1],
                                                  [] { return true; }, NoOtherWork{}, few_missing));
  EXPECT_EQ(asked, 1);
}

/// Something besides a wait, which may be under way.
struct CountedWork : NoOtherWork {
  bool urgent;
  int& rounds;

  bool is_urgent() const noexcept { return urgent; }
  void drive() const noexcept { ++rounds; }
};

TEST_P(Waiting, BeforeItsFirstYieldAWaitGoesOnOnlyWithWhatIsUnderWay) {
  const Ladder ladder{0, 1'000, kHourNs, kHourNs};
  const auto rounds_of_one_yield = [&](bool urgent) {
    int looks = 0;
    int rounds = 0;
    EXPECT_TRUE(signals(0, ladder).await_patiently([&] { return ++looks >= 2; }, shared_->bells[1],
                                                   [] { return false; }, CountedWork{{}, urgent, rounds}));
    return rounds;
  };
  EXPECT_EQ(rounds_of_one_yield(false), 0);
  EXPECT_EQ(rounds_of_one_yield(true), 1);
}

/// Else who never waits longer would not see that the job has failed.
TEST_P(Waiting, NowAndThenAWaitLooksAroundBeforeItsFirstYield) {
  const auto own = signals(0, Ladder{0, 1'000, 1, 1});  // on a busy machine yields may be forbidden meanwhile
  int rounds = 0;
  for (int wait = 0; wait < 256; ++wait) {
    int looks = 0;
    own.await_patiently([&] { return ++looks >= 2; }, shared_->bells[1], [] { return false; },
                        CountedWork{{}, false, rounds});
  }
  EXPECT_GE(rounds, 2);
}

void use_only(std::size_t cpu) {
  cpu_set_t cpus;
  CPU_ZERO(&cpus);
  CPU_SET(cpu, &cpus);
  sched_setaffinity(0, sizeof cpus, &cpus);
}

TEST_P(Waiting, BesideAProgramThatComputesAWaiterSoonSleeps) {
  const auto cpu = static_cast<std::size_t>(sched_getcpu());
  const pid_t computing = start([&] {
    use_only(cpu);
    while (shared_->reply.observe() == 0) continue;
    return true;
  });
  // Its yields alone would take months.
  const pid_t waiter = start([&] {
    use_only(cpu);
    return await(signals(0, {0, ~0U, 1'000'000'000, 1'000'000'000}), shared_->word, 1, shared_->bells[1]);
  });
  until_peer_sleeps(1);
  shared_->reply.publish(1);
  signals(1, kOnlySleep).publish(shared_->word, 1);
  EXPECT_EQ(exit_code(computing), 0);
  EXPECT_EQ(exit_code(waiter), 0);
}

TEST_P(Waiting, ALatePeerCostsLittleCpuTime) {
  rusage before{};
  getrusage(RUSAGE_CHILDREN, &before);
  const pid_t waiter =
      start([&] { return await(signals(0, Ladder::own_cpu()), shared_->word, 1, shared_->bells[1]); });
  usleep(1'000'000);  // the promise is about time: a peer that is one second late
  signals(1, kOnlySleep).publish(shared_->word, 1);
  EXPECT_EQ(exit_code(waiter), 0);
  rusage after{};
  getrusage(RUSAGE_CHILDREN, &after);
  const auto micros = [](const timeval& time) { return time.tv_sec * 1'000'000 + time.tv_usec; };
  const auto spent =
      micros(after.ru_utime) + micros(after.ru_stime) - micros(before.ru_utime) - micros(before.ru_stime);
  EXPECT_LT(spent, 50'000) << "microseconds of CPU while waiting one second";
}

INSTANTIATE_TEST_SUITE_P(Wakes, Waiting, ::testing::Values(Wake::membarrier, Wake::locked),
                         [](const auto& test) {
                           return test.param == Wake::membarrier ? "membarrier" : "locked";
                         });

}  // namespace
}  // namespace foldlane::shm
