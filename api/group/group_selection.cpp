#include "api/group/group_selection.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>

#include "api/core/failure.hpp"

namespace foldlane::api {
namespace {

// Collects positions and refuses those that do not exist or come twice. Stops at the first fault, so that
// absurd ranges cost no more than the group has members.
class Picker {
 public:
  explicit Picker(int size) : seen_(static_cast<std::size_t>(size)) {}

  void pick(std::int64_t position) {
    if (position < 0 || position >= std::ssize(seen_)) reject(position);
    std::vector<bool>::reference seen = seen_[static_cast<std::size_t>(position)];
    if (seen) fail(MPI_ERR_RANK, fmt::format("rank {} is given twice; each may be given once", position));
    seen = true;
    picked_.push_back(static_cast<int>(position));
  }

  std::vector<int> take() { return std::move(picked_); }

 private:
  [[noreturn]] void reject(std::int64_t position) const {
    if (seen_.empty()) {
      fail(MPI_ERR_RANK, fmt::format("rank {} does not exist; the group is empty", position));
    }
    fail(MPI_ERR_RANK,
         fmt::format("rank {} does not exist; the group has the ranks 0 to {}", position, seen_.size() - 1));
  }

  std::vector<bool> seen_;  // by position
  std::vector<int> picked_;
};

void pick_range(Picker& picker, const RankRange& range) {
  const std::int64_t first = range[0], last = range[1], stride = range[2];
  if (stride == 0) {
    fail(MPI_ERR_ARG, fmt::format("the range ({}, {}, 0) has the stride 0", first, last));
  }
  if ((last - first) * (stride < 0 ? -1 : 1) < 0) {
    fail(MPI_ERR_ARG, fmt::format("the stride {} does not lead from {} to {}", stride, first, last));
  }
  const std::int64_t steps = (last - first) / stride;
  for (std::int64_t step = 0; step <= steps; ++step) picker.pick(first + step * stride);
}

}  // namespace

std::vector<int> checked_positions(std::span<const int> positions, int size) {
  Picker picker(size);
  for (const int position : positions) picker.pick(position);
  return picker.take();
}

std::vector<int> expanded_positions(std::span<const RankRange> ranges, int size) {
  Picker picker(size);
  for (const RankRange& range : ranges) pick_range(picker, range);
  return picker.take();
}

std::vector<int> picked(const std::vector<int>& ranks, const std::vector<int>& positions) {
  std::vector<int> result;
  result.reserve(positions.size());
  std::transform(positions.begin(), positions.end(), std::back_inserter(result),
                 [&](int position) { return ranks[static_cast<std::size_t>(position)]; });
  return result;
}

std::vector<int> left_over(const std::vector<int>& ranks, const std::vector<int>& positions) {
  std::vector<bool> dropped(ranks.size());
  for (const int position : positions) dropped[static_cast<std::size_t>(position)] = true;
  std::vector<int> result;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    if (!dropped[i]) result.push_back(ranks[i]);
  }
  return result;
}

}  // namespace foldlane::api
