#include "shm/machine/resources.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace foldlane::shm {
namespace {

constexpr char kMachine[] = "package:2 numa:2 l3:2 core:4 pu:2";  // 64 processing units

Resources bound_to(std::vector<int> os_cpus, const std::string& machine = kMachine) {
  auto resources = synthetic_resources(machine, os_cpus);
  EXPECT_TRUE(resources.ok());
  return resources.value();
}

std::optional<int> object(const Resources& resources, const std::string& name) {
  const Resource* found = find_resource(resources, name);
  EXPECT_NE(found, nullptr) << name;
  return found == nullptr ? std::nullopt : found->object;
}

TEST(Resources, AreListedFromCoarseToFine) {
  std::vector<std::string> types;
  for (const Resource& resource : bound_to({0})) types.push_back(resource.type);
  EXPECT_EQ(types, (std::vector<std::string>{"Machine", "Package", "NUMANode", "L3Cache", "Core", "PU"}));
}

TEST(Resources, OneProcessingUnitIsInOneObjectOfEachKind) {
  const Resources last = bound_to({63});
  EXPECT_EQ(object(last, "Machine"), 0);
  EXPECT_EQ(object(last, "Package"), 1);
  EXPECT_EQ(object(last, "NUMANode"), 3);
  EXPECT_EQ(object(last, "L3Cache"), 7);
  EXPECT_EQ(object(last, "Core"), 31);
  EXPECT_EQ(object(last, "PU"), 63);
}

TEST(Resources, ABindingThatSpansSeveralObjectsIsInNone) {
  const Resources two_cores = bound_to({2, 4});
  EXPECT_EQ(object(two_cores, "PU"), std::nullopt);
  EXPECT_EQ(object(two_cores, "Core"), std::nullopt);
  EXPECT_EQ(object(two_cores, "L3Cache"), 0);
  const Resources two_caches = bound_to({0, 8});
  EXPECT_EQ(object(two_caches, "L3Cache"), std::nullopt);
  EXPECT_EQ(object(two_caches, "NUMANode"), 0);
  const Resources two_nodes = bound_to({15, 16});
  EXPECT_EQ(object(two_nodes, "NUMANode"), std::nullopt);
  EXPECT_EQ(object(two_nodes, "Package"), 0);
}

TEST(Resources, WithoutABindingOnlyTheMachineIsLeft) {
  std::vector<int> all(64);
  std::iota(all.begin(), all.end(), 0);
  for (const Resource& resource : bound_to(all))
    EXPECT_EQ(resource.object, resource.type == "Machine" ? std::optional(0) : std::nullopt) << resource.type;
}

TEST(Resources, HaveTheSpellingsOfHwloc) {
  const Resources resources = bound_to({8});
  for (const char* name : {"hwloc://L3Cache", "L3Cache", "l3cache", "L3", "hwloc://l3"})
    EXPECT_EQ(object(resources, name), 1) << name;
  for (const char* name : {"hwloc://NUMANode", "NUMANode", "numa", "hwloc://numanode"})
    EXPECT_EQ(object(resources, name), 0) << name;
  EXPECT_EQ(object(resources, "hwloc://Core"), 4);
}

TEST(Resources, ThatTheMachineLacksAreNotFound) {
  const Resources resources = bound_to({0});
  for (const char* name : {"", "hwloc://", "L4Cache", "hwloc://Die", "Group", "bicycle", "corex", "core:2",
                           "numa://Core", "hwloc://hwloc://Core"})
    EXPECT_EQ(find_resource(resources, name), nullptr) << name;
}

TEST(Resources, MemoryAboveThePackagesIsCoarser) {
  std::vector<std::string> types;
  for (const Resource& resource : bound_to({0}, "numa:2 package:2 core:2 pu:1"))
    types.push_back(resource.type);
  ASSERT_GE(types.size(), 3u);
  EXPECT_LT(std::find(types.begin(), types.end(), "NUMANode"),
            std::find(types.begin(), types.end(), "Package"));
}

TEST(Resources, OfThisMachine) {
  const auto resources = discover_resources();
  ASSERT_TRUE(resources.ok());
  EXPECT_EQ(resources.value().front().type, "Machine");
  EXPECT_EQ(resources.value().front().object, 0);
  EXPECT_EQ(resources.value().back().type, "PU");
}

TEST(Resources, NonsenseIsRefused) {
  const auto resources = synthetic_resources("two sockets please", {});
  ASSERT_FALSE(resources.ok());
  EXPECT_EQ(resources.error().message, "'two sockets please' is not a synthetic topology");
}

}  // namespace
}  // namespace foldlane::shm
