#include "support/counted_crowd.hpp"

#include <sys/mman.h>

#include <numeric>
#include <stdexcept>

#include "shm/machine/placement.hpp"

namespace foldlane::testing {
namespace {

using Lines = engine::BasicTeamLines<CountingAtoms>;

}  // namespace

std::vector<engine::Seat> seats_on(const std::string& description, int ranks) {
  const auto topology = shm::synthetic_topology(description);
  if (!topology.ok()) throw std::invalid_argument(topology.error().message);
  const int units = static_cast<int>(topology.value().pus.size());
  const auto placement = shm::place_ranks(topology.value(), {units, 0, units}, ranks, shm::BindTo::automatic);
  std::vector<engine::Seat> seats;
  for (const shm::RankPlace& place : placement.ranks) seats.push_back({place.llc, place.numa, place.package});
  return seats;
}

CountedCrowd::CountedCrowd(const std::vector<engine::Seat>& seats, bool grouped, std::size_t slot_bytes)
    : slot_bytes_(slot_bytes), bells_(seats.size()) {
  const std::size_t ranks = seats.size();
  const std::size_t flag_bytes = ranks * sizeof(Lines);
  const std::size_t ring_bytes = engine::kSlots * slot_bytes;
  memory_bytes_ = flag_bytes + ranks * ring_bytes;
  memory_ = static_cast<std::byte*>(
      mmap(nullptr, memory_bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  traffic_ = std::make_unique<Traffic>(seats, memory_, flag_bytes, memory_bytes_);
  std::vector<engine::BasicPeer<CountingAtoms>> peers;
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    peers.push_back({reinterpret_cast<Lines*>(memory_) + rank, memory_ + flag_bytes + rank * ring_bytes,
                     &bells_[rank], grouped ? seats[rank] : engine::Seat{}});
  }
  std::vector<int> members(ranks);
  std::iota(members.begin(), members.end(), 0);
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    const shm::Signals<CountingAtoms> signals(bells_[rank], abort_word_, shm::Ladder::own_cpu(),
                                              shm::Wake::membarrier);
    const engine::Geometry geometry{slot_bytes, static_cast<int>(engine::kSlots), 0};
    const int number = static_cast<int>(rank);
    processes_.push_back(std::make_unique<Process>(peers, number, geometry, signals));
    teams_.push_back(std::make_unique<Team>(*processes_.back(), members, number, 0));
  }
}

CountedCrowd::~CountedCrowd() {
  teams_.clear();
  Traffic::current = nullptr;
  munmap(memory_, memory_bytes_);
}

}  // namespace foldlane::testing
