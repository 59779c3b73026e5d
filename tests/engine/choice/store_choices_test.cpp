#include "engine/choice/store_choices.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <set>

#include "support/test_clock.hpp"

namespace foldlane::engine {
namespace {

constexpr std::size_t kPiece = 32 << 10;

/// Results that a program gives: `window` buffers in turn, or ever other ones (0).
class Program {
 public:
  explicit Program(int window) : window_(window) {}
  const std::byte* next_result() {
    const int at = window_ > 0 ? next_++ % window_ : next_++;
    return reinterpret_cast<const std::byte*>((1ULL << 40) + static_cast<std::uint64_t>(at) * kPiece);
  }

 private:
  int window_;
  int next_ = 0;
};

/// What stores cost: plain ones less where a cache has the result, and then it has it.
class Machine {
 public:
  double store(const std::byte* result, Arm arm) {
    if (is_streaming(arm)) {
      cached_.erase(result);
      return 2'500;
    }
    const bool was_cached = has_cache_ && !cached_.insert(result).second;
    return was_cached ? 1'000 : 4'000;
  }
  void set_cache(bool there) { has_cache_ = there; }

 private:
  std::set<const std::byte*> cached_;
  bool has_cache_ = true;
};

struct Clock {
  using time_point = std::chrono::time_point<Clock, std::chrono::nanoseconds>;
  static inline std::int64_t nanoseconds = 0;
  static time_point now() { return time_point(std::chrono::nanoseconds(nanoseconds)); }
};

class ResultStores : public ::testing::Test {
 protected:
  /// Returns which part of them was streamed.
  double pieces_of_messages(Program& program, int pieces) {
    int streamed = 0;
    for (int i = 0; i < pieces; ++i) {
      const std::byte* const result = program.next_result();
      messages_.perform(result, kPiece, [&](kernels::CopyBy by) {
        const Arm arm = streaming_if(by == kernels::CopyBy::streaming);
        streamed += is_streaming(arm) ? 1 : 0;
        Clock::nanoseconds += static_cast<std::int64_t>(machine.store(result, arm));
      });
    }
    return static_cast<double>(streamed) / pieces;
  }
  double results_of_calls(Program& program, int calls) {
    int streamed = 0;
    for (int i = 0; i < calls; ++i) {
      const std::byte* const result = program.next_result();
      Chooser& chooser = calls_.of(kPiece, result);
      const Chooser::Choice choice = chooser.next();
      streamed += is_streaming(choice.arm) ? 1 : 0;
      const double took = machine.store(result, choice.arm);
      if (choice.timed) chooser.report(kPiece, took);
    }
    return static_cast<double>(streamed) / calls;
  }

  Machine machine;

 private:
  Decisions decisions_;
  StoreChoices calls_{decisions_};
  MessageStores<shm::RealAtoms, Clock> messages_{decisions_};
};

TEST_F(ResultStores, OfBuffersThatAreUsedAgainStayInTheCache) {
  for (const int window : {1, 4, 64, 256}) {
    Program program(window);
    EXPECT_LT(pieces_of_messages(program, 20'000), 0.03) << window;
  }
  Program program(1);
  EXPECT_LT(results_of_calls(program, 20'000), 0.03);
}

TEST_F(ResultStores, OfAProgramThatWalksThroughMemoryAreStreamed) {
  Program program(0);
  EXPECT_GT(pieces_of_messages(program, 20'000), 0.95);
  EXPECT_GT(results_of_calls(program, 20'000), 0.95);
}

/// Too soon after each other for one choice to follow.
TEST_F(ResultStores, OfBothInTurnsAreStoredAsEachWants) {
  Program again(1), walk(0);
  double messages_again = 0, messages_walk = 0, calls_again = 0, calls_walk = 0;
  constexpr int kTurns = 100, kInATurn = 300;
  for (int turn = 0; turn < kTurns; ++turn) {
    messages_again += pieces_of_messages(again, kInATurn) / kTurns;
    messages_walk += pieces_of_messages(walk, kInATurn) / kTurns;
    calls_again += results_of_calls(again, kInATurn) / kTurns;
    calls_walk += results_of_calls(walk, kInATurn) / kTurns;
  }
  EXPECT_LT(messages_again, 0.05);
  EXPECT_GT(messages_walk, 0.9);
  EXPECT_LT(calls_again, 0.05);
  EXPECT_GT(calls_walk, 0.9);
}

/// Once all is streamed, a plain store finds nothing in the cache, whatever would be there after some more.
TEST_F(ResultStores, OfMessagesComeBackToTheCache) {
  Program program(64);
  machine.set_cache(false);
  EXPECT_GT(pieces_of_messages(program, 20'000), 0.8);
  machine.set_cache(true);
  pieces_of_messages(program, 20'000);
  EXPECT_LT(pieces_of_messages(program, 20'000), 0.05);
}

TEST_F(ResultStores, AreRecentForEightMebibytes) {
  RecentResults results;
  Program window(200);
  for (int i = 0; i < 400; ++i) {
    const std::byte* const result = window.next_result();
    EXPECT_EQ(results.find(result).has_value(), i >= 200) << i;
    results.note(result, kPiece, Arm::second);
  }
  const std::byte* const last = window.next_result();
  EXPECT_EQ(results.find(last), Arm::second);
  results.note(last, (8 << 20) + 64);
  EXPECT_EQ(results.find(last), std::nullopt);
}

constexpr std::size_t kFromBytes = row_of(Decision::long_copies).from_bytes;

/// Copies of a machine on which a string takes so much of the time of vectors.
class Copies {
 public:
  explicit Copies(double string_share, std::size_t from_bytes = kFromBytes, bool has_string_copy = true)
      : string_share_(string_share), copies_(decisions_, from_bytes, has_string_copy) {}

  /// How many of these pieces go by the string instruction.
  int strings(int pieces, std::size_t whole, std::size_t bytes) {
    int strings = 0;
    for (int i = 0; i < pieces; ++i) {
      copies_.perform(whole, bytes, [&](kernels::CopyBy by) {
        strings += by == kernels::CopyBy::string;
        Clock::nanoseconds += by == kernels::CopyBy::string ? static_cast<int>(1'000 * string_share_) : 1'000;
      });
    }
    return strings;
  }
  std::uint64_t trials() const {
    const auto& kept = decisions_.of(Decision::long_copies).kept;
    return kept[0].peek() + kept[1].peek();
  }

 private:
  using Clock = foldlane::testing::TestClock;

  double string_share_;
  Decisions decisions_;
  LongCopies<shm::RealAtoms, Clock> copies_;
};

constexpr std::size_t kWhole = 64 << 10;

TEST(LongCopies, AreByTheStringInstructionWhereThatIsFaster) {
  Copies copies(0.7);
  copies.strings(200, kWhole, kPiece);
  EXPECT_GT(copies.strings(10'000, kWhole, kPiece), 10'000 - 200);
}

TEST(LongCopies, AreByVectorsWhereThoseAreFaster) {
  Copies copies(1.4);
  copies.strings(200, kWhole, kPiece);
  EXPECT_LT(copies.strings(10'000, kWhole, kPiece), 200);
  EXPECT_GT(copies.trials(), 1U);
}

TEST(LongCopies, BeginAsThoseOfTheNearestSize) {
  Copies copies(0.7);
  copies.strings(200, kWhole, kPiece);
  EXPECT_EQ(copies.strings(50, 4 * kWhole, kPiece), 50);
}

TEST(LongCopies, AreNotTimedForShortPiecesAndWithoutTheInstruction) {
  Copies copies(0.7), longer(0.7, 2 * kPiece), without(0.7, kFromBytes, false);
  EXPECT_EQ(copies.strings(10'000, kWhole, kFromBytes - 1), 0);
  EXPECT_EQ(longer.strings(10'000, kWhole, kPiece), 0);
  EXPECT_EQ(without.strings(10'000, kWhole, kPiece), 0);
  EXPECT_EQ(copies.trials() + longer.trials() + without.trials(), 0U);
}

}  // namespace
}  // namespace foldlane::engine
