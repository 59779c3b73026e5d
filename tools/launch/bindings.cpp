#include "launch/bindings.hpp"

#include <fmt/format.h>

namespace foldlane::tools {

std::string cpu_list(const std::vector<int>& cpus) {
  std::string text;
  for (std::size_t i = 0; i < cpus.size();) {
    std::size_t last = i;
    while (last + 1 < cpus.size() && cpus[last + 1] == cpus[last] + 1) ++last;
    text += fmt::format("{}{}", text.empty() ? "" : ",", cpus[i]);
    if (last > i) text += fmt::format("-{}", cpus[last]);
    i = last + 1;
  }
  return text;
}

std::vector<std::string> binding_lines(const shm::Placement& placement) {
  std::vector<std::string> lines{
      fmt::format("{}{}", placement.why, placement.oversubscribed ? "; more ranks than usable CPUs" : "")};
  for (std::size_t rank = 0; rank < placement.ranks.size(); ++rank) {
    const shm::RankPlace& where = placement.ranks[rank];
    lines.push_back(where.os_cpus.empty()
                        ? fmt::format("rank {} is not bound", rank)
                        : fmt::format("rank {} on CPUs {} (NUMA node {}, last-level cache {}, package {})",
                                      rank, cpu_list(where.os_cpus), where.numa, where.llc, where.package));
  }
  return lines;
}

}  // namespace foldlane::tools
