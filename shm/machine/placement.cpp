#include "shm/machine/placement.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace foldlane::shm {
namespace {

/// The units of the topology grouped into cores, in order.
std::vector<std::vector<Pu>> by_core(const Topology& topology) {
  std::vector<std::vector<Pu>> cores;
  for (const Pu& pu : topology.pus) {
    if (cores.empty() || pu.core == -1 || cores.back().front().core != pu.core) cores.emplace_back();
    cores.back().push_back(pu);
  }
  return cores;
}

RankPlace place_on(const std::vector<Pu>& units) {
  RankPlace place;
  for (const Pu& pu : units) place.os_cpus.push_back(pu.os_index);
  place.numa = units.front().numa;
  place.llc = units.front().llc;
  place.package = units.front().package;
  return place;
}

/// Rank r of n gets cores [r*c/n, (r+1)*c/n): contiguous, equal to within one, never empty while n <= c.
std::vector<Pu> slice(const std::vector<std::vector<Pu>>& cores, int rank, int ranks) {
  const auto count = static_cast<long>(cores.size());
  const long first = rank * count / ranks;
  const long last = std::max(first + 1, (rank + 1) * count / ranks);
  std::vector<Pu> units;
  for (long core = first; core < last; ++core) {
    const auto& more = cores[static_cast<std::size_t>(core % count)];
    units.insert(units.end(), more.begin(), more.end());
  }
  return units;
}

/// All units that share `index` with the first unit of the rank's slice.
std::vector<Pu> sharing(const Topology& topology, const Pu& unit, int Pu::*index) {
  std::vector<Pu> units;
  for (const Pu& pu : topology.pus) {
    if (pu.*index == unit.*index) units.push_back(pu);
  }
  return units;
}

/// Rank r gets units [r*count, (r+1)*count).
std::vector<Pu> run_of(const Topology& topology, int rank, int count) {
  std::vector<Pu> units;
  for (int unit = rank * count; unit < (rank + 1) * count; ++unit)
    units.push_back(topology.pus[static_cast<std::size_t>(unit) % topology.pus.size()]);
  return units;
}

std::vector<Pu> units_of(const Topology& topology, const std::vector<std::vector<Pu>>& cores, int rank,
                         int ranks, BindTo bind_to) {
  const auto wrap = [&](std::size_t count) { return static_cast<std::size_t>(rank) % count; };
  auto mine = slice(cores, rank, ranks);
  switch (bind_to) {
    case BindTo::core:
      return cores[wrap(cores.size())];
    case BindTo::hwthread:
      return {topology.pus[wrap(topology.pus.size())]};
    case BindTo::llc:
      return sharing(topology, mine.front(), &Pu::llc);
    case BindTo::numa:
      return sharing(topology, mine.front(), &Pu::numa);
    case BindTo::package:
      return sharing(topology, mine.front(), &Pu::package);
    case BindTo::automatic:
    case BindTo::none:
    case BindTo::slice:
      break;
  }
  return mine;
}

/// More ranks on one set of CPUs than it has CPUs: an explicit binding that wrapped around, or cores cut
/// unequally.
bool some_share_cpus(const Placement& placement) {
  std::map<std::vector<int>, std::size_t> ranks_on;
  for (const RankPlace& place : placement.ranks) {
    if (!place.os_cpus.empty() && ++ranks_on[place.os_cpus] > place.os_cpus.size()) return true;
  }
  return false;
}

/// None of the machine's CPUs: it is not known where it runs.
RankPlace place_in(const Topology& topology, const CpuMask& mask) {
  std::vector<Pu> units;
  for (const Pu& pu : topology.pus)
    if (mask.holds(pu.os_index)) units.push_back(pu);
  if (units.empty()) return {{}, -1, 0, 0};
  RankPlace place = place_on(units);
  const auto elsewhere = [&](const Pu& pu) { return pu.numa != place.numa; };
  if (std::any_of(units.begin(), units.end(), elsewhere)) place.numa = -1;
  return place;
}

/// To which ranks are bound.
int count_cpus(const Placement& placement) {
  std::set<int> os_cpus;
  for (const RankPlace& place : placement.ranks) os_cpus.insert(place.os_cpus.begin(), place.os_cpus.end());
  return static_cast<int>(os_cpus.size());
}

}  // namespace

Placement place_ranks(const Topology& topology, const UsableCpus& cpus, int ranks, BindTo bind_to,
                      int cpus_per_rank) {
  Placement placement;
  placement.oversubscribed = ranks > cpus.usable;
  const auto cores = by_core(topology);
  const bool fits = ranks <= static_cast<int>(cores.size()) && !placement.oversubscribed;
  const bool bind = bind_to != BindTo::none && !cores.empty() &&
                    (bind_to != BindTo::automatic || cpus_per_rank > 0 || (fits && ranks > 1));
  if (bind_to == BindTo::none) {
    placement.why = "not bound: asked for";
  } else if (bind) {
    placement.why = bind_to == BindTo::automatic && cpus_per_rank == 0
                        ? "bound to contiguous slices: the ranks fit on the usable cores"
                        : "bound as asked for";
  } else {
    placement.why = ranks == 1 ? "not bound: a single rank" : "not bound: more ranks than usable cores";
  }
  for (int rank = 0; rank < ranks; ++rank) {
    RankPlace place{{}, -1, 0, 0};
    if (bind)
      place = place_on(cpus_per_rank > 0 ? run_of(topology, rank, cpus_per_rank)
                                         : units_of(topology, cores, rank, ranks, bind_to));
    placement.ranks.push_back(std::move(place));
  }
  placement.oversubscribed = placement.oversubscribed || some_share_cpus(placement);
  placement.cpus = bind ? std::min(cpus.usable, count_cpus(placement)) : cpus.usable;
  return placement;
}

Placement place_bound_ranks(const Topology& topology, const UsableCpus& cpus,
                            std::span<const CpuMask> ranks) {
  Placement placement;
  for (const CpuMask& mask : ranks) placement.ranks.push_back(place_in(topology, mask));
  const int bound_to = std::max(1, count_cpus(placement));
  placement.cpus = cpus.cgroup_quota > 0 ? std::min(bound_to, cpus.cgroup_quota) : bound_to;
  placement.oversubscribed = static_cast<int>(ranks.size()) > placement.cpus || some_share_cpus(placement);
  placement.why = "bound by who started them";
  return placement;
}

}  // namespace foldlane::shm
