#include "bench/measure/session.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <iostream>
#include <limits>

#include "bench/machine/machine.hpp"
#include "bench/measure/progress.hpp"
#include "bench/report/best_peers.hpp"
#include "bench/report/case_name.hpp"
#include "bench/report/statistics.hpp"
#include "bench/suites/estimate.hpp"
#include "shm/machine/placement.hpp"
#include "shm/machine/topology.hpp"

namespace foldlane::bench {
namespace {

using Clock = std::chrono::steady_clock;

/// The CPUs for ranks, neighbours first; as many as the ranks can use.
std::vector<int> cpus_for(int ranks, const shm::UsableCpus& usable) {
  const auto topology = shm::discover_topology();
  if (!topology.ok()) throw std::runtime_error(topology.error().message);
  const shm::Placement placement =
      shm::place_ranks(topology.value(), usable, std::min(ranks, usable.usable), shm::BindTo::hwthread);
  std::vector<int> cpus;
  for (const shm::RankPlace& place : placement.ranks) cpus.push_back(place.os_cpus.front());
  return cpus;
}

std::uint64_t llc_bytes() {
  constexpr std::uint64_t kUnknown = 64U << 20;
  const auto topology = shm::discover_topology();
  return topology.ok() && topology.value().llc_bytes > 0 ? topology.value().llc_bytes : kUnknown;
}

double cpu_seconds_of(int who) {
  rusage usage{};
  ::getrusage(who, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// Of this process and all it has started and that has ended.
double own_cpu_seconds() { return cpu_seconds_of(RUSAGE_SELF) + cpu_seconds_of(RUSAGE_CHILDREN); }

class Session {
 public:
  Session(const Options& options, const std::string& command_line) : options_(options) {
    report_.version = FOLDLANE_VERSION;
    report_.date = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
    report_.command = command_line;
  }

  Measurement run() {
    const int most_ranks = *std::max_element(options_.ranks.begin(), options_.ranks.end());
    const std::vector<int> cpus = cpus_for(most_ranks * threads_of_a_rank(), usable_);
    report_.machine = machine_facts(cpus);
    const Surroundings before = read_surroundings();
    const double cpu_before = own_cpu_seconds();
    const auto start = Clock::now();

    find_implementations();
    const Demand demand = demand_of_all();
    refuse_too_much(demand, before);
    announce(demand);
    const Ticks ticks(has_invariant_clock(before));
    for (std::size_t i = 0; i < options_.ranks.size() && !interrupted_; ++i)
      measure_with(options_.ranks[i], ticks, i);
    if (interrupted_) end_early(*interrupted_);

    const std::chrono::duration<double> wall = Clock::now() - start;
    const bool only_folds = std::all_of(options_.calls.begin(), options_.calls.end(),
                                        [](const auto& call) { return call == "fold"; });
    Circumstances run{.ranks = only_folds ? 1 : most_ranks,
                      .threads = threads_of_a_rank(),
                      .usable_cpus = usable_.usable,
                      .bound = options_.bound,
                      .own_cpu_seconds = own_cpu_seconds() - cpu_before,
                      .wall_seconds = wall.count(),
                      .cpus = options_.bound ? cpus : std::vector<int>{}};
    if (!handoffs_.empty()) {
      run.shortest_handoff = quantile(handoffs_, 0.05);
      run.longest_handoff = quantile(handoffs_, 0.95);
    }
    for (std::string& warning : warnings(before, read_surroundings(), run))
      report_.warnings.push_back(std::move(warning));
    keep_best_configurations(report_);
    return {std::move(report_), interrupted_};
  }

 private:
  /// At most.
  int threads_of_a_rank() const {
    return std::max(1, *std::max_element(options_.threads.begin(), options_.threads.end()));
  }

  void find_implementations() {
    implementations_.push_back(own_implementation(options_.bound));
    for (const PeerRequest& request : options_.peers) {
      try {
        implementations_.push_back(build_peer(request, scratch_.path()));
        const Implementation& peer = implementations_.back();
        report_.peers.push_back({peer.name, peer.version, peer.options});
      } catch (const std::runtime_error& missing) {
        // Another configuration of the same peer.
        if (!was_said(missing.what())) complain(missing.what());
      }
    }
    if (is_contest(options_.suite) && report_.peers.empty())
      throw std::runtime_error(
          fmt::format("--suite {}: there is no peer to compare with", name_of(options_.suite)));
  }

  Demand demand_of_all() const {
    Demand whole;
    for (const int ranks : options_.ranks) {
      const Demand demand = demand_of(cases_for(request_of(options_, ranks)), implementations_.size(),
                                      options_.effort, usable_.usable, llc_bytes());
      whole = {whole.seconds + demand.seconds, std::max(whole.bytes, demand.bytes)};
    }
    return whole;
  }

  /// Linux grants memory that it does not have, and kills somebody when it is touched.
  static void refuse_too_much(const Demand& demand, const Surroundings& surroundings) {
    std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
    for (const std::uint64_t known : {surroundings.available_bytes, surroundings.memory_limit})
      if (known > 0) most = std::min(most, known);
    if (demand.bytes <= most) return;
    throw std::runtime_error(
        fmt::format("the buffers of all ranks and peers would take {} of memory, of which {} are free; take "
                    "fewer ranks (-n) or peers (--vs), smaller sizes (-e) or --buffers hot",
                    in_gib(demand.bytes), in_gib(most)));
  }

  /// Of suites that take long, and of the memory of many large buffers.
  void announce(const Demand& demand) const {
    if (options_.quiet || (!is_contest(options_.suite) && options_.suite != Suite::report)) return;
    fmt::print(stderr, "foldlane bench: this takes {}\n", describe(demand));
  }

  void end_early(const Interrupted& interrupted) {
    if (report_.cases.empty()) throw interrupted;
    complain("interrupted: there are fewer rounds than were asked for, and of some cases none");
  }

  bool was_said(const std::string& what) const {
    return std::find(report_.warnings.begin(), report_.warnings.end(), what) != report_.warnings.end();
  }

  void measure_with(int ranks, const Ticks& ticks, std::size_t number) {
    std::vector<std::string> calls = options_.calls;
    const bool folds = std::erase(calls, "fold") > 0;
    if (!calls.empty()) {
      measure(calls, ranks, implementations_,
              {.ranks = ranks,
               .cpus = options_.bound ? cpus_for(ranks * threads_of_a_rank(), usable_) : std::vector<int>{},
               .oversubscribed = ranks > usable_.usable,
               .thread_multiple = options_.threads.front() > 0},
              ticks, number);
    }
    if (!folds || interrupted_) return;
    const std::vector<Implementation> kernels{
        {.name = "foldlane", .version = "", .options = "", .launch = {}, .probe = ""}};
    measure({"fold"}, ranks, kernels, {1, options_.bound ? cpus_for(1, usable_) : std::vector<int>{}, false},
            ticks, number);
  }

  void measure(const std::vector<std::string>& calls, int ranks,
               const std::vector<Implementation>& implementations, const Setting& setting, const Ticks& ticks,
               std::size_t number) {
    SuiteRequest request = request_of(options_, ranks);
    request.calls = calls;
    // Of ranks that share CPUs some enter when others wait; much of the call can be done by then.
    if (setting.oversubscribed && request.common.timing == Timing::stamped)
      request.common.timing = Timing::whole;
    const Campaign campaign{implementations, cases_for(request), setting, options_.effort,
                            share_of_cache(llc_bytes(), setting.ranks, usable_.usable)};
    const auto total = static_cast<double>(options_.ranks.size());
    CampaignResult result = run_campaign(campaign, ticks, [&](const Case& what, double done) {
      progress_.show(name_of(what), (static_cast<double>(number) + done) / total);
    });
    report_.cases.insert(report_.cases.end(), result.cases.begin(), result.cases.end());
    handoffs_.insert(handoffs_.end(), result.handoffs.begin(), result.handoffs.end());
    for (const std::string& trouble : result.troubles) complain(trouble);
    interrupted_ = result.interrupted;
  }

  /// Now, because the run is long, and in the report.
  void complain(const std::string& what) {
    progress_.end();
    fmt::print(stderr, "foldlane bench: {}\n", what);
    report_.warnings.push_back(what);
  }

  const Options& options_;
  const shm::UsableCpus usable_ = shm::usable_cpus();
  Report report_;
  ScratchDirectory scratch_;
  std::vector<Implementation> implementations_;
  std::vector<double> handoffs_;
  std::optional<Interrupted> interrupted_;
  Progress progress_{std::cerr, !options_.quiet && ::isatty(STDERR_FILENO) != 0};
};

}  // namespace

Measurement measure(const Options& options, const std::string& command_line) {
  return Session(options, command_line).run();
}

}  // namespace foldlane::bench
