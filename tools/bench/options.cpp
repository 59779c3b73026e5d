#include "bench/options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <stdexcept>

#include "bench/report/call_traits.hpp"
#include "options/manual.hpp"

namespace foldlane::bench {
namespace {

constexpr char kDescription[] =
    "Measures collectives, verifies their results, and sets the figures beside physical limits and other "
    "MPIs.";
constexpr char kFooter[] =
    "\nCALL: allreduce (default), reduce, reduce_scatter, reduce_scatter_block, scan, exscan, bcast, "
    "barrier,\n"
    "reduce_local; of collectives also the nonblocking and the persistent form: iallreduce, allreduce_init.\n"
    "Sizes are bytes of one rank's input: 8, 4K, 1MiB.\n"
    "--vs openmpi,mpich compares with what is installed; --vs \"openmpi --mca btl ^vader\" passes options to "
    "its\n"
    "mpiexec; a directory with bin/mpicc and bin/mpiexec is a peer too; of several configurations of one "
    "peer the\n"
    "best is shown for each case. --vs FILE.json compares with an earlier run.\n"
    "Exit code: 0; 1 if a result was wrong, a run failed, or something got slower than in FILE.json; 2 for a "
    "wrong\n"
    "command line.\n"
    "Examples:\n"
    "  foldlane bench allreduce -n 2 --vs openmpi,mpich --html report.html\n"
    "  foldlane bench --suite quick --json today.json\n"
    "  foldlane bench --overlap iallreduce -b 8M -e 8M --vs openmpi,mpich\n"
    "  foldlane bench --compare yesterday.json today.json";

/// The command line before it means anything.
struct Raw {
  std::string begin, end;
  std::uint64_t factor = 4;
  std::vector<std::string> buffers;
  std::vector<std::string> versus;
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
  app.add_option("--root", options.common.root, "Root of reduce and bcast (0)");
  app.add_flag("--in-place", options.common.in_place, "MPI_IN_PLACE");
  app.add_option("--suite", raw.suite, "quick (a minute) or full (all calls, all sizes)")
      ->check(CLI::IsMember({"quick", "full"}));
  app.add_flag(
      "--overlap", options.overlap,
      "How much of calls that are started hides behind a computation: with MPI_Test every 100 us, without, "
      "and with a rank that is 2 ms late (iallreduce; 64K to 8M)");
  app.add_flag("--scale", raw.scale, "Cost and CPU time against the number of ranks, also beyond the CPUs");
}

void add_how(CLI::App& app, Options& options, Raw& raw) {
  app.add_option("--buffers", raw.buffers,
                 "hot (default), rotating (through twice the last-level cache), fresh")
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

std::uint64_t size_or(const std::string& text, std::uint64_t otherwise) {
  return text.empty() ? otherwise : parse_size(text);
}

/// Followed by the nonblocking, then the persistent forms of `some`.
std::vector<std::string> with_forms(std::vector<std::string> calls, const std::vector<std::string>& some) {
  for (const Form form : {Form::nonblocking, Form::persistent})
    for (const std::string& call : some) calls.push_back(tools::written(call, form));
  return calls;
}

void take_suite(const Raw& raw, Options& options) {
  constexpr std::uint64_t kKiB = 1024, kMiB = kKiB * kKiB;
  const std::vector<std::string> usual{"allreduce", "reduce", "reduce_scatter_block", "bcast", "barrier"};
  const bool quick = raw.suite == "quick", full = raw.suite == "full";
  if (options.calls.empty()) {
    options.calls = {options.overlap ? "iallreduce" : "allreduce"};
    if (quick || full) options.calls = usual;
    if (full) options.calls = with_forms(known_calls(), usual);
  }
  const bool no_sizes = raw.begin.empty() && raw.end.empty();
  options.sizes = size_sweep(size_or(raw.begin, 8),
                             size_or(raw.end, std::max(size_or(raw.begin, 8), 64 * kMiB)), raw.factor);
  if (no_sizes && quick) options.sizes = {8, 4 * kKiB, 64 * kKiB, kMiB, 16 * kMiB};
  if (no_sizes && options.overlap) options.sizes = {64 * kKiB, kMiB, 8 * kMiB};
  if (no_sizes && raw.scale) options.sizes = {8, 4 * kKiB, kMiB};
  if (options.buffers.empty() && full) options.buffers = {Buffers::hot, Buffers::rotating};
}

/// A suite says more about the machine's moods if it takes its time.
void take_effort(const Raw& raw, Effort& effort, std::size_t sweeps) {
  if (raw.suite == "quick") effort.span_s = 40 / static_cast<double>(sweeps);
  if (raw.suite == "full") {
    effort.span_s = 120 / static_cast<double>(sweeps);
    effort.case_s = 4;
    effort.half_width = 0.01;
  }
  if (raw.seconds <= 0) return;
  effort.case_s = raw.seconds;
  effort.span_s = std::min(effort.span_s, raw.seconds);
  effort.slice_us = std::min(effort.slice_us, raw.seconds * 1e6 / effort.passes);
}

void finish(const Raw& raw, Options& options) {
  for (const std::string& name : raw.buffers) options.buffers.push_back(buffers_named(name));
  take_versus(raw.versus, options);
  take_suite(raw, options);
  if (options.buffers.empty()) options.buffers = {Buffers::hot};
  if (options.ranks.empty())
    options.ranks = raw.scale ? std::vector<int>{1, 2, 4, 8, 16} : std::vector<int>{2};
  for (const int ranks : options.ranks) {
    if (ranks < 1 || ranks > Window::kMaxRanks)
      throw std::invalid_argument(
          fmt::format("{} ranks cannot be measured; 1 to {} can", ranks, Window::kMaxRanks));
  }
  if (options.osu || raw.scale) options.common.timing = Timing::back_to_back;
  options.bound = !raw.unbound;
  options.effort.verified = !raw.unverified;
  take_effort(raw, options.effort, options.ranks.size());
}

}  // namespace

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
    SuiteRequest request{options.calls, options.sizes, options.buffers, options.common, options.overlap};
    request.common.ranks = *std::min_element(options.ranks.begin(), options.ranks.end());
    cases_for(request);  // wrong names are told before anything runs
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
