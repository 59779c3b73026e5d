// Random sequences of calls on several teams that share the ranks' slots: rooted calls that run ahead,
// changing roots, sizes of every class, a non-commutative operation of the caller's.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <memory>
#include <random>

#include "engine/collectives/collectives.hpp"
#include "support/ranks.hpp"

namespace foldlane::testing {
namespace {

using engine::Reduction;

/// x -> scale * x + shift modulo 2^64; composition is associative but not commutative.
struct Affine {
  std::uint64_t scale;
  std::uint64_t shift;
  bool operator==(const Affine&) const = default;
};

Affine then(const Affine& first, const Affine& second) {
  return {first.scale * second.scale, second.scale * first.shift + second.shift};
}

void compose(void*, const void* in, void* inout, std::size_t count) {
  const auto* left = static_cast<const Affine*>(in);
  auto* right = static_cast<Affine*>(inout);
  for (std::size_t i = 0; i < count; ++i) right[i] = then(left[i], right[i]);
}

Affine value(int rank, std::size_t i, int round) {
  const auto mixed =
      static_cast<std::uint64_t>(rank + 1) * 2654435761u + i * 40503u + static_cast<std::uint64_t>(round);
  return {mixed | 1, mixed * mixed};
}

/// One team's part in the sequence, as one of its members sees it.
class Player {
 public:
  Player(engine::Team& team, std::vector<int> members) : team_(team), members_(std::move(members)) {}

  std::string play(int call, std::size_t count, int root, int round) {
    root %= team_.size();
    std::vector<Affine> data(count);
    for (std::size_t i = 0; i < count; ++i) data[i] = value(own_rank(), i, round);
    shm::Result<void> done;
    bool holds_result = true;
    switch (call) {
      case 0:
        done = engine::barrier(team_);
        return done.ok() ? "" : done.error().message;
      case 1:
        done = engine::bcast(team_, {data.data(), count * sizeof(Affine)}, root);
        return check(done, data, [&](std::size_t i) { return value(rank_of(root), i, round); });
      case 2:
        done = engine::reduce(team_, data.data(), data.data(), count, kCompose, root);
        holds_result = team_.rank() == root;
        break;
      case 3:
        done = engine::allreduce(team_, data.data(), data.data(), count, kCompose);
        break;
      case 4:  // short calls have a path of their own if the operation is predefined
        done = engine::reduce(team_, data.data(), data.data(), 2 * count, kSum, root);
        if (team_.rank() != root) return done.ok() ? "" : done.error().message;
        return check(done, data, [&](std::size_t i) { return serial_sum(i, round); });
      default:
        done = engine::allreduce(team_, data.data(), data.data(), 2 * count, kSum);
        return check(done, data, [&](std::size_t i) { return serial_sum(i, round); });
    }
    if (!holds_result) return done.ok() ? "" : done.error().message;
    return check(done, data, [&](std::size_t i) { return serial(i, round); });
  }

 private:
  template <class Expected>
  std::string check(const shm::Result<void>& done, const std::vector<Affine>& data,
                    const Expected& expected) {
    if (!done.ok()) return done.error().message;
    for (std::size_t i = 0; i < data.size(); ++i) {
      if (!(data[i] == expected(i))) return fmt::format("element {} of {} is wrong", i, data.size());
    }
    return "";
  }

  Affine serial(std::size_t i, int round) const {
    Affine result = value(members_.front(), i, round);
    for (std::size_t m = 1; m < members_.size(); ++m) result = then(result, value(members_[m], i, round));
    return result;
  }

  Affine serial_sum(std::size_t i, int round) const {
    Affine result{};
    for (const int member : members_) {
      const Affine each = value(member, i, round);
      result = {result.scale + each.scale, result.shift + each.shift};
    }
    return result;
  }

  int rank_of(int member) const { return members_[static_cast<std::size_t>(member)]; }
  int own_rank() const { return rank_of(team_.rank()); }

  inline static const Reduction kCompose{.elem_bytes = sizeof(Affine), .user = {compose, nullptr}};

  /// Of both words of each value.
  inline static const Reduction kSum = Reduction::of(kernels::Op::sum, kernels::Elem::u64);

  engine::Team& team_;
  std::vector<int> members_;
};

std::string play_sequence(RankContext& context, int rounds, unsigned seed) {
  // Team 0 is everybody, backwards; 1 the even ranks; 2 the ranks below 3. All members draw the same numbers.
  std::vector<std::vector<int>> teams(3);
  for (int rank = context.size - 1; rank >= 0; --rank) teams[0].push_back(rank);
  for (int rank = 0; rank < context.size; rank += 2) teams[1].push_back(rank);
  for (int rank = 0; rank < std::min(3, context.size); ++rank) teams[2].push_back(rank);
  std::vector<std::unique_ptr<engine::Team>> own(teams.size());
  for (std::size_t t = 0; t < teams.size(); ++t) {
    const auto at = std::find(teams[t].begin(), teams[t].end(), context.rank);
    if (at == teams[t].end()) continue;
    own[t] = std::make_unique<engine::Team>(context.process, teams[t],
                                            static_cast<int>(at - teams[t].begin()), static_cast<int>(t) + 1);
  }
  std::mt19937 random(seed);
  static constexpr std::size_t kCounts[] = {1, 2, 3, 4, 60, 256, 257, 1000, 1030, 3000};
  for (int round = 0; round < rounds; ++round) {
    const std::size_t t = random() % teams.size();
    const int call = static_cast<int>(random() % 6);
    const std::size_t count = kCounts[random() % std::size(kCounts)];
    const int root = static_cast<int>(random() % 97);
    if (own[t] == nullptr) continue;
    const std::string problem = Player(*own[t], teams[t]).play(call, count, root, round);
    if (!problem.empty()) return fmt::format("round {}, team {}, call {}: {}", round, t, call, problem);
  }
  return "";
}

class Sequence : public ::testing::TestWithParam<int> {};

TEST_P(Sequence, MixedCallsOnOverlappingTeams) {
  for (const Transport transport : {Transport::threads, Transport::processes}) {
#if defined(__SANITIZE_THREAD__)
    if (transport == Transport::processes) continue;
#endif
    const auto problems = run_ranks(transport, {.shape = tiny_shape(GetParam())}, [](RankContext& context) {
      return play_sequence(context, 600, 20261121);
    });
    EXPECT_TRUE(problems.empty()) << name(transport) << ": " << problems.front();
  }
}

INSTANTIATE_TEST_SUITE_P(Ranks, Sequence, ::testing::Values(2, 3, 4, 5, 8));

}  // namespace
}  // namespace foldlane::testing
