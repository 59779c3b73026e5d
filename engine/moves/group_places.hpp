// Where blocks of one size are in the slots of a team in groups: pure, and equal on all members.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/groups/groups.hpp"
#include "engine/moves/roles.hpp"
#include "engine/team/call_info.hpp"
#include "shm/segment/layout.hpp"

namespace foldlane::engine {

/// Of longer blocks the copies of leaders, which work one after the other, cost more than lines that are not
/// full.
inline constexpr std::uint64_t kMostCollected = 128;
constexpr bool leaders_collect(Call call, std::uint64_t block_bytes) noexcept {
  return !gives_block_for_each(call) && block_bytes <= kMostCollected && block_bytes % shm::kLineBytes != 0;
}

/// What a member needs of its slot at most. `groups`: the innermost ones.
inline std::uint64_t shown_in_groups(Call call, std::uint64_t block_bytes,
                                     const std::vector<Members>& groups) {
  if (gives_block_for_each(call))
    return block_bytes * static_cast<std::uint64_t>(groups.back().end()) + groups.size() * shm::kLineBytes;
  if (!leaders_collect(call, block_bytes)) return block_bytes;
  const auto is_smaller = [](const Members& a, const Members& b) { return a.count < b.count; };
  const Members& largest = *std::max_element(groups.begin(), groups.end(), is_smaller);
  return block_bytes * static_cast<std::uint64_t>(largest.count);
}

/// Where `bytes` for a group begin in a slot that is used up to `end`: right there, if they touch no more
/// lines than in lines of their own.
constexpr std::size_t place_behind(std::size_t end, std::size_t bytes) noexcept {
  const auto lines_up_to = [](std::size_t at) { return (at + shm::kLineBytes - 1) / shm::kLineBytes; };
  const std::size_t touched = lines_up_to(end + bytes) - end / shm::kLineBytes;
  return touched == lines_up_to(bytes) ? end : lines_up_to(end) * shm::kLineBytes;
}

/// Of a block for each member: body(members, place) of each run of them whose blocks lie without gaps, in
/// order. No group reads more lines than its blocks fill.
template <class Body>
void for_each_run(const std::vector<Members>& groups, std::size_t block_bytes, const Body& body) {
  Members run{0, 0};
  std::size_t start = 0, end = 0;
  for (const Members& group : groups) {
    const std::size_t bytes = block_bytes * static_cast<std::size_t>(group.count);
    const std::size_t place = place_behind(end, bytes);
    if (place != end) {
      body(run, start);
      run = {group.first, 0};
      start = place;
    }
    run.count += group.count;
    end = place + bytes;
  }
  body(run, start);
}

}  // namespace foldlane::engine
