#include "engine/p2p/room.hpp"

#include <fmt/format.h>

#include <charconv>

#include "shm/job/job.hpp"

namespace foldlane::engine {

shm::Result<std::uint64_t> parse_unexpected_limit(std::string_view text) {
  if (text.empty()) return kUsualUnexpectedLimit;
  std::uint64_t bytes = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), bytes);
  const bool is_number = error == std::errc() && end == text.data() + text.size();
  if (is_number && bytes >= kLeastUnexpectedLimit) return bytes;
  return shm::Error{shm::Errc::invalid,
                    fmt::format("reading {}: '{}' is no number of bytes of {} or more",
                                shm::kUnexpectedLimitVariable, text, kLeastUnexpectedLimit)};
}

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
  if (kept_bytes_.now < usual_limit_ / 2) limit_ = usual_limit_;
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
