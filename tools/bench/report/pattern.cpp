#include "bench/report/pattern.hpp"

#include <algorithm>
#include <array>

#include "bench/report/call_traits.hpp"

namespace foldlane::bench {
namespace {

constexpr int kWindow = 64;                    // as osu_bw and osu_mbw_mr
constexpr int kPerSender = 16;                 // of many senders
constexpr std::uint64_t kMostBytes = 8 << 20;  // of a buffer, unless a message is longer
constexpr int kNeighbours = 2;                 // in a ring

struct Row {
  const char* name;
  bool of_pairs;
  bool is_flow;
  bool knows_threads;
  const char* step;
};

constexpr std::array<Row, 6> kRows{
    {{"pingpong", true, false, true, "half a round trip"},
     {"stream", true, true, true, "per message, up to 64 in flight"},
     {"bidirectional", true, true, false, "per message of each rank, up to 64 in flight"},
     {"exchange", false, false, false, "per MPI_Sendrecv around the ring"},
     {"incast", false, true, false, "per message to rank 0, 16 of each sender in flight"},
     {"unexpected", true, true, false, "per message, up to 64 there before their receives"}}};

const Row* row_of(std::string_view call) {
  const auto* const found =
      std::find_if(kRows.begin(), kRows.end(), [&](const Row& row) { return row.name == call; });
  return found == kRows.end() ? nullptr : found;
}

/// How many messages of this size a buffer has room for, of `wanted`.
int room_for(int wanted, std::uint64_t bytes) {
  const std::uint64_t room = kMostBytes / std::max<std::uint64_t>(1, bytes);
  return static_cast<int>(std::clamp<std::uint64_t>(room, 1, static_cast<std::uint64_t>(wanted)));
}

}  // namespace

const std::vector<std::string>& known_patterns() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> names;
    for (const Row& row : kRows) names.emplace_back(row.name);
    return names;
  }();
  return all;
}

bool is_pattern(std::string_view call) { return row_of(call) != nullptr; }

bool is_of_pairs(std::string_view call) { return is_pattern(call) && row_of(call)->of_pairs; }

bool is_flow(std::string_view call) { return is_pattern(call) && row_of(call)->is_flow; }

bool knows_threads(std::string_view call) { return is_pattern(call) && row_of(call)->knows_threads; }

std::string step_text(std::string_view call) { return is_pattern(call) ? row_of(call)->step : ""; }

Pattern pattern_of(const Case& what) {
  if (what.call == "pingpong") return {.slots = at_once(what), .steps = 2, .handoffs = 2};
  if (what.call == "incast") {
    const int all = kPerSender * (what.ranks - 1);
    return {.messages = kPerSender, .slots = room_for(all, what.bytes), .steps = all, .handoffs = 2};
  }
  if (!is_flow(what.call)) return {};
  const int window = room_for(kWindow, what.bytes);
  // The answer to a window is a handoff too; where both ranks send, the other's messages are the answer.
  return {.messages = window,
          .slots = window * at_once(what),
          .steps = window,
          .handoffs = what.call == "bidirectional" ? 1 : 2};
}

int slots_of(const Case& what) {
  if (is_among_neighbours(what.call)) return kNeighbours;
  return moves_blocks(what.call) ? what.ranks : pattern_of(what).slots;
}

std::uint64_t buffer_bytes(const Case& what) {
  return what.bytes * static_cast<std::uint64_t>(slots_of(what));
}

}  // namespace foldlane::bench
