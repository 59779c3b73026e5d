// Whoever is measured: the ranks of an implementation, or the kernels by themselves.
#pragma once

#include <cstddef>
#include <vector>

#include "bench/measure/places.hpp"
#include "bench/report/report.hpp"

namespace foldlane::bench {

/// What consecutive calls took.
struct Slice {
  std::vector<double> times;  // microseconds; a single one, the mean, if back to back
  double skew = 0;            // median
  double cpu = 0;             // microseconds of all ranks per call
};

/// What buffers are cut from.
enum class Arenas : std::uint8_t { small_pages, huge_pages, alloc_mem };

/// What ranks do besides the calls of a slice.
struct Load {
  bool communicates = true;
  double compute_us = 0;     // between start and wait
  double test_every_us = 0;  // with a look at the request in between; 0: never
  double late_us = 0;        // how long the last rank computes before it starts; then it only waits
};

class Contestant {
 public:
  Contestant() = default;
  Contestant(const Contestant&) = delete;
  Contestant& operator=(const Contestant&) = delete;
  virtual ~Contestant() = default;

  virtual void make_arenas(std::size_t bytes, Arenas kind) = 0;
  /// What the calls below are about.
  virtual void select(const Case& what, const Places& places) = 0;
  /// Whether the implementation has the selected call; makes one to find out.
  virtual bool has_call() { return true; }
  /// Until the next selection; of calls that are started and waited for.
  virtual void load(const Load& /*load*/) {}
  virtual Slice run(int warm_up, int calls, Timing timing) = 0;
  virtual Check verify(const Case& what) = 0;
};

}  // namespace foldlane::bench
