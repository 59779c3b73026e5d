// Which algorithm serves a call: a pure function of what all members know alike, printable, and tested as a
// table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace foldlane::engine {

enum class Call : std::uint8_t { barrier, bcast, reduce, allreduce, reduce_scatter };

enum class Class : std::uint8_t {
  alone,        // a team of one, or nothing to move
  inline_line,  // the data travels beside the epoch
  one_shot,     // through one slot; whoever wants the result folds all of it
  two_shot,     // through one slot; each member folds its share, then the result is delivered
  pipelined,    // two_shot, chunk by chunk through the ring of slots
};

/// What a plan depends on besides the call; equal on all members.
struct TeamShape {
  int ranks;
  std::size_t slot_bytes;
  int slots;
  std::uint64_t llc_bytes;  // 0 if unknown
};

struct Plan {
  Class cls;
  std::size_t piece_bytes;  // largest part of one share per chunk; of the whole vector for bcast
  std::uint64_t chunks;     // for equal shares
  bool streaming;           // results bypass the caches on their way to the user's buffer
  int hops;                 // flag hand-offs on the critical path of the first chunk
  const char* why;
};

/// `bytes` is the whole input vector of one member (of the root, for bcast).
Plan plan(Call call, std::uint64_t bytes, const TeamShape& team);

const char* name(Call call);
const char* name(Class cls);

/// "allreduce of 65536 bytes on 8 ranks: two_shot (…): 1 chunk, pieces of 8192 bytes, 2 hops, cached stores".
std::string describe(Call call, std::uint64_t bytes, const TeamShape& team);

}  // namespace foldlane::engine
