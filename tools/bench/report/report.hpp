// What a run of `foldlane bench` found, before it becomes a table, JSON or a page.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace foldlane::bench {

/// A median with its 95 % confidence interval, low <= value <= high.
struct Estimate {
  double value = 0;
  double low = 0;
  double high = 0;

  bool operator==(const Estimate&) const = default;
};

/// What a figure's samples were measured by.
enum class Timing : std::uint8_t {
  stamped,       // from the last entry to the last exit of a call, ranks started together
  back_to_back,  // calls in a loop, divided by their number
  whole,         // as stamped, from the first entry on: of ranks that share CPUs
};

/// Whether it is of each call by itself.
constexpr bool is_of_calls(Timing timing) { return timing != Timing::back_to_back; }

/// Where the data of consecutive calls lie.
enum class Buffers : std::uint8_t {
  hot,       // the same buffers in every call
  rotating,  // ever other buffers, together twice the last-level cache, of ranks of one CPU those of all of
             // them
  fresh,     // the same buffers, the input written by its owner right before every call
};

/// What ranks do between start and wait.
enum class Beside : std::uint8_t {
  nothing,
  tests,     // they compute for about as long as the call takes, with MPI_Test every 100 us
  no_calls,  // they compute for as long, without a call
  late,      // as with tests, while the last rank comes 2 ms late and then waits
};

/// What is measured.
struct Case {
  // As in MPI, without MPI_ and in small letters: allreduce, reduce_scatter_block… Or a pattern of messages
  // (pattern.hpp), whose times are those of one message.
  std::string call;
  std::string type = "double";
  std::string op = "sum";
  std::uint64_t bytes = 0;  // of one rank's whole input, of one block or message; 0 for a barrier
  int ranks = 2;
  int threads = 0;  // of each rank, at MPI_THREAD_MULTIPLE; 0: one, without it
  int root = 0;
  bool in_place = false;
  bool unaligned = false;
  bool huge_pages = false;
  bool alloc_mem = false;  // buffers from MPI_Alloc_mem
  Buffers buffers = Buffers::hot;
  Timing timing = Timing::stamped;
  Beside beside = Beside::nothing;

  bool operator==(const Case&) const = default;
};

/// What verification found.
struct Check {
  bool done = false;
  std::uint64_t wrong_elements = 0;
  bool same_on_all_ranks = true;
  bool canonical = true;  // the bits of the serial fold in the canonical order

  bool operator==(const Check&) const = default;
};

/// How a call and a computation share their time.
struct Overlap {
  Estimate hidden;   // percent of the shorter one
  double alone = 0;  // microseconds of the call
  double computing = 0;

  bool operator==(const Overlap&) const = default;
};

/// A ratio in the rounds in which the cores were near each other, and in the others; none if there were too
/// few.
struct ByDistance {
  std::optional<Estimate> near;
  std::optional<Estimate> far;

  bool operator==(const ByDistance&) const = default;
};

/// One implementation in one case. Times are in microseconds.
struct Figure {
  std::string who;      // "foldlane", or a name in Report::peers
  std::string options;  // what its mpiexec was given: of several configurations, the best for this case
  Estimate time;
  double p99 = 0;
  double skew = 0;  // median of last entry - first entry
  std::uint64_t samples = 0;
  std::uint64_t outliers = 0;       // samples beyond three times the median
  double cpu = 0;                   // CPU time of all ranks per call, waiting included
  std::optional<Estimate> against;  // this time / foldlane's time, round by round; none for foldlane itself
  Check check;
  std::optional<Overlap> overlap;  // of cases with something beside the call, whose time is that of both
  ByDistance against_by_distance = {};
  bool against_is_rough = false;  // of fewer rounds than an interval of 95 % needs (statistics.hpp)

  bool operator==(const Figure&) const = default;
};

/// A physical limit measured between the figures.
struct Limit {
  std::string name;  // "handoff", "memory" ("copy" of messages), "switch"
  Estimate time;     // microseconds

  bool operator==(const Limit&) const = default;
};

struct CaseResult {
  Case what;
  std::vector<Figure> figures;  // foldlane's first, if it has one
  std::vector<Limit> limits;
  std::string bound;                          // the name of the limit that binds this case: the largest
  std::optional<Estimate> over_bound;         // foldlane's time / that limit, round by round
  std::vector<std::string> not_supported_by;  // who does not have the call

  bool operator==(const CaseResult&) const = default;
};

/// An implementation beside ours.
struct Peer {
  std::string name;     // "openmpi", as in --vs; with a number if the same is named twice
  std::string version;  // "Open MPI 4.1.4"
  std::string options;  // what its mpiexec was given besides our own options

  bool operator==(const Peer&) const = default;
};

/// A fact about the machine, in the order to be shown.
struct Fact {
  std::string name;
  std::string value;

  bool operator==(const Fact&) const = default;
};

struct Report {
  std::string version;  // of Foldlane
  std::string date;     // UTC, ISO 8601
  std::string command;
  std::vector<Fact> machine;
  std::vector<std::string> warnings;  // why the figures may not be trusted
  std::vector<Peer> peers;
  std::vector<CaseResult> cases;

  bool operator==(const Report&) const = default;
};

}  // namespace foldlane::bench
