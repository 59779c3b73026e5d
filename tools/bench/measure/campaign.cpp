#include "bench/measure/campaign.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>

#include "bench/machine/limits.hpp"
#include "bench/measure/fold_kernels.hpp"
#include "bench/measure/launch_order.hpp"
#include "bench/measure/places.hpp"
#include "bench/measure/track.hpp"
#include "bench/measure/verdict.hpp"
#include "bench/report/by_distance.hpp"
#include "bench/report/pattern.hpp"
#include "bench/report/statistics.hpp"
#include "bench/values/elements.hpp"

namespace foldlane::bench {
namespace {

using Clock = std::chrono::steady_clock;

/// A limit of a whole run, of which a step is the `parts`-th part.
struct LimitTrack {
  const char* name;
  double parts;
  std::vector<double> rounds = {};

  std::vector<double> of_a_step() const {
    std::vector<double> times = rounds;
    for (double& time : times) time /= parts;
    return times;
  }
};

struct CaseTrack {
  const Case* what;
  Places places;
  std::vector<Track> tracks;  // by implementation
  LimitTrack handoff, plain, streaming, switches;
};

CaseTrack track_of(const Case& what, const Places& places, std::size_t implementations) {
  const Pattern pattern = pattern_of(what);
  const char* const memory = is_pattern(what.call) ? "copy" : "memory";
  const auto steps = static_cast<double>(pattern.steps), slots = static_cast<double>(pattern.slots);
  return {.what = &what,
          .places = places,
          .tracks = std::vector<Track>(implementations),
          .handoff = {"handoff", steps / pattern.handoffs},
          .plain = {memory, slots},
          .streaming = {memory, slots},
          .switches = {"switch", steps}};
}

std::unique_ptr<Contestant> contestant(const Implementation& implementation, const Setting& setting,
                                       const Ticks& ticks) {
  if (!implementation.launch.empty()) return std::make_unique<Job>(implementation, setting, ticks);
  return std::make_unique<FoldKernels>(
      setting.cpus.empty() ? std::nullopt : std::optional(setting.cpus.front()), ticks);
}

Estimate ratio_of(const std::vector<double>& one, const std::vector<double>& other) {
  return drifting_median_estimate(ratios_of(one, other));
}

std::size_t arena_bytes_for(const std::vector<CaseTrack>& cases) {
  std::size_t bytes = kLineBytes;
  for (const CaseTrack& track : cases)
    bytes = std::max(bytes, track.places.arena_bytes(input_bytes(*track.what)));
  return bytes;
}

class Run {
 public:
  Run(const Campaign& campaign, const Ticks& ticks)
      : campaign_(campaign), ticks_(ticks), order_(campaign.implementations.size()) {
    for (const Case& what : campaign.cases) {
      cases_.push_back(
          track_of(what, places_of(what, campaign.cache_bytes), campaign.implementations.size()));
    }
    contestants_.resize(campaign.implementations.size());
    limits_ = std::make_unique<Limits>(campaign.setting, ticks, arena_bytes_for(cases_),
                                       arenas() == Arenas::huge_pages);
    if (!limits_->trouble().empty()) troubles_.push_back(limits_->trouble());
  }

  CampaignResult measure(const std::function<void(const Case&, double)>& progress) {
    start_ = Clock::now();
    std::optional<Interrupted> interrupted;
    try {
      for (int pass = 0; is_worth_a_pass(pass); ++pass) make_pass(pass, progress);
    } catch (const Interrupted& signal) {
      interrupted = signal;
    }
    CampaignResult result{{}, std::move(handoffs_), std::move(troubles_), interrupted};
    for (const CaseTrack& track : cases_)
      if (!interrupted || has_rounds(track)) result.cases.push_back(summary(track));
    return result;
  }

 private:
  Arenas arenas() const {
    const Case& any = campaign_.cases.front();
    if (any.alloc_mem) return Arenas::alloc_mem;
    return any.huge_pages ? Arenas::huge_pages : Arenas::small_pages;
  }

  void make_pass(int pass, const std::function<void(const Case&, double)>& progress) {
    if (is_launch_due(pass)) launch_all();
    const bool everybody = is_everybodys(pass);
    for (std::size_t i = 0; i < cases_.size(); ++i) {
      if (!everybody && is_settled(cases_[i])) continue;
      progress(*cases_[i].what, done(pass, i));
      visit(cases_[i], pass, everybody);
    }
  }

  static bool has_rounds(const CaseTrack& track) { return !track.tracks.front().rounds().empty(); }

  bool is_launch_due(int pass) const {
    const auto wanted_by = [&](int end) { return end * campaign_.effort.launches / campaign_.effort.passes; };
    const bool behind = pass < campaign_.effort.passes && wanted_by(pass) > wanted_by(pass - 1);
    return pass == 0 || behind || elapsed_s() >= next_launch_s_;
  }

  /// Ends all jobs, and launches those that have not failed.
  void launch_all() {
    ++launches_;
    constexpr double kLaunches = 10, kShortestS = 0.7;  // one per stretch (statistics.hpp); life of a job
    constexpr double kLives = 4;                        // of what the launch took
    const double started_s = elapsed_s();
    std::vector<bool> takes_part(contestants_.size(), order_.latest().empty());
    for (auto i = order_.latest().rbegin(); i != order_.latest().rend(); ++i) {
      takes_part[*i] = contestants_[*i] != nullptr;
      contestants_[*i].reset();
    }
    for (const std::size_t i : order_.next())
      if (takes_part[i]) launch(i);
    const double life_s = kLives * (elapsed_s() - started_s);
    next_launch_s_ = elapsed_s() + std::max({kShortestS, life_s, campaign_.effort.span_s / kLaunches});
  }

  void launch(std::size_t implementation) {
    guard(implementation, [&] {
      auto& job = contestants_[implementation];
      job = contestant(campaign_.implementations[implementation], campaign_.setting, ticks_);
      job->make_arenas(arena_bytes_for(cases_), arenas());
    });
  }

  double elapsed_s() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }
  double whole_s() const { return campaign_.effort.case_s * static_cast<double>(cases_.size()); }

  bool is_everybodys(int pass) const {
    return pass < campaign_.effort.passes || elapsed_s() < campaign_.effort.span_s;
  }

  bool is_worth_a_pass(int pass) const {
    if (is_everybodys(pass)) return true;
    return elapsed_s() < whole_s() && !std::all_of(cases_.begin(), cases_.end(),
                                                   [&](const CaseTrack& track) { return is_settled(track); });
  }

  /// Of what is done in any case; what comes after depends on what is found.
  double done(int pass, std::size_t number) const {
    const double passes = pass + static_cast<double>(number) / static_cast<double>(cases_.size());
    return std::min(passes / campaign_.effort.passes, elapsed_s() / std::max(campaign_.effort.span_s, 0.001));
  }

  bool is_settled(const CaseTrack& track) const {
    std::vector<Rounds> peers;
    for (std::size_t i = 1; i < track.tracks.size(); ++i)
      if (!track.tracks[i].rounds().empty()) peers.push_back(track.tracks[i].rounds());
    return bench::is_settled(track.tracks.front().rounds(), peers, campaign_.effort);
  }

  bool is_out(const CaseTrack& track, std::size_t implementation, bool everybody) const {
    if (implementation == 0) return false;
    const auto is_judged = everybody ? is_hopeless : has_lost;
    return is_judged(track.tracks[implementation].rounds(), track.tracks.front().rounds(), campaign_.effort);
  }

  /// A peer that fails is left out from then on, and the time that it took is nobody's: some hang before they
  /// fail. We ourselves must not fail.
  template <class Action>
  void guard(std::size_t implementation, const Action& action) {
    const Clock::time_point begun = Clock::now();
    try {
      action();
    } catch (const JobFailure& failure) {
      contestants_[implementation].reset();
      if (implementation == 0) throw;
      troubles_.emplace_back(failure.what());
      start_ += Clock::now() - begun;
    }
  }

  void visit(CaseTrack& track, int pass, bool everybody) {
    // Nobody always follows the same neighbour.
    for (const std::size_t i : in_turn(contestants_.size(), static_cast<std::size_t>(pass)))
      if (contestants_[i] != nullptr) guard(i, [&] { take_turn(track, i, pass == 0, everybody); });
    measure_limits(track);
  }

  void take_turn(CaseTrack& track, std::size_t implementation, bool first, bool everybody) {
    Track& own = track.tracks[implementation];
    Contestant& contestant = *contestants_[implementation];
    if (own.lacks_call() || is_out(track, implementation, everybody)) return;
    contestant.select(*track.what, track.places);
    if (first) own.prepare(contestant, *track.what, campaign_.effort);
    if (!own.lacks_call()) own.take_turn(contestant, *track.what, launches_);
  }

  /// Limits are those of a call alone.
  void measure_limits(CaseTrack& track) {
    if (track.what->beside != Beside::nothing) return;
    if (const auto switches = limits_->switches()) track.switches.rounds.push_back(*switches);
    // No bound where ranks share CPUs, but also there it tells near rounds from far ones.
    if (limits_->has_two_cpus() && track.what->call != "reduce_local") {
      handoffs_.push_back(limits_->handoff());
      track.handoff.rounds.push_back(handoffs_.back());
    }
    if (track.what->bytes == 0) return;
    const std::vector<Traffic> traffic = traffic_of(*track.what);
    track.plain.rounds.push_back(limits_->memory(traffic, track.places, false));
    track.streaming.rounds.push_back(limits_->memory(traffic, track.places, true));
  }

  CaseResult summary(const CaseTrack& track) const {
    CaseResult result;
    result.what = *track.what;
    for (std::size_t i = 0; i < track.tracks.size(); ++i) {
      if (!track.tracks[i].rounds().empty()) result.figures.push_back(figure(track, i));
      if (track.tracks[i].lacks_call()) result.not_supported_by.push_back(campaign_.implementations[i].name);
    }
    add_limits(track, result);
    return result;
  }

  Figure figure(const CaseTrack& track, std::size_t i) const {
    Figure figure = track.tracks[i].figure(track.what->timing);
    figure.who = campaign_.implementations[i].name;
    figure.options = campaign_.implementations[i].options;
    const std::vector<double>& ours = track.tracks.front().rounds();
    if (i == 0 || ours.empty()) return figure;
    const std::vector<double> ratios = ratios_of(track.tracks[i].rounds(), ours);
    figure.against = drifting_median_estimate(ratios);
    figure.against_is_rough = ratios.size() < kFewestSamples;
    figure.against_by_distance = by_distance(ratios, track.handoff.rounds);
    return figure;
  }

  static double time_of(const LimitTrack& limit) { return median(limit.rounds) / limit.parts; }

  void add_limits(const CaseTrack& track, CaseResult& result) const {
    const bool streams =
        !track.plain.rounds.empty() && median(track.streaming.rounds) < median(track.plain.rounds);
    const LimitTrack* bound = nullptr;
    for (const LimitTrack* limit : {campaign_.setting.oversubscribed ? &track.switches : &track.handoff,
                                    streams ? &track.streaming : &track.plain}) {
      if (limit->rounds.empty()) continue;
      const Estimate time = drifting_median_estimate(limit->of_a_step());
      result.limits.push_back({limit->name, time});
      if (bound == nullptr || time_of(*limit) > time_of(*bound)) bound = limit;
    }
    if (bound == nullptr) return;
    result.bound = bound->name;
    const std::vector<double>& ours = track.tracks.front().rounds();
    if (!ours.empty()) result.over_bound = ratio_of(ours, bound->of_a_step());
  }

  const Campaign& campaign_;
  std::vector<CaseTrack> cases_;
  const Ticks& ticks_;
  std::vector<std::unique_ptr<Contestant>> contestants_;  // by implementation; null: failed
  LaunchOrder order_;
  int launches_ = 0;
  double next_launch_s_ = 0;
  std::unique_ptr<Limits> limits_;
  std::vector<double> handoffs_;
  std::vector<std::string> troubles_;
  Clock::time_point start_;
};

}  // namespace

CampaignResult run_campaign(const Campaign& campaign, const Ticks& ticks,
                            const std::function<void(const Case&, double)>& progress) {
  return Run(campaign, ticks).measure(progress);
}

}  // namespace foldlane::bench
