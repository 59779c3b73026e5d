// What stands before a part of a team in mutants that break one function of it: the others are the shipped
// ones.
#pragma once

#include <cstdint>

#include "handoff_program.hpp"

namespace foldlane::model {

struct EpochsStandIn {
  std::uint64_t begin(std::uint64_t epochs) const { return intact.begin(epochs); }
  std::uint64_t next_epoch() const { return intact.next_epoch(); }
  void finish(std::uint64_t epoch) const { intact.finish(epoch); }
  bool has_finished(int member, std::uint64_t epoch) const { return intact.has_finished(member, epoch); }
  void note_finished(int member) const { intact.note_finished(member); }

  Team::Epochs& intact;
};

}  // namespace foldlane::model
