// What stands before a part of a team in mutants that break one function of it: the others are the shipped
// ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

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

struct SlotsStandIn {
  std::size_t index(std::uint64_t epoch) const { return intact.index(epoch); }
  std::byte* own(std::uint64_t epoch) const { return intact.own(epoch); }
  std::byte* of(int member, std::uint64_t epoch) const { return intact.of(member, epoch); }
  std::byte* after(engine::Step step, int member, std::uint64_t epoch) const {
    return intact.after(step, member, epoch);
  }
  void pack_in(std::byte* place, const std::byte* buffer, const engine::TypeMap* type_map,
               std::uint64_t offset, std::size_t bytes) const {
    intact.pack_in(place, buffer, type_map, offset, bytes);
  }
  Team::OneWay* one_way() const { return intact.one_way(); }
  engine::BlockChoices& block_choices() const { return intact.block_choices(); }
  std::uint32_t& took(std::uint64_t epoch) const { return intact.took(epoch); }
  const std::uint32_t& took_of(int member, std::uint64_t epoch) const {
    return intact.took_of(member, epoch);
  }
  void publish_filled(std::uint64_t epoch) const { intact.publish_filled(epoch); }
  std::uint32_t note_filled(std::uint64_t epoch) const { return intact.note_filled(epoch); }
  void publish_folded(std::uint64_t epoch) const { intact.publish_folded(epoch); }
  void publish_step(engine::Step step, std::uint64_t epoch) const { intact.publish_step(step, epoch); }
  std::vector<int>& note_readers(std::uint64_t epoch) const { return intact.note_readers(epoch); }
  auto& ring() const { return intact.ring(); }
  const engine::Readers* readers(std::uint64_t epoch) const { return intact.readers(epoch); }

  Team::Slots& intact;
};

struct BoxesStandIn {
  bool known() const { return intact.known(); }
  std::uint64_t begin(std::uint64_t turns) const { return intact.begin(turns); }
  std::byte* out(std::uint64_t turn) const { return intact.out(turn); }
  std::byte* in(std::uint64_t turn) const { return intact.in(turn); }

  engine::PairBoxes& intact;
};

struct DeliveriesStandIn {
  using Place = Team::Deliveries::Place;
  using Offers = Team::Deliveries::Offers;
  engine::Chooser* folded_stores(std::uint64_t bytes, const void* result) const {
    return intact.folded_stores(bytes, result);
  }
  engine::Chooser* copied_stores(std::uint64_t bytes, const void* result) const {
    return intact.copied_stores(bytes, result);
  }
  auto& copies() const { return intact.copies(); }
  template <class Copy>
  void copy_own(engine::Arm stores, std::size_t bytes, const Copy& copy) const {
    intact.copy_own(stores, bytes, copy);
  }
  Team::OneWay& one_way() const { return intact.one_way(); }
  std::uint32_t& took(std::uint64_t epoch) const { return intact.took(epoch); }
  const std::uint32_t& took_by_other(std::uint64_t epoch) const { return intact.took_by_other(epoch); }
  Place take_boxes() const { return intact.take_boxes(); }
  void set_boxes(const Place& mine, const Place& theirs) const { intact.set_boxes(mine, theirs); }
  void publish(std::uint64_t turn, std::uint64_t epoch) const { intact.publish(turn, epoch); }
  void note(std::uint64_t turn, std::uint64_t epoch) const { intact.note(turn, epoch); }
  void fetch_next_box(std::uint64_t turn, std::size_t bytes) const { intact.fetch_next_box(turn, bytes); }
  Team::Deliveries::Offers& offers() const { return intact.offers(); }

  Team::Deliveries& intact;
};

}  // namespace foldlane::model
