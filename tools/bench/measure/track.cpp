#include "bench/measure/track.hpp"

#include <algorithm>
#include <utility>

#include "bench/measure/overlap.hpp"
#include "bench/measure/window.hpp"
#include "bench/report/pattern.hpp"
#include "bench/report/statistics.hpp"

namespace foldlane::bench {

void Track::prepare(Contestant& contestant, const Case& what, const Effort& effort) {
  constexpr int kTrialCalls = 3;
  constexpr double kSynchronisationUs = 3;  // between two stamped calls
  lacks_call_ = !contestant.has_call();
  if (lacks_call_) return;
  if (effort.verified) check_ = contestant.verify(what);
  const Slice trial = contestant.run(1, kTrialCalls, what.timing);
  call_us_ = pattern_of(what).steps * longest_us(what, median(trial.times));
  const double between_us = is_of_calls(what.timing) ? kSynchronisationUs : 0;
  const double calls = effort.slice_us / (call_us_ + between_us);
  calls_ = static_cast<int>(std::clamp(calls, 2.0, Window::kMaxCalls / 2.0));
}

/// The first calls of a launch find what others do not: new pages, a way that is tried. OSU's benchmarks
/// leave out as many of large messages. Of calls that take long fewer.
void Track::warm_up(Contestant& contestant, const Case& what) const {
  constexpr double kCalls = 20;
  constexpr double kMostUs = 20'000;
  const int calls = static_cast<int>(std::min(kCalls, kMostUs / call_us_));
  if (calls > 0) contestant.run(calls - 1, 1, what.timing);
}

Slice Track::slice(Contestant& contestant, const Case& what) {
  // What the buffers hold has left the caches while others had their turn: of 4 MiB per block the first two
  // calls take up to twice as long as the third.
  const int warm_ups = std::clamp(calls_ / 8, 3, 50);
  if (what.beside == Beside::nothing) return contestant.run(warm_ups, calls_, what.timing);
  Overlapped round = run_overlapped(contestant, what, warm_ups, calls_);
  alone_.push_back(round.alone);
  computing_.push_back(round.computing);
  hidden_.push_back(hidden_percent(round.alone, round.computing, median(round.both.times)));
  return std::move(round.both);
}

void Track::take_turn(Contestant& contestant, const Case& what, int launch) {
  if (std::exchange(warm_launch_, launch) != launch) warm_up(contestant, what);
  const Slice taken = slice(contestant, what);
  rounds_.push_back(median(taken.times));
  samples_.insert(samples_.end(), taken.times.begin(), taken.times.end());
  skews_.push_back(taken.skew);
  cpu_.push_back(taken.cpu);
}

Figure Track::figure(Timing timing) const {
  Figure figure;
  figure.time = drifting_median_estimate(rounds_);
  figure.p99 = quantile(samples_, 0.99);
  figure.skew = median(skews_);
  figure.samples = samples_.size();
  figure.outliers = count_outliers(samples_);
  // A stamped call's ranks also burn time until they start together.
  if (!is_of_calls(timing)) figure.cpu = median(cpu_);
  if (!hidden_.empty())
    figure.overlap = Overlap{drifting_median_estimate(hidden_), median(alone_), median(computing_)};
  figure.check = check_;
  return figure;
}

}  // namespace foldlane::bench
