// Which calls the ranks of a HandoffProgram perform.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/team/team.hpp"

namespace foldlane::model {

enum class What : std::uint8_t {
  meet,
  meet_at_once,  // by the path that blocks without a coroutine
  inline_all,
  inline_root,
  inline_own,
  lines_all,  // by the path that blocks without a coroutine
  lines_root,
  lines_own,
  one_shot_all,
  one_shot_root,
  chunks_all,
  scan_line,  // in which nobody reads what the last member has
  exscan_line,
  scan_chunks,
  shares_own,
  shares_root,
  shares_all,
  bcast_inline,
  bcast_chunks,
  bcast_line,  // by the paths that block without a coroutine
  bcast_once,
  pair_all,  // of two members only
  pair_own,
  pair_root,
  halves_all,
  halves_own,
  moved_line_all,  // blocks that only move, of two members: beside the epoch,
  moved_line_root,
  moved_boxes_all,  // or in boxes,
  moved_boxes_root,
  told_line_all,  // the same where a line tells their length
  told_line_root,
  told_boxes_all,
  told_boxes_root,
  gathered_lines,  // each member's first element, to everybody
  gathered_slots,
  gathered_neighbours,   // of everybody, which waits for each by itself
  gathered_lines_root,   // leaves have one block instead of lists
  gathered_leaves_root,  // the same where lines tell its length
  gathered_slots_root,
  gathered_central_lines,  // where ranks share CPUs
  gathered_central_slots,
  gathered_lists,      // whose lengths only their two members know
  gathered_collected,  // in teams of groups only: by leaders
  gathered_collected_root,
  gathered_announced,  // the same of blocks of a line, which leaders only tell of
  gathered_announced_root,
  central_meet,  // where ranks share CPUs
  central_told,
  central_all,
  central_long,  // whose result does not fit beside the word that all await
  central_own,
  // In teams of groups only:
  grouped_meet,
  grouped_inline_all,
  grouped_inline_root,
  grouped_all,
  grouped_root,
  grouped_own,
  grouped_bcast_inline,
  grouped_bcast_chunks,
};
inline bool is_grouped(What what) { return what >= What::grouped_meet; }
inline bool is_scan(What what) { return what >= What::scan_line && what <= What::scan_chunks; }
inline bool is_in_lines(What what) {
  return what == What::lines_all || what == What::lines_root || what == What::lines_own ||
         what == What::scan_line || what == What::exscan_line;
}
inline bool is_central(What what) {
  return what == What::central_meet || what == What::central_told || what == What::central_all ||
         what == What::central_long || what == What::central_own;
}
inline bool is_halved(What what) { return what == What::halves_all || what == What::halves_own; }
inline bool is_moved(What what) { return what >= What::moved_line_all && what <= What::told_boxes_root; }
inline bool is_gathered(What what) {
  return what >= What::gathered_lines && what <= What::gathered_announced_root;
}
inline std::size_t elements_of_gathered(What what) {
  return what == What::gathered_announced || what == What::gathered_announced_root ? 8 : 1;
}
inline bool is_gathered_to_root(What what) {
  return what == What::gathered_lines_root || what == What::gathered_leaves_root ||
         what == What::gathered_slots_root || what == What::gathered_collected_root ||
         what == What::gathered_announced_root;
}
inline bool is_moved_to_root(What what) {
  return what == What::moved_line_root || what == What::moved_boxes_root || what == What::told_line_root ||
         what == What::told_boxes_root;
}
inline bool is_pair(What what) {
  return what == What::pair_all || what == What::pair_own || what == What::pair_root || is_halved(what) ||
         is_moved(what);
}

struct Call {
  What what;
  int root = 0;    // a position in the team
  int chunks = 1;  // of chunks_all, scan_chunks, shares_* and bcast_chunks
  int team = 0;
  bool in_place = false;
  bool stepped = false;  // driven step by step, as operations are; else it blocks
  bool as_leaf = false;  // of blocks in a line to a root: the other one calls from one block
};

struct Script {
  int ranks;
  std::vector<Call> calls;
  std::vector<std::vector<int>> teams = {};  // none: one team of all ranks
  int slots = 4;
  std::size_t piece_count = 1;
  std::vector<engine::Seat> seats = {};  // none: no groups
  std::uint64_t together = 1;            // chunks per stage of shares_*
};

}  // namespace foldlane::model
