#include "api/process/deadlock.hpp"

#include <string>

#include "api/core/world.hpp"
#include "api/errors/raise.hpp"
#include "api/op/call_text.hpp"

namespace foldlane::api {
namespace {

constexpr int kExitCode = 1;

void report_deadlock(const engine::DeadlockReport& report) {
  const std::string text = engine::text_of(report, "foldlane: ");
  const bool is_end =
      report.is_certain && world.job->deadlock_watch().policy() == engine::DeadlockPolicy::abort;
  if (is_end) terminate(kExitCode, text);
  print_line(text);
}

}  // namespace

void watch_for_deadlocks() {
  world.job->deadlock_watch().set_namer(name_call);
  world.job->deadlock_watch().set_reporter(report_deadlock);
}

}  // namespace foldlane::api
