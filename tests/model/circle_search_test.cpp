// PROTOCOL C finds every deadlock of small programs, and none in the others, where all ranks go on looking:
// every program of two and three ranks, in random orders that leave nobody out. circle_model_test.cpp tries
// every order.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <string>
#include <vector>

#include "engine/deadlock/circle.hpp"
#include "shm/sync/atoms.hpp"

namespace foldlane::model {
namespace {

using Word = shm::RealAtoms::Word<std::uint64_t>;

struct Record {
  Word serial, rounds, awaited[1];
};

struct Place {
  Record* record;
  const bool* end;

  static bool has_died() noexcept { return false; }
  bool has_ended() const noexcept { return *end; }
};

/// One after the other: "!1" sends to 1, "?1" receives from it, "?*" from anybody.
using Program = std::vector<std::vector<std::string>>;

class Run {
 public:
  explicit Run(const Program& program) : program_(program), lives_(program.size()), order_(program.size()) {
    std::vector<Place> places;
    for (std::size_t i = 0; i < lives_.size(); ++i) {
      places.push_back({&lives_[i].record, &lives_[i].has_ended});
      lives_[i].unread.resize(lives_.size());
      order_[i] = i;
    }
    look_ = engine::CircleLook<Place>(places);
  }

  /// The ranks that are said to wait for ever.
  std::vector<int> told(std::mt19937& random) {
    // Each round ends a call or is the same for ever; two more are those of the protocol, and as many looks.
    constexpr int kRounds = 24;
    for (int round = 0; round < kRounds; ++round) {
      std::shuffle(order_.begin(), order_.end(), random);
      for (const std::size_t rank : order_) {
        step(rank);
        if (random() % 2 == 0) look();
      }
      look();
    }
    return told_;
  }
  std::vector<int> left() const {
    std::vector<int> ranks;
    for (std::size_t i = 0; i < lives_.size(); ++i)
      if (!lives_[i].has_ended) ranks.push_back(static_cast<int>(i));
    return ranks;
  }

 private:
  struct Life {
    Record record{};
    bool has_ended = false;
    std::size_t next = 0;  // call
    bool waits = false;
    std::vector<int> unread;  // by sender
  };

  void look() {
    if (!look_.look()) return;
    told_.clear();
    for (const engine::Suspect& each : look_.suspects()) told_.push_back(each.rank);
  }

  void step(std::size_t rank) {
    Life& life = lives_[rank];
    if (life.has_ended) return;
    if (life.next == program_[rank].size()) {
      life.has_ended = true;
      return;
    }
    const std::string& call = program_[rank][life.next];
    if (call[0] == '!') {
      ++lives_[static_cast<std::size_t>(call[1] - '0')].unread[rank];
      ++life.next;
    } else {
      receive(rank, call[1]);
    }
  }

  void receive(std::size_t rank, char who) {
    Life& life = lives_[rank];
    engine::CircleMember<Record> member(life.record);
    std::vector<int> from;
    for (std::size_t other = 0; other < lives_.size(); ++other)
      if (other != rank && (who == '*' || who == '0' + static_cast<char>(other)))
        from.push_back(static_cast<int>(other));
    for (const int each : from) {
      if (life.unread[static_cast<std::size_t>(each)] == 0) continue;
      --life.unread[static_cast<std::size_t>(each)];
      member.withdraw();
      life.waits = false;
      ++life.next;
      return;
    }
    life.waits ? member.has_looked() : member.describe(from, [] {});
    life.waits = true;
  }

  const Program& program_;
  std::vector<Life> lives_;
  std::vector<std::size_t> order_;
  engine::CircleLook<Place> look_{{}};
  std::vector<int> told_;
};

std::vector<std::vector<std::string>> texts(std::size_t rank, std::size_t ranks, std::size_t longest) {
  std::vector<std::string> calls{"?*"};
  for (std::size_t other = 0; other < ranks; ++other)
    if (other != rank) calls.insert(calls.end(), {fmt::format("!{}", other), fmt::format("?{}", other)});
  std::vector<std::vector<std::string>> all{{}};
  for (std::size_t begin = 0, length = 1; length <= longest; ++length) {
    const std::size_t end = all.size();
    for (; begin < end; ++begin) {
      for (const std::string& call : calls) {
        all.push_back(all[begin]);
        all.back().push_back(call);
      }
    }
  }
  return all;
}

/// Of this program, in some orders.
void expect_told(const Program& program, std::mt19937& random, int orders) {
  for (int i = 0; i < orders; ++i) {
    Run run(program);
    const std::vector<int> told = run.told(random);
    std::string text;
    for (const auto& calls : program) text += fmt::format("{} | ", fmt::join(calls, ""));
    const std::vector<int> left = run.left();
    ASSERT_EQ(told.empty(), left.empty()) << text;
    ASSERT_TRUE(std::includes(left.begin(), left.end(), told.begin(), told.end())) << text;
  }
}

TEST(CircleSearch, EveryProgramOfTwoRanks) {
  std::mt19937 random(1);
  for (const auto& first : texts(0, 2, 3))
    for (const auto& second : texts(1, 2, 3)) expect_told({first, second}, random, 4);
}

TEST(CircleSearch, EveryProgramOfThreeRanks) {
  std::mt19937 random(2);
  for (const auto& first : texts(0, 3, 2)) {
    for (const auto& second : texts(1, 3, 2))
      for (const auto& third : texts(2, 3, 1)) expect_told({first, second, third}, random, 1);
  }
}

}  // namespace
}  // namespace foldlane::model
