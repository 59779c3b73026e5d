// Container limits, read from small trees: what shm/machine/cgroup.hpp says and `foldlane bench` prints.
#include "shm/machine/cgroup.hpp"

#include <gtest/gtest.h>

#include "support/fake_tree.hpp"

namespace foldlane::bench {
namespace {

TEST(Cgroup, NoCgroupsMeanNoLimits) {
  const FakeTree tree;
  EXPECT_EQ(shm::cgroup_cpu_quota(tree.root()), 0);
  EXPECT_EQ(shm::cgroup_memory_limit(tree.root()), 0);
}

TEST(Cgroup, SecondVersionTakesTheTightestUpToTheRoot) {
  const FakeTree tree;
  tree.write("proc/self/cgroup", "0::/pod/box\n");
  tree.write("sys/fs/cgroup/pod/box/cpu.max", "300000 100000\n");
  tree.write("sys/fs/cgroup/pod/cpu.max", "150000 100000\n");
  tree.write("sys/fs/cgroup/cpu.max", "max 100000\n");
  tree.write("sys/fs/cgroup/pod/box/memory.max", "max\n");
  tree.write("sys/fs/cgroup/pod/memory.max", "1073741824\n");
  EXPECT_DOUBLE_EQ(shm::cgroup_cpu_quota(tree.root()), 1.5);
  EXPECT_EQ(shm::cgroup_memory_limit(tree.root()), 1073741824U);
}

TEST(Cgroup, FirstVersionHasAHierarchyPerController) {
  const FakeTree tree;
  tree.write("proc/self/cgroup", "4:memory:/box\n1:cpu,cpuacct:/\n0::/\n");
  tree.write("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "50000\n");
  tree.write("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
  tree.write("sys/fs/cgroup/memory/box/memory.limit_in_bytes", "2147483648\n");
  tree.write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  EXPECT_DOUBLE_EQ(shm::cgroup_cpu_quota(tree.root()), 0.5);
  EXPECT_EQ(shm::cgroup_memory_limit(tree.root()), 2147483648U);
}

TEST(Cgroup, FirstVersionWithoutQuotaSaysMinusOne) {
  const FakeTree tree;
  tree.write("proc/self/cgroup", "4:memory:/\n1:cpu:/\n");
  tree.write("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n");
  tree.write("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
  tree.write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  EXPECT_EQ(shm::cgroup_cpu_quota(tree.root()), 0);
  EXPECT_EQ(shm::cgroup_memory_limit(tree.root()), 0);
}

}  // namespace
}  // namespace foldlane::bench
