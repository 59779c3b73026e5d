// The list of cases that a command line asks for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bench/report/report.hpp"

namespace foldlane::bench {

/// The collectives, by the names of their blocking forms; but for those among neighbours, which need a
/// topology.
std::vector<std::string> known_collectives();

/// Everything that can be named as CALL, but for the nonblocking and persistent forms.
const std::vector<std::string>& known_calls();

struct SuiteRequest {
  std::vector<std::string> calls;
  std::vector<std::uint64_t> sizes;  // bytes; rounded up to whole elements per rank
  std::vector<Buffers> buffers;
  Case common;           // the rest: type, op, ranks …
  bool overlap = false;  // each case with all that can be beside it, instead of nothing
  std::uint64_t largest_block = ~std::uint64_t{0};  // of calls that move them, instead of what is larger
  std::vector<int> roots = {0};                     // of calls that have one
  std::vector<int> threads = {0};                   // each of Case::threads
};

/// "8", "4K", "64KiB", "1M": bytes. Throws std::invalid_argument.
std::uint64_t parse_size(const std::string& text);

/// begin, begin x factor … up to end.
std::vector<std::uint64_t> size_sweep(std::uint64_t begin, std::uint64_t end, std::uint64_t factor);

/// In the order: call, threads, root, buffers, size. A barrier is one case. Throws std::invalid_argument for
/// a call, type or operation that is not known, or that do not go together, for messages of too few ranks,
/// and for threads of a call that has none.
std::vector<Case> cases_for(const SuiteRequest& request);

}  // namespace foldlane::bench
