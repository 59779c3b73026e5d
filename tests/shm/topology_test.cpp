#include "shm/machine/topology.hpp"

#include <gtest/gtest.h>

namespace foldlane::shm {
namespace {

TEST(Topology, OfThisMachineIsUsable) {
  const auto topology = discover_topology();
  ASSERT_TRUE(topology.ok());
  EXPECT_EQ(static_cast<int>(topology.value().pus.size()), usable_cpus().affinity);
  EXPECT_GE(topology.value().cores, 1);
  EXPECT_GE(topology.value().packages, 1);
}

TEST(Topology, IsRestrictedToGivenCpus) {
  const auto whole = discover_topology(own_cpus());
  ASSERT_TRUE(whole.ok());
  EXPECT_EQ(static_cast<int>(whole.value().pus.size()), usable_cpus().affinity);
  CpuMask first;
  first.add(whole.value().pus.front().os_index);
  EXPECT_EQ(discover_topology(first).value().pus.size(), 1u);
}

TEST(Topology, SyntheticMachinesAreReducedToPlainStructs) {
  const auto topology = synthetic_topology("package:2 numa:2 l3:4 core:8 pu:2");
  ASSERT_TRUE(topology.ok());
  const Topology& machine = topology.value();
  EXPECT_EQ(machine.pus.size(), 256u);
  EXPECT_EQ(machine.cores, 128);
  EXPECT_EQ(machine.llcs, 16);
  EXPECT_EQ(machine.numa_nodes, 4);
  EXPECT_EQ(machine.packages, 2);
  EXPECT_GT(machine.llc_bytes, 0u);
  EXPECT_EQ(machine.pus.front().package, 0);
  EXPECT_EQ(machine.pus.back().package, 1);
  EXPECT_EQ(machine.pus.back().numa, 3);
  EXPECT_EQ(machine.pus.back().llc, 15);
}

TEST(Topology, WithoutAnL3TheL2IsTheLastLevel) {
  const auto topology = synthetic_topology("package:1 l2:4 core:2 pu:1");
  ASSERT_TRUE(topology.ok());
  EXPECT_EQ(topology.value().llcs, 4);
}

TEST(Topology, CoresWithoutThreadsHaveOne) {
  const auto topology = synthetic_topology("package:2 core:4");
  ASSERT_TRUE(topology.ok());
  EXPECT_EQ(topology.value().pus.size(), 8u);
}

TEST(Topology, NonsenseIsRefusedWithAnExample) {
  const auto topology = synthetic_topology("two sockets please");
  ASSERT_FALSE(topology.ok());
  EXPECT_EQ(topology.error().code, Errc::invalid);
  EXPECT_NE(topology.error().message.find("two sockets please"), std::string::npos);
  EXPECT_NE(topology.error().message.find("package:2"), std::string::npos);
}

}  // namespace
}  // namespace foldlane::shm
