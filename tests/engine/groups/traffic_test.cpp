// What crosses the boundaries of machines we do not have, counted in runs of the real engine: within 1.1 x of
// the least, and in as many hops as the plan says.
#include <gtest/gtest.h>

#include "engine/team/call_names.hpp"
#include "support/counted_calls.hpp"

namespace foldlane::testing {
namespace {

using engine::Call;

constexpr std::size_t kSlotBytes = 256 << 10;
constexpr std::size_t kSizesUpTo64KiB[] = {8, 512, 4 << 10, 64 << 10};

/// The dearest boundaries of a machine: between packages, or between caches where there is one package.
class Crossings : public ::testing::TestWithParam<CountedMachine> {
 protected:
  std::vector<engine::Seat> seats_ = seats_on(GetParam().topology, GetParam().ranks);
  Boundaries boundaries_ = boundaries_of(seats_);
  bool many_packages_ = boundaries_.packages.size() > 1;
  CountedCrowd crowd_{seats_, true, kSlotBytes};

  double crossed(const CountedCall& counted) const {
    return many_packages_ ? counted.package_lines : counted.cache_lines;
  }
  double least(Call call, std::size_t bytes) const {
    const double lines = least_lines(call, bytes, many_packages_ ? boundaries_.packages : boundaries_.caches,
                                     GetParam().ranks, InARow::one);
    EXPECT_GT(lines, 0) << "this machine has nothing to cross";
    return lines;
  }
  /// The caches of a package pass on what comes from others, in more crossings than would do: up to 1.52 x as
  /// many, where flat calls make 2 to 4,000 x as many (perf/TRAFFIC.md).
  void expect_few_between_caches(Call call, std::size_t bytes, const CountedCall& counted) const {
    if (!many_packages_ || boundaries_.caches.size() == boundaries_.packages.size()) return;
    const double lines = least_lines(call, bytes, boundaries_.caches, GetParam().ranks, InARow::any);
    EXPECT_LE(counted.cache_lines, 1.6 * lines) << engine::name_of(call) << bytes;
  }
};

TEST_P(Crossings, AllreduceIsAtTheLeast) {
  for (const std::size_t bytes : {8ul, 512ul, 4ul << 10, 64ul << 10, 1ul << 20}) {
    const CountedCall counted = count_call(crowd_, Call::allreduce, bytes);
    EXPECT_LE(crossed(counted), 1.1 * least(Call::allreduce, bytes)) << bytes;
    expect_few_between_caches(Call::allreduce, bytes, counted);
    EXPECT_EQ(counted.plan.style, engine::Style::grouped) << bytes;
    if (counted.plan.chunks == 1) {
      EXPECT_EQ(counted.hops, counted.plan.hops) << bytes;
    }
  }
}

TEST_P(Crossings, BarrierIsAtTheLeast) {
  const CountedCall counted = count_call(crowd_, Call::barrier, 0);
  EXPECT_LE(crossed(counted), least(Call::barrier, 0));
  expect_few_between_caches(Call::barrier, 0, counted);
  EXPECT_EQ(counted.hops, counted.plan.hops);
}

/// A line or slot of somebody who waits for nobody is written again only after its reader said so, in a line
/// that crosses back: one for two calls beside the epoch.
TEST_P(Crossings, ReduceAndBroadcastAreAtTheLeastAndItsAcknowledgements) {
  for (const Call call : {Call::reduce, Call::bcast}) {
    for (const std::size_t bytes : kSizesUpTo64KiB) {
      const CountedCall counted = count_call(crowd_, call, bytes);
      const double bound = least(call, bytes);
      EXPECT_LE(crossed(counted), bytes <= 56 ? 1.5 * bound : 1.1 * bound) << engine::name_of(call) << bytes;
      expect_few_between_caches(call, bytes, counted);
      if (counted.plan.chunks == 1) {
        EXPECT_EQ(counted.hops, counted.plan.hops) << engine::name_of(call) << bytes;
      }
    }
  }
}

/// Where groups are not aligned, a group takes all values of the others for its blocks, in one crossing; with
/// two in a row it would be 1.25 x less.
TEST_P(Crossings, ReduceScatterIsNearTheLeast) {
  const bool aligned = crowd_.team(0).hierarchy()->most_values() == 1;
  for (const std::size_t bytes : kSizesUpTo64KiB) {
    const CountedCall counted = count_call(crowd_, Call::reduce_scatter, bytes);
    EXPECT_LE(crossed(counted), (aligned ? 1.1 : 1.3) * least(Call::reduce_scatter, bytes)) << bytes;
    if (counted.plan.chunks == 1) {
      EXPECT_EQ(counted.hops, counted.plan.hops) << bytes;
    }
  }
}

/// Blocks that leaders collect cross as few lines as can be, and those that everybody reads in place a flag
/// for each block more: a tenth where a block has ten lines, or a cache takes as many blocks of each member.
TEST_P(Crossings, BlocksAreNearTheLeast) {
  for (const std::size_t bytes : {8ul, 64ul, 128ul, 1024ul}) {
    const CountedCall all = count_call(crowd_, Call::allgather, bytes);
    EXPECT_LE(crossed(all), 1.1 * least(Call::allgather, bytes)) << bytes;
    expect_few_between_caches(Call::allgather, bytes, all);
    EXPECT_EQ(all.plan.style == engine::Style::grouped, bytes <= 128) << bytes;
    EXPECT_EQ(all.hops, all.plan.hops) << bytes;
    // Leaders who wait for nobody ask now and then whether they have been read.
    const double most = bytes == 8 ? 1.2 : 1.1;
    EXPECT_LE(crossed(count_call(crowd_, Call::gather, bytes)), most * least(Call::gather, bytes)) << bytes;
  }
  for (const std::size_t bytes : {64ul, 512ul}) {
    const CountedCall each = count_call(crowd_, Call::alltoall, bytes);
    EXPECT_LE(crossed(each), 1.12 * least(Call::alltoall, bytes)) << bytes;
    expect_few_between_caches(Call::alltoall, bytes, each);
    EXPECT_EQ(each.hops, 1) << bytes;
  }
}

INSTANTIATE_TEST_SUITE_P(Machines, Crossings, ::testing::ValuesIn(counted_machines()),
                         [](const auto& test) { return "machine_" + std::to_string(test.index); });

/// The instrument, on what is known: flat, everybody reads every line and every slot.
TEST(Traffic, OfAFlatTeamIsWhatAnybodyCanCount) {
  const auto seats = seats_on("package:2 l3:2 core:4", 16);
  CountedCrowd crowd(seats, false, 4096);
  const CountedCall counted = count_call(crowd, Call::allreduce, 8);
  EXPECT_EQ(counted.hops, 1);
  EXPECT_EQ(counted.package_lines, 16);       // each line to the other package
  EXPECT_EQ(counted.package_link_lines, 32);  // to both caches of it
  EXPECT_EQ(counted.cache_lines, 16 * 3);
  EXPECT_EQ(counted.most_read, 15);
  EXPECT_EQ(counted.most_written, 1);
}

TEST(LeastCrossings, OfAlignedAndOtherGroups) {
  EXPECT_EQ(least_crossings({{0, 64}, {64, 64}}, 128, -1), 2);
  EXPECT_EQ(least_crossings({{0, 64}, {64, 64}}, 128, 1), 1);
  EXPECT_EQ(least_crossings({{0, 32}, {32, 32}, {64, 32}, {96, 32}}, 128, -1), 6);
  // 56..63 belong to the left half of the tree: two values one way, the result back.
  EXPECT_EQ(least_crossings({{0, 56}, {56, 56}}, 112, -1), 3);
}

}  // namespace
}  // namespace foldlane::testing
