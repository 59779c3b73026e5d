#include "api/host/packed_bcast.hpp"

#include <algorithm>
#include <vector>

#include "engine/collectives/collectives.hpp"

namespace foldlane::host {

void PackedElements::ask_host() {
  int bytes = 0;
  host_.call().Type_size(type_, &bytes);
  element_bytes_ = std::max(bytes, 0);
  is_dense_ = element_bytes_ == 0;
}

template <class Move>
void PackedElements::in_runs(const Move& move) const {
  constexpr std::int64_t kMostBytes = 1 << 30;
  std::ptrdiff_t lower_bound = 0, extent = 0;
  host_.call().Type_get_extent(type_, &lower_bound, &extent);
  const std::int64_t most = std::max<std::int64_t>(1, kMostBytes / element_bytes_);
  for (std::int64_t first = 0; first < count_; first += most) {
    const auto count = static_cast<int>(std::min(most, count_ - first));
    move(buffer_ + first * extent, count, first * element_bytes_, static_cast<int>(count * element_bytes_));
  }
}

void PackedElements::pack(std::byte* packed) const {
  in_runs([&](const std::byte* from, int count, std::int64_t at, int bytes) {
    int position = 0;
    host_.call().Pack(from, count, type_, packed + at, bytes, &position, comm_);
  });
}

void PackedElements::unpack(const std::byte* packed) const {
  in_runs([&](std::byte* to, int count, std::int64_t at, int bytes) {
    int position = 0;
    host_.call().Unpack(packed + at, bytes, &position, to, count, type_, comm_);
  });
}

shm::Result<void> bcast_packed(engine::Team& team, const PackedElements& elements, int root) {
  if (elements.is_dense()) return engine::bcast(team, {elements.buffer(), elements.bytes()}, root);
  std::vector<std::byte> packed(elements.bytes());
  if (team.rank() == root) elements.pack(packed.data());
  auto done = engine::bcast(team, {packed.data(), packed.size()}, root);
  if (done.ok() && team.rank() != root) elements.unpack(packed.data());
  return done;
}

}  // namespace foldlane::host
