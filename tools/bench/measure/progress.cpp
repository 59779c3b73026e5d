#include "bench/measure/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace foldlane::bench {
namespace {

constexpr double kRedrawSeconds = 0.1;
constexpr int kBarWidth = 24;
constexpr int kNameWidth = 36;
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

Progress::Progress(std::ostream& out, bool is_terminal, Clock clock)
    : out_(out), terminal_(is_terminal), clock_(std::move(clock)), started_(clock_()) {}

Progress::~Progress() { end(); }

void Progress::show(const std::string& now, double done) {
  if (!terminal_ || (visible_ && clock_() - drawn_ < kRedrawSeconds)) return;
  out_ << kErase << line(now, std::clamp(done, 0.0, 1.0)) << std::flush;
  drawn_ = clock_();
  visible_ = true;
}

void Progress::end() {
  if (visible_) out_ << kErase << std::flush;
  visible_ = false;
}

std::string Progress::line(const std::string& now, double done) const {
  return fmt::format("{:<{}.{}} [{}]{}", now, kNameWidth, kNameWidth, bar_of(done),
                     time_left(clock_() - started_, done));
}

}  // namespace foldlane::bench
