// Processes that share one CPU, as ranks do: what it takes that each of them runs.
#pragma once

#include <sys/types.h>

#include <memory>
#include <vector>

namespace foldlane::bench {

class Crowd {
 public:
  /// Forks `size` processes, which sleep between two measurements. Before there is much memory that they
  /// would share, by the thread that lives longest. Throws std::system_error.
  Crowd(int size, int cpu);
  Crowd(const Crowd&) = delete;
  Crowd& operator=(const Crowd&) = delete;
  /// They have ended.
  ~Crowd();

  /// Microseconds until all have met, by one counter and sched_yield: the mean of many meetings. One switch
  /// less than there are processes, since the last to arrive goes on. Throws if one of them has ended, or at
  /// Ctrl-C.
  double meet();

 private:
  struct Place;
  void end() noexcept;

  std::unique_ptr<Place, void (*)(Place*)> place_;
  std::vector<pid_t> processes_;
};

}  // namespace foldlane::bench
