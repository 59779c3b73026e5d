#include "engine/choice/block_choices.hpp"

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <optional>

namespace foldlane::engine {
namespace {

constexpr std::size_t kBytes = 64 << 10;
constexpr int kCalls = 400;

/// By member, and by whether it pulls. One after the other, so that the second one's time has the first one's
/// in it.
constexpr std::array<std::array<std::chrono::microseconds, 2>, 2> kCosts{
    {{std::chrono::microseconds(40), std::chrono::microseconds(2)},
     {std::chrono::microseconds(2), std::chrono::microseconds(200)}}};

void compute(std::chrono::microseconds time) {
  const auto end = std::chrono::steady_clock::now() + time;
  while (std::chrono::steady_clock::now() < end) continue;
}

/// Two members: the first one computes less if blocks are pulled, the other one if they go through slots.
class BlocksOfTwo : public testing::Test {
 protected:
  BlocksOfTwo() {
    for (BlockChoices& each : choices_) each.learn(true);
  }

  /// Who pulls in a call.
  std::array<bool, 2> call(bool all_give) {
    std::array<std::optional<BlockChoices::Use>, 2> uses;
    std::array<bool, 2> pulls{};
    std::array<std::uint64_t, 2> told{};
    for (std::size_t member = 0; member < 2; ++member) {
      pulls[member] = uses[member].emplace(choices_[member]).pulls(kBytes, all_give);
      told[member] = uses[member]->tell(static_cast<int>(member));
    }
    for (std::size_t member = 0; member < 2; ++member) {
      if (all_give)
        for (int giver : {0, 1}) uses[member]->hear(giver, told[static_cast<std::size_t>(giver)]);
      compute(kCosts[member][pulls[member] ? 1 : 0]);
      uses[member]->end();
      uses[member].reset();
    }
    return pulls;
  }

 private:
  Decisions decisions_;
  std::array<BlockChoices, 2> choices_{BlockChoices(decisions_, false), BlockChoices(decisions_, false)};
};

TEST_F(BlocksOfTwo, GoAsTheFirstMemberFindsQuickerWhereAllGive) {
  int pulled = 0;
  for (int number = 0; number < kCalls; ++number) {
    const auto pulls = call(true);
    EXPECT_EQ(pulls[0], pulls[1]) << number;
    pulled += pulls[1] ? 1 : 0;
  }
  EXPECT_GT(pulled, kCalls / 2);
}

}  // namespace
}  // namespace foldlane::engine
