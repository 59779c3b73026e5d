#include "engine/choice/decision.hpp"

#include <gtest/gtest.h>

namespace foldlane::engine {
namespace {

using shm::Errc;
using shm::Result;

std::optional<Arm> arm_of(const Result<ForcedArms>& forced, Decision decision) {
  return forced.value()[static_cast<std::size_t>(decision)];
}

TEST(ForcedArms, OfNothingAreNone) {
  const auto forced = parse_forced_arms("");
  ASSERT_TRUE(forced.ok());
  for (const auto& arm : forced.value()) EXPECT_FALSE(arm.has_value());
}

TEST(ForcedArms, AreReadByName) {
  const auto forced = parse_forced_arms("result-stores=streaming,slot-stores=plain");
  ASSERT_TRUE(forced.ok()) << forced.error().message;
  EXPECT_EQ(arm_of(forced, Decision::slot_stores), Arm::first);
  EXPECT_EQ(arm_of(forced, Decision::result_stores), Arm::second);
}

TEST(ForcedArms, AnUnknownOneIsAnErrorThatSaysWhatIsKnown) {
  for (const char* const text :
       {"slot-stores", "slot-stores=fast", "stores=plain", "slot-stores=plain,,", "x"}) {
    const auto forced = parse_forced_arms(text);
    ASSERT_FALSE(forced.ok()) << text;
    EXPECT_EQ(forced.error().code, Errc::invalid);
    EXPECT_NE(forced.error().message.find("slot-stores=plain|streaming"), std::string::npos)
        << forced.error().message;
  }
}

}  // namespace
}  // namespace foldlane::engine
