// Where ranks share CPUs, the calls that a plan gives to the last one to arrive go to it, in every form, and
// no others do (engine/team/central_counter.hpp).
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/collectives/collectives.hpp"
#include "engine/collectives/perform.hpp"
#include "engine/plans/plan.hpp"
#include "engine/team/call_names.hpp"
#include "support/operations.hpp"
#include "support/ranks.hpp"

namespace foldlane::testing {
namespace {

using engine::Call;
using engine::Collective;
using engine::Reduction;

void add(void*, const void* in, void* inout, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) static_cast<double*>(inout)[i] += static_cast<const double*>(in)[i];
}

constexpr int kRanks = 3;
constexpr std::size_t kMost = 48;
/// What stands beside the awaited word ends with four.
constexpr std::array<std::size_t, 6> kCounts{3, 4, 5, 6, 15, kMost};

/// What the counter says of its latest call.
std::uint64_t latest(engine::Team& team) {
  return team.membership().lines(0).finished.central.done.observe();
}

shm::Result<void> perform_blocking(engine::Team& team, const Collective& call) {
  switch (call.call) {
    case Call::barrier:
      return engine::barrier(team);
    case Call::allreduce:
      return engine::allreduce(team, call.send, call.recv, call.count, *call.reduction);
    case Call::reduce_scatter:
      return engine::reduce_scatter(team, call.send, call.recv, call.blocks, *call.reduction);
    default:
      return engine::reduce(team, call.send, call.recv, call.count, *call.reduction, call.root);
  }
}

shm::Result<void> perform_as_operation(engine::Team& team, const Collective& call) {
  const auto operation = make_operation(team, call);
  operation->start();
  team.process().progress().wait_until([&] { return operation->done(); });
  if (operation->failed()) return operation->error();
  return {};
}

std::string check(engine::Team& team, Collective call, bool blocking, bool to_the_last) {
  std::array<double, kMost> send{}, recv{};
  for (std::size_t i = 0; i < kMost; ++i) send[i] = static_cast<double>(i) + 100 * team.rank();
  call.send = reinterpret_cast<const std::byte*>(send.data());
  call.recv = reinterpret_cast<std::byte*>(recv.data());
  const std::string name = std::string(engine::name_of(call.call)) + (blocking ? "" : ", as an operation") +
                           ", " + std::to_string(call.count) + " elements: ";
  const std::uint64_t before = latest(team);
  const auto done = blocking ? perform_blocking(team, call) : perform_as_operation(team, call);
  if (!done.ok()) return name + done.error().message;
  if ((latest(team) != before) != to_the_last) return name + "wrong way; ";
  const bool has_result =
      call.call != Call::barrier && (call.call != Call::reduce || team.rank() == call.root);
  const bool scatters = call.call == Call::reduce_scatter;
  const std::size_t wanted = !has_result ? 0 : scatters ? call.count / kRanks : call.count;
  const std::size_t from = scatters ? static_cast<std::size_t>(team.rank()) * wanted : 0;
  for (std::size_t i = 0; i < wanted; ++i) {
    if (recv[i] != static_cast<double>(kRanks * (from + i)) + 300) return name + "wrong result; ";
  }
  return "";
}

class Central : public ::testing::TestWithParam<int> {};

TEST_P(Central, FoldsWhatThePlanGivesIt) {
  RunOptions options{.shape = tiny_shape(kRanks)};
  options.shared_cpus = GetParam();
  const auto problems = run_ranks(Transport::threads, options, [](RankContext& context) {
    const Reduction sum{8, kernels::fold_function(kernels::Op::sum, kernels::Elem::f64), {}};
    const Reduction by_caller{.elem_bytes = 8, .user = {add, nullptr}};
    std::string wrong;
    for (const Call name : {Call::barrier, Call::allreduce, Call::reduce_scatter, Call::reduce}) {
      for (const std::size_t count : kCounts) {
        if (name == Call::reduce_scatter && count % kRanks != 0) continue;
        for (const Reduction* const reduction : {&sum, &by_caller}) {
          Collective call{.call = name, .count = name == Call::barrier ? 0 : count, .reduction = reduction};
          if (name == Call::barrier) call.reduction = nullptr;
          if (name == Call::reduce_scatter)
            call.blocks = engine::BlockCounts::equal(static_cast<std::int64_t>(count / kRanks));
          const auto chosen = engine::plan(name, 8 * call.count, engine::shape_of(context.world));
          const bool to_the_last =
              chosen.style == engine::Style::central && (name == Call::barrier || reduction == &sum);
          for (const bool blocking : {true, false})
            wrong += check(context.world, call, blocking, to_the_last);
        }
      }
    }
    return wrong;
  });
  EXPECT_TRUE(problems.empty()) << problems.front();
}

// Of three ranks: none shares a CPU, as many CPUs as ranks, fewer.
INSTANTIATE_TEST_SUITE_P(Cpus, Central, ::testing::Values(0, 3, 2, 1));

}  // namespace
}  // namespace foldlane::testing
