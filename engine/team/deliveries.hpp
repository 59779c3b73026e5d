// What the members of a team of two pass each other through boxes (pair_boxes.hpp).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "engine/choice/exchange_choices.hpp"
#include "engine/team/agreement.hpp"
#include "engine/team/membership.hpp"
#include "engine/team/offers.hpp"
#include "engine/team/one_way.hpp"
#include "engine/team/pair_boxes.hpp"
#include "engine/team/ring.hpp"
#include "engine/team/team_lines.hpp"
#include "engine/team/transfer.hpp"
#include "kernels/copy.hpp"
#include "shm/segment/layout.hpp"

namespace foldlane::engine {

template <class Atoms>
class BasicDeliveries {
 public:
  using Lines = BasicTeamLines<Atoms>;
  using OneWay = BasicOneWay<Atoms>;
  using Offers = BasicOffers<Atoms>;

  BasicDeliveries(const BasicMembership<Atoms>& membership, BasicAgreement<Atoms>& agreement)
      : membership_(membership), agreement_(agreement) {
    if (membership.size() != 2) return;
    one_way_ = std::make_unique<OneWay>(membership.process().decisions());
    exchange_choices_ = std::make_unique<ExchangeChoices>(membership.process().decisions());
  }
  BasicDeliveries(const BasicDeliveries&) = delete;
  BasicDeliveries& operator=(const BasicDeliveries&) = delete;
  ~BasicDeliveries() {
    // Into the boxes of a team that failed the other member may still be writing: nobody gets them again.
    if (ring_ != nullptr && !agreement_.broken()) membership_.process().give_back(*ring_);
  }

  PairBoxes& boxes() noexcept { return boxes_; }
  const PairBoxes& boxes() const noexcept { return boxes_; }
  /// How a result of so many bytes is stored that is folded, or copied, out of them. Null: as usual.
  Chooser* folded_stores(std::uint64_t bytes, const void* result) noexcept {
    return is_chosen(bytes) ? &ring_->folded_stores.of(static_cast<std::size_t>(bytes), result) : nullptr;
  }
  Chooser* copied_stores(std::uint64_t bytes, const void* result) noexcept {
    return is_chosen(bytes) ? &ring_->copied_stores.of(static_cast<std::size_t>(bytes), result) : nullptr;
  }

  /// Needs boxes.
  auto& copies() noexcept { return ring_->copies; }
  /// copy(by), of so many bytes from one buffer of this member to another.
  template <class Copy>
  void copy_own(Arm stores, std::size_t bytes, const Copy& copy) {
    ring_ != nullptr ? ring_->copies.own.perform(stores, bytes, bytes, copy) : copy(copy_by(stores));
  }

  ExchangeChoices& exchange_choices() noexcept { return *exchange_choices_; }
  /// Needs boxes that are known.
  Offers& offers() noexcept { return *offers_; }
  const Offers& offers() const noexcept { return *offers_; }

  /// Of calls in which data flows one way.
  OneWay& one_way() noexcept { return *one_way_; }
  /// For one_way(): what the delivery of that epoch took this member, or the other one.
  std::uint32_t& took(std::uint64_t epoch) noexcept { return own_delivery(epoch).took; }
  const std::uint32_t& took_by_other(std::uint64_t epoch) const noexcept {
    return membership_.lines(1 - membership_.rank()).deliveries.in_turn[epoch % kSlots].took;
  }

  /// What the members tell each other before their first use of boxes.
  struct Place {
    std::uint32_t boxes;  // kNoBoxes: there is no memory for them
    MemoryProof proof;
  };
  /// With memory for this member's boxes, for as long as the team lives.
  Place take_boxes() {
    if (ring_ == nullptr) ring_ = membership_.process().take_ring();
    if (offers_ == nullptr) offers_ = std::make_unique<Offers>(membership_);
    return {ring_ == nullptr ? kNoBoxes : ring_->where, offers_->begin()};
  }
  /// What take_boxes gave each of the two.
  void set_boxes(const Place& mine, const Place& theirs) {
    const int other = 1 - membership_.rank();
    if (mine.boxes == kNoBoxes)
      return agreement_.give_up({Broken::memory, {membership_.rank(), -1}, {}, true});
    if (theirs.boxes == kNoBoxes) return agreement_.give_up({Broken::memory, {other, -1}, {}, true});
    boxes_.set(ring_->slots, membership_.peer(other).slots + theirs.boxes * shm::kPageBytes,
               membership_.process().geometry().slot_bytes);
  }

  /// Needs box_free(turn, epoch) awaited and the box written.
  void publish(std::uint64_t turn, std::uint64_t epoch) noexcept {
    auto& word = own_delivery(epoch).mark;
    // While the stores into the box still wait for its lines (128 B to 2 KiB, hot, far, in both orders of the
    // builds: 1.00 to 1.09 x, 1.02 in the middle).
    fetch(word);
    note(turn, epoch);
    membership_.signals().publish(word, agreement_.mark(epoch));  // [X1.rel]
    // As the next inline line is, and for the same reason (128 B, hot, far, with time between the calls:
    // allreduce 1.3 to 1.5 x as fast).
    fetch(own_delivery(epoch + 1).mark);
  }
  /// The same of a box that the other member awaits with a line of that epoch.
  void note(std::uint64_t turn, std::uint64_t epoch) noexcept {
    delivered_[epoch % kSlots] = epoch;
    boxes_.note_delivery(turn, epoch);
  }
  /// For who gives, in this turn so many bytes, and takes nothing: the other member sends nothing back that
  /// would bring the next box along.
  void fetch_next_box(std::uint64_t turn, std::size_t bytes) const noexcept {
    if (bytes <= kFetchedBytes) kernels::prefetch(boxes_.out(turn + 1), bytes);
  }
  /// Of my box of `turn`, or of what stands in my line of deliveries for `epoch`: the mark, and took().
  std::uint64_t last_use(std::uint64_t turn, std::uint64_t epoch) const noexcept {
    return std::max(delivered_[epoch % kSlots], boxes_.last_delivery(turn));
  }

 private:
  static constexpr std::uint32_t kNoBoxes = ~std::uint32_t{0};

  typename Lines::Delivery& own_delivery(std::uint64_t epoch) const noexcept {
    return membership_.own_lines().deliveries.in_turn[epoch % kSlots];
  }
  template <class Word>
  static void fetch(Word& word) noexcept {
    kernels::fetch_to_write(reinterpret_cast<std::byte*>(&word), sizeof word);
  }
  bool is_chosen(std::uint64_t bytes) const noexcept {
    return ring_ != nullptr && bytes >= row_of(Decision::result_stores).from_bytes;
  }

  const BasicMembership<Atoms>& membership_;
  BasicAgreement<Atoms>& agreement_;
  PairBoxes boxes_;
  BasicRing<Atoms>* ring_ = nullptr;
  std::array<std::uint64_t, kSlots> delivered_{};
  std::unique_ptr<OneWay> one_way_;
  std::unique_ptr<ExchangeChoices> exchange_choices_;
  std::unique_ptr<Offers> offers_;
};

}  // namespace foldlane::engine
