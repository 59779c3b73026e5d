// PROTOCOL D "doorbell" (shm/sync/doorbell.hpp): the shipped waiting ladder down to its futex rung, under
// every interleaving. Timeouts never fire here, so a lost wake-up shows as a hang.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <vector>

#include "model_atoms.hpp"
#include "report.hpp"

namespace foldlane::model {
namespace {

struct Scene {
  int publishers;
  int sleepers;
  std::uint64_t published;  // epochs that each publisher publishes
  std::uint64_t awaited;    // epochs that each sleeper awaits of each publisher
  shm::Wake wake;
  bool launcher = false;  // declares the job failed, at any moment
  bool one_each = false;  // sleeper s awaits epoch s+1 and no other
};

/// Every rung but the last left out.
constexpr shm::Ladder kOnlyNaps{0, 0, 0, 1, 1};

class DoorbellProgram final : public Program {
 public:
  using Signals = shm::Signals<LadderAtoms>;

  explicit DoorbellProgram(const Scene& scene) : scene_(scene) {}

  std::size_t threads() const override {
    return static_cast<std::size_t>(scene_.publishers + scene_.sleepers + (scene_.launcher ? 1 : 0));
  }

  void run(int thread) override {
    if (thread < scene_.publishers) return publish(thread);
    if (thread < scene_.publishers + scene_.sleepers) return sleep(thread);
    declare();
  }

  Kind kind_of(const void* word) const override {
    for (int rank = 0; rank < scene_.publishers; ++rank) {
      const auto& bell = bells_[static_cast<std::size_t>(rank)];
      if (word == &bell.sleepers) return Kind::sleepers;
      if (word == &bell.bell) return Kind::bell;
    }
    for (const auto& unused : bells_) {
      if (word == &unused.sleepers || word == &unused.bell) return Kind::constant;
    }
    if (word == &abort_word_) return scene_.launcher ? Kind::abort : Kind::constant;
    return Kind::state;
  }

  std::uint64_t role(int thread) const override {
    if (thread < scene_.publishers) return static_cast<std::uint64_t>(thread);
    if (thread == scene_.publishers + scene_.sleepers) return kMaxThreads;
    return kMaxThreads + 1 + (scene_.one_each ? static_cast<std::uint64_t>(thread) : 0);
  }

  std::string name_of(const void* address) const override {
    for (std::size_t r = 0; r < bells_.size(); ++r) {
      if (address == &bells_[r].sleepers) return fmt::format("rank {}'s sleepers", r);
      if (address == &bells_[r].bell) return fmt::format("rank {}'s bell", r);
      if (address == &words_[r]) return fmt::format("rank {}'s word", r);
    }
    return "the abort word";
  }

  std::string thread_name(int thread) const override {
    return thread < scene_.publishers + scene_.sleepers ? fmt::format("rank {}", thread) : "launcher";
  }

 private:
  Signals signals_of(int rank) {
    return {bells_[static_cast<std::size_t>(rank)], abort_word_, kOnlyNaps, scene_.wake};
  }

  void publish(int rank) {
    const Signals signals = signals_of(rank);
    for (std::uint64_t epoch = 1; epoch <= scene_.published; ++epoch) {
      signals.publish(words_[static_cast<std::size_t>(rank)], epoch);
      Execution::current().checkpoint(epoch);
    }
  }

  void sleep(int rank) {
    const Signals signals = signals_of(rank);
    const auto number = static_cast<std::uint64_t>(rank - scene_.publishers);
    for (std::uint64_t epoch = 1; epoch <= scene_.awaited; ++epoch) {
      if (scene_.one_each && epoch != number + 1) continue;
      for (std::size_t p = 0; p < static_cast<std::size_t>(scene_.publishers); ++p) {
        const auto arrived = [&] { return words_[p].observe() >= epoch; };
        if (signals.await_patiently(arrived, bells_[p], [] { return false; })) {
          Execution::current().checkpoint(epoch * kMaxThreads + p);
          if (epoch > scene_.published) return Execution::current().fail("wrong value: an epoch of nobody");
        } else {
          if (!scene_.launcher) Execution::current().fail("gave up in a job that has not failed");
          return;
        }
      }
    }
  }

  /// As JobMonitor::declare (shm/job/job.cpp), which is bound to a real segment.
  void declare() {
    if (!abort_word_.claim(0, 1)) return;
    for (int rank = 0; rank < scene_.publishers + scene_.sleepers; ++rank) {
      bells_[static_cast<std::size_t>(rank)].ring();
    }
  }

  const Scene& scene_;
  std::array<shm::Doorbell<LadderAtoms>, kMaxThreads> bells_{};
  std::array<LadderAtoms::Word<std::uint64_t>, kMaxThreads> words_{};
  LadderAtoms::Word<std::uint64_t> abort_word_{};
};

Verdict check(const Scene& scene, const Settings& settings) {
  return explore([&] { return std::make_unique<DoorbellProgram>(scene); }, settings);
}

Verdict check(const Scene& scene, const Mutation& mutation = {}) {
  Settings settings;
  settings.search = Search::interleavings;
  settings.mutation = mutation;
  return check(scene, settings);
}

constexpr std::array kWakes = {shm::Wake::membarrier, shm::Wake::locked};

std::string name(const Scene& scene, const std::string& what = "intact") {
  return fmt::format("{}+{} ranks, {} of {} epochs, {}{}: {}", scene.publishers, scene.sleepers,
                     scene.published, scene.awaited,
                     scene.wake == shm::Wake::membarrier ? "membarrier" : "locked",
                     scene.launcher ? ", launcher" : "", what);
}

TEST(Doorbell, NoWakeUpIsLost) {
  for (const shm::Wake wake : kWakes) {
    for (const Scene& scene : {Scene{1, 1, 3, 3, wake}, Scene{1, 2, 1, 1, wake}, Scene{2, 1, 1, 1, wake}}) {
      expect_pass(name(scene), check(scene));
    }
  }
}

/// Each bell wakes both, and the one whose epoch has not come must go back to sleep.
void expect_one_epoch_each(shm::Wake wake) {
  const Scene scene{1, 2, 2, 2, wake, false, true};
  expect_pass(name(scene, "one epoch each"), check(scene));
}

TEST(Doorbell, EachSleeperGetsItsEpoch) { expect_one_epoch_each(shm::Wake::locked); }

/// Ten seconds.
TEST(DoorbellLong, EachSleeperGetsItsEpochWithMembarrier) { expect_one_epoch_each(shm::Wake::membarrier); }

/// Also the answer to whether a rank between its last look at the abort word and its nap can miss the
/// launcher's bell: it cannot. Either it has seen the bell before it rang, and then the futex finds the bell
/// changed; or it has seen the bell after it rang, and then the abort word, claimed before, with it.
TEST(Doorbell, TheLauncherWakesEverybody) {
  for (const shm::Wake wake : kWakes) {
    for (const Scene& scene : {Scene{1, 1, 0, 1, wake, true}, Scene{1, 1, 1, 1, wake, true},
                               Scene{1, 1, 1, 2, wake, true}, Scene{1, 2, 0, 1, wake, true}}) {
      expect_pass(name(scene), check(scene));
    }
  }
}

TEST(Doorbell, APublisherMayDieAnywhere) {
  for (const shm::Wake wake : kWakes) {
    const Scene scene{1, 1, 1, 1, wake, true};
    Settings settings;
    settings.search = Search::interleavings;
    settings.dying_thread = 0;
    Verdict sum;
    for (bool died = true; died && sum.passed(); ++settings.dying_step) {
      const Verdict one = check(scene, settings);
      died = one.died;
      sum.problem = one.problem;
      sum.executions += one.executions;
      sum.choices += one.choices;
      sum.milliseconds += one.milliseconds;
    }
    expect_pass(name(scene, "the publisher dies"), sum);
  }
}

struct Broken {
  const char* name;
  Mutation mutation;
  bool by_membarrier;  // the wakes that this breaks
  bool by_locked;
};

std::vector<Broken> broken_rings() {
  std::vector<Broken> all = {
      {"no heavy barrier [D3]", {}, true, false}, {"no light barrier [D2]", {}, true, false},
      {"sleepers not seen", {}, true, false},     {"nobody is woken", {}, true, true},
      {"the bell stands still", {}, true, true},  {"bell looked at after the word", {}, true, true}};
  all[0].mutation.no_heavy_barrier = true;
  all[1].mutation.no_light_barrier = true;
  all[2].mutation.zero = mask(Kind::sleepers);
  all[3].mutation.no_wake = true;
  all[4].mutation.bell_stands_still = true;
  all[5].mutation.seen_too_late = true;
  return all;
}

TEST(DoorbellMutants, Rings) {
  for (const Broken& broken : broken_rings()) {
    for (const shm::Wake wake : kWakes) {
      const bool matters = wake == shm::Wake::membarrier ? broken.by_membarrier : broken.by_locked;
      const Scene scene{1, 1, 1, 1, wake};
      const Verdict verdict = check(scene, broken.mutation);
      if (matters) {
        expect_caught(name(scene, broken.name), verdict, "hang");
      } else {
        expect_pass(name(scene, broken.name), verdict);
      }
    }
  }
}

TEST(DoorbellMutants, AbortWord) {
  for (const shm::Wake wake : kWakes) {
    const Scene scene{1, 1, 0, 1, wake, true};
    Mutation ignored;
    ignored.zero = mask(Kind::abort);
    expect_caught(name(scene, "abort word ignored"), check(scene, ignored), "hang");
    Mutation silent;
    silent.no_wake = true;
    expect_caught(name(scene, "the launcher wakes nobody"), check(scene, silent), "hang");
    // The bell must be observed with acquire: it brings the abort word along.
    Mutation relaxed;
    relaxed.relaxed_observe = mask(Kind::bell);
    expect_caught(name(scene, "bell observed relaxed"), check(scene, relaxed), "hang");
  }
}

}  // namespace
}  // namespace foldlane::model
