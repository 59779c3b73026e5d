// The records of calls, as peers may find them half written.
#include "engine/team/roll_call.hpp"

#include <gtest/gtest.h>

namespace foldlane::engine {
namespace {

using Lines = RollCall<shm::RealAtoms>::Lines;

TEST(RollCall, AHalfWrittenRecordIsNoLaterCall) {
  RollCall<shm::RealAtoms> own(0);
  own.begin({.call = Call::barrier});
  for (std::uint64_t what = 1; what < 1000; ++what) {
    Lines theirs{};
    theirs.calls.records[what % Lines::kRecords].what.publish(what);
    EXPECT_FALSE(own.is_left_behind_by(theirs)) << what;
    theirs.calls.records[what % Lines::kRecords].count.publish(what);
    EXPECT_FALSE(own.is_left_behind_by(theirs)) << what;
  }
}

TEST(RollCall, AWholeRecordOfALaterCallIs) {
  RollCall<shm::RealAtoms> own(0), ahead(0);
  own.begin({.call = Call::barrier});
  ahead.begin({.call = Call::barrier});
  ahead.begin({.call = Call::allreduce, .count = 7});
  Lines theirs{};
  ahead.record(theirs);
  EXPECT_TRUE(own.is_left_behind_by(theirs));
}

/// Who waits for the record of a signature reads the calls in it next.
TEST(RollCall, ARecordWithoutItsSealIsNotThereYet) {
  for (std::uint64_t calls = 1; calls < 1000; ++calls) {
    RollCall<shm::RealAtoms> own(0), odd(0);
    std::uint64_t signature = 0;
    for (std::uint64_t call = 0; call < calls; ++call) {
      own.begin({.call = Call::barrier});
      signature = odd.begin({.call = Call::allreduce, .count = call});
    }
    Lines whole{}, half{};
    odd.record(whole);
    const auto& from = whole.calls.records[calls % Lines::kRecords];
    auto& to = half.calls.records[calls % Lines::kRecords];
    to.what.publish(from.what.observe());
    to.count.publish(from.count.observe());
    to.chain.publish(from.chain.observe());
    EXPECT_FALSE(own.has_recorded(half, signature)) << calls;
    to.seal.publish(from.seal.observe());
    EXPECT_TRUE(own.has_recorded(half, signature)) << calls;
  }
}

}  // namespace
}  // namespace foldlane::engine
