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

}  // namespace
}  // namespace foldlane::engine
