// Google Benchmark cases of the kernels: bytes per second of folds and copies, by type, number of sources and
// size. The sizes stand for cache levels: 4 KiB per source fits L1 with eight of them, 64 KiB fits L2, 8 MiB
// fits neither.
#include <benchmark/benchmark.h>

#include <vector>

#include "kernels/copy.hpp"
#include "kernels/fold.hpp"

namespace foldlane::kernels {
namespace {

void fold_sum(benchmark::State& state, Elem elem) {
  const auto k = static_cast<std::size_t>(state.range(0));
  const auto bytes = static_cast<std::size_t>(state.range(1));
  const std::vector<std::vector<std::byte>> inputs(k, std::vector<std::byte>(bytes, std::byte{1}));
  std::vector<std::byte> result(bytes);
  std::vector<const void*> sources;
  for (const auto& input : inputs) sources.push_back(input.data());
  const FoldFunction fold = fold_function(Op::sum, elem);
  for (auto _ : state) {
    fold(result.data(), sources.data(), k, bytes / elem_bytes(elem));
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>((k + 1) * bytes));
}

void copy_bytes(benchmark::State& state, void (*copy_function)(void*, const void*, std::size_t) noexcept) {
  const auto bytes = static_cast<std::size_t>(state.range(0));
  const std::vector<std::byte> from(bytes, std::byte{1});
  std::vector<std::byte> to(bytes);
  for (auto _ : state) {
    copy_function(to.data(), from.data(), bytes);
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(2 * bytes));
}

const std::vector<std::vector<std::int64_t>> kSourcesAndBytes{{2, 4, 8}, {4 << 10, 64 << 10, 8 << 20}};

BENCHMARK_CAPTURE(fold_sum, f64, Elem::f64)->ArgsProduct(kSourcesAndBytes);
BENCHMARK_CAPTURE(fold_sum, f32, Elem::f32)->ArgsProduct(kSourcesAndBytes);
BENCHMARK_CAPTURE(fold_sum, bf16, Elem::bf16)->ArgsProduct(kSourcesAndBytes);
BENCHMARK_CAPTURE(fold_sum, f16, Elem::f16)->ArgsProduct(kSourcesAndBytes);
BENCHMARK_CAPTURE(fold_sum, i32, Elem::i32)->ArgsProduct(kSourcesAndBytes);
BENCHMARK_CAPTURE(copy_bytes, plain, copy)->Arg(4 << 10)->Arg(64 << 10)->Arg(64 << 20);
BENCHMARK_CAPTURE(copy_bytes, streaming, copy_streaming)->Arg(4 << 10)->Arg(64 << 10)->Arg(64 << 20);

}  // namespace
}  // namespace foldlane::kernels
