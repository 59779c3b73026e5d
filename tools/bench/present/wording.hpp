// How cases and figures are put into words and cells, the same in every kind of text.
#pragma once

#include <string>
#include <vector>

#include "bench/report/groups.hpp"

namespace foldlane::bench {

/// "allreduce: double sum, 2 ranks, hot buffers, last entry to last exit"
std::string heading_of(const Case& what);

/// Three significant digits, and never an exponent: "0.412", "41.2", "41234".
std::string three_digits(double value);

/// Two digits are enough for what is only to be compared with the time: "0.02", "12".
std::string skew_text(double microseconds);

/// Beside the time stands the skew; of calls back to back, the CPU time of all ranks.
const char* side_title(const Case& what);
std::string side_text(const Case& what, const Figure& figure);

/// Half the width of the interval, its wider side: "±1.2%".
std::string spread_text(const Estimate& estimate);

/// "2.31x ±0.05"; of calls that overlap, "87% ±2", what they hide.
std::string against_text(const Estimate& against);
std::string against_text(const Figure& figure);
const char* against_title(const Case& what);

/// GB/s where bytes are enough for it to mean anything, else "".
std::string bandwidth_text(const Case& what, double microseconds);

/// Messages or bytes in a second: "22.1 M/s", "45.3 GB/s".
std::string flow_text(const Case& what, double microseconds);

/// The bandwidth, or the rate of messages; of calls that overlap, the time of the call alone.
const char* rate_title(const Case& what);
std::string rate_text(const Case& what, const Figure& figure);

/// "1.8 handoff"; "" if no limit is known. Of calls that overlap, what they hide.
const char* bound_title(const Case& what);
std::string bound_text(const CaseResult& result);

/// "ok", "17 WRONG" or "-", followed by kUnequalMark and kUncanonicalMark.
std::string check_text(const Check& check);
bool is_wrong(const Check& check);
inline constexpr const char* kUnequalMark = "≠";
inline constexpr const char* kUncanonicalMark = "~";
inline constexpr const char* kMarkMeanings =
    "≠ not the same bits on all ranks, ~ not the bits of the canonical fold";

/// What does not fit into a cell, a line each: who does not support the call, wrong results of peers,
/// outliers; and the meaning of marks.
std::vector<std::string> notes_on(const Group& group);

/// "openmpi: Open MPI 4.1.4, given --mca coll tuned"
std::string peer_text(const Peer& peer);

}  // namespace foldlane::bench
