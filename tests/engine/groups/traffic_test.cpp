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
  const std::vector<engine::Members>& dearest() const {
    return many_packages_ ? boundaries_.packages : boundaries_.caches;
  }
  double least(Call call, std::size_t bytes) const {
    const double lines = least_lines(call, bytes, dearest(), InARow::one);
    EXPECT_GT(lines, 0) << "this machine has nothing to cross";
    return lines;
  }
  double least_between_caches(Call call, std::size_t bytes) const {
    return least_lines_between_caches(call, bytes, boundaries_);
  }
  /// The caches of a package pass on what comes from others, in more crossings than would do: up to 1.52 x as
  /// many, where flat calls make 2 to 4,000 x as many (perf/TRAFFIC.md).
  void expect_few_between_caches(Call call, std::size_t bytes, const CountedCall& counted) const {
    if (!many_packages_ || boundaries_.caches.size() == boundaries_.packages.size()) return;
    const double lines = least_between_caches(call, bytes);
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

/// Of a gather leaders wait for nobody, and ask once, in as many calls as there are slots, whether they have
/// been read.
double asked(Call call, const std::vector<engine::Members>& groups) {
  return call == Call::gather ? static_cast<double>(groups.size() - 1) / engine::kSlots : 0;
}

/// Leaders tell of the blocks of their groups: a flag crosses with each group, and no line is half empty that
/// the leader of a cache could fill. To fill those of 8 bytes from two caches of 14 or 28 would take a
/// crossing between these, which costs more than a seventh less between packages saves.
TEST_P(Crossings, BlocksAreNearTheLeast) {
  for (const Call call : {Call::gather, Call::allgather, Call::alltoall})
    for (const std::size_t bytes : {8ul, 64ul, 72ul, 128ul, 512ul, 1024ul}) {
      const CountedCall counted = count_call(crowd_, call, bytes);
      const bool has_gaps = bytes == 8 && boundaries_.caches.front().count % 8 != 0;
      EXPECT_LE(crossed(counted), (has_gaps ? 1.15 : 1.1) * least(call, bytes) + asked(call, dearest()))
          << engine::name_of(call) << bytes;
      EXPECT_LE(counted.cache_lines,
                1.1 * least_between_caches(call, bytes) + asked(call, boundaries_.caches))
          << engine::name_of(call) << bytes;
      EXPECT_EQ(counted.plan.style, engine::Style::grouped) << engine::name_of(call) << bytes;
      EXPECT_EQ(counted.hops, counted.plan.hops) << engine::name_of(call) << bytes;
    }
}

INSTANTIATE_TEST_SUITE_P(Machines, Crossings, ::testing::ValuesIn(counted_machines()),
                         [](const auto& test) { return "machine_" + std::to_string(test.index); });

using LongCrossings = Crossings;

/// What no slot holds goes chunk by chunk, without leaders: beside so many bytes a flag of each member in
/// each turn is little. Few ranks, so that it takes no gigabytes.
TEST_P(LongCrossings, OfBlocksAreNearTheLeast) {
  for (const Call call : {Call::gather, Call::allgather, Call::alltoall}) {
    for (const std::size_t bytes : {4ul << 10, call == Call::alltoall ? 16ul << 10 : 64ul << 10}) {
      const CountedCall counted = count_call(crowd_, call, bytes);
      EXPECT_EQ(counted.plan.style, bytes == 4 << 10 ? engine::Style::grouped : engine::Style::whole);
      EXPECT_LE(crossed(counted), 1.1 * least(call, bytes)) << engine::name_of(call) << bytes;
      EXPECT_LE(counted.cache_lines, 1.1 * least_between_caches(call, bytes))
          << engine::name_of(call) << bytes;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(SmallMachines, LongCrossings,
                         ::testing::Values(CountedMachine{"2 x 2 caches of 8", "package:2 l3:2 core:8", 32},
                                           CountedMachine{"2 x 2 of 7", "package:2 l3:2 core:7", 28}));

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
