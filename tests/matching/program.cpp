#include "matching/program.hpp"

#include <algorithm>
#include <numeric>

namespace foldlane::matching {

bool Communicator::has(int rank) const {
  return std::count(group.begin(), group.end(), rank) + std::count(remote.begin(), remote.end(), rank) > 0;
}

const std::vector<int>& Communicator::peers_of(int rank) const {
  const bool across = std::find(group.begin(), group.end(), rank) != group.end();
  return !remote.empty() && across ? remote : group;
}

int Communicator::peer_at(int rank, int place) const {
  const std::vector<int>& peers = peers_of(rank);
  return place >= 0 && place < static_cast<int>(peers.size()) ? peers[static_cast<std::size_t>(place)]
                                                              : kNone;
}

int Communicator::place_of(int rank, int peer) const {
  const std::vector<int>& peers = peers_of(rank);
  return static_cast<int>(std::find(peers.begin(), peers.end(), peer) - peers.begin());
}

std::vector<Communicator> communicators_of(int ranks) {
  std::vector<int> all(static_cast<std::size_t>(ranks));
  std::iota(all.begin(), all.end(), 0);
  const auto half = all.begin() + ranks / 2;
  std::vector<Communicator> comms = {{all, {}}, {all, {}}, {{all.rbegin(), all.rend()}, {}}};
  if (ranks > 1) comms.push_back({{all.begin() + 1, all.end()}, {}});
  if (ranks > 1) comms.push_back({{all.begin(), half}, {half, all.end()}});
  return comms;
}

}  // namespace foldlane::matching
