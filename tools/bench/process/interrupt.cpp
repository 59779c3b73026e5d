#include "bench/process/interrupt.hpp"

#include <signal.h>

#include <array>

namespace foldlane::bench {
namespace {

constexpr std::array kSignals{SIGINT, SIGTERM, SIGHUP};
volatile sig_atomic_t noted_signal = 0;
std::array<struct sigaction, kSignals.size()> previous_actions;

}  // namespace

InterruptWatch::InterruptWatch() {
  struct sigaction action {};
  action.sa_handler = [](int signal) { noted_signal = signal; };  // without SA_RESTART: waits must end
  for (std::size_t i = 0; i < kSignals.size(); ++i) ::sigaction(kSignals[i], &action, &previous_actions[i]);
}

InterruptWatch::~InterruptWatch() {
  for (std::size_t i = 0; i < kSignals.size(); ++i) ::sigaction(kSignals[i], &previous_actions[i], nullptr);
}

void throw_if_interrupted() {
  if (noted_signal != 0) throw Interrupted{noted_signal};
}

}  // namespace foldlane::bench
