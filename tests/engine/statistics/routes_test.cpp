#include "engine/statistics/routes.hpp"

#include <gtest/gtest.h>

namespace foldlane::engine {
namespace {

constexpr std::size_t kSlot = 256 << 10;

Route route(Call call, std::uint64_t bytes, const TeamShape& team, bool is_predefined = true) {
  return route_of(plan(call, bytes, team), is_predefined);
}

TEST(Routes, AreThoseOfThePlan) {
  const TeamShape four{.ranks = 4, .slot_bytes = kSlot, .llc_bytes = 0};
  EXPECT_EQ(route(Call::allreduce, 8, four), Route::inline_line);
  EXPECT_EQ(route(Call::allreduce, 1024, four), Route::one_shot);
  EXPECT_EQ(route(Call::allreduce, 64 << 10, four), Route::two_shot);
  EXPECT_EQ(route(Call::allreduce, 16 << 20, four), Route::pipelined);
  EXPECT_EQ(route(Call::allreduce, 0, four), Route::alone);
  EXPECT_EQ(route(Call::allreduce, 1024, {.ranks = 2, .slot_bytes = kSlot, .llc_bytes = 0}), Route::boxes);
}

TEST(Routes, NobodyFoldsForOthersWithTheirOwnOperations) {
  const TeamShape crowd{.ranks = 4, .slot_bytes = kSlot, .llc_bytes = 0, .shared_cpus = 2};
  EXPECT_EQ(route(Call::allreduce, 8, crowd), Route::central);
  EXPECT_EQ(route(Call::allreduce, 8, crowd, false), Route::inline_line);
}

TEST(Routes, HaveNames) {
  for (std::size_t number = 0; number < kRoutes; ++number)
    EXPECT_FALSE(name(static_cast<Route>(number)).empty()) << number;
}

}  // namespace
}  // namespace foldlane::engine
