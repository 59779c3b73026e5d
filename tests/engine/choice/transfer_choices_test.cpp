#include "engine/choice/transfer_choices.hpp"

#include <gtest/gtest.h>

#include <deque>

namespace foldlane::engine {
namespace {

constexpr std::size_t kBytes = 64 << 10;
constexpr double kFast = 1e9, kSlow = 4e9;  // beside these what the test itself takes is nothing

/// Messages of which so many are filled before one is received. Returns how many of the last 1000 were
/// dirtied.
int dirtied(std::size_t filled_ahead, double clean_ns, double dirty_ns) {
  Decisions decisions;
  TransferChoices choices(decisions);
  std::deque<HandedBack> boxes(filled_ahead, HandedBack::unsaid);
  int dirtied = 0;
  for (int message = 0; message < 10'000; ++message) {
    TransferChoices::Use use;
    choices.begin_boxes(use, kBytes, false);
    const HandedBack state = boxes.front();
    boxes.pop_front();
    if (state != HandedBack::unsaid) use.filled = {state, state == HandedBack::clean ? clean_ns : dirty_ns};
    boxes.push_back(use.hands_back);
    dirtied += message >= 9'000 && use.dirties ? 1 : 0;
    choices.end(use);
  }
  return dirtied;
}

TEST(BoxesOfMessages, AreDirtiedWhereThatMakesFillingThemCheaper) {
  for (const std::size_t filled_ahead : {1U, 16U, 100U})
    EXPECT_GT(dirtied(filled_ahead, kSlow, kFast), 500) << filled_ahead;
}

TEST(BoxesOfMessages, StayCleanWhereThatIsCheaper) {
  for (const std::size_t filled_ahead : {1U, 16U, 100U})
    EXPECT_LT(dirtied(filled_ahead, kFast, kSlow), 500) << filled_ahead;
}

/// Other messages may take all boxes that come back.
TEST(BoxesOfMessages, ATrialEndsThoughNoneComesBack) {
  Decisions decisions;
  TransferChoices choices(decisions);
  int in_trials = 0;
  for (int message = 0; message < 20'000; ++message) {
    TransferChoices::Use use;
    choices.begin_boxes(use, kBytes, false);
    in_trials += use.hands_back != HandedBack::unsaid ? 1 : 0;
    choices.end(use);
  }
  EXPECT_GT(in_trials, 0);
  EXPECT_LT(in_trials, 10'000);
}

}  // namespace
}  // namespace foldlane::engine
