#include "bench/options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <stdexcept>

#include "options/manual.hpp"
#include "shm/machine/topology.hpp"

namespace foldlane::bench {
namespace {

constexpr char kDescription[] =
    "Measures collectives and messages, verifies their results, and sets the figures beside physical limits "
    "and other MPIs.";
constexpr char kFooter[] =
    "\nCALL: allreduce (default), reduce, reduce_scatter, reduce_scatter_block, scan, exscan, bcast, "
    "barrier,\n"
    "reduce_local; gather(v), scatter(v), allgather(v), alltoall(v), alltoallw; neighbor_allgather and\n"
    "neighbor_alltoall on a periodic ring; of collectives also the nonblocking and the persistent form:\n"
    "iallreduce, allreduce_init.\n"
    "Messages: pingpong (half a round trip of MPI_Send and MPI_Recv), stream (windows of 64 MPI_Isend\n"
    "and MPI_Irecv, one way), bidirectional (both ways), exchange (MPI_Sendrecv around the ring), incast\n"
    "(all to rank 0, which receives from MPI_ANY_SOURCE), unexpected (there before their receives). Times\n"
    "are those of one message; windows of more than 8 MiB have fewer of them.\n"
    "Sizes are bytes of one rank's input, or of one message: 8, 4K, 1MiB. Of gather, scatter, allgather and\n"
    "alltoall they are bytes per block, of which there is one for each rank (on the ring two); blocks end\n"
    "at 4 MiB unless -e says otherwise.\n"
    "--vs openmpi,mpich compares with what is installed; --vs \"openmpi --mca btl ^vader\" passes options to "
    "its\nmpiexec (environment variables too: \"openmpi -x NAME=VALUE\", \"mpich -genv NAME VALUE\"); a "
    "directory with\n"
    "bin/mpicc and bin/mpiexec is a peer too; of several configurations of one peer the best is shown for "
    "each\ncase. --vs FILE.json compares with an earlier run.\n"
    "--under openmpi,mpich measures jobs of these with Foldlane under their calls, and without; it ends\n"
    "with what that gains, and with what it costs against Foldlane alone, by call.\n"
    "--suite never-slower: blocking collectives, 8 B to 64 MiB (4 MiB per block), hot and rotating buffers, "
    "2 and 8 ranks, against\n"
    "openmpi (with and without CMA) and mpich (also its release_gather) unless --vs names others. It ends "
    "with the\n"
    "cases where the best peer is faster, those that are undecided, and a mean per call, for near and far "
    "cores\n"
    "apart. It takes an hour and a half; CALL, -b, -e, -f and -n narrow it.\n"
    "--suite p2p: the same of messages of 2 ranks, with their limits: a handoff of a line from core to\n"
    "core, and one copy by one of them. It takes 20 minutes.\n"
    "--suite report: writes foldlane-report.json, which tells us about a machine that we do not have.\n"
    "Exit code: 0; 1 if a result was wrong, a run failed, something got slower than in FILE.json, or, with\n"
    "--suite never-slower or p2p, the best peer is faster in any case (the ratio's interval lies below\n"
    "1) or there is none; 2 for a wrong command line.\n"
    "Examples:\n"
    "  foldlane bench allreduce -n 2 --vs openmpi,mpich --html report.html\n"
    "  foldlane bench --suite quick --json today.json\n"
    "  foldlane bench --suite never-slower allreduce bcast -n 2 -e 64K\n"
    "  foldlane bench gather scatter -n 8 --root 0,3,7\n"
    "  foldlane bench --overlap iallreduce -b 8M -e 8M --vs openmpi,mpich\n"
    "  foldlane bench --compare yesterday.json today.json";

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
                       options.overlap, options.largest_block, options.roots};
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
