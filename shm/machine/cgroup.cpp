#include "shm/machine/cgroup.hpp"

#include <algorithm>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

namespace foldlane::shm {
namespace {

namespace fs = std::filesystem;

/// v1 says "no limit" as the largest multiple of a page; nothing near it is a limit.
constexpr std::uint64_t kNoLimit = std::uint64_t{1} << 60;

/// `path` and the directories above it, below `mount`.
std::vector<fs::path> upwards(const fs::path& mount, std::string path) {
  std::vector<fs::path> found;
  for (; path.size() > 1 && path.front() == '/'; path.erase(path.rfind('/')))
    found.push_back(mount / path.substr(1));
  found.push_back(mount);
  return found;
}

/// The directories from the process's own cgroup up to the root of `controller` ("" is the v2 hierarchy).
std::vector<fs::path> cgroup_directories(const fs::path& root, const std::string& controller) {
  std::ifstream membership(root / "proc/self/cgroup");
  for (std::string line; std::getline(membership, line);) {
    const auto first = line.find(':');
    const auto second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    std::stringstream names(line.substr(first + 1, second - first - 1));
    bool ours = controller.empty() && second == first + 1;
    for (std::string name; std::getline(names, name, ',');) ours = ours || name == controller;
    if (ours) return upwards(root / "sys/fs/cgroup" / controller, line.substr(second + 1));
  }
  return {};
}

double quota_v2(const fs::path& directory) {
  std::ifstream file(directory / "cpu.max");
  double quota = 0;
  double period = 0;
  // The word "max" is no number.
  return file >> quota >> period && period > 0 ? quota / period : 0;
}

double quota_v1(const fs::path& directory) {
  double quota = -1;
  double period = 0;
  std::ifstream(directory / "cpu.cfs_quota_us") >> quota;
  std::ifstream(directory / "cpu.cfs_period_us") >> period;
  return quota > 0 && period > 0 ? quota / period : 0;
}

std::uint64_t limit_in(const fs::path& file) {
  std::uint64_t bytes = 0;
  std::ifstream stream(file);
  return stream >> bytes && bytes < kNoLimit ? bytes : 0;
}

/// The smallest of those that are not 0; 0 if none.
template <class T>
class Tightest {
 public:
  void consider(T limit) {
    if (limit > 0) limit_ = std::min(limit_, limit);
  }
  T value() const { return limit_ == std::numeric_limits<T>::max() ? 0 : limit_; }

 private:
  T limit_ = std::numeric_limits<T>::max();
};

}  // namespace

double cgroup_cpu_quota(const fs::path& root) {
  Tightest<double> tightest;
  for (const auto& directory : cgroup_directories(root, "")) tightest.consider(quota_v2(directory));
  for (const auto& directory : cgroup_directories(root, "cpu")) tightest.consider(quota_v1(directory));
  return tightest.value();
}

std::uint64_t cgroup_memory_limit(const fs::path& root) {
  Tightest<std::uint64_t> tightest;
  for (const auto& directory : cgroup_directories(root, "")) {
    tightest.consider(limit_in(directory / "memory.max"));
  }
  for (const auto& directory : cgroup_directories(root, "memory")) {
    tightest.consider(limit_in(directory / "memory.limit_in_bytes"));
  }
  return tightest.value();
}

}  // namespace foldlane::shm
