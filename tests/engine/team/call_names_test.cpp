// The list of names knows every call, and tells apart what the engine does.
#include "engine/team/call_names.hpp"

#include <gtest/gtest.h>

#include <set>

namespace foldlane::engine {
namespace {

TEST(CallNames, AreThereForEveryCallAndDiffer) {
  std::set<std::string_view> names;
  for (int call = 0; call <= static_cast<int>(Call::finalize); ++call)
    names.insert(name_of(static_cast<Call>(call)));
  EXPECT_FALSE(names.contains(kUnknownCall));
  EXPECT_EQ(names.size(), static_cast<std::size_t>(Call::finalize) + 1);
  EXPECT_EQ(name_of(static_cast<Call>(255)), kUnknownCall);
}

TEST(CallNames, TellVariantsApart) {
  EXPECT_EQ(name_of(Call::reduce_scatter), "reduce_scatter");
  EXPECT_EQ(name_of(Call::reduce_scatter, kEqualBlocks), "reduce_scatter_block");
  EXPECT_EQ(name_of(Call::bcast, kBetween), "bcast");
  EXPECT_EQ(name_of(CallInfo{.call = Call::duplicate, .variant = kWithMembers}), "comm_dup");
}

}  // namespace
}  // namespace foldlane::engine
