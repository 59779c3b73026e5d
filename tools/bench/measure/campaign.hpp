// The run of a list of cases. It goes through the whole list many times; in every pass each case has one
// round, in which all implementations and limits have their turn. So each figure samples the machine over the
// whole run, and ratios compare what was measured within milliseconds of each other.
#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "bench/measure/implementation.hpp"
#include "bench/measure/job.hpp"
#include "bench/process/interrupt.hpp"
#include "bench/report/report.hpp"

namespace foldlane::bench {

/// How much is enough: at least `passes` and `span_s`, then until all intervals are narrow or the time is
/// over.
struct Effort {
  int passes = 20;
  int launches = 1;          // of every job, at least, spread over the passes
  double span_s = 8;         // machines drift: a shorter run would not notice
  double case_s = 1.5;       // a case's share of the whole time; may be used by others that need it
  double slice_us = 3'000;   // calls of one turn take about this long together
  double half_width = 0.02;  // an interval is narrow if it is within this share of the median
  // A peer has lost a case, and no more turns in it, if its time / ours is above this with its whole
  // interval; far above, already after its first round (verdict.hpp).
  double lost_above = std::numeric_limits<double>::infinity();
  bool verified = true;
};

struct Campaign {
  std::vector<Implementation>
      implementations;      // ours first; one that needs no launcher is the kernels by themselves
  std::vector<Case> cases;  // all of the same number of ranks
  Setting setting;
  Effort effort;
  std::uint64_t cache_bytes;  // a rank's share, for rotating buffers
};

struct CampaignResult {
  std::vector<CaseResult> cases;
  std::vector<double> handoffs;                 // microseconds, in the order of time
  std::vector<std::string> troubles;            // peers that failed; their figures are missing from then on
  std::optional<Interrupted> interrupted = {};  // then of some cases there are fewer rounds, or none
};

/// `progress(case, done)` is called before every round, `done` being 0 to 1. Throws JobFailure if
/// our own job fails. A signal ends it early.
CampaignResult run_campaign(const Campaign& campaign, const Ticks& ticks,
                            const std::function<void(const Case&, double)>& progress);

}  // namespace foldlane::bench
