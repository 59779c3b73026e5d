#include "engine/statistics/comparison.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

namespace foldlane::engine {
namespace {

const CallKind kAllreduce = kind_of({.call = Call::allreduce}, Form::blocking);

/// The records of a team, without its ranks.
class Comparisons : public testing::Test {
 protected:
  void enter(std::size_t member, std::uint64_t now) {
    CommunicatorRecord& record = records_[member];
    const std::uint64_t call = record.calls.peek();
    record.arrivals[call % kArrivals].left.publish(0);
    record.arrivals[call % kArrivals].entered.publish(now);
    record.calls.publish(call + 1);
  }
  void leave(std::size_t member, std::uint64_t call, std::uint64_t now) {
    Arrival& arrival = records_[member].arrivals[call % kArrivals];
    arrival.what = packed(kAllreduce, {Needs::everybody});
    arrival.waits_from.publish(arrival.entered.peek());
    arrival.left.publish(now);
  }
  /// Member 1 comes 5 ticks after member 0.
  void call(std::uint64_t number) {
    const std::uint64_t now = 100 * (number + 1);
    enter(0, now);
    enter(1, now + 5);
    leave(0, number, now + 9);
    leave(1, number, now + 9);
  }
  const CallTotals& compare(std::size_t member, std::uint64_t end) {
    Comparison(records_[member], {&records_[0], &records_[1]}).advance(end);
    return records_[member].totals[kAllreduce.number];
  }

  std::unique_ptr<CommunicatorRecord[]> records_ = std::make_unique<CommunicatorRecord[]>(2);

  void SetUp() override { records_[1].member = 1; }
};

TEST_F(Comparisons, AddUpWhoWaitedForWhom) {
  for (std::uint64_t number = 0; number < 10; ++number) call(number);
  const CallTotals& early = compare(0, 10);
  EXPECT_EQ(early.compared, 10u);
  EXPECT_EQ(early.waited, 50u);
  EXPECT_EQ(early.times_late, 0u);
  const CallTotals& late = compare(1, 10);
  EXPECT_EQ(late.waited, 0u);
  EXPECT_EQ(late.times_late, 10u);
  EXPECT_EQ(late.kept_waiting, 50u);
}

TEST_F(Comparisons, TakeEachCallOnce) {
  for (std::uint64_t number = 0; number < 10; ++number) call(number);
  compare(0, 4);
  compare(0, 3);
  EXPECT_EQ(compare(0, 10).compared, 10u);
}

TEST_F(Comparisons, LeaveOutWhatAMemberHasNotLeft) {
  call(0);
  enter(0, 200);
  enter(1, 205);
  leave(0, 1, 209);
  EXPECT_EQ(compare(0, 2).compared, 1u);
}

TEST_F(Comparisons, LeaveOutWhatAMemberHasNotEntered) {
  call(0);
  enter(0, 200);
  leave(0, 1, 209);
  EXPECT_EQ(compare(0, 2).compared, 1u);
}

/// The place of call 0 may be written to once call kArrivals - 1 has begun.
TEST_F(Comparisons, LeaveOutWhatIsOverwritten) {
  for (std::uint64_t number = 0; number < kArrivals - 1; ++number) call(number);
  EXPECT_EQ(compare(0, 1).compared, 1u);
  call(kArrivals - 1);
  EXPECT_EQ(compare(1, 1).compared, 0u);
  EXPECT_EQ(compare(1, kArrivals).compared, kArrivals - 1);
}

TEST(CallKinds, TellCallsAndTheirFormsApart) {
  const CallKind kind =
      kind_of({.call = Call::reduce_scatter, .blocks = BlockCounts::equal(3)}, Form::persistent);
  EXPECT_EQ(kind.call().name, "reduce_scatter_block");
  EXPECT_EQ(kind.form(), Form::persistent);
  const int counts[] = {1, 2};
  EXPECT_EQ(kind_of({.call = Call::reduce_scatter, .blocks = counts}, Form::blocking).call().name,
            "reduce_scatter");
  EXPECT_EQ(kKinds, 66u);
}

}  // namespace
}  // namespace foldlane::engine
