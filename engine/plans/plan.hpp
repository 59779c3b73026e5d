// Which algorithm serves a call: a pure function of what all members know alike, printable, and tested as a
// table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "engine/team/team.hpp"

namespace foldlane::engine {

enum class Class : std::uint8_t {
  alone,        // a team of one, or nothing to move
  inline_line,  // the data travels beside the epoch
  one_shot,     // through one slot; whoever wants the result folds all of it
  two_shot,     // through one slot; each member folds its share, then the result is delivered
  pipelined,    // one of the two, chunk by chunk through the ring of slots
  gathered,     // elements larger than a slot: whole ones are put together in private memory, then folded
  messages,     // one for each block
};

/// Who folds: whoever wants the result folds the whole of it, or each member folds its share; of two, each
/// folds what it wants of what the other passes it, or one half for both; or members fold inside their groups
/// first (engine/groups/hierarchy.hpp); or the last one to arrive folds for all.
enum class Style : std::uint8_t { whole, shares, pair, halves, grouped, central };

/// What a plan depends on besides the call; equal on all members.
struct TeamShape {
  int ranks;
  std::size_t slot_bytes;
  std::uint64_t llc_bytes;               // 0 if unknown
  int shared_cpus = 0;                   // how many CPUs the ranks share; 0: each has its own
  const Hierarchy* hierarchy = nullptr;  // null: flat
  bool has_common_memory = false;        // buffers can lie where all members reach them
  bool has_mail = true;                  // broadcasts, and exscans of two, may go by message
};

struct Plan {
  Class cls;
  Style style;
  std::size_t piece_bytes;  // per chunk: of each share, or of the whole vector where there are no shares
  std::uint64_t chunks;     // for equal shares
  bool streaming;           // results bypass the caches on their way to the user's buffer
  int hops;                 // flag hand-offs on the critical path of the first chunk
  const char* why;
  std::uint64_t together = 1;     // chunks that go through the slots at a time; 1: they overlap
  bool direct_first = false;      // first ask whether all buffers lie in common memory
  bool direct_streaming = false;  // then, the same as streaming; false: as timed
};

/// Whether plan() would choose inline_line for this many bytes: the question that small calls ask first.
inline bool fits_inline(std::uint64_t bytes, int ranks) {
  return ranks > 1 && bytes - 1 < Team::kInlineBytes;  // zero bytes wrap around: nothing to move
}

/// `bytes` is the whole input vector of one member (of the root, for bcast; of calls that only move data, a
/// block), in elements of `elem_bytes`, whose partial results have `value_bytes` (0: as many).
Plan plan(Call call, std::uint64_t bytes, const TeamShape& team, std::size_t elem_bytes = 1,
          std::size_t value_bytes = 0);

/// For calls between two groups: the whole vector through everybody's slots, whoever folds it.
Plan plan_by_wholes(std::uint64_t bytes, const TeamShape& team, std::size_t elem_bytes);

const char* name(Class cls);

/// "allreduce of 65536 bytes on 8 ranks: two-shot (…); 2 hops, 1 chunk in pieces of 32768 bytes, cached
/// stores".
std::string describe(Call call, std::uint64_t bytes, const TeamShape& team);

}  // namespace foldlane::engine
