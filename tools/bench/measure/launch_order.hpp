// In which order a run launches its jobs, which it does several times.
//
// Where its memory comes to lie is a job's luck, which lasts as long as the job. Some launches average it
// out, if they do not all give the same to each. The system hands out first what was given back last, and who
// is launched first in a run gets the pages that are left over here and there: with buffers in no cache its
// short calls take longer (perf/METHOD.md). So what is launched ends in the reverse order: then who is
// launched as the nth finds the memory that the nth had before. And in twice as many launches as there are
// jobs everybody has each place twice, and is as often before each other one as after it; in fewer nearly.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace foldlane::bench {

/// 0 to count - 1, beginning with another one each time.
inline std::vector<std::size_t> in_turn(std::size_t count, std::size_t time) {
  std::vector<std::size_t> turns(count);
  for (std::size_t i = 0; i < count; ++i) turns[i] = (time + i) % count;
  return turns;
}

class LaunchOrder {
 public:
  explicit LaunchOrder(std::size_t jobs) : jobs_(jobs) {}

  /// Empty before the first launch.
  const std::vector<std::size_t>& latest() const { return latest_; }
  const std::vector<std::size_t>& next() {
    latest_ = in_turn(jobs_, launches_ / 2);
    if (launches_++ % 2 != 0) std::reverse(latest_.begin(), latest_.end());
    return latest_;
  }

 private:
  std::size_t jobs_;
  std::size_t launches_ = 0;
  std::vector<std::size_t> latest_;
};

}  // namespace foldlane::bench
