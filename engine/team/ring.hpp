// The data slots of a process: a ring of them in its partition, and more rings when several threads are in
// collectives at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "engine/choice/chooser.hpp"
#include "engine/choice/store_choices.hpp"
#include "engine/team/team_lines.hpp"

namespace foldlane::engine {

template <class Atoms>
class BasicTeam;

template <class Atoms>
struct BasicRing {
  /// Who last filled a slot, and in which epoch of that team: its readers must have finished before the slot
  /// is filled again.
  struct Use {
    BasicTeam<Atoms>* team = nullptr;
    std::uint64_t epoch = 0;
  };

  BasicRing(std::byte* memory, std::uint32_t pages, Decisions& decisions) noexcept
      : slots(memory),
        where(pages),
        stores(decisions.of(Decision::slot_stores)),
        folded_stores(decisions),
        copied_stores(decisions) {}

  std::byte* slots;
  std::uint32_t where;  // pages behind the start of the process's first ring
  Chooser stores;
  StoreChoices folded_stores;  // of results that are folded
  StoreChoices copied_stores;  // of those that are only moved
  std::array<Use, kSlots> uses{};
  bool leased = false;

  /// A team that goes away takes its claims with it; its members must have finished.
  void forget(const BasicTeam<Atoms>* team) noexcept {
    for (Use& use : uses) {
      if (use.team == team) use = {};
    }
  }
};

}  // namespace foldlane::engine
