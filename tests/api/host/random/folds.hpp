// Reductions that all members of a communicator have drawn alike: results that no order of folding changes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "matching/random.hpp"
#include "moves/random/circle.hpp"

namespace foldlane::host_test {

enum class FoldCall : std::uint8_t { allreduce, reduce, scan, exscan, reduce_scatter, reduce_scatter_block };
inline constexpr int kFoldCalls = 6;

struct Fold {
  FoldCall call;
  int type;       // in the table of folds.cpp
  int operation;  // sum, max, min, and one of the program's: that is the host's
  int count;      // of a block, in a reduce-scatter about
  int root;
  bool in_place;
  std::uint64_t seed;

  std::string text() const;
  bool has_own_operation() const;
};

Fold draw_fold(matching::Random& random, int members);
/// Makes the call and compares.
bool is_right(const Fold& fold, const moves::Circle& circle);

}  // namespace foldlane::host_test
