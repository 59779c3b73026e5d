// The kernels' cases: folds by operation, type, number of sources k and place of the data, at the
// instruction-set level in force; copies; and the roofs that both are to be seen beside.
//   fold/sum/f64/k2/L1/avx512   call/sum/f64/k2/8B   roof/k2/L1   copy/plain/L1
// Bytes per second count what is loaded and what is stored. The counter of_roof is a fold's speed divided by
// that of its roof, measured right before and after it on the same data. A call is as short as the caller can
// tell: each folds what the one before has returned, moved by the caller word by word.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "kernels/copy.hpp"
#include "kernels/fold.hpp"
#include "kernels/isa.hpp"
#include "perf/cases.hpp"
#include "perf/roof.hpp"
#include "perf/streams.hpp"

namespace foldlane::perf {
namespace {

using kernels::Elem;
using kernels::Op;
using Clock = std::chrono::steady_clock;

constexpr std::array kOps{Op::sum, Op::prod, Op::max, Op::min, Op::band};
constexpr std::array kElems{Elem::f32, Elem::f64,  Elem::i32, Elem::i64,
                            Elem::u8,  Elem::bf16, Elem::f16, Elem::c64};
constexpr std::array<std::size_t, 3> kSources{2, 4, 8};

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

void report_bytes(benchmark::State& state, std::size_t bytes_of_pass) {
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) *
                          static_cast<std::int64_t>(bytes_of_pass));
}

/// Adds seconds per pass of a few bursts, each long enough for the clock.
void time_roof(const Streams& streams, std::size_t k, std::vector<double>& bursts) {
  constexpr std::size_t kBurstBytes = 8U << 20;
  const std::size_t passes = std::max<std::size_t>(1, kBurstBytes / ((k + 1) * streams.bytes()));
  for (int burst = 0; burst < 5; ++burst) {
    const auto start = Clock::now();
    for (std::size_t i = 0; i < passes; ++i) {
      roof(streams.result(), streams.sources(), k, streams.bytes());
      benchmark::ClobberMemory();
    }
    bursts.push_back(seconds_since(start) / static_cast<double>(passes));
  }
}

double median(std::vector<double> samples) {
  const auto middle = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 2);
  std::nth_element(samples.begin(), middle, samples.end());
  return *middle;
}

void run_fold(benchmark::State& state, Op op, Elem elem, std::size_t k, const Level& level) {
  const Streams streams(level, k, elem);
  const kernels::FoldFunction fold = kernels::fold_function(op, elem);
  const std::size_t count = streams.bytes() / kernels::elem_bytes(elem);
  std::vector<double> roofs;
  time_roof(streams, k, roofs);
  const auto start = Clock::now();
  for (auto _ : state) {
    fold(streams.result(), streams.sources(), k, count);
    benchmark::ClobberMemory();
  }
  const double seconds = seconds_since(start) / static_cast<double>(state.iterations());
  report_bytes(state, (k + 1) * streams.bytes());
  time_roof(streams, k, roofs);
  state.counters["of_roof"] = median(roofs) / seconds;
}

void run_roof(benchmark::State& state, std::size_t k, const Level& level) {
  const Streams streams(level, k, Elem::i64);
  for (auto _ : state) {
    roof(streams.result(), streams.sources(), k, streams.bytes());
    benchmark::ClobberMemory();
  }
  report_bytes(state, (k + 1) * streams.bytes());
}

void run_call(benchmark::State& state, Op op, Elem elem, std::size_t k, std::size_t bytes) {
  constexpr std::size_t kMostWords = 8, kMostSources = 8;
  alignas(64) static std::array<std::array<volatile double, kMostWords>, kMostSources> inputs;
  alignas(64) static std::array<volatile double, kMostWords> result;
  std::array<const void*, kMostSources> sources{};
  for (std::size_t s = 0; s < kMostSources; ++s) {
    for (volatile double& word : inputs[s]) word = 0;
    sources[s] = const_cast<const double*>(inputs[s].data());
  }
  const kernels::FoldFunction fold = kernels::fold_function(op, elem);
  const std::size_t count = bytes / kernels::elem_bytes(elem);
  for (auto _ : state) {
    for (std::size_t word = 0; word < bytes / sizeof result[0]; ++word) inputs[0][word] = result[word];
    fold(const_cast<double*>(result.data()), sources.data(), k, count);
    benchmark::ClobberMemory();
  }
}

using Copy = void (*)(void*, const void*, std::size_t) noexcept;

void run_copy(benchmark::State& state, Copy copy, const Level& level) {
  const Streams streams(level, 1, Elem::i64);
  for (auto _ : state) {
    copy(streams.result(), streams.sources()[0], streams.bytes());
    benchmark::ClobberMemory();
  }
  report_bytes(state, 2 * streams.bytes());
}

void register_calls() {
  constexpr std::array<std::size_t, 5> kBytes{8, 16, 24, 56, 64};
  for (const auto& [op, elem] : {std::pair{Op::sum, Elem::f64}, {Op::sum, Elem::f32}, {Op::max, Elem::f64}}) {
    for (const std::size_t k : kSources) {
      for (const std::size_t bytes : kBytes) {
        const std::string name = std::string("call/") + kernels::name(op) + "/" + kernels::name(elem) + "/k" +
                                 std::to_string(k) + "/" + std::to_string(bytes) + "B";
        benchmark::RegisterBenchmark(name.c_str(),
                                     [=](benchmark::State& state) { run_call(state, op, elem, k, bytes); });
      }
    }
  }
}

std::string isa_level() {
  const auto& all = kernels::isa_levels();
  return std::find_if(all.begin(), all.end(), [](const auto& level) { return level.chosen; })->name;
}

std::string place(std::size_t k, const Level& level) { return "/k" + std::to_string(k) + "/" + level.name; }

void register_folds(Elem elem, const std::string& isa) {
  for (const Op op : kOps) {
    if (!kernels::valid(op, elem)) continue;
    for (const Level& level : levels()) {
      for (const std::size_t k : kSources) {
        const std::string name = std::string("fold/") + kernels::name(op) + "/" + kernels::name(elem) +
                                 place(k, level) + "/" + isa;
        benchmark::RegisterBenchmark(
            name.c_str(), [=, &level](benchmark::State& state) { run_fold(state, op, elem, k, level); });
      }
    }
  }
}

void register_limits(const Level& level) {
  for (const std::size_t k : kSources) {
    benchmark::RegisterBenchmark(("roof" + place(k, level)).c_str(),
                                 [=, &level](benchmark::State& state) { run_roof(state, k, level); });
  }
  const std::array<std::pair<const char*, Copy>, 2> copies{
      {{"copy/plain/", kernels::copy}, {"copy/streaming/", kernels::copy_streaming}}};
  for (const auto& [name, copy] : copies) {
    benchmark::RegisterBenchmark((name + level.name).c_str(), [copy = copy, &level](benchmark::State& state) {
      run_copy(state, copy, level);
    });
  }
}

}  // namespace

void register_cases() {
  for (const Level& level : levels()) {
    benchmark::AddCustomContext(level.name + " cases, bytes of all streams", std::to_string(level.bytes));
    register_limits(level);
  }
  register_calls();
  const std::string isa = isa_level();
  benchmark::AddCustomContext("instruction-set level of folds", isa);
  for (const Elem elem : kElems) register_folds(elem, isa);
}

}  // namespace foldlane::perf
