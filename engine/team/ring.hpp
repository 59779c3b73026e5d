// The data slots of a process: a ring of them in its partition, and more rings when several threads are in
// collectives at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "engine/choice/chooser.hpp"
#include "engine/choice/store_choices.hpp"
#include "engine/team/team_lines.hpp"
#include "shm/sync/atoms.hpp"

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
        copies(decisions),
        folded_stores(decisions),
        copied_stores(decisions) {}

  std::byte* slots;
  std::uint32_t where;  // pages behind the start of the process's first ring
  Chooser stores;
  struct Copies {
    explicit Copies(Decisions& decisions) noexcept : of_slots(decisions), given(decisions), own(decisions) {}

    LongCopies<Atoms> of_slots;
    LongCopies<Atoms> given;  // in boxes, and in slots that are used like boxes
    OwnCopies own;            // to oneself
  } copies;
  StoreChoices folded_stores;  // of results that are folded
  StoreChoices copied_stores;  // of those that are only moved
  std::array<Use, kSlots> uses{};

  // ---- who has it: at most one call, or one team

  /// Until it is leased or let go; false if it is somebody's.
  bool hold() noexcept { return state_.claim(kFree, kHeld); }
  void lease() noexcept { state_.publish(kLeased); }
  void let_go() noexcept { state_.publish(kFree); }
  bool is_leased() const noexcept { return state_.observe() == kLeased; }

  /// A team that goes away takes its claims with it; its members must have finished. Needs it held.
  void forget(const BasicTeam<Atoms>* team) noexcept {
    for (Use& use : uses) {
      if (use.team == team) use = {};
    }
  }

 private:
  static constexpr std::uint32_t kFree = 0, kHeld = 1, kLeased = 2;

  shm::RealAtoms::Word<std::uint32_t> state_{};  // only this process has it: no protocol's
};

}  // namespace foldlane::engine
