#include "engine/p2p/room.hpp"

namespace foldlane::engine {

void Room::count_in(std::size_t bytes, int from, Word& full) {
  kept_.set(kept_.now + 1);
  kept_bytes_.set(kept_bytes_.now + bytes);
  if (kept_bytes_.now <= limit_ || full.peek() != 0 || from == rank_) return;
  full.publish(1);
  held_back_.push_back({from, &full});
  holds_back_.publish(1);
}

void Room::count_out(std::size_t bytes) noexcept {
  --kept_.now;
  kept_bytes_.now -= bytes;
  if (kept_bytes_.now < kUsualLimit / 2) limit_ = kUsualLimit;
  if (!held_back_.empty() && kept_bytes_.now < limit_ / 2) make();
}

bool Room::make() noexcept {
  for (const HeldBack& each : held_back_) {
    each.full->publish(0);
    process_.tell(each.rank);
  }
  const bool any = !held_back_.empty();
  held_back_.clear();
  holds_back_.publish(0);
  is_to_lift_.publish(0);
  return any;
}

std::vector<int> Room::held_back() const {
  std::vector<int> ranks;
  for (const HeldBack& each : held_back_) ranks.push_back(each.rank);
  return ranks;
}

bool Room::lift_limit() noexcept {
  if (held_back_.empty() || is_to_lift_.peek() == 0) return false;
  limit_ *= 2;
  ++lifts_;
  return make();
}

void Room::note_sleep() noexcept {
  if (process_.peer(rank_).inbox->sleepers.peek() != 0) ++sleeps_;
}

}  // namespace foldlane::engine
