#include "engine/data/type_map_runs.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace foldlane::engine {
namespace {

// A child with few runs is copied into its parent, where its blocks may coalesce with their neighbours. A
// deeply nested one is copied too: every level costs a frame of the stack when it is packed.
constexpr std::size_t kFewRuns = 4;
constexpr unsigned kDeep = 64;
// Two blocks of equal length always make a run, so irregular blocks are runs of two or three.
constexpr std::uint64_t kFewBlocks = 4;
constexpr std::uint64_t kMinusOne = ~std::uint64_t{0};

// Modulo 2^64, as addresses are: the offset of a nested run alone may leave the range although its bytes do
// not.
std::int64_t plus(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

std::int64_t times(std::int64_t stride, std::uint64_t count) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(stride) * count);
}

Run shifted(Run run, std::int64_t displacement) {
  run.offset = plus(run.offset, displacement);
  return run;
}

bool is_span(const Run& run) { return run.inner == nullptr && run.count == 1; }

/// `run` repeated, if that is a single run again.
std::optional<Run> repeated(Run run, std::uint64_t count, std::int64_t stride) {
  if (run.count == 1) {
    run.count = count;
    run.stride = stride;
    if (run.inner == nullptr && stride > 0 && static_cast<std::uint64_t>(stride) == run.block_bytes) {
      run.block_bytes *= count;
      run.count = 1;
      run.stride = 0;
    }
    return run;
  }
  if (times(run.stride, run.count) != stride) return {};
  run.count *= count;
  return run;
}

/// Makes `next` the continuation of `last`, if it is one.
bool continues(Run& last, const Run& next) {
  if (last.block_bytes != next.block_bytes || last.inner != next.inner) return false;
  const std::int64_t distance = plus(next.offset, times(last.offset, kMinusOne));
  const std::int64_t stride = last.count > 1 ? last.stride : next.count > 1 ? next.stride : distance;
  if (next.count > 1 && next.stride != stride) return false;
  if (distance != times(stride, last.count)) return false;
  last.count += next.count;
  last.stride = stride;
  return true;
}

bool irregular(const std::vector<Run>& list) {
  std::uint64_t blocks = 0;
  for (const Run& run : list) {
    if (run.inner != nullptr || run.count > kFewBlocks * list.size()) return false;
    blocks += run.count;
  }
  return list.size() > 1 && blocks <= kFewBlocks * list.size();
}

Spans spans_of(const std::vector<Run>& list) {
  Spans spans{{}, {0}, list.front().block_bytes};
  for (const Run& run : list) {
    if (run.block_bytes != spans.block_bytes) spans.block_bytes = 0;
    for (std::uint64_t i = 0; i < run.count; ++i) {
      spans.offsets.push_back(plus(run.offset, times(run.stride, i)));
      spans.starts.push_back(spans.starts.back() + run.block_bytes);
    }
  }
  return spans;
}

}  // namespace

void RunsBuilder::place(const std::shared_ptr<const Runs>& child, std::int64_t displacement,
                        std::uint64_t count, std::int64_t stride) {
  if (count == 0 || child->bytes == 0) return;
  if (count == 1) return place_once(child, displacement);
  if (child->list.size() == 1) {
    if (auto run = repeated(child->list.front(), count, stride)) {
      return append(shifted(std::move(*run), displacement));
    }
  }
  append({displacement, child->bytes, count, stride, child});
}

void RunsBuilder::place_once(const std::shared_ptr<const Runs>& child, std::int64_t displacement) {
  if (child->list.size() > kFewRuns && child->depth < kDeep) {
    append({displacement, child->bytes, 1, 0, child});
    return;
  }
  for (const Run& run : child->list) append(shifted(run, displacement));
}

void RunsBuilder::append(Run run) {
  if (!list_.empty() && is_span(list_.back()) && is_span(run)) {
    Run& last = list_.back();
    if (run.offset >= last.offset &&
        static_cast<std::uint64_t>(run.offset - last.offset) == last.block_bytes) {
      last.block_bytes += run.block_bytes;
      return;
    }
  }
  list_.push_back(std::move(run));
}

std::shared_ptr<const Runs> RunsBuilder::finish() {
  auto runs = std::make_shared<Runs>();
  for (Run& run : list_) {
    if (runs->list.empty() || !continues(runs->list.back(), run)) runs->list.push_back(std::move(run));
  }
  runs->list.shrink_to_fit();
  runs->starts.reserve(runs->list.size());
  for (const Run& run : runs->list) {
    runs->starts.push_back(runs->bytes);
    runs->bytes += run.block_bytes * run.count;
    if (run.inner != nullptr) runs->depth = std::max(runs->depth, run.inner->depth + 1);
  }
  if (irregular(runs->list)) runs->spans = spans_of(runs->list);
  return runs;
}

}  // namespace foldlane::engine
