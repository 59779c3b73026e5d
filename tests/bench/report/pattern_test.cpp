// What a run of a pattern is made of, and what its times are divided by.
#include "bench/report/pattern.hpp"

#include <gtest/gtest.h>

namespace foldlane::bench {
namespace {

Pattern pattern(const std::string& call, std::uint64_t bytes, int ranks = 2) {
  return pattern_of({.call = call, .bytes = bytes, .ranks = ranks});
}

TEST(Pattern, OfARoundTripIsTwoMessagesOneAfterTheOther) {
  const Pattern trip = pattern("pingpong", 64 << 20);
  EXPECT_EQ(trip.messages, 1);
  EXPECT_EQ(trip.slots, 1);
  EXPECT_EQ(trip.steps, 2);
  EXPECT_EQ(trip.handoffs, 2);
}

TEST(Pattern, OfAWindowIs64MessagesOrWhatFitsInto8MiB) {
  for (const char* call : {"stream", "bidirectional", "unexpected"}) {
    for (const auto& [bytes, messages] : std::vector<std::pair<std::uint64_t, int>>{
             {8, 64}, {128 << 10, 64}, {(128 << 10) + 8, 63}, {1 << 20, 8}, {8 << 20, 1}, {64 << 20, 1}}) {
      const Pattern window = pattern(call, bytes);
      EXPECT_EQ(window.messages, messages) << call << ' ' << bytes;
      EXPECT_EQ(window.slots, messages) << call << ' ' << bytes;
      EXPECT_EQ(window.steps, messages) << call << ' ' << bytes;
    }
  }
}

TEST(Pattern, OfAWindowHasAnAnswerUnlessTheOtherSideSendsToo) {
  EXPECT_EQ(pattern("stream", 8).handoffs, 2);
  EXPECT_EQ(pattern("unexpected", 8).handoffs, 2);
  EXPECT_EQ(pattern("bidirectional", 8).handoffs, 1);
}

TEST(Pattern, OfManySendersReceivesAllIntoWhatHasRoom) {
  const Pattern small = pattern("incast", 8, 5);
  EXPECT_EQ(small.messages, 16);
  EXPECT_EQ(small.steps, 64);
  EXPECT_EQ(small.slots, 64);
  EXPECT_EQ(pattern("incast", 1 << 20, 5).slots, 8);
  EXPECT_EQ(pattern("incast", 1 << 20, 5).messages, 16);
}

TEST(Pattern, OfACollectiveIsTheCall) {
  for (const char* call : {"allreduce", "iallreduce", "exchange"}) {
    const Pattern one = pattern(call, 8);
    EXPECT_EQ(one.messages + one.slots + one.steps + one.handoffs, 4) << call;
  }
}

TEST(Pattern, TakesABufferForABlockOfEachRank) {
  for (const char* call : {"alltoallw", "igather", "scatterv_init", "allgather"}) {
    EXPECT_EQ(buffer_bytes({.call = call, .bytes = 96, .ranks = 5}), 5u * 96) << call;
    EXPECT_EQ(pattern(call, 96, 5).slots, 1) << call;  // one run is one call all the same
  }
}

TEST(Pattern, TakesABufferForABlockOfEachNeighbour) {
  for (const char* call : {"neighbor_allgather", "ineighbor_alltoall", "neighbor_alltoall_init"})
    for (const int ranks : {1, 2, 5})
      EXPECT_EQ(buffer_bytes({.call = call, .bytes = 96, .ranks = ranks}), 2u * 96) << call << ' ' << ranks;
}

TEST(Pattern, OfEachThreadHasRoomOfItsOwn) {
  const Pattern one = pattern("stream", 1 << 20);
  const Pattern each = pattern_of({.call = "stream", .bytes = 1 << 20, .threads = 3});
  EXPECT_EQ(each.slots, 3 * one.slots);
  EXPECT_EQ(each.messages, one.messages);
  EXPECT_EQ(each.steps, one.steps);
  EXPECT_EQ(buffer_bytes({.call = "pingpong", .bytes = 96, .threads = 3}), 3u * 96);
  EXPECT_EQ(buffer_bytes({.call = "pingpong", .bytes = 96, .threads = 1}), 96u);
}

TEST(Pattern, TakesABufferForAllThatIsInFlight) {
  EXPECT_EQ(buffer_bytes({.call = "stream", .bytes = 96}), 64u * 96);
  EXPECT_EQ(buffer_bytes({.call = "pingpong", .bytes = 96}), 96u);
  EXPECT_EQ(buffer_bytes({.call = "allreduce", .bytes = 96}), 96u);
  EXPECT_EQ(buffer_bytes({.call = "incast", .bytes = 1 << 20, .ranks = 5}), 8u << 20);
}

}  // namespace
}  // namespace foldlane::bench
