// Blocks that members of a team of more than two pull from each other's private memory, with the kernel's
// help: one copy, and no hand-shake but the place where the block is.
//
// Before its first call that could do so a team finds out whether the system lets them: each member shows
// where a word of its own is, tries to read the next one's, and tells the others how that went. All have the
// same answer then, so that nobody shows what another one cannot read.
// MODEL: tests/model/buffers/listed_model_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/algorithms/turns.hpp"
#include "engine/team/memory_proof.hpp"
#include "engine/team/team.hpp"

namespace foldlane::engine {

template <class AnyTeam>
class PermissionTurns {
 public:
  using Team = AnyTeam;
  static constexpr std::uint64_t kAhead = 0;
  static constexpr std::uint64_t count() { return 2; }

  explicit PermissionTurns(Team& team) : team_(team), epoch_(team.epochs().begin(count())) {}

  static constexpr bool gives(std::uint64_t) { return true; }
  template <class How>
  Progress await_free(How& how, std::uint64_t turn) {
    return how.inline_free(team_, epoch_ + turn);
  }
  void give(std::uint64_t turn) {
    if (turn == 1) return team_.inline_lines().show(epoch_ + 1, &could_, sizeof could_);
    const MemoryProof mine = MemoryProof::of(word_);
    team_.inline_lines().show(epoch_, &mine, sizeof mine);
  }
  static constexpr bool takes(std::uint64_t) { return true; }
  template <class How>
  Progress await_given(How& how, std::uint64_t turn) {
    return how.all_shown(team_, epoch_ + turn, epoch_ - 1 + turn);
  }
  void take(std::uint64_t turn) { turn == 0 ? try_next() : learn(); }
  void finish(std::uint64_t turn) { team_.epochs().finish(epoch_ + turn); }

 private:
  void try_next() {
    std::vector<int>& processes = team_.slots().block_choices().processes();
    for (int member = 0; member < team_.size(); ++member) {
      MemoryProof theirs{};
      team_.inline_lines().read(member, epoch_, theirs);
      processes.push_back(theirs.process);
      if (member == (team_.rank() + 1) % team_.size())
        could_ = theirs.template can_be_pulled<typename Team::Transfer>();
    }
  }
  void learn() {
    bool all_could = true;
    for (int member = 0; member < team_.size(); ++member) {
      bool could = false;
      team_.inline_lines().read(member, epoch_ + 1, could);
      all_could = all_could && could;
    }
    team_.slots().block_choices().learn(all_could);
  }

  Team& team_;
  std::uint64_t epoch_;
  std::uint64_t word_ = word_to_prove(this, epoch_, team_.rank());
  bool could_ = false;
};

template <class Team>
int process_of(Team& team, int member) {
  return team.slots().block_choices().processes()[static_cast<std::size_t>(member)];
}

}  // namespace foldlane::engine
