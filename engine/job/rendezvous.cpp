#include "engine/job/rendezvous.hpp"

#include <algorithm>

#include "engine/collectives/verdict.hpp"

namespace foldlane::engine {

using shm::Result;

Result<void> Rendezvous::tell(std::span<const int> listeners, std::uint64_t key, const Facts& facts) {
  if (BasicRendezvous(site_).tell(listeners, key, facts)) return {};
  return site_.failed(listeners);
}

Result<Rendezvous::Facts> Rendezvous::hear(int speaker, std::uint64_t key) {
  Facts facts{};
  if (BasicRendezvous(site_).hear(speaker, key, facts)) return facts;
  return site_.failed({&speaker, 1});
}

shm::Error Rendezvous::Site::failed(std::span<const int> peers) const {
  const auto dead = std::ranges::find_if(peers, [&](int rank) { return process_.has_died(rank); });
  return death_of(process_, dead == peers.end() ? rank_ : *dead);
}

}  // namespace foldlane::engine
