// Processes that share one CPU, as ranks do: what it takes that each of them runs once.
#pragma once

#include <sys/types.h>

#include <memory>
#include <vector>

namespace foldlane::bench {

class Crowd {
 public:
  /// Forks `size` processes, which sleep between two measurements. Before there is much memory that they
  /// would share. Throws std::system_error.
  Crowd(int size, int cpu);
  Crowd(const Crowd&) = delete;
  Crowd& operator=(const Crowd&) = delete;
  /// They have ended.
  ~Crowd();

  /// Microseconds until all have met, by one counter and sched_yield, which is one switch for each: the mean
  /// of so many meetings that it takes a few milliseconds.
  double meet();

 private:
  struct Place;
  void send_home() noexcept;

  std::unique_ptr<Place, void (*)(Place*)> place_;
  std::vector<pid_t> processes_;
};

}  // namespace foldlane::bench
