#include <gtest/gtest.h>
#include <sched.h>

#include "shm/machine/topology.hpp"

namespace foldlane::shm {
namespace {

TEST(UsableCpus, FollowTheAffinityMask) {
  cpu_set_t before;
  ASSERT_EQ(sched_getaffinity(0, sizeof(before), &before), 0);
  EXPECT_EQ(usable_cpus().affinity, CPU_COUNT(&before));
  EXPECT_GE(usable_cpus().usable, 1);
  EXPECT_LE(usable_cpus().usable, CPU_COUNT(&before));

  std::size_t first = 0;
  while (!CPU_ISSET(first, &before)) ++first;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(first, &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof(one), &one), 0);
  EXPECT_EQ(usable_cpus().usable, 1);
  const auto restricted = discover_topology();
  ASSERT_EQ(sched_setaffinity(0, sizeof(before), &before), 0);
  ASSERT_TRUE(restricted.ok());
  ASSERT_EQ(restricted.value().pus.size(), 1u);
  EXPECT_EQ(restricted.value().pus[0].os_index, static_cast<int>(first));
}

}  // namespace
}  // namespace foldlane::shm
