// A team: an ordered set of ranks that folds together, its lines, its epochs, and the hand-off of data
// between them.
//
// Every call of a team consumes one or more epochs, the same number on every member. The words of a member's
// lines only grow, and mean ("member m has published word >= e"):
//   shown(e)     m's inline line of epoch e holds its mark and payload
//   filled(e)    m's slot of epoch e holds its input; there is one such word per slot
//   folded(e)    m's slot of epoch e holds the result of m's share
//   finished(e)  m has read everything of others it will ever read for epochs <= e, and has handed back the
//                boxes and slots that come back empty (pair_boxes.hpp, broadcast.hpp)
//
// PROTOCOL H "hand-off"           writer: rank r                         readers: any member p
//   r:  await all_finished(u), u = the epoch this place was last used in  [H1.acq]
//       write the place (slot or payload)                                 plain stores
//       publish filled(e) / shown(e) / folded(e)                          [H2.rel]
//   p:  await filled(e) / shown(e) / folded(e) of r                       [H2.acq]
//       read the place                                                    plain loads
//       publish finished(e)                                               [H1.rel]
// WITHOUT [H2]: p reads a stale place (never seen on x86). WITHOUT [H1]: r overwrites what p still reads.
// MODEL: tests/model drives these very templates, with mutants.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "engine/groups/hierarchy.hpp"
#include "engine/progress/procedure.hpp"
#include "engine/team/agreement.hpp"
#include "engine/team/deliveries.hpp"
#include "engine/team/epochs.hpp"
#include "engine/team/inline_lines.hpp"
#include "engine/team/membership.hpp"
#include "engine/team/process.hpp"
#include "engine/team/slots.hpp"
#include "engine/team/transfer.hpp"
#include "shm/segment/layout.hpp"

namespace foldlane::engine {

template <class Atoms>
class BasicTeam {
 public:
  using Process = BasicProcess<Atoms>;
  using Membership = BasicMembership<Atoms>;
  using Agreement = BasicAgreement<Atoms>;
  using Epochs = BasicEpochs<Atoms>;
  using InlineLines = BasicInlineLines<Atoms>;
  using Slots = BasicSlots<Atoms>;
  using Deliveries = BasicDeliveries<Atoms>;
  using Transfer = BasicTransfer<Atoms>;
  using Lines = shm::BasicTeamLines<Atoms>;
  using Word = typename Lines::Epoch;
  static constexpr std::size_t kInlineBytes = Lines::kPayloadBytes;
  static constexpr std::size_t kOneLineBytes = Lines::kOneLinePayloadBytes;
  /// `members` are ranks of the process's job, in team order; `rank` is this process's position among them;
  /// `id` selects the lines; it is the same on all members, and its lines are fresh from `first_epoch` on:
  /// words of an earlier team would satisfy the waits of this one. Before a team goes away its members must
  /// have met (engine/collectives/collectives.hpp).
  BasicTeam(Process& process, std::vector<int> members, int rank, int id, std::uint64_t first_epoch = 1)
      : membership_(process, std::move(members), rank, id),
        short_bytes_(std::min(kShortBytes, process.geometry().slot_bytes)),
        agreement_(membership_, first_epoch - 1),
        epochs_(membership_, agreement_, first_epoch),
        inline_lines_(membership_, agreement_),
        slots_(*this, membership_, agreement_),
        deliveries_(membership_, agreement_),
        sources_(static_cast<std::size_t>(membership_.size())) {
    if (size() > 1) flat_inline_bytes_ = kInlineBytes;
    // Where ranks share CPUs, each hop more is a switch of all of them.
    if (size() > process.geometry().most_flat && process.geometry().shared_cpus == 0) find_groups();
  }
  ~BasicTeam() { process().forget(this); }

  Membership& membership() noexcept { return membership_; }
  int rank() const noexcept { return membership_.rank(); }
  int size() const noexcept { return membership_.size(); }
  /// Ranks of the job.
  const std::vector<int>& members() const noexcept { return membership_.members(); }
  Process& process() const noexcept { return membership_.process(); }
  Agreement& agreement() noexcept { return agreement_; }
  const Agreement& agreement() const noexcept { return agreement_; }
  Epochs& epochs() noexcept { return epochs_; }
  InlineLines& inline_lines() noexcept { return inline_lines_; }
  Slots& slots() noexcept { return slots_; }
  Deliveries& deliveries() noexcept { return deliveries_; }
  /// Null: the team is flat.
  const Hierarchy* hierarchy() const noexcept { return hierarchy_.get(); }
  /// Inputs of up to that many bytes travel beside the epoch to everybody.
  std::size_t flat_inline_bytes() const noexcept { return flat_inline_bytes_; }
  /// Zero bytes wrap around: nothing to move.
  bool carries_inline(std::size_t bytes) const noexcept { return bytes - 1 < flat_inline_bytes_; }
  /// Whether one box carries so many bytes, and the call is a short one.
  bool carries_in_box(std::size_t bytes) const noexcept {
    return deliveries_.boxes().known() && bytes - 1 < short_bytes_;
  }
  /// The same of a slot that need not be leased.
  bool carries_in_slot(std::size_t bytes) const noexcept {
    return flat_inline_bytes_ > 0 && process().progress().is_undisturbed() && bytes - 1 < short_bytes_;
  }

  /// Announces a call, which comes after those that are under way, if any. False if the team is broken.
  bool enter(const CallInfo& info) {
    if (!process().progress().is_undisturbed()) [[unlikely]]
      process().progress().finish(operations_);
    return agreement_.announce(info);
  }
  /// The calls of this team that go on while their callers do other things.
  OperationQueue& operations() noexcept { return operations_; }

  /// Scratch for the k source pointers of one fold; valid until the next wait.
  const void** sources() noexcept { return sources_.data(); }

  // ---- waiting (co_await)

  class Await;
  class SlotAwait;

  Await shown(int member, std::uint64_t epoch, std::uint64_t proves = 0) noexcept {
    return {*this, shown_word(epoch), epoch, {member, member + 1}, proves};
  }
  Await filled(int member, std::uint64_t epoch) noexcept {
    return {*this, filled_word(epoch), epoch, {member, member + 1}, 0};
  }
  Await folded(int member, std::uint64_t epoch) noexcept {
    return {*this,
            {offsetof(Lines, steps) + offsetof(typename Lines::Steps, folded), false},
            epoch,
            {member, member + 1},
            0};
  }

  Await step_done(Step step, int member, std::uint64_t epoch, std::uint64_t proves = 0) noexcept {
    const std::size_t offset = offset_of<Lines>(step) + slots_.index(epoch) * sizeof(Word);
    return {*this, {offset, true}, epoch, {member, member + 1}, proves};
  }
  /// `proves`: the epoch that every member is known to have finished before publishing this.
  Await all_shown(std::uint64_t epoch, std::uint64_t proves) noexcept {
    return {*this, shown_word(epoch), epoch, {0, size()}, proves};
  }
  Await all_filled(std::uint64_t epoch, std::uint64_t proves) noexcept {
    return {*this, filled_word(epoch), epoch, {0, size()}, proves};
  }
  /// By the other one of two members. `proves`: what both have finished by then.
  Await delivered(std::uint64_t epoch, std::uint64_t proves) noexcept {
    const std::size_t word = offsetof(Lines, deliveries) + epoch % shm::kSlots * sizeof(Word);
    return {*this, {word, true}, epoch, {1 - rank(), 2 - rank()}, proves};  // [X1.acq]
  }
  /// Of some members only, which proves nothing about the others.
  Await shown_by(const Members& members, std::uint64_t epoch) noexcept {
    return {*this, shown_word(epoch), epoch, {members.first, members.first + members.count}, 0};
  }
  Await filled_by(const Members& members, std::uint64_t epoch) noexcept {
    return {*this, filled_word(epoch), epoch, {members.first, members.first + members.count}, 0};
  }

  // ---- waiting of a call that blocks anyway, without an Await if the peers are on time

  /// inline_free(epoch).
  [[gnu::always_inline]] bool wait_until_inline_free(std::uint64_t epoch) {
    return is_inline_free(epoch) || await_inline_free(epoch);
  }

  /// slot_free(epoch).
  bool wait_until_slot_free(std::uint64_t epoch) {
    return (slots_.foreign_use(epoch) == nullptr && epochs_.have_finished(slots_.last_use(epoch))) ||
           block(slot_free(epoch));
  }

  /// shown(member, epoch).
  bool wait_until_shown(int member, std::uint64_t epoch) {
    const Word& word = lines(member).inline_lines[epoch % 2].mark;
    return signals().comes_soon(word, mark(epoch)) || block(shown(member, epoch));
  }
  /// filled(member, epoch).
  bool wait_until_filled(int member, std::uint64_t epoch) {
    const Word& word = lines(member).steps.filled[slots_.index(epoch)];
    return signals().comes_soon(word, mark(epoch)) || block(filled(member, epoch));
  }

  /// all_shown(epoch, proves).
  [[gnu::always_inline]] bool wait_until_all_shown(std::uint64_t epoch, std::uint64_t proves) {
    const std::uint64_t awaited = mark(epoch);
    for (int member = 0; member < size(); ++member) {
      if (member == rank()) continue;
      const Word& word = lines(member).inline_lines[epoch % 2].mark;
      if (!signals().comes_soon(word, awaited)) [[unlikely]]
        return await_all_shown(epoch, proves);
    }
    epochs_.learn(proves);
    return true;
  }

  /// box_free(turn, epoch).
  [[gnu::always_inline]] bool wait_until_box_free(std::uint64_t turn, std::uint64_t epoch) {
    return epochs_.have_finished(deliveries_.last_use(turn, epoch)) || await_box_free(turn, epoch);
  }

  /// delivered(epoch, proves).
  [[gnu::always_inline]] bool wait_until_delivered(std::uint64_t epoch, std::uint64_t proves) {
    const Word& word = lines(1 - rank()).deliveries.delivered[epoch % shm::kSlots];
    if (!signals().comes_soon(word, mark(epoch))) [[unlikely]]
      return await_delivered(epoch, proves);
    epochs_.learn(proves);
    return true;
  }

  /// inline_free(epoch), without a wait.
  bool is_inline_free(std::uint64_t epoch) noexcept {
    return epochs_.have_finished(inline_lines_.last_use(epoch));
  }

  /// My inline line of `epoch` may be written again. [H1.acq]
  Await inline_free(std::uint64_t epoch) noexcept { return all_finished(inline_lines_.last_use(epoch)); }

  /// My slot of `epoch` may be written again, and said to be elsewhere. [H1.acq]
  SlotAwait slot_free(std::uint64_t epoch) noexcept {
    return {slot_words_free(epoch), slot_left_by_others(epoch)};
  }
  /// Its two parts. First: this team's words of the slot may be replaced, which may have told of a slot in
  /// another ring.
  Await slot_words_free(std::uint64_t epoch) noexcept { return all_finished(slots_.last_use(epoch)); }
  /// Second: no member of another team reads the slot itself.
  Await slot_left_by_others(std::uint64_t epoch) noexcept {
    const auto* const use = slots_.foreign_use(epoch);
    return use == nullptr ? all_finished(0) : use->team->all_gone_from(use->epoch);
  }

  /// My box of `turn` may be written, and my mark of `epoch` may replace the one before. [X2.acq]
  Await box_free(std::uint64_t turn, std::uint64_t epoch) noexcept {
    return all_finished(deliveries_.last_use(turn, epoch));
  }

  /// Nobody reads anything for epochs <= epoch any more, be it that members have given up: a broken team must
  /// not be in the way of others. It proves nothing.
  Await all_gone_from(std::uint64_t epoch) noexcept {
    Await wait = all_finished(epoch);
    wait.accept_hopeless();
    return wait;
  }

  Await finished_by(int member, std::uint64_t epoch) noexcept {
    return {*this, {offsetof(Lines, finished), false}, epoch, {member, member + 1}, 0};
  }

  /// All have read everything they will ever read for epochs <= epoch.
  Await all_finished(std::uint64_t epoch) noexcept {
    const Range range = epochs_.is_proven(epoch) ? Range{0, 0} : Range{0, size()};
    return {*this, {offsetof(Lines, finished), false}, epoch, range, epoch};
  }

 private:
  struct Range {
    int next;
    int end;
  };

  /// Where in a member's lines a word stands, and whether it is a mark.
  struct WordPlace {
    std::size_t offset;
    bool marked;
  };

  /// Decided once, here: calls of flat teams never ask again.
  void find_groups() {
    std::vector<Seat> seats;
    for (const int rank_of_job : members()) seats.push_back(process().peer(rank_of_job).seat);
    Groups groups = groups_of(seats, process().geometry().most_flat);
    if (groups.levels.empty()) return;
    hierarchy_ = std::make_unique<const Hierarchy>(std::move(groups), size(), rank());
    flat_inline_bytes_ = 0;
  }

  Lines& lines(int member) const noexcept { return membership_.lines(member); }
  const shm::Signals<Atoms>& signals() const noexcept { return membership_.signals(); }
  std::uint64_t mark(std::uint64_t epoch) const noexcept { return agreement_.mark(epoch); }

  static constexpr WordPlace shown_word(std::uint64_t epoch) noexcept {
    return {(epoch % 2) * sizeof(typename Lines::Inline) + offsetof(typename Lines::Inline, mark), true};
  }
  WordPlace filled_word(std::uint64_t epoch) const noexcept {
    return {offsetof(Lines, steps) + slots_.index(epoch) * sizeof(Word), true};
  }

  // Not cold: GCC takes what comes after them for cold, too, and optimises the whole call for size.
  [[gnu::noinline]] bool await_inline_free(std::uint64_t epoch) { return block(inline_free(epoch)); }
  [[gnu::noinline]] bool await_box_free(std::uint64_t turn, std::uint64_t epoch) {
    return block(box_free(turn, epoch));
  }
  [[gnu::noinline]] bool await_delivered(std::uint64_t epoch, std::uint64_t proves) {
    return block(delivered(epoch, proves));
  }
  [[gnu::noinline]] bool await_all_shown(std::uint64_t epoch, std::uint64_t proves) {
    return block(all_shown(epoch, proves));
  }

  // What an inline call needs comes first.
  Membership membership_;
  std::size_t flat_inline_bytes_ = 0;
  std::size_t short_bytes_;
  Agreement agreement_;
  Epochs epochs_;
  InlineLines inline_lines_;
  Slots slots_;
  Deliveries deliveries_;
  OperationQueue operations_;
  std::vector<const void*> sources_;
  std::unique_ptr<const Hierarchy> hierarchy_;
};

using Process = BasicProcess<shm::RealAtoms>;
using Team = BasicTeam<shm::RealAtoms>;

}  // namespace foldlane::engine

#include "engine/team/team_await.hpp"  // IWYU pragma: keep
