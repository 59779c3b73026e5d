#include "bench/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace foldlane::bench {
namespace {

constexpr double kRedrawSeconds = 0.1;
constexpr int kBarWidth = 24;
constexpr int kNameWidth = 28;
// Earlier a guess would be made from next to nothing.
constexpr double kGuessFrom = 0.02;
constexpr const char* kErase = "\r\x1b[K";

std::string bar_of(double done) {
  const auto full = static_cast<std::size_t>(std::lround(done * kBarWidth));
  return std::string(full, '#') + std::string(kBarWidth - full, '.');
}

std::string time_left(double elapsed, double done) {
  if (done < kGuessFrom) return "";
  const long seconds = std::lround(elapsed * (1 - done) / done);
  return fmt::format("  {}:{:02} left", seconds / 60, seconds % 60);
}

}  // namespace

double Progress::steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

Progress::Progress(int total_cases, std::ostream& out, bool is_terminal, bool verbose, Clock clock)
    : total_(std::max(1, total_cases)),
      out_(out),
      terminal_(is_terminal),
      verbose_(verbose),
      clock_(std::move(clock)),
      started_(clock_()) {}

Progress::~Progress() { end(); }

void Progress::begin(const std::string& case_name) {
  ++case_;
  name_ = case_name;
  if (terminal_) {
    draw(0);
  } else if (verbose_) {
    out_ << fmt::format("{}/{} {}\n", case_, total_, name_) << std::flush;
  }
}

void Progress::update(double fraction) {
  if (terminal_ && clock_() - drawn_ >= kRedrawSeconds) draw(fraction);
}

void Progress::end() {
  if (visible_) out_ << kErase << std::flush;
  visible_ = false;
}

void Progress::draw(double fraction) {
  out_ << kErase << line(fraction) << std::flush;
  drawn_ = clock_();
  visible_ = true;
}

std::string Progress::line(double fraction) const {
  const double cases = std::max(0, case_ - 1) + std::clamp(fraction, 0.0, 1.0);
  const double done = std::min(1.0, cases / total_);
  return fmt::format("{}/{} {:<{}.{}} [{}]{}", case_, total_, name_, kNameWidth, kNameWidth, bar_of(done),
                     time_left(clock_() - started_, done));
}

}  // namespace foldlane::bench
