#include "bench/options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <stdexcept>

#include "bench/help_text.hpp"
#include "options/manual.hpp"
#include "shm/machine/topology.hpp"

namespace foldlane::bench {
namespace {

/// The command line before it means anything.
struct Raw {
  std::string begin, end;
  std::optional<std::uint64_t> factor;
  std::vector<std::string> buffers;
  std::vector<std::string> versus;
  std::vector<std::string> under;
  std::string suite;
  bool scale = false, unbound = false, unverified = false;
  double seconds = 0;
};

Buffers buffers_named(const std::string& name) {
  if (name == "hot") return Buffers::hot;
  if (name == "rotating") return Buffers::rotating;
  if (name == "fresh") return Buffers::fresh;
  throw std::invalid_argument(fmt::format("there are no '{}' buffers; known are hot, rotating, fresh", name));
}

std::vector<std::string> suite_names() {
  std::vector<std::string> names;
  for (const auto& [suite, name] : kSuiteNames) names.emplace_back(name);
  return names;
}

Suite suite_named(const std::string& name) {
  for (const auto& [suite, known] : kSuiteNames)
    if (name == known) return suite;
  return Suite::none;
}

void add_what(CLI::App& app, Options& options, Raw& raw) {
  app.add_option("CALL", options.calls, "What to measure");
  app.add_option("-n,--ranks", options.ranks, "Number of ranks; several (2,4,8) are a sweep")
      ->delimiter(',')
      ->allow_extra_args(false);  // what follows may be a CALL
  app.add_option("--threads", options.threads,
                 "MPI_THREAD_MULTIPLE, and threads of each rank; several (1,2,4) are a sweep")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::PositiveNumber);
  app.add_option("-b,--begin", raw.begin, "Smallest size (8)");
  app.add_option("-e,--end", raw.end, "Largest size (64M)");
  app.add_option("-f,--factor", raw.factor, "From one size to the next (4)");
  app.add_option("--type", options.common.type, "Element type (double)");
  app.add_option("--op", options.common.op, "Operation (sum)");
  app.add_option("--root", options.roots,
                 "Root of reduce, bcast, gather and scatter (0); several (0,3) are measured in turn")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_flag("--in-place", options.common.in_place, "MPI_IN_PLACE");
  app.add_option(
         "--suite", raw.suite,
         "quick (a minute), full (all collectives, all sizes), never-slower (all collectives against every "
         "peer, and where we lose), p2p (the same of messages, and their limits), report (ten minutes; what "
         "to send us of your machine)")
      ->check(CLI::IsMember(suite_names()));
  app.add_flag(
      "--overlap", options.overlap,
      "How much of calls that are started hides behind a computation: with MPI_Test every 100 us, without, "
      "and with a rank that is 2 ms late (iallreduce; 64K to 8M)");
  app.add_flag("--scale", raw.scale, "Cost and CPU time against the number of ranks, also beyond the CPUs");
}

void add_how(CLI::App& app, Options& options, Raw& raw) {
  app.add_option(
         "--buffers", raw.buffers,
         "hot (default), rotating (through twice the last-level cache, ranks of one CPU together), fresh")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_flag("--unaligned", options.common.unaligned,
               "Buffers start one element behind a cache line's start");
  auto* const huge_pages =
      app.add_flag("--huge-pages", options.common.huge_pages, "Buffers in transparent huge pages");
  app.add_flag("--alloc-mem", options.common.alloc_mem, "Buffers from MPI_Alloc_mem")->excludes(huge_pages);
  app.add_flag("--unbound", raw.unbound, "Ranks are not bound to CPUs");
  app.add_flag("--no-verify", raw.unverified, "Leave out the verification of results");
  app.add_option("--seconds", raw.seconds, "Time per case, at most, on average")->check(CLI::PositiveNumber);
  app.add_flag("--osu", options.osu, "Calls back to back, printed in the columns of the OSU benchmarks");
}

void add_output(CLI::App& app, Options& options, Raw& raw) {
  app.add_option("--vs", raw.versus, "Peers, or an earlier run")->allow_extra_args(false);
  app.add_option("--under", raw.under,
                 "Peers with Foldlane under them, and without (foldlane accelerate): what it gains, per call")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_option("--compare", options.to_compare,
                 "Two .json files (ours or Google Benchmark's); measures nothing")
      ->expected(2);
  app.add_option("--tolerance", options.tolerance, "Smaller changes are none (0.05)");
  app.add_option("--json", options.json, "Write the whole report to this file (- for stdout)");
  app.add_option("--csv", options.csv, "Write comma-separated values");
  app.add_option("--md", options.markdown, "Write Markdown tables");
  app.add_option("--html", options.html, "Write a page with pictures");
  app.add_option("--svg", options.svg, "Write one picture");
  app.add_flag("-q,--quiet", options.quiet, "No progress on stderr");
}

void take_versus(const std::vector<std::string>& versus, Options& options) {
  for (const std::string& text : versus) {
    // Options of a peer may contain commas.
    const bool one = text.find(' ') != std::string::npos;
    for (const std::string& name : one ? std::vector{text} : CLI::detail::split(text, ',')) {
      if (name.ends_with(".json")) {
        options.baseline = name;
      } else if (!name.empty()) {
        options.peers.push_back(parse_peer(name));
      }
    }
  }
}

/// Each twice.
void take_under(const std::vector<std::string>& hosts, Options& options) {
  if (!hosts.empty() && is_contest(options.suite))
    throw std::invalid_argument(
        fmt::format("--under goes without --suite {}: a peer with Foldlane under it is no other peer",
                    name_of(options.suite)));
  for (const std::string& host : hosts) {
    PeerRequest request = parse_peer(host);
    options.peers.push_back(request);
    request.accelerated = true;
    options.peers.push_back(request);
  }
}

std::uint64_t size_or(const std::string& text, std::uint64_t otherwise) {
  return text.empty() ? otherwise : parse_size(text);
}

std::vector<std::uint64_t> sizes_of(const Raw& raw) {
  constexpr std::uint64_t kLargest = 64 << 20;
  const std::uint64_t begin = size_or(raw.begin, 8);
  return size_sweep(begin, size_or(raw.end, std::max(begin, kLargest)), raw.factor.value_or(4));
}

/// A rank has a block for each other, so nobody gets longer ones who has not asked for them.
std::uint64_t largest_block(const Raw& raw, const std::vector<std::uint64_t>& sizes) {
  constexpr std::uint64_t kLargest = 4 << 20;
  return raw.end.empty() ? std::max(sizes.front(), kLargest) : sizes.back();
}

/// What the options do to the suite's defaults.
void adapt(const Raw& raw, const Options& options, Preset& preset) {
  constexpr std::uint64_t kKiB = 1024, kMiB = kKiB * kKiB;
  if (options.overlap) {
    if (options.suite == Suite::none) preset.calls = {"iallreduce"};
    preset.sizes = {64 * kKiB, kMiB, 8 * kMiB};
  }
  if (!raw.under.empty() && options.suite == Suite::none) {
    preset.calls = {"allreduce", "reduce",  "reduce_scatter_block", "bcast", "gather", "scatter",
                    "allgather", "alltoall"};
    preset.sizes = size_sweep(8, 16 * kMiB, 8);
  }
  if (raw.scale) {
    preset.ranks = {1, 2, 4, 8, 16};
    preset.sizes = {8, 4 * kKiB, kMiB};
  }
}

void take_preset(const Raw& raw, const Preset& preset, Options& options) {
  const bool no_sizes = raw.begin.empty() && raw.end.empty() && !raw.factor;
  if (options.calls.empty()) options.calls = preset.calls;
  options.sizes = no_sizes && !preset.sizes.empty() ? preset.sizes : sizes_of(raw);
  options.largest_block = largest_block(raw, options.sizes);
  if (options.buffers.empty()) options.buffers = preset.buffers;
  if (options.ranks.empty()) options.ranks = preset.ranks;
  if (options.json.empty()) options.json = preset.json;
  if (options.peers.empty())
    for (const std::string& peer : preset.peers) options.peers.push_back(parse_peer(peer));
}

/// A suite says more about the machine's moods if it takes its time.
void take_effort(const Raw& raw, Options& options, const Preset& preset) {
  Effort& effort = options.effort;
  effort = preset.effort;
  if (options.suite != Suite::none) effort.span_s /= static_cast<double>(options.ranks.size());
  effort.verified = !raw.unverified;
  if (raw.seconds <= 0) return;
  effort.case_s = raw.seconds;
  effort.span_s = std::min(effort.span_s, raw.seconds);
  effort.slice_us = std::min(effort.slice_us, raw.seconds * 1e6 / effort.passes);
}

void check_ranks(const Options& options) {
  for (const int ranks : options.ranks) {
    if (ranks < 1 || ranks > Window::kMaxRanks)
      throw std::invalid_argument(
          fmt::format("{} ranks cannot be measured; 1 to {} can", ranks, Window::kMaxRanks));
    if (ranks == 1 && is_contest(options.suite))
      throw std::invalid_argument(
          fmt::format("--suite {}: a single rank exchanges nothing in which a peer could be faster; name 2 "
                      "ranks or more (-n 2,8)",
                      name_of(options.suite)));
  }
}

void finish(const Raw& raw, Options& options) {
  for (const std::string& name : raw.buffers) options.buffers.push_back(buffers_named(name));
  take_versus(raw.versus, options);
  options.suite = suite_named(raw.suite);
  take_under(raw.under, options);
  Preset preset = preset_of(options.suite, shm::usable_cpus().usable);
  adapt(raw, options, preset);
  take_preset(raw, preset, options);
  check_ranks(options);
  if (options.osu || raw.scale) options.common.timing = Timing::back_to_back;
  options.bound = !raw.unbound;
  take_effort(raw, options, preset);
}

}  // namespace

SuiteRequest request_of(const Options& options, int ranks) {
  SuiteRequest request{options.calls,   options.sizes,         options.buffers, options.common,
                       options.overlap, options.largest_block, options.roots,   options.threads};
  request.common.ranks = ranks;
  return request;
}

ParsedOptions parse_options(const std::vector<std::string>& arguments) {
  CLI::App app(kDescription, "foldlane bench");
  app.footer(kFooter);
  tools::add_manual_flag(app);
  Options options;
  Raw raw;
  add_what(app, options, raw);
  add_how(app, options, raw);
  add_output(app, options, raw);
  try {
    std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
    app.parse(reversed);
    finish(raw, options);
    // Wrong names are told before anything runs.
    for (const int ranks : options.ranks) cases_for(request_of(options, ranks));
  } catch (const CLI::ParseError& error) {
    std::ostringstream out, err;
    const int code = app.exit(error, out, err);
    return {{}, code == 0 ? 0 : 2, out.str() + err.str()};
  } catch (const std::invalid_argument& error) {
    return {{}, 2, fmt::format("foldlane bench: {}\n", error.what())};
  }
  return {options, 0, ""};
}

}  // namespace foldlane::bench
