#include "bench/suite.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <limits>
#include <stdexcept>

#include "bench/report/call_traits.hpp"
#include "bench/report/pattern.hpp"
#include "bench/values/elements.hpp"

namespace foldlane::bench {
namespace {

constexpr int kMostThreads = 64;  // MAX_THREADS of the probe
constexpr std::uint64_t kMostElements = std::numeric_limits<int>::max();

bool is_known(const std::string& call) {
  const auto& known = known_calls();
  return std::find(known.begin(), known.end(), collective_of(call)) != known.end();
}

void check_overlap(const SuiteRequest& request) {
  for (const std::string& call : request.calls) {
    if (form_of(call) == Form::blocking || !has_data(call))
      throw std::invalid_argument(fmt::format(
          "--overlap: nothing can be computed beside {}; name calls that are started and have data, as "
          "iallreduce or allreduce_init",
          call));
  }
  if (request.common.ranks < 2 || request.common.timing == Timing::back_to_back)
    throw std::invalid_argument("--overlap: needs 2 ranks or more, and neither --osu nor --scale");
}

void check_partners(const std::string& call, int ranks) {
  if (is_of_pairs(call) && ranks % 2 != 0)
    throw std::invalid_argument(fmt::format(
        "{} is between pairs of ranks, and {} leave one alone; name an even number (-n 2)", call, ranks));
  if (is_pattern(call) && ranks < 2)
    throw std::invalid_argument(fmt::format("{} needs 2 ranks or more (-n 2)", call));
}

void check_threads(const SuiteRequest& request) {
  for (const int threads : request.threads) {
    if (threads < 0 || threads > kMostThreads)
      throw std::invalid_argument(
          fmt::format("{} threads of a rank cannot be measured; 1 to {} can", threads, kMostThreads));
    for (const std::string& call : request.calls) {
      if (threads > 1 && !knows_threads(call))
        throw std::invalid_argument(
            fmt::format("--threads {}: {} is measured with one thread of each rank; pingpong and stream know "
                        "more, --threads 1 (MPI_THREAD_MULTIPLE) goes with every call",
                        threads, call));
    }
  }
}

void check(const SuiteRequest& request) {
  for (const std::string& call : request.calls) {
    if (!is_known(call))
      throw std::invalid_argument(
          fmt::format("there is no call '{}' here; known are {}; of collectives also iNAME and NAME_init",
                      call, fmt::join(known_calls(), ", ")));
    check_partners(call, request.common.ranks);
  }
  check_threads(request);
  if (request.overlap) check_overlap(request);
  const Case& common = request.common;
  if (!kernels::valid(operation(common.op), element_type(common.type).elem))
    throw std::invalid_argument(fmt::format("{} is not defined for {}", common.op, common.type));
  for (const int root : request.roots) {
    if (root < 0 || root >= common.ranks)
      throw std::invalid_argument(fmt::format("root {} is none of {} ranks", root, common.ranks));
    if (std::count(request.roots.begin(), request.roots.end(), root) > 1)
      throw std::invalid_argument(fmt::format("root {} is named twice", root));
  }
}

/// Nobody to wait for.
bool is_local(const std::string& call) { return call == "reduce_local" || call == "fold"; }

/// The displacement of the last block must be an int too; alltoallw's are in bytes.
std::uint64_t most_elements(const Case& what) {
  if (!moves_blocks(what.call)) return kMostElements;
  const std::uint64_t unit = collective_of(what.call) == "alltoallw" ? element_bytes(what.type) : 1;
  return kMostElements / unit / static_cast<std::uint64_t>(slots_of(what));
}

/// Every rank's share is whole elements.
std::uint64_t rounded(std::uint64_t bytes, const Case& what) {
  const std::uint64_t element = element_bytes(what.type);
  const std::uint64_t unit = scatters(what.call) ? element * static_cast<std::uint64_t>(what.ranks) : element;
  const std::uint64_t units = std::max<std::uint64_t>(1, bytes / unit + (bytes % unit != 0 ? 1 : 0));
  if (units > most_elements(what) / (unit / element))
    throw std::invalid_argument(fmt::format("{} bytes are more elements than an MPI count can say", bytes));
  return units * unit;
}

/// The largest block instead of what is larger.
std::vector<std::uint64_t> sizes_for(const std::string& call, const SuiteRequest& request) {
  std::vector<std::uint64_t> sizes = request.sizes;
  if (!moves_blocks(call)) return sizes;
  for (std::uint64_t& size : sizes) size = std::min(size, request.largest_block);
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  return sizes;
}

/// What means nothing to the call is as usual.
Case case_of(const std::string& call, Case what) {
  what.call = call;
  // These are often shorter than a look at the clock.
  if (is_local(call) || is_pattern(call) || what.ranks == 1) what.timing = Timing::back_to_back;
  const std::string collective = collective_of(call);
  const bool has_no_such_form = collective == "bcast" || collective == "barrier" || is_local(call) ||
                                is_pattern(call) || is_among_neighbours(call);
  what.in_place = what.in_place && !has_no_such_form;
  if (!combines(call)) what.op = Case{}.op;
  if (has_data(call)) return what;
  what.type = Case{}.type;
  what.op = Case{}.op;
  what.unaligned = what.huge_pages = what.alloc_mem = false;
  return what;
}

void add_cases(Case what, const SuiteRequest& request, std::vector<Case>& cases) {
  if (!has_data(what.call)) {
    cases.push_back(what);
    return;
  }
  const std::vector<Beside> kinds = request.overlap
                                        ? std::vector{Beside::tests, Beside::no_calls, Beside::late}
                                        : std::vector{Beside::nothing};
  for (const Beside beside : kinds) {
    for (const Buffers buffers : request.buffers) {
      for (const std::uint64_t size : sizes_for(what.call, request)) {
        what.beside = beside;
        what.buffers = buffers;
        what.bytes = rounded(size, what);
        cases.push_back(what);
      }
    }
  }
}

}  // namespace

std::vector<std::string> known_collectives() {
  std::vector<std::string> calls;
  for (const engine::NamedCall& row : engine::kCallNames)
    if (row.is_collective && !engine::moves_among_neighbours(row.call)) calls.emplace_back(row.name);
  return calls;
}

const std::vector<std::string>& known_calls() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> calls = known_collectives();
    calls.insert(calls.end(), {"reduce_local", "fold", "neighbor_allgather", "neighbor_alltoall"});
    calls.insert(calls.end(), known_patterns().begin(), known_patterns().end());
    return calls;
  }();
  return all;
}

std::uint64_t parse_size(const std::string& text) {
  std::size_t digits = 0;
  while (digits < text.size() && std::isdigit(static_cast<unsigned char>(text[digits])) != 0) ++digits;
  const std::string unit = text.substr(digits);
  const std::string units = "KMG";
  const bool known =
      unit.empty() || unit == "B" ||
      (units.find(unit[0]) != std::string::npos && (unit.size() == 1 || unit.substr(1) == "iB"));
  if (digits == 0 || digits > 12 || !known)
    throw std::invalid_argument(fmt::format("'{}' is not a size such as 8, 4K or 1MiB", text));
  const std::size_t power = unit.empty() || unit == "B" ? 0 : units.find(unit[0]) + 1;
  const std::uint64_t number = std::stoull(text.substr(0, digits));
  if (number > std::numeric_limits<std::uint64_t>::max() >> (10 * power))
    throw std::invalid_argument(fmt::format("'{}' is more than any memory", text));
  return number << (10 * power);
}

std::vector<std::uint64_t> size_sweep(std::uint64_t begin, std::uint64_t end, std::uint64_t factor) {
  if (begin == 0 || end < begin) throw std::invalid_argument("sizes go from at least 1 byte upwards");
  if (factor < 2) throw std::invalid_argument("sizes grow by a factor of at least 2");
  std::vector<std::uint64_t> sizes;
  for (std::uint64_t size = begin;; size *= factor) {
    sizes.push_back(size);
    if (size > end / factor) return sizes;
  }
}

std::vector<Case> cases_for(const SuiteRequest& request) {
  check(request);
  std::vector<Case> cases;
  for (const std::string& call : request.calls) {
    for (const int threads : request.threads) {
      for (const int root : has_root(call) ? request.roots : std::vector{0}) {
        Case what = case_of(call, request.common);
        what.threads = call == "fold" ? 0 : threads;
        what.root = root;
        add_cases(what, request, cases);
      }
    }
  }
  return cases;
}

}  // namespace foldlane::bench
