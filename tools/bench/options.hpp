// What `foldlane bench` was asked to do.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/measure/campaign.hpp"
#include "bench/suite.hpp"
#include "bench/suites/preset.hpp"

namespace foldlane::bench {

struct Options {
  Suite suite = Suite::none;
  std::vector<std::string> calls;
  std::vector<int> ranks;
  std::vector<int> threads = {0};  // of a rank, at MPI_THREAD_MULTIPLE; 0: one, without it
  std::vector<std::uint64_t> sizes;
  std::uint64_t largest_block = 0;  // of sizes, for calls that move blocks
  std::vector<Buffers> buffers;
  std::vector<int> roots = {0};
  Case common;  // but for ranks and roots
  bool overlap = false;
  bool bound = true;
  Effort effort;
  std::vector<PeerRequest> peers;
  std::optional<std::string> baseline;  // a .json to compare with
  std::vector<std::string> to_compare;  // two files, and nothing is measured
  double tolerance = 0.05;
  bool osu = false;
  bool quiet = false;
  // Files to write; "-" is stdout, instead of the table.
  std::string json, csv, markdown, html, svg;
};

/// All that is to be measured with this number of ranks.
SuiteRequest request_of(const Options& options, int ranks);

/// Either options, or the text to print and the code to exit with.
struct ParsedOptions {
  std::optional<Options> options;
  int exit_code = 0;
  std::string text;
};

/// `arguments` without the command's own name.
ParsedOptions parse_options(const std::vector<std::string>& arguments);

}  // namespace foldlane::bench
