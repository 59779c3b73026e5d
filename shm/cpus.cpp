// How many CPUs this process can use at the same time: affinity, cut by the CPU quota of its cgroups (v1 and
// v2).
#include <sched.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "shm/topology.hpp"

namespace foldlane::shm {
namespace {

int affinity_cpus() {
  // A fixed cpu_set_t holds 1024 CPUs; the kernel answers EINVAL if it has more, so grow until it fits.
  for (int capacity = 1024; capacity <= 1 << 20; capacity *= 2) {
    cpu_set_t* set = CPU_ALLOC(static_cast<unsigned>(capacity));
    const std::size_t bytes = CPU_ALLOC_SIZE(static_cast<unsigned>(capacity));
    const bool known = sched_getaffinity(0, bytes, set) == 0;
    const int count = known ? CPU_COUNT_S(bytes, set) : 0;
    CPU_FREE(set);
    if (known) return count;
  }
  return 1;
}

/// The directories from the process's own cgroup up to the root of `controller` ("" is the v2 hierarchy).
std::vector<std::string> cgroup_directories(const std::string& controller) {
  const std::string root = controller.empty() ? "/sys/fs/cgroup" : "/sys/fs/cgroup/" + controller;
  std::ifstream membership("/proc/self/cgroup");
  for (std::string line; std::getline(membership, line);) {
    const auto first = line.find(':');
    const auto second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    std::stringstream names(line.substr(first + 1, second - first - 1));
    bool ours = controller.empty() && second == first + 1;
    for (std::string name; std::getline(names, name, ',');) ours = ours || name == controller;
    if (!ours) continue;
    std::vector<std::string> found;
    for (std::string path = line.substr(second + 1); path.size() > 1; path.erase(path.rfind('/'))) {
      found.push_back(root + path);
      if (path.find('/', 1) == std::string::npos) break;
    }
    found.push_back(root);
    return found;
  }
  return {};
}

double quota_v2(const std::string& directory) {
  std::ifstream file(directory + "/cpu.max");
  std::string quota;
  double period = 0;
  if (!(file >> quota >> period) || quota == "max" || period <= 0) return 0;
  return std::stod(quota) / period;
}

double quota_v1(const std::string& directory) {
  double quota = -1;
  double period = 0;
  std::ifstream(directory + "/cpu.cfs_quota_us") >> quota;
  std::ifstream(directory + "/cpu.cfs_period_us") >> period;
  return quota > 0 && period > 0 ? quota / period : 0;
}

int cgroup_quota() {
  double tightest = std::numeric_limits<double>::infinity();
  const auto consider = [&](double quota) {
    if (quota > 0) tightest = std::min(tightest, quota);
  };
  for (const auto& directory : cgroup_directories("")) consider(quota_v2(directory));
  for (const auto& directory : cgroup_directories("cpu")) consider(quota_v1(directory));
  return std::isinf(tightest) ? 0 : static_cast<int>(std::ceil(tightest));
}

}  // namespace

UsableCpus usable_cpus() {
  UsableCpus cpus{affinity_cpus(), cgroup_quota(), 0};
  const int limit = cpus.cgroup_quota > 0 ? cpus.cgroup_quota : cpus.affinity;
  cpus.usable = std::max(1, std::min(cpus.affinity, limit));
  return cpus;
}

}  // namespace foldlane::shm
