// Members of a team of groups that disagree about a call: everybody hears of it, across the groups.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "engine/collectives/collectives.hpp"
#include "support/counted_crowd.hpp"
#include "support/ranks.hpp"
#include "support/vector_blocks.hpp"

namespace foldlane::testing {
namespace {

constexpr const char* kMachine = "package:2 l3:2 core:3";
constexpr int kRanks = 12;

enum class What { barrier, allreduce, large_allreduce, reduce, bcast, gather, allgather, alltoall };

/// Blocks that leaders collect (8 bytes), or tell of.
shm::Result<void> move(engine::Team& team, engine::Call call, std::size_t bytes) {
  std::vector<std::byte> send(kRanks * bytes), recv(kRanks * bytes);
  const VectorMove sides(call, 0, team.size(), team.rank(), bytes, send.data(), recv.data());
  return engine::perform(team, {.call = call, .root = 0, .movement = &sides.movement});
}

shm::Result<void> call(engine::Team& team, What what, std::vector<double>& data) {
  const auto sum = engine::Reduction::of(kernels::Op::sum, kernels::Elem::f64);
  switch (what) {
    case What::barrier:
      return engine::barrier(team);
    case What::allreduce:
      return engine::allreduce(team, data.data(), data.data(), 1, sum);
    case What::large_allreduce:
      return engine::allreduce(team, data.data(), data.data(), data.size(), sum);
    case What::reduce:
      return engine::reduce(team, data.data(), data.data(), 1, sum, 0);
    case What::gather:
      return move(team, engine::Call::gather, 200);
    case What::allgather:
      return move(team, engine::Call::allgather, 8);
    case What::alltoall:
      return move(team, engine::Call::alltoall, 64);
    case What::bcast:
      break;
  }
  return engine::bcast(team, {data.data(), 64}, 0);
}

/// A leaf may leave a call that others are not in; then it hears of it in a later one.
std::string disagree(RankContext& context, What right, What wrong, int culprit) {
  std::vector<double> data(3000);
  auto done = call(context.world, context.rank == culprit ? wrong : right, data);
  for (int more = 0; done.ok() && more < 3; ++more) done = engine::barrier(context.world);
  if (done.ok()) return "nobody noticed";
  return done.error().code == shm::Errc::disagreement ? "" : done.error().message;
}

TEST(GroupedMismatch, EverybodyHearsOfIt) {
  RunOptions options{.shape = tiny_shape(kRanks)};
  options.seats = seats_on(kMachine, kRanks);
  ASSERT_FALSE(engine::groups_of(options.seats).levels.empty());
  for (const What right : {What::barrier, What::allreduce, What::large_allreduce, What::reduce, What::bcast,
                           What::gather, What::allgather, What::alltoall}) {
    for (const What wrong : {What::barrier, What::large_allreduce, What::bcast, What::alltoall}) {
      if (right == wrong) continue;
      for (const int culprit : {0, 4, 6, 11}) {
        const auto problems = run_ranks(Transport::threads, options, [&](RankContext& context) {
          return disagree(context, right, wrong, culprit);
        });
        EXPECT_TRUE(problems.empty()) << fmt::format("{} {} {}: {}", static_cast<int>(right),
                                                     static_cast<int>(wrong), culprit, problems.front());
      }
    }
  }
}

}  // namespace
}  // namespace foldlane::testing
