// Every valid op × element type × counts around every boundary × in place or not × all roots, for every
// collective, compared bit by bit with the serial fold in the canonical order.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "collectives/matrix.hpp"
#include "engine/collectives/collectives.hpp"
#include "engine/job/areas.hpp"
#include "kernels/fold.hpp"
#include "support/counted_crowd.hpp"
#include "support/inputs.hpp"
#include "support/ranks.hpp"

namespace foldlane::testing {
namespace {

using kernels::Elem;
using kernels::Op;

/// The inputs of all ranks for the largest count, and the serial result; any smaller count is a prefix of
/// them.
struct Case {
  Case(Op fold_op, Elem fold_elem, int ranks, std::size_t most)
      : op(fold_op), elem(fold_elem), elem_bytes(kernels::elem_bytes(fold_elem)) {
    std::vector<const void*> sources;
    for (int rank = 0; rank < ranks; ++rank) {
      inputs.push_back(
          make_input(elem, most, static_cast<std::uint64_t>(rank) * 100 + static_cast<std::uint64_t>(op)));
      sources.push_back(inputs.back().data());
    }
    expected.resize(most * elem_bytes);
    // A team of one copies: its input is its result, bit by bit.
    if (ranks == 1) {
      expected = inputs[0];
    } else {
      kernels::fold_reference_function(op, elem)(expected.data(), sources.data(), sources.size(), most);
    }
  }

  Op op;
  Elem elem;
  std::size_t elem_bytes;
  std::vector<std::vector<std::byte>> inputs;
  std::vector<std::byte> expected;
};

/// One rank's walk through the calls of one case.
class Walk {
 public:
  Walk(RankContext& context, const Case& matrix_case)
      : context_(context),
        case_(matrix_case),
        reduction_(engine::Reduction::of(matrix_case.op, matrix_case.elem)),
        recv_(matrix_case.expected.size() + kOffset + 64) {}

  std::string allreduce(std::size_t count, bool in_place) {
    std::byte* recv = prepare(count, in_place);
    const void* send = in_place ? recv : input();
    const auto done = engine::allreduce(context_.world, send, recv, count, reduction_);
    return verdict(done, "allreduce", recv, 0, count, count);
  }

  std::string reduce(std::size_t count, bool in_place, int root) {
    const bool here = context_.rank == root;
    std::byte* recv = prepare(count, in_place && here);
    const void* send = in_place && here ? recv : input();
    const auto done = engine::reduce(context_.world, send, here ? recv : nullptr, count, reduction_, root);
    return verdict(done, "reduce", recv, 0, here ? count : 0, count);
  }

  /// Blocks of the given sizes; `count` is their sum.
  std::string reduce_scatter(const std::vector<std::int64_t>& blocks, std::size_t count, bool in_place) {
    std::byte* recv = prepare(count, in_place);
    const void* send = in_place ? recv : input();
    const auto done = engine::reduce_scatter(context_.world, send, recv, blocks.data(), reduction_);
    std::size_t start = 0;
    for (int rank = 0; rank < context_.rank; ++rank)
      start += static_cast<std::size_t>(blocks[static_cast<std::size_t>(rank)]);
    const auto own = static_cast<std::size_t>(blocks[static_cast<std::size_t>(context_.rank)]);
    return verdict(done, "reduce_scatter", recv, start, own, in_place ? count : own);
  }

  std::string bcast(std::size_t count, int root) {
    std::byte* buffer = recv_.data() + kOffset;
    const std::size_t bytes = count * case_.elem_bytes;
    std::fill(recv_.begin(), recv_.end(), kCanary);
    const std::byte* source = case_.inputs[static_cast<std::size_t>(root)].data();
    if (context_.rank == root) std::memcpy(buffer, source, bytes);
    const auto done = engine::bcast(context_.world, {buffer, bytes}, root);
    if (!done.ok()) return done.error().message;
    ++calls;
    const bool same = std::memcmp(buffer, source, bytes) == 0 && buffer[bytes] == kCanary;
    return same ? "" : fmt::format("bcast of {} bytes from {}: wrong bytes", bytes, root);
  }

  long calls = 0;

 private:
  static constexpr std::byte kCanary{0xa5};
  static constexpr std::size_t kOffset = 3;  // user buffers have no alignment

  const std::byte* input() const { return case_.inputs[static_cast<std::size_t>(context_.rank)].data(); }

  std::byte* prepare(std::size_t count, bool in_place) {
    std::fill(recv_.begin(), recv_.end(), kCanary);
    std::byte* recv = recv_.data() + kOffset;
    if (in_place) std::memcpy(recv, input(), count * case_.elem_bytes);
    return recv;
  }

  /// recv must hold elements [start, start + count) of the result, and nothing behind `touched` elements.
  std::string verdict(const shm::Result<void>& done, const char* call, const std::byte* recv,
                      std::size_t start, std::size_t count, std::size_t touched) {
    ++calls;
    if (!done.ok()) return done.error().message;
    const std::size_t bytes = count * case_.elem_bytes;
    const std::byte* expected = case_.expected.data() + start * case_.elem_bytes;
    if (std::memcmp(recv, expected, bytes) != 0) {
      return fmt::format("{} {} {} of {} elements: differing bits", call, kernels::name(case_.op),
                         kernels::name(case_.elem), touched);
    }
    if (recv[touched * case_.elem_bytes] != kCanary) return fmt::format("{}: wrote behind the buffer", call);
    return "";
  }

  RankContext& context_;
  const Case& case_;
  engine::Reduction reduction_;
  std::vector<std::byte> recv_;
};

std::string walk_count(Walk& walk, std::size_t count, int ranks, int round) {
  const int root = (round + static_cast<int>(count)) % ranks;
  for (const bool in_place : {false, true}) {
    for (const auto& blocks : {equal_blocks(count, ranks), unequal_blocks(count, ranks, in_place)}) {
      if (auto problem = walk.reduce_scatter(blocks, sum(blocks), in_place); !problem.empty()) return problem;
    }
    if (auto problem = walk.allreduce(count, in_place); !problem.empty()) return problem;
    if (auto problem = walk.reduce(count, in_place, root); !problem.empty()) return problem;
  }
  return walk.bcast(count, root);
}

std::string walk_small_roots(Walk& walk, std::size_t count, int ranks) {
  for (int root = 0; root < ranks; ++root) {
    if (auto problem = walk.reduce(count, root % 2 == 0, root); !problem.empty()) return problem;
    if (auto problem = walk.bcast(count, root); !problem.empty()) return problem;
  }
  return "";
}

/// Nine calls of each count and two of each root, for every operation on every element: counted
/// independently.
long least_calls(const shm::SegmentShape& shape) {
  long calls = 0;
  for (const auto& [op, elem] : valid_pairs()) {
    calls += 9 * static_cast<long>(boundary_counts(kernels::elem_bytes(elem), shape).size());
    calls += 2 * static_cast<long>(shape.ranks);
  }
  return calls;
}

void walk_all_pairs(Transport transport, const RunOptions& options) {
  const auto ranks = static_cast<int>(options.shape.ranks);
  const SharedCounter compared;
  int round = 0;
  for (const auto& [op, elem] : valid_pairs()) {
    const auto counts = boundary_counts(kernels::elem_bytes(elem), options.shape);
    const Case matrix_case(op, elem, ranks, counts.back());
    const auto problems = run_ranks(transport, options, [&, at = round](RankContext& context) {
      Walk walk(context, matrix_case);
      for (const std::size_t count : counts) {
        if (auto problem = walk_count(walk, count, context.size, at); !problem.empty()) return problem;
      }
      if (auto problem = walk_small_roots(walk, 5, context.size); !problem.empty()) return problem;
      if (context.rank == 0) *compared += walk.calls;
      return std::string();
    });
    ASSERT_TRUE(problems.empty()) << kernels::name(op) << " on " << kernels::name(elem) << ": "
                                  << problems.front();
    ++round;
  }
  // Each rank compares every result it gets, and the first problem ends the walk above.
  ASSERT_GE(*compared, least_calls(options.shape));
  std::printf("oracle: %ld calls x %d ranks compared as %s\n", *compared, ranks, name(transport));
}

class OracleMatrix : public ::testing::TestWithParam<Setting> {};

TEST_P(OracleMatrix, EveryCallGivesTheBitsOfTheSerialFold) {
  const auto [transport, ranks] = GetParam();
  walk_all_pairs(transport, {.shape = tiny_shape(ranks)});
}

/// Machines whose ranks form groups (engine/groups/groups.hpp), in hwloc's notation.
class OracleInGroups : public ::testing::TestWithParam<const char*> {};

TEST_P(OracleInGroups, EveryCallGivesTheBitsOfTheSerialFold) {
  const auto topology = shm::synthetic_topology(GetParam());
  const auto ranks = static_cast<int>(topology.value().pus.size());
  RunOptions options{.shape = tiny_shape(ranks)};
  options.seats = seats_on(GetParam(), ranks);
  ASSERT_FALSE(engine::groups_of(options.seats).levels.empty());
  walk_all_pairs(Transport::threads, options);
}

INSTANTIATE_TEST_SUITE_P(Machines, OracleInGroups,
                         ::testing::Values("package:2 l3:2 core:4", "package:2 l3:1 core:5"),
                         [](const auto& test) { return fmt::format("machine_{}", test.index); });

TEST(OracleAtFullSize, DefaultSlotsAndStreamingStores) {
  for (const int ranks : {2, 3, 8}) {
    RunOptions options{.shape = engine::shape_for(ranks)};
    options.shape.heap_bytes = 4 << 20;
    options.llc_bytes = 4 << 20;  // so that the largest vectors stream
    const Case matrix_case(Op::sum, Elem::f32, ranks, 1'500'007);
    const auto problems = run_ranks(Transport::threads, options, [&](RankContext& context) {
      Walk walk(context, matrix_case);
      for (const std::size_t count : {16'000ul, 16'384ul, 16'385ul, 131'072ul, 140'001ul, 1'500'007ul}) {
        if (auto problem = walk_count(walk, count, context.size, 1); !problem.empty()) return problem;
      }
      return std::string();
    });
    ASSERT_TRUE(problems.empty()) << problems.front();
  }
}

INSTANTIATE_TEST_SUITE_P(All, OracleMatrix,
                         ::testing::ValuesIn(settings_for({1, 2, 3, 4, 5, 6, 7, 8, 16, 17})),
                         [](const auto& test) {
                           return fmt::format("{}_{}", name(test.param.transport), test.param.ranks);
                         });

}  // namespace
}  // namespace foldlane::testing
