// PROTOCOL W "watch" (shm/sync/inbox.hpp): ranks that wait for operations sleep until the first of several
// publishers has published something. Driven are the shipped progress engine, its nap included, and the
// shipped publishing; naps never time out, so a lost wake-up shows as a hang.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <vector>

#include "engine/progress/progress.hpp"
#include "model_atoms.hpp"
#include "report.hpp"

namespace foldlane::model {
namespace {

using engine::Operation;
using engine::OperationQueue;
using engine::Patience;

/// Ranks are the publishers, then the watchers. Each watcher awaits one epoch of every publisher.
struct Scene {
  int publishers;
  int watchers;
  shm::Wake wake;
  /// Awaited by operations of independent queues; else publisher 0 by a blocking wait, and only the others
  /// by operations.
  bool all_by_operations = true;
  bool launcher = false;  // declares the job failed, at any moment
  int epochs = 1;         // that each publisher publishes and each watcher awaits, one round after the other
};

constexpr shm::Ladder kOnlyNaps{0, 0, 0, 1, 1};

using Epoch = LadderAtoms::Word<std::uint64_t>;

/// Waits until a word has reached an epoch.
class Arrival final : public Operation {
 public:
  Arrival(const Epoch& word, std::uint64_t epoch, int writer, const Epoch& abort_word)
      : word_(word), epoch_(epoch), writer_(writer), abort_word_(abort_word) {}

 private:
  engine::Progress advance(Patience) override {
    if (word_.observe() >= epoch_) return engine::Progress::done;
    return abort_word_.observe() != 0 ? engine::Progress::failed : engine::Progress::waiting;
  }
  engine::Progress run() override { return engine::Progress::failed; }  // no watcher blocks in it
  void give_up() noexcept override {}
  int awaited_rank() const noexcept override { return writer_; }
  std::uint64_t steps() const noexcept override { return 0; }

  const Epoch& word_;
  std::uint64_t epoch_;
  int writer_;
  const Epoch& abort_word_;
};

class WatchProgram final : public Program {
 public:
  explicit WatchProgram(const Scene& scene) : scene_(scene) {
    for (int rank = 0; rank < ranks(); ++rank) inboxes_.push_back(&of(rank).inbox);
    // When an execution is over, its threads see all bits set on their ways to their ends.
    inboxes_.resize(shm::Watchers<LadderAtoms>::kWordBits, &of(0).inbox);
    for (int rank = 0; rank < ranks(); ++rank) {
      of(rank).neighbours = {&of(rank).watchers, inboxes_.data(), ranks()};
    }
  }

  std::size_t threads() const override {
    return static_cast<std::size_t>(ranks() + (scene_.launcher ? 1 : 0));
  }

  void run(int thread) override {
    if (thread < scene_.publishers) return publish(thread);
    if (thread < ranks()) return watch(thread);
    declare();
  }

  Kind kind_of(const void* word) const override {
    for (const Rank& rank : ranks_) {
      if (word == &rank.doorbell.sleepers) return Kind::sleepers;
      if (word == &rank.doorbell.bell || word == &rank.inbox.bell) return Kind::bell;
      if (word == &rank.watchers.ranks[0]) return Kind::watchers;
    }
    if (word == &abort_word_) return scene_.launcher ? Kind::abort : Kind::constant;
    return Kind::state;
  }

  std::string name_of(const void* address) const override {
    for (std::size_t r = 0; r < ranks_.size(); ++r) {
      if (address == &ranks_[r].doorbell.sleepers) return fmt::format("rank {}'s sleepers", r);
      if (address == &ranks_[r].doorbell.bell) return fmt::format("rank {}'s bell", r);
      if (address == &ranks_[r].inbox.bell) return fmt::format("rank {}'s inbox", r);
      if (address == &ranks_[r].watchers.ranks[0]) return fmt::format("rank {}'s watchers", r);
      if (address == &ranks_[r].word) return fmt::format("rank {}'s word", r);
    }
    return "the abort word";
  }

  std::string thread_name(int thread) const override {
    return thread < ranks() ? fmt::format("rank {}", thread) : "launcher";
  }

  std::uint64_t kept_over_nap(int thread) const override { return of(thread).arrived; }

 private:
  struct Rank {
    shm::Doorbell<LadderAtoms> doorbell{};
    shm::Inbox<LadderAtoms> inbox{};
    shm::Watchers<LadderAtoms> watchers{};
    shm::Neighbours<LadderAtoms> neighbours{};
    Epoch word{};
    std::uint64_t arrived = 0;  // a watcher's: which operations have ended, one bit each
  };

  int ranks() const { return scene_.publishers + scene_.watchers; }
  Rank& of(int rank) { return ranks_[static_cast<std::size_t>(rank)]; }
  const Rank& of(int rank) const { return ranks_[static_cast<std::size_t>(rank)]; }
  shm::Signals<LadderAtoms> signals_of(int rank) {
    return {of(rank).doorbell, abort_word_, kOnlyNaps, scene_.wake};
  }

  void publish(int rank) {
    auto signals = signals_of(rank);
    signals.connect(of(rank).neighbours);
    for (int epoch = 1; epoch <= scene_.epochs; ++epoch)
      signals.publish(of(rank).word, static_cast<std::uint64_t>(epoch));
  }

  void watch(int rank) {
    const auto signals = signals_of(rank);
    std::vector<engine::BasicWatched<LadderAtoms>> all;
    for (int each = 0; each < ranks(); ++each)
      all.push_back({&of(each).doorbell, &of(each).inbox, &of(each).watchers});
    engine::BasicProgress<LadderAtoms> progress(all, rank, signals);
    for (int epoch = 1; epoch <= scene_.epochs; ++epoch) {
      if (!watch_round(progress, signals, rank, static_cast<std::uint64_t>(epoch))) return;
    }
  }

  bool watch_round(engine::BasicProgress<LadderAtoms>& progress, const shm::Signals<LadderAtoms>& signals,
                   int rank, std::uint64_t epoch) {
    Execution::current().checkpoint(epoch);
    of(rank).arrived = epoch << kMaxThreads;
    const int first = scene_.all_by_operations ? 0 : 1;
    std::array<OperationQueue, kMaxThreads> queues;
    std::vector<std::unique_ptr<Arrival>> arrivals;
    for (int p = first; p < scene_.publishers; ++p) {
      arrivals.push_back(std::make_unique<Arrival>(of(p).word, epoch, p, abort_word_));
      progress.start(queues[static_cast<std::size_t>(p)], *arrivals.back());
    }
    const auto all_over = [&] {
      of(rank).arrived = epoch << kMaxThreads;
      bool over = true;
      for (std::size_t i = 0; i < arrivals.size(); ++i) {
        of(rank).arrived |= std::uint64_t{arrivals[i]->done()} << i;
        over = over && arrivals[i]->done();
      }
      return over;
    };
    bool arrived = true;
    if (!scene_.all_by_operations) {
      arrived = signals.await_patiently([&] { return of(0).word.observe() >= epoch; }, of(0).doorbell,
                                        [&] { return all_over() && false; }, progress.while_waiting_for(0));
    }
    progress.wait_until(all_over);
    for (const auto& each : arrivals) arrived = arrived && !each->failed();
    if (!arrived && !scene_.launcher) Execution::current().fail("gave up in a job that has not failed");
    return arrived;
  }

  /// As JobMonitor::declare (shm/job/job.cpp), which is bound to a real segment.
  void declare() {
    if (!abort_word_.claim(0, 1)) return;
    for (int rank = 0; rank < ranks(); ++rank) {
      of(rank).doorbell.ring();
      of(rank).inbox.ring();
    }
  }

  const Scene& scene_;
  std::array<Rank, kMaxThreads> ranks_{};
  std::vector<shm::Inbox<LadderAtoms>*> inboxes_;
  Epoch abort_word_{};
};

Verdict check(const Scene& scene, Settings settings = {}) {
  settings.search = Search::interleavings;
  return explore([&] { return std::make_unique<WatchProgram>(scene); }, settings);
}

constexpr std::array kWakes = {shm::Wake::membarrier, shm::Wake::locked};

std::string name(const Scene& scene, const std::string& what = "intact") {
  return fmt::format("{}+{} ranks, {}{}{}: {}", scene.publishers, scene.watchers,
                     scene.wake == shm::Wake::membarrier ? "membarrier" : "locked",
                     scene.all_by_operations ? "" : ", one blocking", scene.launcher ? ", launcher" : "",
                     what);
}

TEST(Watch, NoWakeUpIsLost) {
  for (const shm::Wake wake : kWakes) {
    for (const Scene& scene : {Scene{1, 1, wake}, Scene{1, 1, wake, true, false, 2}, Scene{2, 1, wake},
                               Scene{2, 1, wake, false}}) {
      expect_pass(name(scene), check(scene));
    }
  }
  const Scene two_sleepers{1, 2, shm::Wake::locked};
  expect_pass(name(two_sleepers), check(two_sleepers));
}

/// Half a minute.
TEST(WatchLong, TwoSleepersWithMembarrier) {
  const Scene scene{1, 2, shm::Wake::membarrier};
  expect_pass(name(scene), check(scene));
}

void expect_the_launcher_wakes(const Scene& scene) {
  Settings settings;
  settings.dying_thread = 0;  // before it publishes
  expect_pass(name(scene, "a publisher never comes"), check(scene, settings));
}

TEST(Watch, TheLauncherWakesEverybody) {
  for (const shm::Wake wake : kWakes) expect_the_launcher_wakes({1, 1, wake, true, true});
}

/// Half a minute for each scene.
TEST(WatchLong, TheLauncherWakesWhoWaitsForTwo) {
  for (const shm::Wake wake : kWakes) {
    for (const bool all_by_operations : {true, false})
      expect_the_launcher_wakes({2, 1, wake, all_by_operations, true});
  }
}

/// With a second publisher the search does not end within its limit.
TEST(Watch, APublisherMayDieAnywhere) {
  for (const shm::Wake wake : kWakes) {
    const Scene scene{1, 1, wake, true, true};
    Settings settings;
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
    expect_pass(name(scene, "a publisher dies"), sum);
  }
}

struct Broken {
  const char* name;
  Mutation mutation;
  bool by_membarrier;  // the wakes that this breaks
  bool by_locked;
};

std::vector<Broken> broken_rules() {
  std::vector<Broken> all = {
      {"[W1] after [W2]", {}, false, true},       {"no heavy barrier", {}, true, false},
      {"no light barrier", {}, true, false},      {"sleepers not seen [W2]", {}, true, false},
      {"watchers not seen [W4]", {}, true, true}, {"nobody is woken", {}, true, true},
      {"the inbox stands still", {}, true, true}, {"inbox looked at after the words [W3]", {}, true, true}};
  all[0].mutation.late = mask(Kind::watchers);
  all[1].mutation.no_heavy_barrier = true;
  all[2].mutation.no_light_barrier = true;
  all[3].mutation.zero = mask(Kind::sleepers);
  all[4].mutation.zero = mask(Kind::watchers);
  all[5].mutation.no_wake = true;
  all[6].mutation.bell_stands_still = true;
  all[7].mutation.seen_too_late = true;
  return all;
}

TEST(WatchMutants, Rules) {
  for (const Broken& broken : broken_rules()) {
    for (const shm::Wake wake : kWakes) {
      const bool matters = wake == shm::Wake::membarrier ? broken.by_membarrier : broken.by_locked;
      for (const Scene& scene : {Scene{1, 1, wake}, Scene{2, 1, wake, false}}) {
        Settings settings;
        settings.mutation = broken.mutation;
        const Verdict verdict = check(scene, settings);
        if (matters) {
          expect_caught(name(scene, broken.name), verdict, "hang");
        } else {
          expect_pass(name(scene, broken.name), verdict);
        }
      }
    }
  }
}

TEST(WatchMutants, AbortWord) {
  for (const shm::Wake wake : kWakes) {
    const Scene scene{1, 1, wake, true, true};
    Settings settings;
    settings.dying_thread = 0;
    settings.mutation.zero = mask(Kind::abort);
    expect_caught(name(scene, "abort word ignored"), check(scene, settings), "hang");
    settings.mutation = {};
    settings.mutation.relaxed_observe = mask(Kind::bell);
    const Verdict relaxed = check(scene, settings);
    if (wake == shm::Wake::locked) {
      expect_caught(name(scene, "inbox observed relaxed"), relaxed, "hang");
    } else {  // the bell is read before the barrier, which brings the abort word along
      expect_pass(name(scene, "inbox observed relaxed"), relaxed);
    }
  }
}

}  // namespace
}  // namespace foldlane::model
