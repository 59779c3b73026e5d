// What the cgroups (v1 and v2) of this process allow it. `root` is where /proc and /sys are: tests use small
// trees of their own.
#pragma once

#include <cstdint>
#include <filesystem>

namespace foldlane::shm {

/// CPUs' worth of time per second; 0 if there is no quota.
double cgroup_cpu_quota(const std::filesystem::path& root = "/");

/// Bytes; 0 if there is no limit.
std::uint64_t cgroup_memory_limit(const std::filesystem::path& root = "/");

}  // namespace foldlane::shm
