// All copies: every small size at every offset, large ones, and nothing written outside.
#include "kernels/copy.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <numeric>
#include <vector>

#include "buffers.hpp"

namespace foldlane::kernels::testing {
namespace {

using Copy = void (*)(void*, const void*, std::size_t) noexcept;
constexpr Copy kPlain = copy;

class CopyTest : public ::testing::TestWithParam<Copy> {};
INSTANTIATE_TEST_SUITE_P(Of, CopyTest, ::testing::Values(kPlain, copy_string, copy_strip, copy_streaming),
                         [](const auto& of) {
                           if (of.param == kPlain) return "Plain";
                           if (of.param == copy_string) return "String";
                           return of.param == copy_strip ? "Strip" : "Streaming";
                         });

std::vector<unsigned char> pattern(std::size_t bytes) {
  std::vector<unsigned char> data(bytes);
  Random random(3);
  std::generate(data.begin(), data.end(), [&] { return static_cast<unsigned char>(random() >> 8); });
  return data;
}

TEST_P(CopyTest, SmallSizesAtEveryOffset) {
  constexpr std::size_t kMaxBytes = 300;
  constexpr unsigned char kCanary = 0x5a;
  const std::vector<unsigned char> data = pattern(kMaxBytes + 64);
  alignas(64) unsigned char dst[kMaxBytes + 192];
  for (std::size_t bytes = 0; bytes <= kMaxBytes; ++bytes) {
    for (std::size_t offset = 0; offset < 64; ++offset) {
      const unsigned char* from = data.data() + (offset * 7) % 64;
      unsigned char* to = dst + 64 + offset;
      std::memset(dst, kCanary, sizeof dst);
      GetParam()(to, from, bytes);
      ASSERT_EQ(std::memcmp(to, from, bytes), 0) << bytes << " bytes at offset " << offset;
      ASSERT_TRUE(std::all_of(dst, to, [](unsigned char c) { return c == kCanary; }));
      ASSERT_TRUE(std::all_of(to + bytes, dst + sizeof dst, [](unsigned char c) { return c == kCanary; }));
    }
  }
}

TEST(CopyShort, EverySizeBetweenGuardPagesAndCanaries) {
  constexpr unsigned char kCanary = 0x5a;
  const GuardedPages from(4096);
  Random random(5);
  fill_nasty(from.begin(), 4096, random);
  for (std::size_t bytes = 0; bytes <= kShortCopyBytes; ++bytes) {
    unsigned char to[kShortCopyBytes + 2];
    std::memset(to, kCanary, sizeof to);
    copy_short(to + 1, from.end() - bytes, bytes);
    ASSERT_EQ(std::memcmp(to + 1, from.end() - bytes, bytes), 0) << bytes;
    ASSERT_EQ(to[0], kCanary);
    ASSERT_EQ(to[bytes + 1], kCanary);
    copy_short(to + 1, from.begin(), bytes);
    ASSERT_EQ(std::memcmp(to + 1, from.begin(), bytes), 0) << bytes;
  }
}

TEST_P(CopyTest, EndsAtAGuardPage) {
  const GuardedPages from(8192);
  const GuardedPages to(8192);
  Random random(11);
  fill_nasty(from.begin(), 8192, random);
  for (std::size_t bytes = 0; bytes <= 8192; bytes = bytes < 300 ? bytes + 1 : bytes * 2 - 37) {
    GetParam()(to.end() - bytes, from.end() - bytes, bytes);
    ASSERT_EQ(std::memcmp(to.end() - bytes, from.end() - bytes, bytes), 0) << bytes;
    GetParam()(to.begin(), from.begin(), bytes);
    ASSERT_EQ(std::memcmp(to.begin(), from.begin(), bytes), 0) << bytes;
  }
}

TEST_P(CopyTest, LargeSizes) {
  for (std::size_t bytes : {std::size_t{4096}, std::size_t{65537}, (std::size_t{5} << 20) + 13}) {
    const std::vector<unsigned char> from = pattern(bytes);
    std::vector<unsigned char> to(bytes + 1);
    GetParam()(to.data() + 1, from.data(), bytes);
    ASSERT_EQ(std::memcmp(to.data() + 1, from.data(), bytes), 0) << bytes;
  }
}

/// Not even with a call whose arguments must not be null, which sanitizers report.
TEST_P(CopyTest, NothingFromNowhere) {
  const auto copy_nothing = [] {
    GetParam()(nullptr, nullptr, 0);
    std::_Exit(0);
  };
  EXPECT_EXIT(copy_nothing(), ::testing::ExitedWithCode(0), "");
  const unsigned char from = 1;
  unsigned char to = 2;
  GetParam()(&to, &from, 0);
  EXPECT_EQ(to, 2);
}

}  // namespace
}  // namespace foldlane::kernels::testing
