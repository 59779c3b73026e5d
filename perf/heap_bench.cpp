// A rank's heap in the segment against Boost's rbtree_best_fit over the same kind of window: a buffer taken,
// written and freed, and one that fits into none of many holes.
#include <benchmark/benchmark.h>

#include <boost/interprocess/mem_algo/rbtree_best_fit.hpp>
#include <boost/interprocess/offset_ptr.hpp>
#include <boost/interprocess/sync/mutex_family.hpp>
#include <cstring>
#include <new>
#include <utility>
#include <vector>

#include "perf/cases.hpp"
#include "shm/segment/heap.hpp"

namespace foldlane::perf {
namespace {

constexpr std::uint64_t kWindowBytes = 1 << 30;

shm::Segment segment_of_one() {
  shm::Placement placement;
  placement.ranks.assign(1, {{}, -1, 0, 0});
  return std::move(shm::Segment::create(shm::shape_of(1, kWindowBytes, {}), placement, 0).value());
}

class Own {
 public:
  void* take(std::size_t bytes) { return heap_.allocate(bytes).value(); }
  void free(void* memory) { benchmark::DoNotOptimize(heap_.deallocate(memory).ok()); }

 private:
  shm::Segment segment_ = segment_of_one();
  shm::Heap heap_{segment_, 0};
};

/// Commits by touching, and gives nothing back.
class Boost {
 public:
  void* take(std::size_t bytes) { return algorithm_.allocate_aligned(bytes, shm::kPageBytes); }
  void free(void* memory) { algorithm_.deallocate(memory); }

 private:
  using Algorithm = boost::interprocess::rbtree_best_fit<boost::interprocess::null_mutex_family,
                                                         boost::interprocess::offset_ptr<void>, 64>;
  shm::Segment segment_ = segment_of_one();
  Algorithm& algorithm_ = *new (segment_.heap(0)) Algorithm(kWindowBytes, 0);
};

template <class Heap>
void use_a_buffer(benchmark::State& state) {
  Heap heap;
  const auto bytes = static_cast<std::size_t>(state.range(0));
  for (auto _ : state) {
    void* const memory = heap.take(bytes);
    std::memset(memory, 1, bytes);
    heap.free(memory);
  }
}

template <class Heap>
void pass_holes(benchmark::State& state) {
  Heap heap;
  std::vector<void*> pages;
  for (std::int64_t page = 0; page < 2 * state.range(0); ++page) pages.push_back(heap.take(shm::kPageBytes));
  for (std::size_t page = 0; page < pages.size(); page += 2) heap.free(pages[page]);
  for (auto _ : state) heap.free(heap.take(2 * shm::kPageBytes));
}

}  // namespace

void register_cases() {
  benchmark::RegisterBenchmark("own/use", use_a_buffer<Own>)
      ->Arg(4 << 10)
      ->Arg(64 << 10)
      ->Arg(1 << 20)
      ->Arg(16 << 20);
  benchmark::RegisterBenchmark("boost/use", use_a_buffer<Boost>)
      ->Arg(4 << 10)
      ->Arg(64 << 10)
      ->Arg(1 << 20)
      ->Arg(16 << 20);
  benchmark::RegisterBenchmark("own/holes", pass_holes<Own>)->Arg(0)->Arg(1000)->Arg(10000);
  benchmark::RegisterBenchmark("boost/holes", pass_holes<Boost>)->Arg(0)->Arg(1000)->Arg(10000);
}

}  // namespace foldlane::perf
