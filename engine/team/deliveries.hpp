// What the members of a team of two pass each other through boxes (pair_boxes.hpp).
#pragma once

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "engine/choice/exchange_choices.hpp"
#include "engine/choice/pass_choices.hpp"
#include "engine/choice/recent_results.hpp"
#include "engine/team/agreement.hpp"
#include "engine/team/membership.hpp"
#include "engine/team/one_way.hpp"
#include "engine/team/pair_boxes.hpp"
#include "engine/team/ring.hpp"
#include "engine/team/team_lines.hpp"
#include "shm/segment/layout.hpp"

namespace foldlane::engine {

template <class Atoms>
class BasicDeliveries {
 public:
  using OneWay = BasicOneWay<Atoms>;

  BasicDeliveries(const BasicMembership<Atoms>& membership, BasicAgreement<Atoms>& agreement)
      : membership_(membership), agreement_(agreement) {
    if (membership.size() != 2) return;
    one_way_ = std::make_unique<OneWay>(membership.process().decisions());
    exchange_choices_ = std::make_unique<ExchangeChoices>(membership.process().decisions());
    pass_choices_ = std::make_unique<PassChoices>(membership.process().decisions());
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

  ExchangeChoices& exchange_choices() noexcept { return *exchange_choices_; }

  /// Of calls in which data flows one way.
  OneWay& one_way() noexcept { return *one_way_; }
  /// For one_way(): what the delivery of that epoch took this member, or the other one.
  std::uint32_t& took(std::uint64_t epoch) noexcept {
    return membership_.own_lines().deliveries.took[epoch % kSlots];
  }
  const std::uint32_t& took_by_other(std::uint64_t epoch) const noexcept {
    return membership_.lines(1 - membership_.rank()).deliveries.took[epoch % kSlots];
  }

  /// What the members tell each other before their first use of boxes.
  struct Place {
    std::uint32_t boxes;    // kNoBoxes: there is no memory for them
    std::int32_t process;   // whose number may mean another one elsewhere:
    std::uint64_t address;  // there it has, as long as the team lives,
    std::uint64_t word;     // this
  };
  /// With memory for this member's boxes, for as long as the team lives.
  Place take_boxes() {
    if (ring_ == nullptr) ring_ = membership_.process().take_ring();
    pass_choices_->learn(false);
    tell_wants();  // what was wanted under this team's id before says nothing
    return {ring_ == nullptr ? kNoBoxes : ring_->where, ::getpid(), reinterpret_cast<std::uint64_t>(&proof_),
            proof_};
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
    note(turn, epoch);
    membership_.signals().publish(membership_.own_lines().deliveries.delivered[epoch % kSlots],
                                  agreement_.mark(epoch));  // [X1.rel]
  }
  /// The same of a box that the other member awaits with a line of that epoch.
  void note(std::uint64_t turn, std::uint64_t epoch) noexcept {
    delivered_[epoch % kSlots] = epoch;
    boxes_.note_delivery(turn, epoch);
  }
  /// Of my box of `turn`, or of what stands in my line of deliveries for `epoch`: the mark, and took().
  std::uint64_t last_use(std::uint64_t turn, std::uint64_t epoch) const noexcept {
    return std::max(delivered_[epoch % kSlots], boxes_.last_delivery(turn));
  }

  // ---- long calls that go one way: through boxes, or where the giver says

  /// Shorter ones always go through boxes.
  std::size_t long_bytes() const noexcept { return pass_choices_->from_bytes(); }

  /// The giver: whether the other member wants to pull what it is given from there.
  bool wants_offer(Passed passed, const std::byte* data, std::size_t bytes) noexcept {
    is_again_ = sources_.find(data).has_value();
    sources_.note(data, bytes);
    const std::uint64_t wants = other_lines().finished.wants.observe();
    return PassChoices::is_wanted(wants, {passed, bytes, is_again_});
  }
  /// The same. Before the first delivery of the call, in that epoch; box_free() of it awaited.
  void say_in_boxes(std::uint64_t epoch) noexcept { say(epoch, 0); }
  /// Where the data are, and stay until the other member has finished the epoch.
  void offer(std::uint64_t epoch, std::uint64_t place) noexcept {
    auto& lines = membership_.own_lines().deliveries;
    Atoms::writes(&lines.offered, sizeof lines.offered);
    lines.offered = place;
    say(epoch, Lines::Passing::kOffered);
  }

  /// The taker. Needs the first delivery awaited. None: it is in its box.
  std::optional<std::uint64_t> offered(std::uint64_t epoch) const noexcept {
    if ((said(epoch) & Lines::Passing::kOffered) == 0) return {};
    const auto& lines = other_lines().deliveries;
    Atoms::reads(&lines.offered, sizeof lines.offered);
    return lines.offered;
  }
  PassChoices::Use begin_taking(std::uint64_t epoch, Passed passed, std::size_t bytes) noexcept {
    PassChoices::Use use;
    const std::uint32_t how = said(epoch);
    use.begin(*pass_choices_, {passed, bytes, (how & Lines::Passing::kAgain) != 0},
              (how & Lines::Passing::kOffered) != 0 ? Arm::second : Arm::first);
    return use;
  }
  void end_taking(PassChoices::Use& use) noexcept {
    if (use.end()) tell_wants();
  }
  /// Where the other member's private data lie.
  int other_process() const noexcept { return other_process_; }
  void learn_to_pull(const Place& theirs, bool can_pull) noexcept {
    other_process_ = theirs.process;
    pass_choices_->learn(can_pull);
    tell_wants();
  }

 private:
  using Lines = BasicTeamLines<Atoms>;
  static constexpr std::uint32_t kNoBoxes = ~std::uint32_t{0};

  bool is_chosen(std::uint64_t bytes) const noexcept {
    return ring_ != nullptr && bytes >= row_of(Decision::result_stores).from_bytes;
  }

  const Lines& other_lines() const noexcept { return membership_.lines(1 - membership_.rank()); }
  void tell_wants() noexcept {
    auto& wants = membership_.own_lines().finished.wants;
    if (wants.peek() != pass_choices_->wants()) wants.publish(pass_choices_->wants());
  }
  void say(std::uint64_t epoch, std::uint32_t how) noexcept {
    std::uint32_t& word = membership_.own_lines().deliveries.how[epoch % kSlots];
    Atoms::writes(&word, sizeof word);
    word = how | (is_again_ ? Lines::Passing::kAgain : 0);
  }
  std::uint32_t said(std::uint64_t epoch) const noexcept {
    const std::uint32_t& word = other_lines().deliveries.how[epoch % kSlots];
    Atoms::reads(&word, sizeof word);
    return word;
  }

  const BasicMembership<Atoms>& membership_;
  BasicAgreement<Atoms>& agreement_;
  PairBoxes boxes_;
  BasicRing<Atoms>* ring_ = nullptr;
  std::array<std::uint64_t, kSlots> delivered_{};
  std::unique_ptr<OneWay> one_way_;
  std::unique_ptr<ExchangeChoices> exchange_choices_;
  std::unique_ptr<PassChoices> pass_choices_;
  RecentResults sources_;  // of what this member has passed
  bool is_again_ = false;
  int other_process_ = 0;
  std::uint64_t proof_ = reinterpret_cast<std::uint64_t>(this) ^ membership_.first_epoch() << 48;
};

}  // namespace foldlane::engine
