#include "engine/p2p/block_pool.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace foldlane::engine {
namespace {

constexpr std::size_t kBlockBytes = 1 << 10;
constexpr std::size_t kBlocks = 4;

class BlockPoolTest : public ::testing::Test {
 protected:
  /// All that is fetched while nothing else happens: its first byte, and how many, without gaps.
  std::span<std::byte> fetch_all() {
    const std::span first = pool_.fetch_ahead();
    std::size_t bytes = first.size();
    for (std::span next = pool_.fetch_ahead(); !next.empty(); next = pool_.fetch_ahead()) {
      EXPECT_EQ(next.data(), first.data() + bytes);
      bytes += next.size();
    }
    return {first.data(), bytes};
  }

  std::vector<std::byte> memory_{kBlocks * kBlockBytes};
  const BlockPool::Source source_ = [this](std::size_t) { return memory_.data(); };
  BlockPool pool_{source_, kBlockBytes, kBlocks* kBlockBytes, kBlocks* kBlockBytes};
};

TEST_F(BlockPoolTest, FetchesOnceWhatIsTakenNext) {
  EXPECT_TRUE(fetch_all().empty());
  pool_.take(1000);
  const std::span fetched = fetch_all();
  EXPECT_EQ(fetched.size(), 1000U);
  EXPECT_TRUE(fetch_all().empty());
  EXPECT_EQ(pool_.take(100), fetched.data());
  EXPECT_EQ(fetch_all().size(), 100U);
}

TEST_F(BlockPoolTest, FetchesFromWhereTheLastOneWasWritten) {
  pool_.take(100, 40);
  const std::span fetched = fetch_all();
  EXPECT_EQ(fetched.size(), 100U);
  EXPECT_EQ(pool_.take() + 40, fetched.data());
}

TEST_F(BlockPoolTest, FetchesOneThatHasComeBack) {
  pool_.take(1000);
  std::byte* const block = pool_.take(1000);
  fetch_all();
  pool_.give_back(block);
  EXPECT_EQ(fetch_all().data(), block);
  EXPECT_EQ(pool_.take(1000), block);
}

TEST_F(BlockPoolTest, FetchesNothingIfNoneIsFreeOrNothingExpected) {
  for (std::size_t i = 0; i < kBlocks; ++i) EXPECT_NE(pool_.take(1000), nullptr);
  EXPECT_TRUE(fetch_all().empty());
  EXPECT_EQ(pool_.take(1000), nullptr);
  pool_.give_back(memory_.data());
  pool_.take();
  pool_.give_back(memory_.data());
  EXPECT_TRUE(fetch_all().empty());
}

}  // namespace
}  // namespace foldlane::engine
