// PROTOCOL V "rendezvous" (engine/job/postings.hpp): what is told is heard, whole and in its own rendezvous;
// a place is written again only after all have copied it; who returns knows what all did before they came;
// and nobody waits forever. Driven is the shipped protocol, in every interleaving.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <vector>

#include "engine/job/postings.hpp"
#include "model_atoms.hpp"
#include "report.hpp"

namespace foldlane::model {
namespace {

struct Meeting {
  std::uint64_t key;
  int speaker;
  std::vector<int> listeners;
};

/// A thread of a rank comes to some of the meetings, one after the other.
struct Visitor {
  int rank;
  std::vector<std::size_t> meetings;
};

struct Scene {
  const char* name;
  std::size_t places;  // of each rank
  std::vector<Meeting> meetings;
  std::vector<Visitor> visitors;
};

/// Steps left out on purpose.
enum class Broken : std::uint8_t {
  none,
  any_place,     // a place is taken although it is in use
  no_lock,       // two threads of a rank look for a place at the same time
  all_told,      // tellings leave no place for receipts
  posting_left,  // a listener does not wait for the posting's end
  receipts_left  // a speaker does not wait for the receipts' end
};

constexpr std::size_t kRanks = 3;
constexpr std::size_t kPlaces = 2;
constexpr std::size_t kMeetings = 3;

constexpr bool is_receipt(std::uint64_t key) { return (key & 1) != 0; }

class Postings : public engine::BasicPostings<LadderAtoms> {
 public:
  Postings(std::span<Posting> places, Broken broken)
      : BasicPostings(places), first_(places.data()), broken_(broken) {}

  bool is_gone(std::uint64_t key) const {
    if (broken_ == (is_receipt(key) ? Broken::receipts_left : Broken::posting_left)) return true;
    return BasicPostings::is_gone(key);
  }
  Posting* find_free(std::size_t most) const {
    return broken_ == Broken::any_place ? first_ : BasicPostings::find_free(most);
  }
  std::size_t most_told() const {
    return broken_ == Broken::all_told ? most_in_all() : BasicPostings::most_told();
  }

 private:
  Posting* first_;
  Broken broken_;
};

/// Tickets: threads are served in the order of their coming, which is a choice of the explorer.
struct Mutex {
  LadderAtoms::Word<std::uint64_t> next;
  LadderAtoms::Word<std::uint64_t> served;
};

class Lock {
 public:
  explicit Lock(Mutex& mutex) : mutex_(mutex), ticket_(mutex.next.add(1)) {
    Execution::current().await(mutex.served.number(), ticket_, -1);
  }
  ~Lock() { mutex_.served.publish(ticket_ + 1); }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  Mutex& mutex_;
  std::uint64_t ticket_;
};

struct Rank {
  std::array<engine::BasicPostings<LadderAtoms>::Posting, kPlaces> postings;
  Mutex mutex;
};

struct Site {
  using Atoms = LadderAtoms;
  Postings postings(int of) const {
    return {std::span(ranks[static_cast<std::size_t>(of)].postings).first(places), broken};
  }
  Postings own_postings() const { return postings(rank); }
  /// The mutant's locks are its own.
  Lock lock() { return Lock(broken == Broken::no_lock ? unshared : mine().mutex); }
  static void publish(Atoms::Word<std::uint64_t>& word, std::uint64_t value) { word.publish(value); }
  template <class Arrived>
  bool await_own(const Arrived& arrived) const {
    bool here = false;
    Execution::current().await_look([&] {
      here = arrived();
      return here || failed();
    });
    return here;
  }
  template <class Arrived>
  bool await(int, const Arrived& arrived) const {
    return await_own(arrived);
  }
  bool failed() const { return abort_word.observe() != 0; }
  Rank& mine() const { return ranks[static_cast<std::size_t>(rank)]; }

  std::array<Rank, kRanks>& ranks;
  const Atoms::Word<std::uint64_t>& abort_word;
  int rank;
  std::size_t places;
  Broken broken;
  Mutex unshared{};
};

class RendezvousProgram final : public Program {
 public:
  using Rendezvous = engine::BasicRendezvous<Site>;

  RendezvousProgram(const Scene& scene, Broken broken, bool with_deaths)
      : scene_(scene), broken_(broken), with_deaths_(with_deaths) {}

  std::size_t threads() const override { return scene_.visitors.size(); }

  void run(int thread) override {
    const Visitor& visitor = scene_.visitors[static_cast<std::size_t>(thread)];
    Site site{ranks_, abort_word_, visitor.rank, scene_.places, broken_};
    Rendezvous rendezvous(site);
    for (const std::size_t number : visitor.meetings) {
      if (!visit(rendezvous, visitor.rank, number)) return gave_up();
      Execution::current().checkpoint(number + 1);
    }
  }

  Kind kind_of(const void* word) const override {
    for (int rank = 0; rank < static_cast<int>(kRanks); ++rank) {
      const Rank& each = ranks_[static_cast<std::size_t>(rank)];
      if (word == &each.mutex.next || word == &each.mutex.served) return Kind::state;
      for (const auto& posting : each.postings) {
        if (word == &posting.key) return speaks(rank) ? Kind::told : Kind::receipt;
      }
    }
    return with_deaths_ ? Kind::abort : Kind::constant;
  }

  std::string name_of(const void* address) const override {
    for (std::size_t r = 0; r < kRanks; ++r) {
      if (address == &ranks_[r].mutex.next || address == &ranks_[r].mutex.served)
        return fmt::format("rank {}'s lock", r);
      for (std::size_t p = 0; p < kPlaces; ++p) {
        if (address == &ranks_[r].postings[p].key) return fmt::format("the key of rank {}'s place {}", r, p);
        if (address == &ranks_[r].postings[p].facts)
          return fmt::format("the facts of rank {}'s place {}", r, p);
      }
      for (std::size_t m = 0; m < kMeetings; ++m) {
        if (address == &before_[m][r]) return fmt::format("what rank {} did before meeting {}", r, m);
      }
    }
    return "the abort word";
  }

  std::string thread_name(int thread) const override {
    return fmt::format("rank {} (thread {})", scene_.visitors[static_cast<std::size_t>(thread)].rank, thread);
  }

  void add_places(Memory& memory) const override {
    for (const Rank& rank : ranks_) {
      for (const auto& posting : rank.postings) memory.add_place(&posting.facts, sizeof posting.facts);
    }
    memory.add_place(&before_, scene_.meetings.size() * sizeof before_[0]);
  }

  const void* abort_word() const override { return with_deaths_ ? &abort_word_ : nullptr; }

 private:
  bool speaks(int rank) const {
    for (const Meeting& each : scene_.meetings) {
      if (each.speaker == rank) return true;
    }
    return false;
  }

  bool visit(Rendezvous& rendezvous, int rank, std::size_t number) {
    const Meeting& meeting = scene_.meetings[number];
    LadderAtoms::writes(&before_[number][static_cast<std::size_t>(rank)], sizeof before_[0][0]);
    const Rendezvous::Facts facts{number + 1, 2, 3, 4, 5, 6};
    if (rank == meeting.speaker) {
      if (!rendezvous.tell(meeting.listeners, meeting.key, facts)) return false;
    } else {
      Rendezvous::Facts heard{};
      if (!rendezvous.hear(meeting.speaker, meeting.key, heard)) return false;
      if (heard != facts) Execution::current().fail("wrong facts: those of another rendezvous");
      knows(meeting.speaker, number);
    }
    for (const int listener : meeting.listeners) knows(listener, number);
    return true;
  }

  /// Where a rank has died, a listener may hear of a meeting that others have not come to.
  void knows(int rank, std::size_t number) const {
    if (with_deaths_) return;
    LadderAtoms::reads(&before_[number][static_cast<std::size_t>(rank)], sizeof before_[0][0]);
  }

  void gave_up() const {
    if (!with_deaths_) Execution::current().fail("gave up in a job that has not failed");
  }

  const Scene& scene_;
  Broken broken_;
  bool with_deaths_;
  std::array<Rank, kRanks> ranks_{};
  std::array<std::array<std::uint64_t, kRanks>, kMeetings> before_{};
  LadderAtoms::Word<std::uint64_t> abort_word_{};
};

Verdict check(const Scene& scene, Broken broken = Broken::none, Settings settings = {}) {
  settings.search = Search::interleavings;
  const bool with_deaths = settings.dying_thread >= 0;
  return explore([&] { return std::make_unique<RendezvousProgram>(scene, broken, with_deaths); }, settings);
}

constexpr std::uint64_t kKey = 2;
constexpr std::uint64_t kOtherKey = 4;

Scene once() { return {"told once", 2, {{kKey, 0, {1}}}, {{0, {0}}, {1, {0}}}}; }

Scene again() {
  return {"told three times under one key",
          2,
          {{kKey, 0, {1}}, {kKey, 0, {1}}, {kKey, 0, {1}}},
          {{0, {0, 1, 2}}, {1, {0, 1, 2}}}};
}

Scene two_listeners() { return {"two listeners", 2, {{kKey, 0, {1, 2}}}, {{0, {0}}, {1, {0}}, {2, {0}}}}; }

Scene two_listeners_again() {
  return {"two listeners, twice",
          2,
          {{kKey, 0, {1, 2}}, {kKey, 0, {1, 2}}},
          {{0, {0, 1}}, {1, {0, 1}}, {2, {0, 1}}}};
}

Scene in_turns() {
  return {"in turns under one key",
          2,
          {{kKey, 0, {1}}, {kKey, 1, {0}}, {kKey, 0, {1}}},
          {{0, {0, 1, 2}}, {1, {0, 1, 2}}}};
}

/// Whoever tells second takes the place of the first.
Scene two_threads() {
  return {"two threads of the speaker",
          2,
          {{kKey, 0, {1}}, {kOtherKey, 0, {2}}},
          {{0, {0}}, {0, {1}}, {1, {0}}, {2, {1}}}};
}

/// Each rank has told before it hears.
Scene crossing(std::size_t places) {
  return {"each tells while it hears",
          places,
          {{kKey, 0, {1}}, {kOtherKey, 1, {0}}},
          {{0, {0}}, {0, {1}}, {1, {0}}, {1, {1}}}};
}

TEST(Rendezvous, WhatIsToldIsHeard) {
  for (const Scene& scene :
       {once(), again(), two_listeners(), two_listeners_again(), in_turns(), two_threads(), crossing(2)})
    expect_pass(scene.name, check(scene));
}

TEST(Rendezvous, AnyRankMayDieAnywhere) {
  for (const Scene& scene : {again(), two_listeners(), in_turns()}) {
    Verdict sum;
    Settings settings;
    for (settings.dying_thread = 0; settings.dying_thread < static_cast<int>(scene.visitors.size());
         ++settings.dying_thread) {
      settings.dying_step = 0;
      for (bool died = true; died && sum.passed(); ++settings.dying_step) {
        const Verdict one = check(scene, Broken::none, settings);
        died = one.died;
        sum.problem = one.problem;
        sum.executions += one.executions;
        sum.choices += one.choices;
        sum.milliseconds += one.milliseconds;
      }
    }
    expect_pass(fmt::format("{}, and a rank dies", scene.name), sum);
  }
}

Settings relaxed_publish(Kind kind, Values values) {
  Settings settings;
  settings.mutation.relaxed_publish = mask(kind);
  settings.mutation.relaxed = values;
  return settings;
}
Settings relaxed_observe(Kind kind, Values values) {
  Settings settings;
  settings.mutation.relaxed_observe = mask(kind);
  settings.mutation.relaxed = values;
  return settings;
}

TEST(RendezvousMutants, Orders) {
  struct Relaxed {
    const char* name;
    Scene scene;
    Settings settings;
    const char* expected;
  };
  constexpr Values kPosted = Values::others;
  constexpr Values kWithdrawn = Values::zero;
  const char* const written_too_early = "race at the facts of rank 0";
  const char* const not_met = "race at what rank";
  const Settings v2_rel = relaxed_publish(Kind::receipt, kPosted);
  const Settings v2_acq = relaxed_observe(Kind::receipt, kPosted);
  const Settings v3_rel = relaxed_publish(Kind::told, kWithdrawn);
  const Settings v3_acq = relaxed_observe(Kind::told, kWithdrawn);
  for (const auto& [name, scene, settings, expected] :
       {Relaxed{"[V1.rel] posted relaxed", once(), relaxed_publish(Kind::told, kPosted),
                "the facts of rank 0"},
        Relaxed{"[V1.acq] posting observed relaxed", once(), relaxed_observe(Kind::told, kPosted),
                "the facts of rank 0"},
        Relaxed{"[V2.rel] receipt relaxed, the place again", two_threads(), v2_rel, written_too_early},
        Relaxed{"[V2.rel] receipt relaxed, the meeting", two_listeners(), v2_rel, not_met},
        Relaxed{"[V2.acq] receipt observed relaxed, the place again", two_threads(), v2_acq,
                written_too_early},
        Relaxed{"[V2.acq] receipt observed relaxed, the meeting", two_listeners(), v2_acq, not_met},
        Relaxed{"[V3.rel] withdrawn relaxed, the place again", two_threads(), v3_rel, written_too_early},
        Relaxed{"[V3.rel] withdrawn relaxed, the meeting", two_listeners(), v3_rel, not_met},
        Relaxed{"[V3.acq] free place observed relaxed", two_threads(), v3_acq, written_too_early},
        Relaxed{"[V3.acq] withdrawal observed relaxed", two_listeners(), v3_acq, not_met}}) {
    expect_caught(name, check(scene, Broken::none, settings), expected);
  }
}

/// What counts is that the receipt is gone.
TEST(RendezvousMutants, TheEndOfAReceiptNeedsNoOrder) {
  for (const Scene& scene : {again(), two_listeners_again(), two_threads()}) {
    expect_pass(fmt::format("{}, receipts withdrawn relaxed", scene.name),
                check(scene, Broken::none, relaxed_publish(Kind::receipt, Values::zero)));
  }
}

TEST(RendezvousMutants, Steps) {
  expect_caught("a place in use is taken", check(two_threads(), Broken::any_place), "race at the facts");
  expect_caught("places are taken without the lock", check(two_threads(), Broken::no_lock),
                "race at the facts");
  expect_caught("no place is left for receipts", check(crossing(1), Broken::all_told), "hang");
  expect_caught("the posting's end not awaited", check(again(), Broken::posting_left), "wrong facts");
  expect_caught("the receipts' end not awaited", check(again(), Broken::receipts_left),
                "what rank 1 did before meeting 1");
}

}  // namespace
}  // namespace foldlane::model
