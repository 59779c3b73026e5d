// What one member of a team of two moves in one turn of a large allreduce of doubles, and nothing else.
#pragma once

#include <cstddef>

namespace foldlane::perf {

/// Each move is left out if its destination is null. Places start at a multiple of 64.
struct Moves {
  std::size_t bytes;      // of each move, a multiple of `grain`
  std::size_t grain;      // so many bytes of one move, then of the next; a multiple of 64
  bool streaming;         // stores to `result` and `other_result`; all others are plain
  double* box = nullptr;  // from `input`: what the other member wants
  const double* input = nullptr;
  double* result = nullptr;  // of `own` and `given`
  double* result_box = nullptr;
  const double* own = nullptr;
  const double* given = nullptr;
  double* other_result = nullptr;  // from `other_given`
  const double* other_given = nullptr;
};

/// With the widest vectors of this CPU. Streaming stores have ended.
void move(const Moves& moves) noexcept;

}  // namespace foldlane::perf
