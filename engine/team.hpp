// A team: an ordered set of ranks that folds together, its lines, its epochs, and the hand-off of data
// between them.
//
// Every call of a team consumes one or more epochs, the same number on every member. The words of a member's
// lines only grow, and mean ("member m has published word >= e"):
//   shown(e)     m's inline line of epoch e holds its epoch and payload
//   filled(e)    m's slot of epoch e holds its input
//   folded(e)    m's slot of epoch e holds the result of m's share
//   finished(e)  m has read everything of others it will ever read for epochs <= e
//
// PROTOCOL H "hand-off"           writer: rank r                         readers: any member p
//   r:  await all_finished(u), u = the epoch this place was last used in  [H1.acq]
//       write the place (slot or payload)                                 plain stores
//       publish filled(e) / shown(e) / folded(e)                          [H2.rel]
//   p:  await filled(e) / shown(e) / folded(e) of r                       [H2.acq]
//       read the place                                                    plain loads
//       publish finished(e)                                               [H1.rel]
// WITHOUT [H2]: p reads a stale place (never seen on x86). WITHOUT [H1]: r overwrites what p still reads.
// [H1] is rarely a wait on `finished` lines: whoever awaited shown(e) or filled(e) of everybody knows that
// all have finished some earlier epoch, because a member publishes those only after having finished it; that
// knowledge is kept in finished_by_all_. MODEL: tests/model drives these very templates, with mutants.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "engine/procedure.hpp"
#include "engine/process.hpp"
#include "kernels/copy.hpp"
#include "shm/layout.hpp"

namespace foldlane::engine {

template <class Atoms>
class BasicTeam {
 public:
  using Process = BasicProcess<Atoms>;
  using Lines = shm::BasicTeamLines<Atoms>;
  using Word = typename Lines::Epoch;
  static constexpr std::size_t kInlineBytes = Lines::kPayloadBytes;

  /// `members` are ranks of the process's job, in team order; `rank` is this process's position among them;
  /// `id` selects the lines; it is the same on all members, and its lines are fresh: words of an earlier team
  /// would satisfy the waits of this one. Before a team goes away its members must have met
  /// (engine/collectives.hpp).
  BasicTeam(Process& process, std::vector<int> members, int rank, int id)
      : process_(process), members_(std::move(members)), rank_(rank), id_(id), sources_(members_.size()) {}
  BasicTeam(const BasicTeam&) = delete;
  BasicTeam& operator=(const BasicTeam&) = delete;
  ~BasicTeam() { process_.forget(this); }

  int rank() const noexcept { return rank_; }
  int size() const noexcept { return static_cast<int>(members_.size()); }
  Process& process() noexcept { return process_; }

  /// Reserves `epochs` epochs for a call and returns the first of them. The first call gets epoch 1.
  std::uint64_t begin(std::uint64_t epochs) noexcept {
    return std::exchange(next_epoch_, next_epoch_ + epochs);
  }

  // ---- places
  // -----------------------------------------------------------------------------------------------

  std::byte* slot(int member, std::uint64_t epoch) const noexcept {
    return peer(member).slots + static_cast<std::size_t>(slot_index(epoch)) * process_.geometry().slot_bytes;
  }
  std::byte* own_slot(std::uint64_t epoch) const noexcept { return slot(rank_, epoch); }
  const std::byte* payload(int member, std::uint64_t epoch) const noexcept {
    return lines(member).inline_lines[epoch % 2].payload;
  }

  /// Scratch for the k source pointers of one fold; valid until the next wait.
  const void** sources() noexcept { return sources_.data(); }

  // ---- publishing
  // -------------------------------------------------------------------------------------------

  /// Needs inline_free(epoch) awaited. bytes <= kInlineBytes.
  void show(std::uint64_t epoch, const void* data, std::size_t bytes) noexcept {
    auto& line = lines(rank_).inline_lines[epoch % 2];
    Atoms::writes(line.payload, bytes);
    if (bytes > 0) std::memcpy(line.payload, data, bytes);
    inline_used_[epoch % 2] = epoch;
    signals().publish(line.epoch, epoch);  // [H2.rel]
  }

  /// Needs slot_free(epoch) awaited and the slot written.
  void publish_filled(std::uint64_t epoch) noexcept {
    process_.slot_use(slot_index(epoch)) = {this, epoch};
    signals().publish(lines(rank_).steps.filled, epoch);  // [H2.rel]
  }
  void publish_folded(std::uint64_t epoch) noexcept {
    signals().publish(lines(rank_).steps.folded, epoch);
  }  // [H2.rel]

  /// This member will read nothing more of others for any epoch <= epoch.
  void finish(std::uint64_t epoch) noexcept {
    signals().publish(lines(rank_).finished.epoch, epoch);
  }  // [H1.rel]

  // ---- moving data between user memory and places
  // --------------------------------------------------------------

  void copy_in(std::byte* place, const std::byte* from, std::size_t bytes) noexcept {
    Atoms::writes(place, bytes);
    if (bytes < StoreChooser::kSmallestBytes) return kernels::copy(place, from, bytes);
    StoreChooser& stores = process_.slot_stores();
    const StoreChooser::Choice choice = stores.next();
    if (!choice.timed) return copy_with(choice.streaming, place, from, bytes);
    const auto start = std::chrono::steady_clock::now();
    copy_with(choice.streaming, place, from, bytes);
    stores.report(bytes,
                  std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count());
  }
  void copy_out(std::byte* to, const std::byte* place, std::size_t bytes, bool streaming) noexcept {
    Atoms::reads(place, bytes);
    copy_with(streaming, to, place, bytes);
  }
  /// Says that a fold is about to read or write a place directly, for the model checker's race detector.
  void will_read(const void* place, std::size_t bytes) noexcept { Atoms::reads(place, bytes); }
  void will_write(const void* place, std::size_t bytes) noexcept { Atoms::writes(place, bytes); }

  // ---- waiting (co_await)
  // -----------------------------------------------------------------------------------

  class Await;

  Await shown(int member, std::uint64_t epoch) noexcept { return {*this, inline_word(epoch), epoch, member}; }
  Await filled(int member, std::uint64_t epoch) noexcept {
    return {*this, offset_of_filled(), epoch, member};
  }
  Await folded(int member, std::uint64_t epoch) noexcept {
    return {*this, offset_of_folded(), epoch, member};
  }

  /// `proves`: the epoch that every member is known to have finished before publishing this.
  Await all_shown(std::uint64_t epoch, std::uint64_t proves) noexcept {
    return {*this, inline_word(epoch), epoch, {0, size()}, proves};
  }
  Await all_filled(std::uint64_t epoch, std::uint64_t proves) noexcept {
    return {*this, offset_of_filled(), epoch, {0, size()}, proves};
  }

  /// My inline line of `epoch` may be written again. [H1.acq]
  Await inline_free(std::uint64_t epoch) noexcept { return all_finished(inline_used_[epoch % 2]); }

  /// My slot of `epoch` may be written again. [H1.acq]
  Await slot_free(std::uint64_t epoch) noexcept {
    const auto& use = process_.slot_use(slot_index(epoch));
    return (use.team == nullptr ? *this : *use.team).all_finished(use.epoch);
  }

 private:
  struct Range {
    int next;
    int end;
  };

  Await all_finished(std::uint64_t epoch) noexcept {
    const Range range = epoch <= finished_by_all_ ? Range{0, 0} : Range{0, size()};
    return {*this, offsetof(Lines, finished), epoch, range, epoch};
  }

  static void copy_with(bool streaming, std::byte* to, const std::byte* from, std::size_t bytes) noexcept {
    if (streaming) return kernels::copy_streaming(to, from, bytes);
    kernels::copy(to, from, bytes);
  }

  int slot_index(std::uint64_t epoch) const noexcept {
    return static_cast<int>(epoch % static_cast<std::uint64_t>(process_.geometry().slots));
  }
  const BasicPeer<Atoms>& peer(int member) const noexcept {
    return process_.peer(members_[static_cast<std::size_t>(member)]);
  }
  Lines& lines(int member) const noexcept { return peer(member).team_lines[id_]; }
  const shm::Signals<Atoms>& signals() const noexcept { return process_.signals(); }

  static constexpr std::size_t inline_word(std::uint64_t epoch) noexcept {
    return (epoch % 2) * sizeof(typename Lines::Inline) + offsetof(typename Lines::Inline, epoch);
  }
  static constexpr std::size_t offset_of_filled() noexcept { return offsetof(Lines, steps); }
  static constexpr std::size_t offset_of_folded() noexcept { return offsetof(Lines, steps) + sizeof(Word); }

  Process& process_;
  std::vector<int> members_;
  int rank_;
  int id_;
  std::uint64_t next_epoch_ = 1;
  std::uint64_t finished_by_all_ = 0;
  std::array<std::uint64_t, 2> inline_used_{};
  std::vector<const void*> sources_;
};

/// Waits until one word of some members has reached an epoch.
template <class Atoms>
class BasicTeam<Atoms>::Await final : public Wait {
 public:
  Await(BasicTeam& team, std::size_t word, std::uint64_t epoch, int member)
      : Await(team, word, epoch, Range{member, member + 1}, 0) {}
  Await(BasicTeam& team, std::size_t word, std::uint64_t epoch, Range members, std::uint64_t proves)
      : team_(team), word_(word), epoch_(epoch), members_(members), proves_(proves) {}

  void set_blocking(bool blocking) noexcept { blocking_ = blocking; }

  Progress poll() override {
    while (members_.next < members_.end) {
      const Progress state = await_member(members_.next);
      if (state != Progress::done) return state;
      ++members_.next;
    }
    return Progress::done;
  }

  bool await_ready() { return poll() == Progress::done; }
  void await_suspend(std::coroutine_handle<Procedure::promise_type> handle) {
    handle.promise().pending = this;
  }
  void await_resume() const noexcept { team_.finished_by_all_ = std::max(team_.finished_by_all_, proves_); }

 private:
  Progress await_member(int member) {
    const auto& word =
        *reinterpret_cast<const Word*>(reinterpret_cast<const std::byte*>(&team_.lines(member)) + word_);
    const auto& signals = team_.signals();
    if (blocking_) {
      return signals.await(word, epoch_, *team_.peer(member).doorbell) ? Progress::done : Progress::failed;
    }
    if (word.observe() >= epoch_) return Progress::done;
    return signals.failed() ? Progress::failed : Progress::waiting;
  }

  BasicTeam& team_;
  std::size_t word_;
  std::uint64_t epoch_;
  Range members_;
  std::uint64_t proves_;
  bool blocking_ = false;
};

using Process = BasicProcess<shm::RealAtoms>;
using Team = BasicTeam<shm::RealAtoms>;

}  // namespace foldlane::engine
