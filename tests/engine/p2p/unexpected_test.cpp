#include "engine/p2p/unexpected.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cstring>
#include <set>
#include <vector>

namespace foldlane::engine {
namespace {

constexpr std::size_t kWindow = 64;

std::vector<Unexpected*> take(UnexpectedPool& pool, std::size_t messages, std::size_t bytes) {
  std::vector<Unexpected*> places;
  for (std::size_t i = 0; i < messages; ++i) {
    places.push_back(pool.take(bytes));
    if (places.back()->room > 0) std::memset(places.back()->long_payload.get(), 1, bytes);
  }
  return places;
}
void give_back(UnexpectedPool& pool, const std::vector<Unexpected*>& places) {
  for (Unexpected* const place : places) pool.give_back(place);
}

TEST(UnexpectedPool, HasRoomForWhatLiesInBlocks) {
  UnexpectedPool pool;
  for (std::size_t bytes = 0; bytes <= UnexpectedPool::kMostBytes; ++bytes) {
    Unexpected* const place = pool.take(bytes);
    if (bytes <= sizeof place->payload) {
      ASSERT_EQ(place->room, 0U);
      ASSERT_EQ(place->data(), place->payload);
    } else {
      ASSERT_GE(place->room, bytes);
      ASSERT_LE(place->room, std::max<std::size_t>(256, 2 * bytes));
      ASSERT_EQ(place->data(), place->long_payload.get());
    }
    pool.give_back(place);
  }
}

TEST(UnexpectedPool, WhatIsTakenIsNobodyElses) {
  UnexpectedPool pool;
  give_back(pool, take(pool, kWindow, 1000));
  const std::vector<Unexpected*> places = take(pool, 2 * kWindow, 1000);
  EXPECT_EQ(std::set(places.begin(), places.end()).size(), places.size());
  give_back(pool, places);
}

/// Pages that went back to the system would come again with each window.
TEST(UnexpectedPool, WindowsUseTheSamePagesAgain) {
  const auto faults = [] {
    rusage usage{};
    getrusage(RUSAGE_THREAD, &usage);
    return usage.ru_minflt;
  };
  UnexpectedPool pool;
  give_back(pool, take(pool, kWindow, UnexpectedPool::kMostBytes));
  const long before = faults();
  for (int window = 0; window < 100; ++window) {
    give_back(pool, take(pool, kWindow, UnexpectedPool::kMostBytes));
    give_back(pool, take(pool, kWindow, 0));
  }
  EXPECT_LT(faults() - before, 2000);  // 12,800 if none stayed
}

/// What a flood has taken goes back.
TEST(UnexpectedPool, KeepsAWindowAndNoMore) {
  UnexpectedPool pool;
  const std::vector<Unexpected*> places = take(pool, 10'000, 1000);
  give_back(pool, places);
  EXPECT_LE(pool.free_bytes(), std::size_t{2} << 20);
}

}  // namespace
}  // namespace foldlane::engine
