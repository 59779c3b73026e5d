#include "bench/machine/machine.hpp"

#include <gtest/gtest.h>

#include "shm/machine/topology.hpp"
#include "support/fake_tree.hpp"

namespace foldlane::bench {
namespace {

std::string value_of(const std::vector<Fact>& facts, const std::string& name) {
  for (const Fact& fact : facts) {
    if (fact.name == name) return fact.value;
  }
  return "(no fact " + name + ")";
}

void fill_workstation(const FakeTree& tree) {
  tree.write("proc/cpuinfo",
             "processor\t: 0\nmodel name\t: Fast 9000\nflags\t\t: fpu constant_tsc nonstop_tsc\n\n"
             "processor\t: 1\nmodel name\t: Other\n");
  const std::string caches = "sys/devices/system/cpu/cpu0/cache/";
  const char* const kinds[][3] = {
      {"1", "Data", "48K"}, {"1", "Instruction", "32K"}, {"2", "Unified", "1280K"}, {"3", "Unified", "24M"}};
  for (std::size_t index = 0; index < std::size(kinds); ++index) {
    const std::string cache = caches + "index" + std::to_string(index);
    tree.write(cache + "/level", std::string(kinds[index][0]) + "\n");
    tree.write(cache + "/type", std::string(kinds[index][1]) + "\n");
    tree.write(cache + "/size", std::string(kinds[index][2]) + "\n");
  }
  tree.write("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n");
  tree.write("sys/devices/system/cpu/cpu12/cpufreq/scaling_governor", "performance\n");
  tree.write("sys/devices/system/cpu/cpufreq/scaling_governor", "not a CPU\n");
  tree.write("proc/stat",
             "cpu  11 22 33 44 55 66 77 88 0 0\ncpu0 1 2 3 4 5 6 7 8 1 0\ncpu12 10 20 30 40 50 60 70 80 0 0\n"
             "intr 5 6\n");
  tree.write("proc/meminfo", "MemTotal:       16777216 kB\nMemFree: 1 kB\nMemAvailable: 2 kB\n");
  tree.write("proc/loadavg", "0.25 1.50 2.75 1/100 4711\n");
  tree.write("proc/sys/kernel/osrelease", "6.1.0-9-amd64\n");
  tree.write("sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
  tree.write("sys/kernel/mm/transparent_hugepage/shmem_enabled", "always within_size advise [never] deny\n");
  tree.write("sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages", "128\n");
  tree.write("sys/kernel/mm/hugepages/hugepages-1048576kB/nr_hugepages", "0\n");
  tree.write("sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc\n");
  tree.write("sys/class/dmi/id/sys_vendor", "Builder Inc.\n");
  tree.write("proc/self/cgroup", "0::/box\n");
  tree.write("sys/fs/cgroup/box/cpu.max", "150000 100000\n");
  tree.write("sys/fs/cgroup/box/memory.max", "536870912\n");
}

TEST(Surroundings, AreReadFromProcAndSys) {
  const FakeTree tree;
  fill_workstation(tree);
  const Surroundings seen = read_surroundings(tree.root());
  EXPECT_EQ(seen.model, "Fast 9000");
  EXPECT_FALSE(seen.arm);
  EXPECT_EQ(seen.caches, (std::vector<Cache>{{"L1d", 48 << 10}, {"L2", 1280 << 10}, {"L3", 24 << 20}}));
  EXPECT_EQ(seen.governors, (std::map<int, std::string>{{0, "powersave"}, {12, "performance"}}));
  EXPECT_EQ(seen.cpus, (std::map<int, CpuTicks>{{0, {19, 9, 8}}, {12, {190, 90, 80}}}));
  EXPECT_EQ(seen.kernel, "6.1.0-9-amd64");
  EXPECT_EQ(seen.load, "0.25 1.50 2.75");
  EXPECT_FALSE(seen.hypervisor);
  EXPECT_EQ(seen.hypervisor_vendor, "");
}

TEST(Surroundings, OfAnEmptyTreeAreEmpty) {
  const FakeTree tree;
  const Surroundings seen = read_surroundings(tree.root());
  EXPECT_EQ(seen.model, "");
  EXPECT_TRUE(seen.cpus.empty());
  const shm::Topology topology = shm::synthetic_topology("core:2").value();
  const auto facts = machine_facts(seen, topology, {2, 0, 2}, {});
  for (const char* name : {"CPU", "caches", "governor", "memory", "load", "kernel"}) {
    EXPECT_EQ(value_of(facts, name), "not visible") << name;
  }
  EXPECT_EQ(value_of(facts, "ranks on"), "not bound");
  EXPECT_EQ(value_of(facts, "container limits"), "none");
}

TEST(MachineFacts, SayWhatWasRead) {
  const FakeTree tree;
  fill_workstation(tree);
  const shm::Topology topology = shm::synthetic_topology("package:2 numa:1 l3:1 core:4 pu:2").value();
  const auto facts = machine_facts(read_surroundings(tree.root()), topology, {16, 2, 2}, {0, 2});
  EXPECT_EQ(value_of(facts, "CPU"), "Fast 9000");
  EXPECT_EQ(value_of(facts, "caches"), "L1d 48 KiB, L2 1280 KiB, L3 24 MiB");
  EXPECT_EQ(value_of(facts, "layout"), "2 sockets, 2 NUMA nodes, 8 cores, 16 threads; 2 CPUs usable");
  EXPECT_EQ(value_of(facts, "governor"), "performance and powersave");
  EXPECT_EQ(value_of(facts, "clock"), "tsc, invariant cycle counter");
  EXPECT_EQ(value_of(facts, "huge pages"),
            "transparent madvise, shared memory never, reserved 128 of 2048kB");
  EXPECT_EQ(value_of(facts, "container limits"), "1.5 CPUs of time, 512 MiB of memory");
  EXPECT_EQ(value_of(facts, "memory"), "16.0 GiB");
  EXPECT_EQ(value_of(facts, "virtual machine"), "no");
}

TEST(MachineFacts, NameTheDistanceOfTheFarthestRanks) {
  const FakeTree tree;
  fill_workstation(tree);
  const Surroundings seen = read_surroundings(tree.root());
  // 8 units per node: 2 caches of 2 cores of 2 threads.
  const shm::Topology topology = shm::synthetic_topology("numa:2 l3:2 core:2 pu:2").value();
  const auto ranks_on = [&](const std::vector<int>& cpus) {
    return value_of(machine_facts(seen, topology, {16, 0, 16}, cpus), "ranks on");
  };
  EXPECT_EQ(ranks_on({5}), "CPU 5");
  EXPECT_EQ(ranks_on({1, 0, 1}), "CPUs 0, 1 (same core)");
  EXPECT_EQ(ranks_on({0, 2}), "CPUs 0, 2 (same L3)");
  EXPECT_EQ(ranks_on({0, 2, 4}), "CPUs 0, 2, 4 (same NUMA node)");
  EXPECT_EQ(ranks_on({0, 8}), "CPUs 0, 8 (across NUMA nodes)");
  EXPECT_EQ(ranks_on({0, 99}), "CPUs 0, 99 (distance not visible)");
}

TEST(MachineFacts, KnowVirtualMachines) {
  const FakeTree tree;
  tree.write("proc/cpuinfo", "model name : Cloud\nflags : fpu hypervisor\n");
  const shm::Topology topology = shm::synthetic_topology("core:1").value();
  const auto answer = [&] {
    return value_of(machine_facts(read_surroundings(tree.root()), topology, {1, 0, 1}, {}),
                    "virtual machine");
  };
  EXPECT_EQ(answer(), "yes, vendor not visible");
  tree.write("sys/class/dmi/id/sys_vendor", "QEMU\n");
  EXPECT_EQ(answer(), "yes, QEMU");
  tree.write("sys/hypervisor/type", "xen\n");
  EXPECT_EQ(answer(), "yes, xen");
}

TEST(InvariantClock, NeedsBothFlagsOnX86AndNothingOnArm) {
  const FakeTree tree;
  const auto answer = [&](const char* cpuinfo) {
    tree.write("proc/cpuinfo", cpuinfo);
    return has_invariant_clock(read_surroundings(tree.root()));
  };
  EXPECT_TRUE(answer("flags : nonstop_tsc constant_tsc\n"));
  EXPECT_FALSE(answer("flags : constant_tsc\n"));
  EXPECT_FALSE(answer("flags : nonstop_tsc\n"));
  EXPECT_TRUE(answer("processor : 0\nCPU implementer : 0x41\nCPU part : 0xd0c\n"));
  EXPECT_EQ(read_surroundings(tree.root()).model, "ARM implementer 0x41 part 0xd0c");
}

TEST(ThisMachine, CanBeRead) {
  const auto facts = machine_facts({0});
  ASSERT_GE(facts.size(), 10U);
  for (const Fact& fact : facts) {
    EXPECT_FALSE(fact.value.empty()) << fact.name;
    RecordProperty(fact.name, fact.value);
  }
  const Surroundings seen = read_surroundings();
  EXPECT_FALSE(seen.model.empty());
  EXPECT_FALSE(seen.kernel.empty());
  EXPECT_GT(seen.memory_bytes, 0U);
  EXPECT_GT(seen.available_bytes, 0U);
  ASSERT_FALSE(seen.cpus.empty());
  EXPECT_GT(seen.cpus.begin()->second.busy, 0U);
}

}  // namespace
}  // namespace foldlane::bench
