// Every valid op × element type × counts around every boundary × in place or not × all roots, for every
// collective, compared bit by bit with the serial fold in the canonical order; and a sample of that as
// operations, and of many ranks.
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
#include "support/operations.hpp"
#include "support/ranks.hpp"

namespace foldlane::testing {
namespace {

using engine::Call;
using kernels::Elem;
using kernels::Op;
using Pairs = std::vector<std::pair<Op, Elem>>;

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

/// How calls are carried out: blocking; as an operation, driven step by step; or as one that is waited for,
/// then started again and driven step by step.
enum class Manner { blocking, stepped, restarted };

/// One rank's walk through the calls of one case.
class Walk {
 public:
  Walk(RankContext& context, const Case& matrix_case, Manner manner = Manner::blocking)
      : context_(context),
        case_(matrix_case),
        manner_(manner),
        reduction_(engine::Reduction::of(matrix_case.op, matrix_case.elem)),
        recv_(matrix_case.expected.size() + kOffset + 64) {}

  std::string allreduce(std::size_t count, bool in_place) {
    const auto call =
        engine::fold_call(Call::allreduce, in_place ? recv() : input(), recv(), count, reduction_);
    const auto done = carry_out(call, count, in_place, [&] {
      return engine::allreduce(context_.world, call.send, recv(), count, reduction_);
    });
    return verdict(done, "allreduce", 0, count, count);
  }

  std::string reduce(std::size_t count, bool in_place, int root) {
    const bool here = context_.rank == root;
    auto call = engine::fold_call(Call::reduce, in_place && here ? recv() : input(), here ? recv() : nullptr,
                                  count, reduction_);
    call.root = root;
    const auto done = carry_out(call, count, in_place && here, [&] {
      return engine::reduce(context_.world, call.send, call.recv, count, reduction_, root);
    });
    return verdict(done, "reduce", 0, here ? count : 0, count);
  }

  /// Blocks of the given sizes; `count` is their sum.
  std::string reduce_scatter(const std::vector<std::int64_t>& blocks, std::size_t count, bool in_place) {
    auto call =
        engine::fold_call(Call::reduce_scatter, in_place ? recv() : input(), recv(), count, reduction_);
    call.blocks = blocks.data();
    const auto done = carry_out(call, count, in_place, [&] {
      return engine::reduce_scatter(context_.world, call.send, recv(), call.blocks, reduction_);
    });
    std::size_t start = 0;
    for (int rank = 0; rank < context_.rank; ++rank)
      start += static_cast<std::size_t>(blocks[static_cast<std::size_t>(rank)]);
    const auto own = static_cast<std::size_t>(blocks[static_cast<std::size_t>(context_.rank)]);
    return verdict(done, "reduce_scatter", start, own, in_place ? count : own);
  }

  std::string bcast(std::size_t count, int root) {
    const std::size_t bytes = count * case_.elem_bytes;
    const std::byte* source = case_.inputs[static_cast<std::size_t>(root)].data();
    const auto done = carry_out({.call = Call::bcast, .recv = recv(), .count = bytes, .root = root}, count,
                                context_.rank == root, [&] {
                                  return engine::bcast(context_.world, {recv(), bytes}, root);
                                });
    if (!done.ok()) return done.error().message;
    ++calls;
    const bool same = std::memcmp(recv(), source, bytes) == 0 && recv()[bytes] == kCanary;
    return same ? "" : fmt::format("bcast of {} bytes from {}: wrong bytes", bytes, root);
  }

  long calls = 0;

 private:
  static constexpr std::byte kCanary{0xa5};
  static constexpr std::size_t kOffset = 3;  // user buffers have no alignment

  const std::byte* input() const { return case_.inputs[static_cast<std::size_t>(context_.rank)].data(); }

  std::byte* recv() { return recv_.data() + kOffset; }

  void prepare(std::size_t count, bool has_input) {
    std::fill(recv_.begin(), recv_.end(), kCanary);
    if (has_input) std::memcpy(recv(), input(), count * case_.elem_bytes);
  }

  /// `blocking` is the same call in its blocking form.
  template <class Blocking>
  shm::Result<void> carry_out(const engine::Collective& call, std::size_t count, bool has_input,
                              const Blocking& blocking) {
    prepare(count, has_input);
    if (manner_ == Manner::blocking) return blocking();
    const auto made = make_operation(context_.world, call);
    engine::CollectiveOperation& operation = *made;
    operation.start();
    if (manner_ == Manner::restarted) {
      context_.process.progress().finish_alone(operation);
      if (auto done = finish(operation); !done.ok()) return done;
      prepare(count, has_input);
      operation.start();
    }
    return finish(operation);
  }

  shm::Result<void> finish(engine::CollectiveOperation& operation) {
    context_.process.progress().wait_until([&] { return operation.done(); });
    if (operation.failed()) return operation.error();
    return {};
  }

  /// recv must hold elements [start, start + count) of the result, and nothing behind `touched` elements.
  std::string verdict(const shm::Result<void>& done, const char* call, std::size_t start, std::size_t count,
                      std::size_t touched) {
    ++calls;
    if (!done.ok()) return done.error().message;
    const std::size_t bytes = count * case_.elem_bytes;
    const std::byte* expected = case_.expected.data() + start * case_.elem_bytes;
    if (std::memcmp(recv(), expected, bytes) != 0) {
      return fmt::format("{} {} {} of {} elements: differing bits", call, kernels::name(case_.op),
                         kernels::name(case_.elem), touched);
    }
    if (recv()[touched * case_.elem_bytes] != kCanary)
      return fmt::format("{}: wrote behind the buffer", call);
    return "";
  }

  RankContext& context_;
  const Case& case_;
  Manner manner_;
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

std::string walk_case(Walk& walk, const Case& matrix_case, const shm::SegmentShape& shape, int round) {
  const auto ranks = static_cast<int>(shape.ranks);
  for (const std::size_t count : boundary_counts(matrix_case.elem_bytes, shape)) {
    if (auto problem = walk_count(walk, count, ranks, round); !problem.empty()) return problem;
  }
  return walk_small_roots(walk, 5, ranks);
}

/// Nine calls of each count and two of each root, for every pair: counted independently.
long least_calls(const Pairs& pairs, const shm::SegmentShape& shape) {
  long calls = 0;
  for (const auto& [op, elem] : pairs) {
    calls += 9 * static_cast<long>(boundary_counts(kernels::elem_bytes(elem), shape).size());
    calls += 2 * static_cast<long>(shape.ranks);
  }
  return calls;
}

/// All pairs in one job: to start the ranks of each pair takes several times as long as its calls.
void walk_pairs(const Pairs& pairs, Manner manner, Transport transport, const RunOptions& options) {
  const auto ranks = static_cast<int>(options.shape.ranks);
  std::vector<Case> cases;
  for (const auto& [op, elem] : pairs)
    cases.emplace_back(op, elem, ranks, boundary_counts(kernels::elem_bytes(elem), options.shape).back());
  const SharedCounter compared;
  const auto problems = run_ranks(transport, options, [&](RankContext& context) {
    int round = 0;
    for (const Case& matrix_case : cases) {
      Walk walk(context, matrix_case, manner);
      if (auto problem = walk_case(walk, matrix_case, options.shape, round); !problem.empty()) {
        return fmt::format("{} on {}: {}", kernels::name(matrix_case.op), kernels::name(matrix_case.elem),
                           problem);
      }
      if (context.rank == 0) *compared += walk.calls;
      ++round;
    }
    return std::string();
  });
  ASSERT_TRUE(problems.empty()) << problems.front();
  // Each rank compares every result it gets, and the first problem ends the walk above.
  ASSERT_GE(*compared, least_calls(pairs, options.shape));
  std::printf("oracle: %ld calls x %d ranks compared as %s\n", *compared, ranks, name(transport));
}

void walk_all_pairs(Transport transport, const RunOptions& options) {
  walk_pairs(valid_pairs(), Manner::blocking, transport, options);
}

/// What is folded makes no difference to how a call goes on, but for the size of an element.
void walk_each_size(Manner manner, Transport transport, const RunOptions& options) {
  const Pairs one_of_each_size = {{Op::bxor, Elem::u8},
                                  {Op::sum, Elem::bf16},
                                  {Op::sum, Elem::f32},
                                  {Op::prod, Elem::f64},
                                  {Op::maxloc, Elem::pair_f64_i32}};
  walk_pairs(one_of_each_size, manner, transport, options);
}

class OracleMatrix : public ::testing::TestWithParam<Setting> {};

TEST_P(OracleMatrix, EveryCallGivesTheBitsOfTheSerialFold) {
  const auto [transport, ranks] = GetParam();
  walk_all_pairs(transport, {.shape = tiny_shape(ranks)});
}

class OracleOfEachSize : public ::testing::TestWithParam<std::tuple<Manner, Setting>> {};

TEST_P(OracleOfEachSize, EveryCallGivesTheBitsOfTheSerialFold) {
  const auto& [manner, setting] = GetParam();
  walk_each_size(manner, setting.transport, {.shape = tiny_shape(setting.ranks)});
}

/// Machines whose ranks form groups (engine/groups/groups.hpp), in hwloc's notation.
class OracleInGroups : public ::testing::TestWithParam<const char*> {
 protected:
  OracleInGroups() {
    const auto topology = shm::synthetic_topology(GetParam());
    const auto ranks = static_cast<int>(topology.value().pus.size());
    options_.shape = tiny_shape(ranks);
    options_.seats = seats_on(GetParam(), ranks);
  }
  void SetUp() override { ASSERT_FALSE(engine::groups_of(options_.seats).levels.empty()); }

  RunOptions options_{};
};

TEST_P(OracleInGroups, EveryCallGivesTheBitsOfTheSerialFold) { walk_all_pairs(Transport::threads, options_); }

TEST_P(OracleInGroups, CallsOfEachSizeGiveTheBitsOfTheSerialFold) {
  for (const Manner manner : {Manner::blocking, Manner::stepped, Manner::restarted})
    walk_each_size(manner, Transport::threads, options_);
}

INSTANTIATE_TEST_SUITE_P(Machines, OracleInGroups,
                         ::testing::Values("package:2 l3:2 core:4", "package:2 l3:1 core:5"),
                         [](const auto& test) { return fmt::format("machine_{}", test.index); });

/// Two ranks whose vectors fit no cache (engine/algorithms/fold_halves.hpp).
class OracleByHalves : public ::testing::TestWithParam<Transport> {
 protected:
  void SetUp() override {
    const engine::TeamShape team{2, shm::kPageBytes, options_.llc_bytes};
    ASSERT_EQ(engine::plan(engine::Call::allreduce, shm::kPageBytes + 1, team).style, engine::Style::halves);
  }

  const RunOptions options_{.shape = tiny_shape(2), .llc_bytes = 1};
};

TEST_P(OracleByHalves, EveryCallGivesTheBitsOfTheSerialFold) { walk_all_pairs(GetParam(), options_); }

TEST_P(OracleByHalves, OperationsGiveTheBitsOfTheSerialFold) {
  for (const Manner manner : {Manner::stepped, Manner::restarted})
    walk_each_size(manner, GetParam(), options_);
}

INSTANTIATE_TEST_SUITE_P(All, OracleByHalves, ::testing::Values(Transport::threads, Transport::processes),
                         [](const auto& test) { return fmt::format("{}_2", name(test.param)); });

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

std::string name_of(const ::testing::TestParamInfo<std::tuple<Manner, Setting>>& test) {
  const auto& [manner, setting] = test.param;
  const char* const names[] = {"blocking", "stepped", "restarted"};
  return fmt::format("{}_{}_{}", names[static_cast<int>(manner)], name(setting.transport), setting.ranks);
}

INSTANTIATE_TEST_SUITE_P(All, OracleOfEachSize,
                         ::testing::Combine(::testing::Values(Manner::stepped, Manner::restarted),
                                            ::testing::ValuesIn(settings_for({1, 2, 3, 4, 5, 6, 7, 8}))),
                         name_of);

INSTANTIATE_TEST_SUITE_P(Many, OracleOfEachSize,
                         ::testing::Combine(::testing::Values(Manner::blocking, Manner::stepped),
                                            ::testing::ValuesIn(settings_for({16, 17}))),
                         name_of);

}  // namespace
}  // namespace foldlane::testing
