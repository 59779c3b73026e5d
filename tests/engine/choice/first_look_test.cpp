#include "engine/choice/first_look.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <chrono>
#include <cstddef>
#include <cstring>
#include <set>

namespace foldlane::engine {
namespace {

/// What the clock itself takes.
constexpr int kClock = 3;
/// Each look at it is so many nanoseconds later.
struct SlowClock {
  using time_point = std::chrono::steady_clock::time_point;
  static inline int nanoseconds = 0;
  static time_point now() noexcept { return time_point(std::chrono::nanoseconds(nanoseconds += kClock)); }
};

constexpr std::size_t kPageBytes = 4096;

/// Between two that nobody may read.
class LonelyPage {
 public:
  LonelyPage() : pages_(::mmap(nullptr, 3 * kPageBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {
    ::mprotect(page(), kPageBytes, PROT_READ | PROT_WRITE);
    std::memset(page(), 0xFF, kPageBytes);
  }
  LonelyPage(const LonelyPage&) = delete;
  LonelyPage& operator=(const LonelyPage&) = delete;
  ~LonelyPage() { ::munmap(pages_, 3 * kPageBytes); }
  std::byte* page() const noexcept { return static_cast<std::byte*>(pages_) + kPageBytes; }

 private:
  void* pages_;
};

TEST(FirstLook, ReadsOnePageWhateverIsInIt) {
  EXPECT_EQ(time_of_lines<SlowClock>(LonelyPage().page()), 0) << "but for the clock";
}

/// The last of its lines is 57.
TEST(FirstLookDeathTest, ReadsItsLines) {
  const LonelyPage lonely;
  constexpr std::size_t kLast = 57 * 64;
  std::byte* const end = lonely.page() + kPageBytes;
  shm::read_lines_in_turn(end - kLast - 64);
  EXPECT_DEATH(shm::read_lines_in_turn(end - kLast), "");
  EXPECT_DEATH(shm::touch_page(end), "");
}

/// What hardware guesses from the lines before is not the next one.
TEST(FirstLook, ReadsLinesInNoOrder) {
  std::set<int> pairs, differences;
  int before = 0;
  for (const int line : shm::kLinesInTurn) {
    EXPECT_LT(line, 64);
    EXPECT_TRUE(pairs.insert(line / 2).second) << line;
    EXPECT_TRUE(differences.insert(line - before).second) << line;
    before = line;
  }
  EXPECT_EQ(pairs.count(0), 0U) << "which are here, as the page has been touched";
}

/// Others are disturbed.
TEST(FirstLook, TheShortestCounts) {
  constexpr double kNear = 280, kFar = 720;  // nanoseconds
  FirstLook near, far;
  EXPECT_FALSE(near.is_far());
  for (const double lines : {kFar, kNear, 10 * kFar, kFar}) near.note(lines);
  for (const double lines : {kFar, 2 * kFar, 10 * kFar, kFar}) far.note(lines);
  EXPECT_TRUE(near.is_over());
  EXPECT_FALSE(near.is_far());
  EXPECT_TRUE(far.is_far());
  far.note(kNear);
  EXPECT_TRUE(far.is_far()) << "it is over";
}

}  // namespace
}  // namespace foldlane::engine
