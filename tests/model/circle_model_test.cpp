// PROTOCOL C "circle" (engine/deadlock/circle.hpp): the shipped templates under every interleaving, beside
// ranks that send and receive. What is said to be a deadlock is compared with what the ranks will do: that is
// sound. That every deadlock is found, if all go on looking, circle_search_test.cpp tries.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/deadlock/circle.hpp"
#include "model_atoms.hpp"
#include "report.hpp"

namespace foldlane::model {
namespace {

constexpr int kMostRanks = 3;

/// The rules. Mutants break one each.
struct Intact {
  static constexpr bool kMovesAreSaid = true;       // by another serial
  static constexpr bool kAsksByReading = false;     // rounds are only read, not added nothing to
  static constexpr std::uint64_t kRoundsAhead = 0;  // taken for gone that have not
};

template <class Rules>
struct Rounds : LadderAtoms::Word<std::uint64_t> {
  using Word = LadderAtoms::Word<std::uint64_t>;

  std::uint64_t observe() const noexcept { return Word::observe() + Rules::kRoundsAhead; }
  std::uint64_t add(std::uint64_t amount) noexcept {
    return amount == 0 && Rules::kAsksByReading ? Word::observe() : Word::add(amount);
  }
};

template <class Rules>
struct Record {
  LadderAtoms::Word<std::uint64_t> serial;
  Rounds<Rules> rounds;
  LadderAtoms::Word<std::uint64_t> awaited[1];
};

template <class Rules>
struct Place {
  Record<Rules>* record;
  const LadderAtoms::Word<std::uint64_t>* end;

  static bool has_died() noexcept { return false; }
  bool has_ended() const noexcept { return end->observe() != 0; }
};

/// A text per rank: "!1" sends to 1, "?1" receives from it, "?*" from anybody.
struct Scene {
  std::vector<std::string> texts;
  int looks_in_vain = 3;  // of a receive, before its rank is left alone
  int looks = 3;          // of the one that looks for circles
};

template <class Rules>
class CircleProgram final : public Program {
 public:
  explicit CircleProgram(const Scene& scene) : scene_(scene) {}

  std::size_t threads() const override { return scene_.texts.size() + 1; }

  void run(int thread) override { thread < ranks() ? live(thread) : look(); }

  Kind kind_of(const void* word) const override {
    for (const auto& record : records_) {
      if (word == &record.serial) return Kind::serial;
      if (word == &record.rounds) return Kind::rounds;
    }
    return Kind::state;
  }

  std::string name_of(const void* address) const override {
    for (std::size_t r = 0; r < kMostRanks; ++r) {
      if (address == &records_[r].serial) return fmt::format("rank {}'s serial", r);
      if (address == &records_[r].rounds) return fmt::format("rank {}'s rounds", r);
      if (address == &records_[r].awaited) return fmt::format("whom rank {} awaits", r);
      if (address == &ends_[r]) return fmt::format("the end of rank {}", r);
      for (std::size_t to = 0; to < kMostRanks; ++to)
        if (address == &messages_[r][to]) return fmt::format("messages from {} to {}", r, to);
    }
    return "?";
  }

  std::string thread_name(int thread) const override {
    return thread < ranks() ? fmt::format("rank {}", thread) : "the one that looks";
  }

 private:
  static std::size_t at(int rank) { return static_cast<std::size_t>(rank); }
  int ranks() const { return static_cast<int>(scene_.texts.size()); }

  void live(int rank) {
    const std::string_view text = scene_.texts[at(rank)];
    for (std::size_t i = 0; i < text.size(); i += 2) {
      if (text[i] == '!') {
        send(rank, text[i + 1] - '0');
      } else if (!receive(rank, senders(rank, text[i + 1]))) {
        return;
      }
    }
    ends_[at(rank)].publish(1);
    has_ended_[at(rank)] = true;
  }

  void send(int from, int to) { messages_[at(from)][at(to)].publish(++sent_[at(from)][at(to)]); }

  std::vector<int> senders(int rank, char who) const {
    if (who != '*') return {who - '0'};
    std::vector<int> all;
    for (int other = 0; other < ranks(); ++other)
      if (other != rank) all.push_back(other);
    return all;
  }

  /// False: what it waits for has not come, and nobody looks any more.
  bool receive(int rank, const std::vector<int>& from) {
    engine::CircleMember<Record<Rules>> member(records_[at(rank)]);
    awaited_[at(rank)] = from;
    for (int i = 0; i < scene_.looks_in_vain; ++i) {
      for (const int each : from) {
        if (messages_[at(each)][at(rank)].observe() == taken_[at(each)][at(rank)]) continue;
        ++taken_[at(each)][at(rank)];
        awaited_[at(rank)].clear();
        if (Rules::kMovesAreSaid) member.withdraw();
        return true;
      }
      if (i > 0 || !describe(member, rank, from)) member.has_looked();
    }
    return false;
  }

  bool describe(engine::CircleMember<Record<Rules>> member, int rank, const std::vector<int>& from) {
    if (!Rules::kMovesAreSaid && has_described_[at(rank)]) return false;
    has_described_[at(rank)] = true;
    member.describe(from, [] {});
    return true;
  }

  void look() {
    std::vector<Place<Rules>> places;
    for (int rank = 0; rank < ranks(); ++rank) places.push_back({&records_[at(rank)], &ends_[at(rank)]});
    engine::CircleLook<Place<Rules>> circle(places);
    for (int i = 0; i < scene_.looks; ++i) {
      if (!circle.look()) continue;
      for (const engine::Suspect& each : circle.suspects()) {
        if (!can_only_be_released_by(circle.suspects(), each.rank))
          return Execution::current().fail(fmt::format("rank {} is no part of a deadlock", each.rank));
      }
      return;
    }
  }

  /// As things are, whoever knows of them.
  bool can_only_be_released_by(const std::vector<engine::Suspect>& suspects, int rank) const {
    if (awaited_[at(rank)].empty()) return false;
    for (const int other : awaited_[at(rank)]) {
      if (sent_[at(other)][at(rank)] != taken_[at(other)][at(rank)]) return false;
      bool is_one = has_ended_[at(other)];
      for (const engine::Suspect& each : suspects) is_one = is_one || each.rank == other;
      if (!is_one) return false;
    }
    return true;
  }

  const Scene& scene_;
  std::array<Record<Rules>, kMostRanks> records_{};
  std::array<LadderAtoms::Word<std::uint64_t>, kMostRanks> ends_{};
  std::array<std::array<LadderAtoms::Word<std::uint64_t>, kMostRanks>, kMostRanks> messages_{};  // [from][to]

  // What is true of each rank: no word of the protocol.
  std::array<std::vector<int>, kMostRanks> awaited_;
  std::array<bool, kMostRanks> has_ended_{};
  std::array<bool, kMostRanks> has_described_{};
  std::array<std::array<std::uint64_t, kMostRanks>, kMostRanks> sent_{}, taken_{};
};

template <class Rules = Intact>
Verdict check(const Scene& scene, const Mutation& mutation = {}) {
  Settings settings;
  settings.search = Search::interleavings;
  settings.mutation = mutation;
  return explore([&] { return std::make_unique<CircleProgram<Rules>>(scene); }, settings);
}

std::string name(const Scene& scene, const std::string& what = "intact") {
  return fmt::format("{}: {}", fmt::join(scene.texts, " | "), what);
}

TEST(Circle, NoRankIsToldThatGoesOn) {
  for (const Scene& scene : {Scene{{"?1", "?0"}}, Scene{{"?1", ""}}, Scene{{"!1?1", "?0!0"}}})
    expect_pass(name(scene), check(scene));
}

/// Every pair of texts of two ranks with up to two calls each: a minute.
TEST(CircleLong, NoRankIsToldThatGoesOn) {
  const std::vector<std::string> calls{"", "?", "!", "??", "?!", "!?", "!!"};
  const auto text = [](const std::string& of, char other) {
    std::string all;
    for (const char call : of) all += {call, other};
    return all;
  };
  for (std::size_t first = 0; first < calls.size(); ++first) {
    for (std::size_t second = 0; second <= first; ++second) {
      const Scene scene{{text(calls[first], '1'), text(calls[second], '0')}};
      expect_pass(name(scene), check(scene));
    }
  }
}

/// Two wait for each other, or for anybody, while a third one sends.
TEST(CircleLong, ThreeRanks) {
  for (const Scene& scene : {Scene{{"?*", "?0", "!0"}}, Scene{{"?1", "?2", "?0"}}})
    expect_pass(name(scene), check(scene));
}

struct OneRound : Intact {
  static constexpr std::uint64_t kRoundsAhead = 1;
};
struct OnlyReads : Intact {
  static constexpr bool kAsksByReading = true;
};
struct Silent : Intact {
  static constexpr bool kMovesAreSaid = false;
};

TEST(CircleMutants, EachBrokenRuleIsNoticed) {
  const Scene late{{"!1?1", "?0!0"}};
  expect_caught(name(late, "one round is enough"), check<OneRound>(late), "no part of a deadlock");
  expect_caught(name(late, "rounds are asked for by reading"), check<OnlyReads>(late),
                "no part of a deadlock");
  const Scene again{{"?1!1?1", "!0?0"}};
  expect_caught(name(again, "moves are not said"), check<Silent>(again), "no part of a deadlock");
}

TEST(CircleMutants, Orders) {
  const Scene late{{"!1?1", "?0!0"}};
  Mutation mutation;
  mutation.relaxed_publish = mask(Kind::serial);
  expect_caught(name(late, "[C1.rel] serial relaxed"), check(late, mutation), "no part of a deadlock");
  mutation = {};
  mutation.relaxed_observe = mask(Kind::serial);
  expect_caught(name(late, "[C1.acq] serial observed relaxed"), check(late, mutation),
                "no part of a deadlock");
}

}  // namespace
}  // namespace foldlane::model
