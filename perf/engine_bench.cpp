// The cases of the engine's primitives: what a call costs before it waits for anybody (plan, resolve, frame,
// fold, publish), what waiting costs (round_trip), and whole collectives of the engine between two ranks.
#include <benchmark/benchmark.h>

#include <coroutine>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/collectives/collectives.hpp"
#include "engine/data/reduction.hpp"
#include "engine/plans/plan.hpp"
#include "engine/progress/frame_pool.hpp"
#include "engine/progress/procedure.hpp"
#include "kernels/fold.hpp"
#include "perf/cases.hpp"
#include "perf/rank_pair.hpp"
#include "shm/sync/atoms.hpp"
#include "shm/sync/signals.hpp"

namespace foldlane::perf {
namespace {

using engine::Reduction;
using kernels::Elem;
using kernels::Op;

// ---- one thread

void run_plan(benchmark::State& state) {
  constexpr engine::TeamShape kTeam{8, 64U << 10, 32U << 20};
  std::uint64_t bytes = static_cast<std::uint64_t>(state.range(0));
  for (auto _ : state) {
    benchmark::DoNotOptimize(bytes);
    benchmark::DoNotOptimize(engine::plan(engine::Call::allreduce, bytes, kTeam, sizeof(double)));
  }
}

void run_resolve(benchmark::State& state) {
  Op op = Op::sum;
  Elem elem = Elem::f64;
  for (auto _ : state) {
    benchmark::DoNotOptimize(op);
    benchmark::DoNotOptimize(elem);
    benchmark::DoNotOptimize(kernels::fold_function(op, elem));
  }
}

Reduction sum_of_doubles() {
  return {.elem_bytes = sizeof(double), .builtin = kernels::fold_function(Op::sum, Elem::f64)};
}

void run_reduction(benchmark::State& state) {
  const auto k = static_cast<std::size_t>(state.range(0));
  const Reduction reduction = sum_of_doubles();
  const std::vector<double> inputs(k, 1.0);
  std::vector<const void*> sources;
  for (const double& input : inputs) sources.push_back(&input);
  double result = 0;
  for (auto _ : state) {
    reduction.fold(&result, sources.data(), k, 1);
    benchmark::ClobberMemory();
  }
}

constexpr std::size_t kFrameBytes = 512;

void run_frame_from_pool(benchmark::State& state) {
  for (auto _ : state) {
    engine::FramePool& pool = engine::FramePool::of_thread();
    void* const frame = pool.allocate(kFrameBytes);
    benchmark::DoNotOptimize(frame);
    pool.release(frame, kFrameBytes);
  }
}

/// What the pool is there to avoid.
void run_frame_from_heap(benchmark::State& state) {
  for (auto _ : state) {
    void* const frame = ::operator new(kFrameBytes);
    benchmark::DoNotOptimize(frame);
    ::operator delete(frame);
  }
}

engine::Procedure step_over(std::uint64_t& number) {
  ++number;
  co_return;
}

void run_procedure(benchmark::State& state) {
  std::uint64_t number = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(step_over(number).run());
    benchmark::DoNotOptimize(number);
  }
}

// ---- two threads

using Word = shm::RealAtoms::Word<std::uint64_t>;

struct alignas(128) Line {
  Word word;
};

/// The bare line: the handoff that everything is compared with, there and back.
void run_word_round_trip(benchmark::State& state) {
  Line there{}, back{};
  std::uint64_t own_turn = 0, partner_turn = 0;
  const auto await = [](const Word& word, std::uint64_t turn) {
    while (word.observe() < turn) {
    }
  };
  run_threads(
      state,
      [&] {
        there.word.publish(++own_turn);
        await(back.word, own_turn);
      },
      [&] {
        await(there.word, ++partner_turn);
        back.word.publish(partner_turn);
      });
}

/// A rank's means of signalling outside of any team.
struct Signaller {
  using Bell = shm::Doorbell<shm::RealAtoms>;
  Line line{};
  alignas(128) Bell bell{};
  alignas(128) Word abort_word{};
  shm::Signals<shm::RealAtoms> signals{bell, abort_word, shm::Ladder::own_cpu(), shm::Wake::membarrier};

  void publish(std::uint64_t turn) { signals.publish(line.word, turn); }
  void await(Signaller& other, std::uint64_t turn) {
    signals.await(
        other.line.word, turn, other.bell, [] { return false; }, shm::ManyMissing{}, shm::NoOtherWork{});
  }
};

void run_publish(benchmark::State& state) {
  Signaller signaller;
  std::uint64_t turn = 0;
  for (auto _ : state) signaller.publish(++turn);
}

void run_signals_round_trip(benchmark::State& state) {
  Signaller own, partner;
  std::uint64_t own_turn = 0, partner_turn = 0;
  run_threads(
      state,
      [&] {
        own.publish(++own_turn);
        own.await(partner, own_turn);
      },
      [&] {
        partner.await(own, ++partner_turn);
        partner.publish(partner_turn);
      });
}

void run_barrier(benchmark::State& state) {
  run_ranks(state, [](testing::RankContext& rank) { return engine::barrier(rank.world).ok(); });
}

void run_allreduce(benchmark::State& state) {
  const auto count = static_cast<std::size_t>(state.range(0)) / sizeof(double);
  const Reduction reduction = sum_of_doubles();
  const std::vector<double> input(count, 1.0);
  std::vector<std::vector<double>> results(2, std::vector<double>(count));
  run_ranks(state, [&](testing::RankContext& rank) {
    return engine::allreduce(rank.world, input.data(), results[static_cast<std::size_t>(rank.rank)].data(),
                             count, reduction)
        .ok();
  });
  if (results[0].back() != 2) state.SkipWithError("a wrong result");
}

}  // namespace

void register_cases() {
  using benchmark::RegisterBenchmark;
  RegisterBenchmark("plan/allreduce", run_plan)->Arg(8)->Arg(64 << 10)->Arg(64 << 20);
  RegisterBenchmark("resolve/fold_function", run_resolve);
  RegisterBenchmark("fold/8B/k", run_reduction)->Arg(2)->Arg(4)->Arg(8);
  RegisterBenchmark("frame/pool", run_frame_from_pool);
  RegisterBenchmark("frame/heap", run_frame_from_heap);
  RegisterBenchmark("procedure/empty", run_procedure);
  RegisterBenchmark("publish/signals", run_publish);
  RegisterBenchmark("round_trip/word", run_word_round_trip)->UseRealTime();
  RegisterBenchmark("round_trip/signals", run_signals_round_trip)->UseRealTime();
  RegisterBenchmark("ranks/barrier", run_barrier)->UseRealTime();
  RegisterBenchmark("ranks/allreduce", run_allreduce)
      ->Arg(8)
      ->Arg(4 << 10)
      ->Arg(64 << 10)
      ->Arg(1 << 20)
      ->UseRealTime();
}

}  // namespace foldlane::perf
