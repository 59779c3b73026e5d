// The slots that a team's calls go through: in which ring, where those of other members are, and what this
// member says about its own.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/choice/block_choices.hpp"
#include "engine/data/type_map.hpp"
#include "engine/team/agreement.hpp"
#include "engine/team/membership.hpp"
#include "engine/team/one_way.hpp"
#include "engine/team/readers.hpp"
#include "engine/team/ring.hpp"
#include "engine/team/step.hpp"
#include "engine/team/team_lines.hpp"
#include "engine/team/transfer.hpp"
#include "shm/segment/layout.hpp"

namespace foldlane::engine {

/// A member's slot of that index, in the ring that begins so many pages behind the start of its slots.
template <class Atoms>
std::byte* slot_at(const BasicMembership<Atoms>& membership, int member, std::uint32_t where,
                   std::size_t index) noexcept {
  return membership.peer(member).slots + where * shm::kPageBytes +
         index * membership.process().geometry().slot_bytes;
}

template <class Atoms>
class BasicSlots {
 public:
  using Ring = BasicRing<Atoms>;
  using Lines = BasicTeamLines<Atoms>;
  using OneWay = BasicOneWay<Atoms>;

  /// `team` is whom the rings will know as the user of their slots.
  BasicSlots(BasicTeam<Atoms>& team, const BasicMembership<Atoms>& membership,
             const BasicAgreement<Atoms>& agreement)
      : membership_(membership),
        agreement_(agreement),
        ring_(&membership.process().first_ring()),
        team_(team) {
    if (membership.size() == 2) one_way_ = std::make_unique<OneWay>(membership.process().decisions());
  }
  BasicSlots(const BasicSlots&) = delete;
  BasicSlots& operator=(const BasicSlots&) = delete;

  // ---- the ring of a call that uses slots

  /// Where other calls can be under way meanwhile, a call takes a ring of its own for as long as it lasts.
  /// Null if there is no memory for it.
  Ring* lease() {
    Ring* const ring = membership_.process().lease(team_, *ring_);
    if (ring != nullptr) ring_ = ring;
    return ring;
  }
  /// A call that nothing else can disturb uses the first one.
  void use_first_ring() noexcept { ring_ = &membership_.process().first_ring(); }
  Ring& ring() noexcept { return *ring_; }

  // ---- places

  std::size_t index(std::uint64_t epoch) const noexcept {
    return epoch % static_cast<std::uint64_t>(membership_.process().geometry().slots);
  }
  std::byte* own(std::uint64_t epoch) const noexcept {
    return ring_->slots + index(epoch) * membership_.process().geometry().slot_bytes;
  }
  /// Another member's. Needs filled(member, epoch) awaited, or that of somebody who has.
  std::byte* of(int member, std::uint64_t epoch) const noexcept {
    const std::uint32_t& where = membership_.lines(member).steps.in_slot[index(epoch)].where;
    Atoms::reads(&where, sizeof where);
    return slot_at(membership_, member, where, index(epoch));
  }
  /// The same. Needs step_done(step, member, epoch) awaited.
  std::byte* after(Step step, int member, std::uint64_t epoch) const noexcept {
    const std::uint32_t& where = stage_of(membership_.lines(member), step).where[index(epoch)];
    Atoms::reads(&where, sizeof where);
    return slot_at(membership_, member, where, index(epoch));
  }
  /// Another member's input in common memory, null if it is in the slot. Needs filled(member, epoch) awaited.
  const std::byte* elsewhere(int member, std::uint64_t epoch) const noexcept {
    const auto& filling = membership_.lines(member).steps.in_slot[index(epoch)];
    Atoms::reads(&filling.where, sizeof filling.where);
    if (filling.where != Lines::kElsewhere) return nullptr;
    Atoms::reads(&filling.elsewhere, sizeof filling.elsewhere);
    return membership_.process().common().at(filling.elsewhere);
  }

  /// `bytes` packed bytes of a caller's buffer from `offset` on, into an own slot. A member without input
  /// passes kNoInput: its slots stay as they are.
  void pack_in(std::byte* place, const std::byte* buffer, const TypeMap* type_map, std::uint64_t offset,
               std::size_t bytes) {
    if (buffer == kNoInput) return;
    Atoms::writes(place, bytes);
    if (type_map != nullptr) return type_map->pack(place, buffer, offset, bytes);
    if (bytes < row_of(Decision::slot_stores).from_bytes) return kernels::copy(place, buffer + offset, bytes);
    Chooser::Use(&ring_->stores).perform(bytes, [&](Arm stores) {
      ring_->copies.of_slots.perform(stores, bytes, bytes, [&](kernels::CopyBy by) {
        kernels::copy(place, buffer + offset, bytes, by);
      });
    });
  }

  /// Of blocks that have no room in a slot; made for the first call that asks.
  BlockChoices& block_choices() {
    auto& process = membership_.process();
    if (block_choices_ == nullptr)
      block_choices_ =
          std::make_unique<BlockChoices>(process.decisions(), process.geometry().shared_cpus > 0);
    return *block_choices_;
  }

  /// Of a team of two, where one member alone reads a slot: it hands the slot back. Else null.
  OneWay* one_way() noexcept { return one_way_.get(); }
  /// For one_way(): what a member's slot of that epoch took.
  std::uint32_t& took(std::uint64_t epoch) noexcept { return own_filling(epoch).took; }
  const std::uint32_t& took_of(int member, std::uint64_t epoch) const noexcept {
    return membership_.lines(member).steps.in_slot[index(epoch)].took;
  }

  // ---- publishing

  /// Needs slot_free(epoch) awaited and the slot written.
  void publish_filled(std::uint64_t epoch) noexcept { publish_place(epoch, ring_->where); }
  /// The same of a slot that peers await only with a later one: wakes nobody. Returns how many pages behind
  /// the start of this rank's slots its ring begins, for who tells that besides.
  std::uint32_t note_filled(std::uint64_t epoch) noexcept {
    place_word(epoch, ring_->where).publish(agreement_.mark(epoch));  // [H2.rel], by that later one
    return ring_->where;
  }
  /// The same for input in common memory instead of the slot.
  void publish_elsewhere(std::uint64_t epoch, std::uint64_t offset) noexcept {
    auto& elsewhere = own_filling(epoch).elsewhere;
    Atoms::writes(&elsewhere, sizeof elsewhere);
    elsewhere = offset;
    publish_place(epoch, Lines::kElsewhere);
  }
  void publish_folded(std::uint64_t epoch) noexcept {
    membership_.signals().publish(membership_.own_lines().steps.folded, epoch);  // [H2.rel]
  }
  void publish_step(Step step, std::uint64_t epoch) noexcept {
    const std::size_t at = index(epoch);
    auto& stage = stage_of(membership_.own_lines(), step);
    Atoms::writes(&stage.where[at], sizeof stage.where[at]);
    stage.where[at] = ring_->where;
    membership_.signals().publish(stage.done[at], agreement_.mark(epoch));  // [H2.rel]
  }

  // ---- who used my slot of an epoch last, and who read it

  /// The epoch in which this team did.
  std::uint64_t last_use(std::uint64_t epoch) const noexcept { return filled_[index(epoch)]; }
  /// Null if no other team was the last one.
  const typename Ring::Use* foreign_use(std::uint64_t epoch) const noexcept {
    const auto& use = ring_->uses[index(epoch)];
    return use.team != nullptr && use.team != &team_ ? &use : nullptr;
  }

  /// To be filled in.
  std::vector<int>& note_readers(std::uint64_t epoch) { return readers_[index(epoch)].begin(epoch); }
  /// Null: everybody may have read it.
  const Readers* readers(std::uint64_t epoch) const noexcept {
    const auto& use = ring_->uses[index(epoch)];
    const Readers& readers = readers_[index(epoch)];
    // A call that went through another ring since has used the words of the slot, too.
    const bool is_last = use.team == &team_ && use.epoch == readers.epoch && last_use(epoch) == readers.epoch;
    return is_last ? &readers : nullptr;
  }

 private:
  typename Lines::Filling& own_filling(std::uint64_t epoch) const noexcept {
    return membership_.own_lines().steps.in_slot[index(epoch)];
  }

  void publish_place(std::uint64_t epoch, std::uint32_t where) noexcept {
    membership_.signals().publish(place_word(epoch, where), agreement_.mark(epoch));  // [H2.rel]
    // As the next inline line is, and for the same reason.
    kernels::fetch_to_write(reinterpret_cast<std::byte*>(&own_filling(epoch + 1)), shm::kLineBytes);
  }
  /// What publishes my slot of that epoch, once it is known where it is and who uses it.
  typename Lines::Epoch& place_word(std::uint64_t epoch, std::uint32_t where) noexcept {
    const std::size_t at = index(epoch);
    ring_->uses[at] = {&team_, epoch};
    filled_[at] = epoch;
    auto& filling = own_filling(epoch);
    Atoms::writes(&filling.where, sizeof filling.where);
    filling.where = where;
    return filling.mark;
  }

  const BasicMembership<Atoms>& membership_;
  const BasicAgreement<Atoms>& agreement_;
  Ring* ring_;
  std::array<std::uint64_t, kSlots> filled_{};
  BasicTeam<Atoms>& team_;
  std::array<Readers, kSlots> readers_{};
  std::unique_ptr<OneWay> one_way_;
  std::unique_ptr<BlockChoices> block_choices_;
};

}  // namespace foldlane::engine
