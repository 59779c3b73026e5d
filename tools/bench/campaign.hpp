// The run of a list of cases: every case is measured in several passes over the whole list, every pass in
// rounds, in each of which all implementations and limits have their turn. So each figure samples the machine
// over the whole run, and ratios compare what was measured within milliseconds of each other.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bench/implementation.hpp"
#include "bench/job.hpp"
#include "bench/report.hpp"

namespace foldlane::bench {

/// How much is enough.
struct Effort {
  int passes = 4;            // at least
  int rounds = 3;            // in a pass
  double slice_us = 3'000;   // calls of one turn take about this long together
  double case_s = 1.5;       // a case's share of the whole run's time; may be used by others that need it
  double half_width = 0.02;  // an interval is narrow enough if it is within this share of the median
  bool verified = true;
};

struct Campaign {
  std::vector<Implementation> implementations;  // ours first
  std::vector<Case> cases;                      // all of the same number of ranks
  Setting setting;
  Effort effort;
  std::uint64_t llc_bytes;  // for rotating buffers
};

struct CampaignResult {
  std::vector<CaseResult> cases;
  std::vector<std::string> troubles;  // peers that failed; their figures are missing from then on
};

/// `progress(case, fraction of the whole)` is called before every case of every pass. Throws JobFailure if
/// our own job fails, Interrupted at a signal.
CampaignResult run_campaign(const Campaign& campaign, const Ticks& ticks,
                            const std::function<void(const Case&, double)>& progress);

}  // namespace foldlane::bench
