// The boxes of teams of two: which calls take them, and what happens if there is no memory for them.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "engine/collectives/collectives.hpp"
#include "kernels/fold.hpp"
#include "support/ranks.hpp"

namespace foldlane::testing {
namespace {

constexpr std::size_t kCount = 100;  // more than a line holds

engine::Reduction sum() { return engine::Reduction::of(kernels::Op::sum, kernels::Elem::f64); }

std::vector<std::string> run(Transport transport, int ranks, const RankBody& body) {
  return run_ranks(transport, {.shape = tiny_shape(ranks)}, body);
}

class Pair : public ::testing::TestWithParam<Transport> {};

TEST_P(Pair, LinesAndBroadcastsTakeNoBoxes) {
  const auto problems = run(GetParam(), 2, [](RankContext& context) -> std::string {
    std::vector<double> send(2 * kCount, 1), recv(2 * kCount);
    engine::Team& team = context.world;
    if (!engine::allreduce(team, send.data(), recv.data(), 7, sum()).ok())
      return "allreduce in a line failed";
    if (!engine::bcast(team, {recv.data(), kCount * sizeof(double)}, 0).ok()) return "bcast failed";
    if (team.deliveries().boxes().known()) return "has boxes too early";
    if (!engine::allreduce(team, send.data(), recv.data(), kCount, sum()).ok()) return "allreduce failed";
    return team.deliveries().boxes().known() && recv[kCount - 1] == 2 ? "" : "allreduce without boxes";
  });
  EXPECT_TRUE(problems.empty()) << problems.front();
}

TEST_P(Pair, AReduceScatterTakesBoxes) {
  const auto problems = run(GetParam(), 2, [](RankContext& context) -> std::string {
    std::vector<double> send(2 * kCount, 1), recv(kCount);
    const auto counts = engine::BlockCounts::equal(kCount);
    if (!engine::reduce_scatter(context.world, send.data(), recv.data(), counts, sum()).ok()) return "failed";
    return context.world.deliveries().boxes().known() && recv[kCount - 1] == 2 ? "" : "without boxes";
  });
  EXPECT_TRUE(problems.empty()) << problems.front();
}

TEST_P(Pair, AReduceTakesBoxes) {
  const auto problems = run(GetParam(), 2, [](RankContext& context) -> std::string {
    std::vector<double> send(kCount, 1), recv(kCount);
    if (!engine::reduce(context.world, send.data(), recv.data(), kCount, sum(), 1).ok()) return "failed";
    if (context.rank == 0 && recv[0] != 0) return "a leaf got something";
    return context.world.deliveries().boxes().known() && recv[kCount - 1] == 2 * context.rank
               ? ""
               : "without boxes";
  });
  EXPECT_TRUE(problems.empty()) << problems.front();
}

TEST_P(Pair, ThreeMembersHaveNoBoxes) {
  const auto problems = run(GetParam(), 3, [](RankContext& context) -> std::string {
    std::vector<double> send(kCount, 1), recv(kCount);
    if (!engine::allreduce(context.world, send.data(), recv.data(), kCount, sum()).ok()) return "failed";
    return context.world.deliveries().boxes().known() ? "has boxes" : "";
  });
  EXPECT_TRUE(problems.empty()) << problems.front();
}

TEST_P(Pair, WithoutMemoryForBoxesBothSayWhoLacksIt) {
  const auto problems = run(GetParam(), 2, [](RankContext& context) -> std::string {
    if (context.rank == 1) context.process.set_ring_source([]() -> std::byte* { return nullptr; });
    std::vector<double> send(kCount, 1), recv(kCount);
    const auto done = engine::allreduce(context.world, send.data(), recv.data(), kCount, sum());
    if (done.ok()) return "went well";
    return done.error().message == "rank 1 ran out of memory" ? "" : done.error().message;
  });
  EXPECT_TRUE(problems.empty()) << problems.front();
}

INSTANTIATE_TEST_SUITE_P(All, Pair, ::testing::Values(Transport::threads, Transport::processes),
                         [](const auto& test) { return std::string(name(test.param)); });

}  // namespace
}  // namespace foldlane::testing
