// What a leaf of a gather or a gatherv does whose block goes in a line: as ShownMove and LeavesMove have it,
// from one block instead of lists. Where ranks share CPUs each call begins with cold caches and predictors, so
// that the length of its path is what it costs (8 ranks on 2 CPUs, a barrier before each, gatherv and gather:
// 1,300 and 1,000 cycles by lists, so 280 and 580).
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/algorithms/turns.hpp"
#include "engine/p2p/user_buffer.hpp"
#include "engine/team/team.hpp"

namespace foldlane::engine {

template <class AnyTeam>
class LeafMove {
 public:
  using Team = AnyTeam;
  static constexpr std::uint64_t kAhead = 0;
  static constexpr std::uint64_t count() { return 1; }

  /// `tells_length`: nobody but root and leaf knows it, and the root awaits lines that tell it.
  LeafMove(Team& team, int root, const UserBuffer& block, bool tells_length)
      : team_(team),
        root_(root),
        block_(block),
        tells_length_(tells_length),
        epoch_(team.epochs().begin(1)) {}

  static constexpr bool gives(std::uint64_t) { return true; }
  template <class How>
  Progress await_free(How& how, std::uint64_t) {
    return how.inline_free(team_, epoch_);
  }
  void give(std::uint64_t) {
    const auto bytes = static_cast<std::size_t>(block_.bytes);
    const auto pack = [&](std::byte* line) { block_.copy_to(line, 0, bytes); };
    if (tells_length_) return team_.inline_lines().show_with(epoch_, bytes, bytes, pack);
    team_.inline_lines().show_packed(epoch_, bytes, pack);
    team_.inline_lines().note_readers(epoch_).push_back(root_);
  }

  static constexpr bool takes(std::uint64_t) { return false; }
  template <class How>
  static Progress await_given(How&, std::uint64_t) {
    return Progress::done;
  }
  static void take(std::uint64_t) {}
  void finish(std::uint64_t) { team_.epochs().finish(epoch_); }

 private:
  Team& team_;
  int root_;
  const UserBuffer& block_;
  bool tells_length_;
  std::uint64_t epoch_;
};

}  // namespace foldlane::engine
