// Collective calls on a counted crowd: by the plan that the engine would make, with checked results; and the
// least that must cross the boundaries of a machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/plans/plan.hpp"
#include "support/counted_crowd.hpp"

namespace foldlane::testing {

struct CountedMachine {
  const char* name;
  const char* topology;  // hwloc's notation
  int ranks;
};

/// Those of issue 5.
std::vector<CountedMachine> counted_machines();

/// What one call of `bytes` (doubles, sum; of calls that only move data, per block) moves, on average over a
/// few calls in a row, once slots and lines are in use. Throws if a result differs from the serial fold in
/// any bit, or if nobody gets on. Calls that only move data are those that go through slots: no lists, no
/// messages.
struct CountedCall {
  engine::Plan plan;
  double package_lines;
  double package_link_lines;
  double cache_lines;
  double most_read;  // lines, by any rank
  double most_written;
  int hops;
  double predicted_ns;
};
CountedCall count_call(CountedCrowd& crowd, engine::Call call, std::size_t bytes);

/// How often a vector must cross between groups if the canonical tree is evaluated over them, each node once:
/// to one group (`root`), or to all (-1).
int least_crossings(const std::vector<engine::Members>& groups, int ranks, int root);

/// How many crossings may follow each other on the way to a result that all groups want a part of. A second
/// one saves lines of three groups and more, and costs its hop: calls beside the epoch, and reduce-scatters,
/// make one.
enum class InARow { one, any };

/// Lines that must cross between the groups of a call's members, flags that say so included.
double least_lines(engine::Call call, std::size_t bytes, const std::vector<engine::Members>& groups,
                   InARow in_a_row);

/// The ranks of each package, and of each cache (or NUMA node where it spans the package).
struct Boundaries {
  std::vector<engine::Members> packages;
  std::vector<engine::Members> caches;
};
Boundaries boundaries_of(const std::vector<engine::Seat>& seats);

/// Between caches: with one crossing in a row where these are the outermost groups.
double least_lines_between_caches(engine::Call call, std::size_t bytes, const Boundaries& boundaries);

}  // namespace foldlane::testing
