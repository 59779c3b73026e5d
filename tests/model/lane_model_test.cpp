// PROTOCOLS L "lane" (engine/p2p/lane.hpp) and K "knock" (engine/p2p/knocks.hpp), and how ranks sleep that
// wait for messages or for room for them: on their own inbox, which who sends or reads asks (protocol D, with
// the sleeper in engine/progress/progress.hpp). Driven are the shipped ends of lanes, knocks and naps; naps
// never time out, so a lost wake-up and a message that nobody looks for show as hangs.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/p2p/knocks.hpp"
#include "engine/p2p/lane.hpp"
#include "engine/progress/progress.hpp"
#include "model_atoms.hpp"
#include "report.hpp"

namespace foldlane::model {
namespace {

constexpr shm::Ladder kOnlyNaps{0, 0, 0, 1, 1};
constexpr std::size_t kMostSenders = 2;
constexpr std::uint32_t kMostCells = 2;

/// Steps left out or turned round on purpose.
enum class Broken : std::uint8_t {
  none,
  overruns,       // a sender does not look whether its lane has room
  nobody_told,    // who reads does not say so to the sender
  never_knocks,   // not even where nobody watches
  no_first_look,  // a lane is watched, but not looked at once it is
  summary_last,   // bits are taken before the summary
  one_look,       // a cell is left without looking whether anything has joined those in it
  reads_on,       // all that a cell has room for is read, whatever its mark says
};

/// Ranks 0 … senders-1 send, each `messages` to the last rank.
struct Scene {
  int senders;
  std::uint64_t messages;
  std::uint32_t cells;  // of a lane
  bool watches;         // else all messages are knocked for
  shm::Wake wake;
  bool sleeps = true;   // else who waits looks again and again
  bool shares = false;  // messages but the last are equal and share cells

  std::size_t bytes() const { return shares ? sizeof(std::uint64_t) : sizeof(engine::DataPlace); }
  bool joins(std::uint64_t number) const { return shares && number != messages; }
};

using Lane = engine::BasicLaneWriter<LadderAtoms>;
using Knocks = engine::BasicKnocks<LadderAtoms>;

struct Rank {
  shm::Doorbell<LadderAtoms> doorbell{};
  shm::Inbox<LadderAtoms> inbox{};
  shm::Watchers<LadderAtoms> watchers{};
  std::array<engine::BasicCell<LadderAtoms>, kMostCells> cells{};
  engine::BasicCredits<LadderAtoms> credits{};  // of its lane, written by the receiver
  std::uint64_t done = 0;                       // messages it has sent
};

/// What all ranks share.
struct Site {
  const Scene& scene;
  Broken broken;
  std::array<Rank, kMostSenders + 1> ranks{};
  Knocks knocks{};
  LadderAtoms::Word<std::uint64_t> abort_word{};
  std::uint64_t received = 0;  // by the receiver: a byte for each sender
  bool is_watching = false;

  int receiver() const { return scene.senders; }
  Rank& of(int rank) { return ranks[static_cast<std::size_t>(rank)]; }
  void tell(int rank) {
    if (scene.sleeps) of(rank).inbox.tell(scene.wake);
  }
};

class Sender final : public engine::Traffic {
 public:
  Sender(Site& site, int rank)
      : site_(site), rank_(rank), lane_(site.of(rank).cells.data(), site.scene.cells, credits()) {
    boundless_.freed.publish(site.broken == Broken::overruns ? 1000 : 0);
  }

  bool is_over() const { return site_.of(rank_).done == site_.scene.messages; }
  bool is_called() const noexcept override { return true; }
  bool bury() override { return false; }
  bool holds_back() const noexcept override { return false; }
  std::vector<int> held_back() override { return {}; }
  void let_go_on() noexcept override {}
  bool step(engine::Patience) override {
    bool moved = false;
    while (!is_over()) {
      std::uint64_t& done = site_.of(rank_).done;
      if (!send(done + 1)) return moved;
      ++done;
      moved = true;
    }
    return moved;
  }

 private:
  const engine::BasicCredits<LadderAtoms>& credits() const {
    return site_.broken == Broken::overruns ? boundless_ : site_.of(rank_).credits;
  }
  bool send(std::uint64_t number) {
    const Scene& scene = site_.scene;
    if (scene.joins(number) && lane_.has_room(scene.bytes())) {
      fill(lane_.room(), number);
      lane_.publish_more(scene.bytes());
    } else {
      auto* const cell = lane_.next();
      if (cell == nullptr) return false;
      cell->envelope.bytes = scene.bytes();
      fill(cell->head, number);
      if (scene.shares) {
        lane_.publish_open(scene.bytes());
      } else {
        lane_.publish();
      }
    }
    if (site_.broken != Broken::never_knocks)
      engine::knock_unless_watched(lane_.credits(), site_.knocks, rank_);
    site_.tell(site_.receiver());
    return true;
  }
  static void fill(std::byte* room, std::uint64_t number) {
    LadderAtoms::writes(room, sizeof number);
    std::memcpy(room, &number, sizeof number);
  }

  Site& site_;
  int rank_;
  engine::BasicCredits<LadderAtoms> boundless_{};
  Lane lane_;
};

class Reader final : public engine::BasicLaneReader<LadderAtoms> {
 public:
  using BasicLaneReader::BasicLaneReader;

  /// A mutant of next().
  const Cell* next_at_one_look() noexcept {
    if (!see() && offset() != 0 && has_begun(number() + 1)) leave();
    return next();
  }
};

class Receiver final : public engine::Traffic {
 public:
  explicit Receiver(Site& site) : site_(site) {}

  bool is_over() const {
    for (int sender = 0; sender < site_.scene.senders; ++sender) {
      if ((site_.received >> 8 * sender & 0xff) != site_.scene.messages) return false;
    }
    return true;
  }
  /// As Messenger's, which tells its progress besides that it watches somebody.
  bool is_called() const noexcept override { return site_.is_watching || site_.knocks.any(); }
  bool bury() override { return false; }
  bool holds_back() const noexcept override { return false; }
  std::vector<int> held_back() override { return {}; }
  void let_go_on() noexcept override {}
  bool step(engine::Patience) override {
    bool moved = false;
    for (std::size_t sender = 0; site_.is_watching && sender < kMostSenders; ++sender) {
      if (lanes_[sender]) moved |= drain(static_cast<int>(sender));
    }
    if (site_.knocks.any()) moved |= answer();
    return moved;
  }

 private:
  bool answer() {
    bool moved = false;
    const auto use = [&](int sender) {
      open(sender);
      if (site_.broken != Broken::no_first_look) moved |= drain(sender);
    };
    if (site_.broken == Broken::summary_last) {
      const std::uint64_t bits = site_.knocks.ranks[0].take();
      site_.knocks.summary.take();
      for (int sender = 0; sender < site_.scene.senders; ++sender) {
        if ((bits >> sender & 1) != 0) use(sender);
      }
    } else {
      site_.knocks.answer(use);
    }
    return moved;
  }
  void open(int sender) {
    auto& lane = lanes_[static_cast<std::size_t>(sender)];
    if (lane || sender >= site_.scene.senders) return;  // an execution that is over shows all bits
    lane.emplace(site_.of(sender).cells.data(), site_.scene.cells, site_.of(sender).credits);
    if (!site_.scene.watches) return;
    site_.is_watching = true;
    lane->credits().watched.publish(1);
  }
  bool drain(int sender) {
    auto& lane = lanes_[static_cast<std::size_t>(sender)];
    bool moved = false;
    for (const engine::BasicCell<LadderAtoms>* cell = nullptr; lane && (cell = next_of(*lane)) != nullptr;
         moved = true) {
      do {
        const std::uint64_t number = (site_.received >> 8 * sender & 0xff) + 1;
        if (number_in(cell->head + lane->offset()) != number) Execution::current().fail("wrong message");
        site_.received += std::uint64_t{1} << 8 * sender;
      } while (has_more(*lane));
      if (lane->release() && site_.broken != Broken::nobody_told) site_.tell(sender);
    }
    return moved;
  }

  /// In the cell of the message that was read.
  bool has_more(Reader& lane) const {
    const bool more = lane.pass(site_.scene.bytes());
    return more || (site_.broken == Broken::reads_on && lane.offset() != 0);
  }
  const engine::BasicCell<LadderAtoms>* next_of(Reader& lane) const {
    return site_.broken == Broken::one_look ? lane.next_at_one_look() : lane.next();
  }
  static std::uint64_t number_in(const std::byte* room) {
    std::uint64_t number;
    LadderAtoms::reads(room, sizeof number);
    std::memcpy(&number, room, sizeof number);
    return number;
  }

  Site& site_;
  std::array<std::optional<Reader>, kMostSenders> lanes_;
};

class LaneProgram final : public Program {
 public:
  LaneProgram(const Scene& scene, Broken broken) : site_{scene, broken} {}

  std::size_t threads() const override { return static_cast<std::size_t>(ranks()); }

  void run(int thread) override {
    const shm::Signals<LadderAtoms> signals{site_.of(thread).doorbell, site_.abort_word, kOnlyNaps,
                                            site_.scene.wake};
    std::vector<engine::BasicWatched<LadderAtoms>> all;
    for (int each = 0; each < ranks(); ++each)
      all.push_back({&site_.of(each).doorbell, &site_.of(each).inbox, &site_.of(each).watchers});
    engine::BasicProgress<LadderAtoms> progress(all, thread, signals);
    if (thread == site_.receiver()) {
      Receiver receiver(site_);
      take_part(progress, receiver, thread);
    } else {
      Sender sender(site_, thread);
      take_part(progress, sender, thread);
    }
  }

  Kind kind_of(const void* word) const override {
    if (word == &site_.knocks.summary) return Kind::knock_summary;
    if (word == &site_.knocks.ranks[0]) return Kind::knock;
    if (word == &site_.abort_word) return Kind::constant;
    for (const Rank& rank : site_.ranks) {
      if (word == &rank.inbox.sleepers) return Kind::sleepers;
      if (word == &rank.inbox.bell) return Kind::bell;
      if (word == &rank.credits.freed) return Kind::finished;
      for (const auto& cell : rank.cells) {
        if (word == &cell.mark) return Kind::filled;
      }
    }
    return Kind::state;
  }

  std::string name_of(const void* address) const override {
    if (address == &site_.knocks.summary) return "the knocks' summary";
    if (address == &site_.knocks.ranks[0]) return "the knocks";
    for (std::size_t r = 0; r < site_.ranks.size(); ++r) {
      const Rank& rank = site_.ranks[r];
      if (address == &rank.inbox.sleepers) return fmt::format("rank {}'s sleepers", r);
      if (address == &rank.inbox.bell) return fmt::format("rank {}'s inbox", r);
      if (address == &rank.credits.freed) return fmt::format("what is free of rank {}'s lane", r);
      if (address == &rank.credits.watched) return fmt::format("whether rank {}'s lane is watched", r);
      for (std::size_t c = 0; c < rank.cells.size(); ++c) {
        if (address == &rank.cells[c].mark) return fmt::format("the mark of rank {}'s cell {}", r, c);
        for (std::uint64_t i = 0; i < in_a_cell(); ++i)
          if (address == rank.cells[c].head + i * site_.scene.bytes())
            return fmt::format("rank {}'s cell {}", r, c);
      }
    }
    return "the abort word";
  }

  std::uint64_t kept_over_nap(int thread) const override {
    if (thread != site_.receiver()) return site_.ranks[static_cast<std::size_t>(thread)].done;
    return site_.received << 1 | (site_.is_watching ? 1 : 0);
  }

  void add_places(Memory& memory) const override {
    for (const Rank& rank : site_.ranks) {
      for (const auto& cell : rank.cells) {
        for (std::uint64_t i = 0; i < in_a_cell(); ++i)
          memory.add_place(cell.head + i * site_.scene.bytes(), sizeof(std::uint64_t));
      }
    }
  }

 private:
  int ranks() const { return site_.scene.senders + 1; }
  std::uint64_t in_a_cell() const { return engine::BasicCell<LadderAtoms>::kHeadBytes / site_.scene.bytes(); }

  /// That it has sent or received.
  std::uint64_t messages_of(int rank) const {
    return rank == site_.receiver() ? site_.received : site_.ranks[static_cast<std::size_t>(rank)].done;
  }

  template <class Side>
  void take_part(engine::BasicProgress<LadderAtoms>& progress, Side& side, int rank) {
    progress.attach(&side);
    while (!side.is_over() && !Execution::current().is_draining()) {
      const std::uint64_t before = messages_of(rank);
      Execution::current().checkpoint(kept_over_nap(rank) + 1);
      if (site_.scene.sleeps) {
        progress.wait_until(
            [&] { return messages_of(rank) != before || Execution::current().is_draining(); });
      } else {
        Execution::current().await_look([&] { return side.step(engine::Patience::none); });
      }
    }
  }

  Site site_;
};

Verdict check(const Scene& scene, Broken broken = Broken::none, Settings settings = {}) {
  settings.search = Search::interleavings;
  return explore([&] { return std::make_unique<LaneProgram>(scene, broken); }, settings);
}

constexpr std::array kWakes = {shm::Wake::membarrier, shm::Wake::locked};

std::string name(const Scene& scene, const std::string& what = "intact") {
  return fmt::format("{}+1 ranks, {} in {} cells{}, {}, {}: {}", scene.senders, scene.messages, scene.cells,
                     scene.shares ? " that they share" : "", scene.watches ? "watched" : "knocked",
                     scene.wake == shm::Wake::membarrier ? "membarrier" : "locked", what);
}

TEST(Lane, MessagesArriveInOrderAndNobodySleepsForever) {
  for (const shm::Wake wake : kWakes) {
    for (const bool watches : {false, true}) {
      const Scene scene{1, 2, 2, watches, wake};
      expect_pass(name(scene), check(scene));
      const Scene full{1, 2, 1, watches, wake};
      if (wake == shm::Wake::locked) expect_pass(name(full), check(full));
    }
  }
}

/// The last is of another kind: it needs a cell of its own, wherever the receiver is in the one before it.
TEST(Lane, MessagesShareCells) {
  for (const bool watches : {false, true}) {
    for (const std::uint64_t messages : {2U, 3U, 4U}) {
      const Scene awake{1, messages, 2, watches, shm::Wake::locked, false, true};
      expect_pass(name(awake, "intact, awake"), check(awake));
    }
    const Scene asleep{1, 2, 2, watches, shm::Wake::locked, true, true};
    expect_pass(name(asleep), check(asleep));
  }
}

TEST(LaneLong, MessagesShareCellsAsleep) {
  for (const bool watches : {false, true}) {
    const Scene scene{1, 3, 2, watches, shm::Wake::locked, true, true};
    expect_pass(name(scene), check(scene));
  }
}

TEST(LaneLong, LanesAreFull) {
  for (const bool watches : {false, true}) {
    const Scene scene{1, 2, 1, watches, shm::Wake::membarrier};
    expect_pass(name(scene), check(scene));
  }
}

/// With membarrier the search does not end within its limit.
TEST(LaneLong, LanesGoRound) {
  const Scene scene{1, 3, 2, true, shm::Wake::locked};
  expect_pass(name(scene), check(scene));
}

/// Asleep they have too many states.
TEST(Lane, TwoSendersKnockAtTheSameTime) {
  for (const bool watches : {false, true}) {
    for (const Scene& scene : {Scene{2, 1, 2, watches, shm::Wake::locked, false},
                               Scene{1, 3, 2, watches, shm::Wake::locked, false}})
      expect_pass(name(scene, "intact, awake"), check(scene));
  }
}

TEST(LaneLong, TwoSendersKnockTwice) {
  for (const bool watches : {false, true}) {
    const Scene scene{2, 2, 2, watches, shm::Wake::locked, false};
    expect_pass(name(scene, "intact, awake"), check(scene));
  }
}

Settings mutated(const Mutation& mutation) {
  Settings settings;
  settings.mutation = mutation;
  return settings;
}

TEST(LaneMutants, Orders) {
  struct Relaxed {
    const char* name;
    Mutation mutation;
    const char* expected;
  };
  const Scene scene{1, 2, 1, true, shm::Wake::locked};
  for (const auto& [what, mutation, expected] :
       {Relaxed{"[L1.rel] mark relaxed", {.relaxed_publish = mask(Kind::filled)}, "rank 0's cell 0"},
        Relaxed{"[L1.acq] mark observed relaxed", {.relaxed_observe = mask(Kind::filled)}, "rank 0's cell 0"},
        Relaxed{
            "[L2.rel] freed relaxed", {.relaxed_publish = mask(Kind::finished)}, "race at rank 0's cell 0"},
        Relaxed{"[L2.acq] freed observed relaxed",
                {.relaxed_observe = mask(Kind::finished)},
                "race at rank 0's cell 0"}})
    expect_caught(name(scene, what), check(scene, Broken::none, mutated(mutation)), expected);
}

TEST(LaneMutants, OfSharedCells) {
  const Scene scene{1, 3, 2, true, shm::Wake::locked, false, true};
  expect_caught(name(scene, "[L1.rel] mark relaxed"),
                check(scene, Broken::none, mutated({.relaxed_publish = mask(Kind::filled)})),
                "rank 0's cell 0");
  expect_caught(name(scene, "[L1.acq] mark observed relaxed"),
                check(scene, Broken::none, mutated({.relaxed_observe = mask(Kind::filled)})),
                "rank 0's cell 0");
  expect_caught(name(scene, "[L3] left at one look"), check(scene, Broken::one_look), "wrong message");
  expect_caught(name(scene, "read on behind the mark"), check(scene, Broken::reads_on), "rank 0's cell 0");
}

TEST(LaneMutants, Steps) {
  for (const shm::Wake wake : kWakes) {
    const Scene full{1, 2, 1, true, wake};
    expect_caught(name(full, "a full lane is written"), check(full, Broken::overruns), "hang");
    expect_caught(name(full, "nobody says what is free"), check(full, Broken::nobody_told), "hang");
    const Scene knocked{1, 1, 2, false, wake};
    expect_caught(name(knocked, "nobody knocks"), check(knocked, Broken::never_knocks), "hang");
    expect_caught(name(knocked, "[K1] after [K2]"),
                  check(knocked, Broken::none, mutated({.late = mask(Kind::knock)})), "hang");
    const Scene two{2, 1, 2, false, wake};
    expect_caught(name(two, "bits taken before the summary"), check(two, Broken::summary_last), "hang");
    const Scene watched{1, 1, 2, true, wake};
    expect_caught(name(watched, "no look at a lane once it is watched"),
                  check(watched, Broken::no_first_look), "hang");
  }
}

struct BrokenSleep {
  const char* name;
  Mutation mutation;
  bool by_membarrier;  // the wakes that this breaks
  bool by_locked;
};

TEST(LaneMutants, Sleep) {
  for (const BrokenSleep& broken :
       {BrokenSleep{"no heavy barrier", {.no_heavy_barrier = true}, true, false},
        BrokenSleep{"no light barrier", {.no_light_barrier = true}, true, false},
        BrokenSleep{"sleepers not seen", {.zero = mask(Kind::sleepers)}, true, false},
        BrokenSleep{"nobody is woken", {.no_wake = true}, true, true},
        BrokenSleep{"the inbox stands still", {.bell_stands_still = true}, true, true},
        BrokenSleep{"inbox looked at after the lane", {.seen_too_late = true}, true, true}}) {
    for (const shm::Wake wake : kWakes) {
      const Scene scene{1, 2, 1, true, wake};
      const Verdict verdict = check(scene, Broken::none, mutated(broken.mutation));
      if (wake == shm::Wake::membarrier ? broken.by_membarrier : broken.by_locked) {
        expect_caught(name(scene, broken.name), verdict, "hang");
      } else {
        expect_pass(name(scene, broken.name), verdict);
      }
    }
  }
}

}  // namespace
}  // namespace foldlane::model
