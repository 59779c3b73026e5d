// The physical limits of the machine, measured between the slices by threads on the CPUs of the ranks.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bench/machine/crowd.hpp"
#include "bench/machine/ticks.hpp"
#include "bench/measure/job.hpp"
#include "bench/report/report.hpp"

namespace foldlane::bench {

/// The bytes that one rank must read and write in memory of its own, however clever the call.
struct Traffic {
  std::size_t read = 0;
  std::size_t write = 0;

  bool operator==(const Traffic&) const = default;
};

/// What every rank of a case must move: its whole input in, its part of the result out. Of a pattern of
/// messages: one copy of each that a buffer has room for; a half round trip is one message. Of calls that
/// move blocks: those it gives in, those it gets out; its own is one of both unless it is in place.
std::vector<Traffic> traffic_of(const Case& what);

class Limits {
 public:
  /// `arena_bytes` as the ranks have them; 0: no memory limit will be asked for.
  Limits(const Setting& setting, const Ticks& ticks, std::size_t arena_bytes, bool huge_pages);
  Limits(const Limits&) = delete;
  Limits& operator=(const Limits&) = delete;
  ~Limits();

  /// Microseconds, each the median of a few repetitions within a millisecond or, for large data, a few
  /// passes. One way of a line between the CPUs of the first and the last rank (half a ping-pong). Needs two
  /// CPUs.
  double handoff();
  /// All ranks moving their bytes at the same time, with plain or with streaming stores. Where ranks share
  /// CPUs, these do one rank's work after the other.
  double memory(const std::vector<Traffic>& traffic, const Places& places, bool streaming);
  /// Until all ranks of one CPU, as processes that do nothing else, have met. Nothing where each rank has a
  /// CPU, or where they could not be started.
  std::optional<double> switches();
  /// Why something cannot be measured; empty: nothing.
  const std::string& trouble() const { return trouble_; }

  bool has_two_cpus() const;

 private:
  class Crew;
  std::string trouble_;
  std::unique_ptr<Crowd> crowd_;  // forked first: the crew has much memory
  std::unique_ptr<Crew> crew_;
};

}  // namespace foldlane::bench
