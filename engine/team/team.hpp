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
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "engine/data/layout.hpp"
#include "engine/groups/hierarchy.hpp"
#include "engine/progress/procedure.hpp"
#include "engine/team/agreement.hpp"
#include "engine/team/epochs.hpp"
#include "engine/team/membership.hpp"
#include "engine/team/pair_boxes.hpp"
#include "engine/team/process.hpp"
#include "kernels/copy.hpp"
#include "shm/segment/layout.hpp"

namespace foldlane::engine {

/// The address of no buffer. Not null, which is where buffers of types with absolute addresses start.
inline constexpr std::byte no_input_byte{};
inline constexpr const std::byte* kNoInput = &no_input_byte;

template <class Atoms>
class BasicTeam {
 public:
  using Process = BasicProcess<Atoms>;
  using Membership = BasicMembership<Atoms>;
  using Agreement = BasicAgreement<Atoms>;
  using Epochs = BasicEpochs<Atoms>;
  using Ring = BasicRing<Atoms>;
  using Lines = shm::BasicTeamLines<Atoms>;
  using Word = typename Lines::Epoch;
  static constexpr std::size_t kInlineBytes = Lines::kPayloadBytes;
  static constexpr std::size_t kOneLineBytes = Lines::kOneLinePayloadBytes;
  /// Who only writes fetches its next box or slot while the other one reads: 1 KiB that took 830 ns (far) and
  /// 190 ns (near) takes 530 and 170. From 4 KiB on that delays the reader when calls follow each other.
  static constexpr std::size_t kFetchedBytes = 2 << 10;

  /// `members` are ranks of the process's job, in team order; `rank` is this process's position among them;
  /// `id` selects the lines; it is the same on all members, and its lines are fresh from `first_epoch` on:
  /// words of an earlier team would satisfy the waits of this one. Before a team goes away its members must
  /// have met (engine/collectives/collectives.hpp).
  BasicTeam(Process& process, std::vector<int> members, int rank, int id, std::uint64_t first_epoch = 1)
      : membership_(process, std::move(members), rank, id),
        short_bytes_(std::min(kShortBytes, process.geometry().slot_bytes)),
        agreement_(membership_, first_epoch - 1),
        epochs_(membership_, agreement_, first_epoch),
        sources_(static_cast<std::size_t>(membership_.size())),
        ring_(&process.first_ring()) {
    for (auto& payloads : payloads_) {
      const std::size_t parity = static_cast<std::size_t>(&payloads - payloads_.data());
      for (int member = 0; member < size(); ++member) {
        payloads.push_back(membership_.lines(member).inline_lines[parity].payload +
                           Lines::Inline::start_of(0));
      }
    }
    if (size() > 1) flat_inline_bytes_ = kInlineBytes;
    // Where ranks share CPUs, each hop more is a switch of all of them.
    if (size() > process.geometry().most_flat && process.geometry().shared_cpus == 0) find_groups();
  }
  ~BasicTeam() {
    process().forget(this);
    // Into the boxes of a team that failed the other member may still be writing: nobody gets them again.
    if (boxes_ring_ != nullptr && !agreement_.broken()) process().give_back(*boxes_ring_);
  }

  Membership& membership() noexcept { return membership_; }
  int rank() const noexcept { return membership_.rank(); }
  int size() const noexcept { return membership_.size(); }
  /// Ranks of the job.
  const std::vector<int>& members() const noexcept { return membership_.members(); }
  Process& process() const noexcept { return membership_.process(); }
  Agreement& agreement() noexcept { return agreement_; }
  const Agreement& agreement() const noexcept { return agreement_; }
  Epochs& epochs() noexcept { return epochs_; }
  /// Null: the team is flat.
  const Hierarchy* hierarchy() const noexcept { return hierarchy_.get(); }
  /// Inputs of up to that many bytes travel beside the epoch to everybody.
  std::size_t flat_inline_bytes() const noexcept { return flat_inline_bytes_; }
  /// Zero bytes wrap around: nothing to move.
  bool carries_inline(std::size_t bytes) const noexcept { return bytes - 1 < flat_inline_bytes_; }
  /// Up to here vectors are copied into a slot or box in less time than the members of a direct call take to
  /// await each other a second time (two ranks, allreduce of 4 KiB 0.36 and 0.42 us, of 8 KiB 0.42 and 0.37).
  static constexpr std::size_t kShortBytes = (8 << 10) - 1;

  /// Whether one box carries so many bytes, and the call is a short one.
  bool carries_in_box(std::size_t bytes) const noexcept { return boxes_.known() && bytes - 1 < short_bytes_; }
  /// The same of a slot that need not be leased.
  bool carries_in_slot(std::size_t bytes) const noexcept {
    return flat_inline_bytes_ > 0 && process().progress().is_undisturbed() && bytes - 1 < short_bytes_;
  }
  Ring& ring() noexcept { return *ring_; }

  /// Announces a call, which comes after those that are under way, if any. False if the team is broken.
  bool enter(const CallInfo& info) {
    if (!process().progress().is_undisturbed()) [[unlikely]]
      process().progress().finish(operations_);
    return agreement_.announce(info);
  }
  /// The calls of this team that go on while their callers do other things.
  OperationQueue& operations() noexcept { return operations_; }

  // ---- slots of a call that uses them

  /// Where other calls can be under way meanwhile, a call takes a ring of its own for as long as it lasts.
  /// Null if there is no memory for it.
  Ring* lease_ring() {
    Ring* const ring = process().lease(*this);
    if (ring != nullptr) ring_ = ring;
    return ring;
  }
  /// A call that nothing else can disturb uses the first one.
  void use_first_ring() noexcept { ring_ = &process().first_ring(); }

  // ---- boxes of a team of two (engine/team/pair_boxes.hpp)

  PairBoxes& boxes() noexcept { return boxes_; }
  /// Of the calls that use them.
  ResultStores& pair_result_stores() noexcept { return boxes_ring_->result_stores; }

  /// Memory for this member's boxes, for as long as the team lives: where it is, for set_boxes of both.
  std::uint32_t take_boxes() {
    if (boxes_ring_ == nullptr) boxes_ring_ = process().take_ring();
    return boxes_ring_ == nullptr ? kNoBoxes : boxes_ring_->where;
  }
  /// Needs shown(epoch) of both awaited, in which each has shown what take_boxes gave it.
  void set_boxes(std::uint64_t epoch) {
    std::uint32_t where[2];
    for (int member = 0; member < 2; ++member) {
      const std::byte* const shown = payload(member, epoch, sizeof where[member]);
      Atoms::reads(shown, sizeof where[member]);
      std::memcpy(&where[member], shown, sizeof where[member]);
      if (where[member] == kNoBoxes) return agreement_.give_up({Broken::memory, {member, -1}, {}, true});
    }
    const int other = 1 - rank();
    boxes_.set(boxes_ring_->slots, peer(other).slots + where[other] * shm::kPageBytes,
               process().geometry().slot_bytes);
  }

  // ---- places

  /// Another member's slot. Needs filled(member, epoch) awaited.
  std::byte* slot(int member, std::uint64_t epoch) const noexcept {
    const std::size_t index = slot_index(epoch);
    const std::uint32_t& where = lines(member).steps.where[index];
    Atoms::reads(&where, sizeof where);
    return peer(member).slots + where * shm::kPageBytes + index * process().geometry().slot_bytes;
  }
  /// Another member's input in common memory, null if it is in the slot. Needs filled(member, epoch) awaited.
  const std::byte* elsewhere(int member, std::uint64_t epoch) const noexcept {
    const auto& steps = lines(member).steps;
    const std::size_t index = slot_index(epoch);
    Atoms::reads(&steps.where[index], sizeof steps.where[index]);
    if (steps.where[index] != Lines::kElsewhere) return nullptr;
    Atoms::reads(&steps.elsewhere[index], sizeof steps.elsewhere[index]);
    return process().common().at(steps.elsewhere[index]);
  }
  std::byte* own_slot(std::uint64_t epoch) const noexcept {
    return ring_->slots + slot_index(epoch) * process().geometry().slot_bytes;
  }
  /// Of so many bytes.
  const std::byte* payload(int member, std::uint64_t epoch, std::size_t bytes) const noexcept {
    return lines(member).inline_lines[epoch % 2].payload + Lines::Inline::start_of(bytes);
  }

  /// Scratch for the k source pointers of one fold; valid until the next wait.
  const void** sources() noexcept { return sources_.data(); }

  /// The sources of a fold of `wanted` bytes from `offset` on of the `bytes` that all members show, but for
  /// this member's: its own buffer, or its line if that is null.
  const void* const* shown_sources(std::uint64_t epoch, const std::byte* own, std::size_t bytes,
                                   std::size_t offset, std::size_t wanted) noexcept {
    for (int member = 0; member < size(); ++member) {
      if (member != rank() || own == nullptr) Atoms::reads(payload(member, epoch, bytes) + offset, wanted);
    }
    if (own == nullptr) own = payload(rank(), epoch, bytes);
    const auto here = static_cast<std::size_t>(rank());
    if (offset == 0 && bytes <= kOneLineBytes) [[likely]] {
      auto& payloads = payloads_[epoch % 2];
      payloads[here] = own;
      return payloads.data();
    }
    for (int member = 0; member < size(); ++member) {
      sources_[static_cast<std::size_t>(member)] = payload(member, epoch, bytes) + offset;
    }
    sources_[here] = own + offset;
    return sources_.data();
  }

  // ---- publishing

  /// Needs inline_free(epoch) awaited. bytes <= kInlineBytes, packed from the start of a caller's buffer.
  void show(std::uint64_t epoch, const void* data, std::size_t bytes, const Layout* layout = nullptr) {
    auto& line = membership_.own_lines().inline_lines[epoch % 2];
    std::byte* const place = line.payload + Lines::Inline::start_of(bytes);
    Atoms::writes(place, bytes);
    if (bytes == 0 || data == kNoInput) {
      // nothing but the mark
    } else if (layout != nullptr) {
      layout->pack(place, static_cast<const std::byte*>(data), 0, bytes);
    } else if (bytes == sizeof(double)) [[likely]] {  // without calling memcpy
      std::memcpy(place, data, sizeof(double));
    } else {
      std::memcpy(place, data, bytes);
    }
    inline_used_[epoch % 2] = epoch;
    signals().publish(line.mark, mark(epoch));  // [H2.rel]
  }

  /// Needs slot_free(epoch) awaited and the slot written.
  void publish_filled(std::uint64_t epoch) noexcept { publish_place(epoch, ring_->where); }
  /// The same for input in common memory instead of the slot.
  void publish_elsewhere(std::uint64_t epoch, std::uint64_t offset) noexcept {
    auto& elsewhere = membership_.own_lines().steps.elsewhere[slot_index(epoch)];
    Atoms::writes(&elsewhere, sizeof elsewhere);
    elsewhere = offset;
    publish_place(epoch, Lines::kElsewhere);
  }
  /// Needs box_free(turn, epoch) awaited and the box written.
  void publish_delivered(std::uint64_t turn, std::uint64_t epoch) noexcept {
    delivered_[epoch % shm::kSlots] = epoch;
    boxes_.note_delivery(turn, epoch);
    signals().publish(membership_.own_lines().deliveries.delivered[epoch % shm::kSlots],
                      mark(epoch));  // [X1.rel]
  }
  void publish_folded(std::uint64_t epoch) noexcept {
    signals().publish(membership_.own_lines().steps.folded, epoch);
  }  // [H2.rel]

  /// Who read a place of this member in its last use, where those are few and are asked one by one, instead
  /// of slot_free and inline_free.
  struct Readers {
    std::uint64_t epoch = 0;
    std::vector<int> members;
  };
  /// To be filled in; `epoch` is that of the use.
  std::vector<int>& note_slot_readers(std::uint64_t epoch) {
    return note_readers(slot_readers_[slot_index(epoch)], epoch);
  }
  std::vector<int>& note_inline_readers(std::uint64_t epoch) {
    return note_readers(inline_readers_[epoch % 2], epoch);
  }
  /// Null: everybody may have read it.
  const Readers* slot_readers(std::uint64_t epoch) const noexcept {
    const auto& use = ring_->uses[slot_index(epoch)];
    const Readers& readers = slot_readers_[slot_index(epoch)];
    return use.team == this && use.epoch == readers.epoch ? &readers : nullptr;
  }
  const Readers* inline_readers(std::uint64_t epoch) const noexcept {
    const Readers& readers = inline_readers_[epoch % 2];
    return readers.epoch != 0 && readers.epoch == inline_used_[epoch % 2] ? &readers : nullptr;
  }

  /// Words of grouped folds, in the order in which a phase makes them; phase 0's `up` is publish_filled.
  enum class Way : std::uint8_t { up, down };
  struct Step {
    Way way;
    std::size_t phase;
  };
  void publish_step(Step step, std::uint64_t epoch) noexcept {
    const std::size_t index = slot_index(epoch);
    Stage& stage = stage_of(membership_.own_lines(), step);
    Atoms::writes(&stage.where[index], sizeof stage.where[index]);
    stage.where[index] = ring_->where;
    signals().publish(stage.done[index], mark(epoch));  // [H2.rel]
  }

  // ---- moving data between user memory and places

  /// `bytes` packed bytes of a caller's buffer from `offset` on, into a place. A member without
  /// input passes kNoInput: its places stay as they are.
  void pack_in(std::byte* place, const std::byte* buffer, const Layout* layout, std::uint64_t offset,
               std::size_t bytes) {
    if (buffer == kNoInput) return;
    if (layout == nullptr) return copy_in(place, buffer + offset, bytes);
    Atoms::writes(place, bytes);
    layout->pack(place, buffer, offset, bytes);
  }
  /// The same into a box or slot that is handed back each time: plain stores are right, but for the first one
  /// after other teams' use of the slot.
  void put_in(std::byte* box, const std::byte* buffer, const Layout* layout, std::uint64_t offset,
              std::size_t bytes) {
    Atoms::writes(box, bytes);
    if (layout != nullptr) return layout->pack(box, buffer, offset, bytes);
    kernels::copy(box, buffer + offset, bytes);
  }
  /// This member has taken everything out of a box or slot that nobody else reads, and has nothing to put
  /// into it: it dirties the lines.
  void hand_back(std::byte* box, std::size_t bytes) noexcept {
    Atoms::writes(box, bytes);
    for (std::size_t at = 0; at < bytes; at += shm::kLineBytes) box[at] = std::byte{};
  }
  void unpack_out(std::byte* buffer, const Layout* layout, std::uint64_t offset, const std::byte* place,
                  std::size_t bytes, bool streaming) {
    Atoms::reads(place, bytes);
    if (layout != nullptr) return layout->unpack(buffer, place, offset, bytes);
    copy_with(streaming, buffer + offset, place, bytes);
  }
  /// Says that a fold is about to read or write a place directly, for the model checker's race detector.
  void will_read(const void* place, std::size_t bytes) noexcept { Atoms::reads(place, bytes); }
  void will_write(const void* place, std::size_t bytes) noexcept { Atoms::writes(place, bytes); }

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
    const std::size_t offset = offset_of(step) + slot_index(epoch) * sizeof(Word);
    return {*this, {offset, true}, epoch, {member, member + 1}, proves};
  }
  /// A member's slot. Needs step_done(step, member, epoch) awaited.
  std::byte* slot_after(Step step, int member, std::uint64_t epoch) const noexcept {
    const std::size_t index = slot_index(epoch);
    const std::uint32_t& where = stage_of(lines(member), step).where[index];
    Atoms::reads(&where, sizeof where);
    return peer(member).slots + where * shm::kPageBytes + index * process().geometry().slot_bytes;
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
    return (!is_foreign(epoch) && epochs_.have_finished(filled_[slot_index(epoch)])) ||
           block(slot_free(epoch));
  }

  /// shown(member, epoch).
  bool wait_until_shown(int member, std::uint64_t epoch) {
    const Word& word = lines(member).inline_lines[epoch % 2].mark;
    return signals().comes_soon(word, mark(epoch)) || block(shown(member, epoch));
  }
  /// filled(member, epoch).
  bool wait_until_filled(int member, std::uint64_t epoch) {
    const Word& word = lines(member).steps.filled[slot_index(epoch)];
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
    return epochs_.have_finished(last_use(turn, epoch)) || await_box_free(turn, epoch);
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
  bool is_inline_free(std::uint64_t epoch) noexcept { return epochs_.have_finished(inline_used_[epoch % 2]); }

  /// My inline line of `epoch` may be written again. [H1.acq]
  Await inline_free(std::uint64_t epoch) noexcept { return all_finished(inline_used_[epoch % 2]); }

  /// My slot of `epoch` may be written again, and said to be elsewhere. [H1.acq]
  SlotAwait slot_free(std::uint64_t epoch) noexcept {
    return {slot_words_free(epoch), slot_left_by_others(epoch)};
  }
  /// Its two parts. First: this team's words of the slot may be replaced, which may have told of a slot in
  /// another ring.
  Await slot_words_free(std::uint64_t epoch) noexcept { return all_finished(filled_[slot_index(epoch)]); }
  /// Second: no member of another team reads the slot itself.
  Await slot_left_by_others(std::uint64_t epoch) noexcept {
    if (!is_foreign(epoch)) return all_finished(0);
    const auto& use = ring_->uses[slot_index(epoch)];
    return use.team->all_gone_from(use.epoch);
  }

  /// My box of `turn` may be written, and my mark of `epoch` may replace the one before. [X2.acq]
  Await box_free(std::uint64_t turn, std::uint64_t epoch) noexcept {
    return all_finished(last_use(turn, epoch));
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

  void publish_place(std::uint64_t epoch, std::uint32_t where) noexcept {
    const std::size_t index = slot_index(epoch);
    ring_->uses[index] = {this, epoch};
    filled_[index] = epoch;
    auto& steps = membership_.own_lines().steps;
    Atoms::writes(&steps.where[index], sizeof steps.where[index]);
    steps.where[index] = where;
    signals().publish(steps.filled[index], mark(epoch));  // [H2.rel]
  }

  void copy_in(std::byte* place, const std::byte* from, std::size_t bytes) noexcept {
    Atoms::writes(place, bytes);
    if (bytes < StoreChooser::kSmallestBytes) return kernels::copy(place, from, bytes);
    StoreChooser::Fill(&ring_->stores).perform(bytes, [&](bool streaming) {
      copy_with(streaming, place, from, bytes);
    });
  }
  static void copy_with(bool streaming, std::byte* to, const std::byte* from, std::size_t bytes) noexcept {
    if (streaming) return kernels::copy_streaming(to, from, bytes);
    kernels::copy(to, from, bytes);
  }

  static std::vector<int>& note_readers(Readers& readers, std::uint64_t epoch) {
    readers.epoch = epoch;
    readers.members.clear();
    return readers.members;
  }

  using Stage = typename Lines::Stage;
  static std::size_t offset_of(Step step) noexcept {
    if (step.phase == 0) return offsetof(Lines, deliveries) + offsetof(typename Lines::Deliveries, to_group);
    return offsetof(Lines, crossings) + (step.phase - 1) * sizeof(typename Lines::Crossing) +
           (step.way == Way::up ? offsetof(typename Lines::Crossing, up)
                                : offsetof(typename Lines::Crossing, down));
  }
  static Stage& stage_of(Lines& lines, Step step) noexcept {
    return *reinterpret_cast<Stage*>(reinterpret_cast<std::byte*>(&lines) + offset_of(step));
  }

  /// Decided once, here: calls of flat teams never ask again.
  void find_groups() {
    std::vector<Seat> seats;
    for (const int rank_of_job : members()) seats.push_back(process().peer(rank_of_job).seat);
    Groups groups = groups_of(seats, process().geometry().most_flat);
    if (groups.levels.empty()) return;
    hierarchy_ = std::make_unique<const Hierarchy>(std::move(groups), size(), rank());
    flat_inline_bytes_ = 0;
  }

  /// Another team was the last one in this slot.
  bool is_foreign(std::uint64_t epoch) const noexcept {
    const auto* const user = ring_->uses[slot_index(epoch)].team;
    return user != nullptr && user != this;
  }
  std::size_t slot_index(std::uint64_t epoch) const noexcept {
    return epoch % static_cast<std::uint64_t>(process().geometry().slots);
  }
  const BasicPeer<Atoms>& peer(int member) const noexcept { return membership_.peer(member); }
  Lines& lines(int member) const noexcept { return membership_.lines(member); }
  const shm::Signals<Atoms>& signals() const noexcept { return membership_.signals(); }
  std::uint64_t mark(std::uint64_t epoch) const noexcept { return agreement_.mark(epoch); }

  static constexpr std::uint32_t kNoBoxes = ~std::uint32_t{0};

  static constexpr WordPlace shown_word(std::uint64_t epoch) noexcept {
    return {(epoch % 2) * sizeof(typename Lines::Inline) + offsetof(typename Lines::Inline, mark), true};
  }
  WordPlace filled_word(std::uint64_t epoch) const noexcept {
    return {offsetof(Lines, steps) + slot_index(epoch) * sizeof(Word), true};
  }

  /// Of my box of `turn`, or of the word for my mark of `epoch`.
  std::uint64_t last_use(std::uint64_t turn, std::uint64_t epoch) const noexcept {
    return std::max(delivered_[epoch % shm::kSlots], boxes_.last_delivery(turn));
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
  std::array<std::vector<const void*>, 2> payloads_;  // of inline lines of even and of odd epochs, by member
  std::size_t flat_inline_bytes_ = 0;
  std::size_t short_bytes_;
  Agreement agreement_;
  Epochs epochs_;
  std::array<std::uint64_t, 2> inline_used_{};
  std::vector<const void*> sources_;
  OperationQueue operations_;
  Ring* ring_;
  std::array<std::uint64_t, shm::kSlots> filled_{};
  PairBoxes boxes_;
  Ring* boxes_ring_ = nullptr;
  std::array<std::uint64_t, shm::kSlots> delivered_{};
  // Of teams in groups only.
  std::unique_ptr<const Hierarchy> hierarchy_;
  std::array<Readers, shm::kSlots> slot_readers_{};
  std::array<Readers, 2> inline_readers_{};
};

using Process = BasicProcess<shm::RealAtoms>;
using Team = BasicTeam<shm::RealAtoms>;

}  // namespace foldlane::engine

#include "engine/team/team_await.hpp"  // IWYU pragma: keep
