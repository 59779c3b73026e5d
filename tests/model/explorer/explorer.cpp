#include "explorer.hpp"

#include <malloc.h>

#include <chrono>
#include <vector>

#include "execution.hpp"

namespace foldlane::model {
namespace {

/// A fold of four ranks needs a few KiB; sanitizers multiply that.
constexpr std::size_t kStackBytes = 256 << 10;

/// Stacks and places are allocated again for every short model. By itself malloc gives so much back to the
/// system each time, and getting it anew takes longer than exploring.
void keep_freed_memory() {
  mallopt(M_MMAP_THRESHOLD, 16 << 20);
  mallopt(M_TRIM_THRESHOLD, 64 << 20);
}

}  // namespace

Verdict explore(const std::function<std::unique_ptr<Program>()>& make, const Settings& settings) {
  const auto start = std::chrono::steady_clock::now();
  keep_freed_memory();
  Fiber home;
  std::vector<std::unique_ptr<Fiber>> fibers;
  Choices choices;
  Verdict verdict;
  do {
    const std::unique_ptr<Program> program = make();
    while (fibers.size() < program->threads()) fibers.push_back(std::make_unique<Fiber>(kStackBytes));
    Execution execution(*program, settings, choices, fibers, home);
    execution.run();
    ++(execution.cut() ? verdict.cut : verdict.executions);
    verdict.died = verdict.died || execution.died();
    verdict.problem = execution.problem();
    if (verdict.executions + verdict.cut > settings.most_executions) {
      verdict.problem = "the search did not end within its limit";
    }
  } while (verdict.passed() && choices.advance());
  verdict.choices = choices.points();
  verdict.milliseconds =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  return verdict;
}

}  // namespace foldlane::model
