// Reductions by wholes: every member shows its whole input; whoever wants a part of the result folds it by
// itself. One hop. The input travels beside the epoch (in a line), in a slot, or through the slots chunk by
// chunk.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "engine/algorithms/turns.hpp"
#include "engine/data/reduction.hpp"
#include "engine/data/shares.hpp"
#include "engine/team/team.hpp"
#include "engine/team/transfer.hpp"
#include "kernels/copy.hpp"

namespace foldlane::engine {

struct WholeFold {
  const std::byte* send;
  std::byte* recv;
  std::size_t count;         // elements of the whole input
  std::size_t wanted_start;  // the part of the result this member wants; none: a leaf, which leaves early
  std::size_t wanted_count;
  Members sources;  // whose inputs make the result this member wants
  const Reduction* reduction;
  /// By anybody. The last member of a scan shows no line. It fills a slot all the same: that brings its input
  /// into the cache while it waits (two ranks, rotating, 4 KiB 1.8 and, without, 2.0 us, 256 KiB 64 and 68).
  bool is_read = true;
};

/// Folds elements [start, start + count) of the sources' inputs into recv. `place_of(member)` is where
/// element `start` of a member's input stands.
template <class Team, class Places>
void fold_elements(Team& team, const WholeFold& call, std::size_t start, std::size_t count,
                   const Places& place_of, bool streaming) {
  const void** sources = team.sources();
  const std::size_t elem_bytes = call.reduction->elem_bytes;
  // This member's own input comes from its own buffer: the place was written a moment ago, with stores that
  // wait for the line, and reading it back would wait for them (30 ns of 140 at 8 bytes). But where recv is
  // send, shifted, a fold must not read what it overwrites.
  const bool shifted = call.send == call.recv && call.wanted_start != 0;
  const int from_send = shifted || call.reduction->type_map != nullptr ? -1 : team.rank();
  for (int i = 0; i < call.sources.count; ++i) {
    const int member = call.sources.first + i;
    sources[i] = member == from_send ? call.send + start * elem_bytes : place_of(member);
    if (member != from_send) Team::Transfer::will_read(sources[i], count * elem_bytes);
  }
  const std::size_t to = start - call.wanted_start;
  const auto k = static_cast<std::size_t>(call.sources.count);
  if (streaming || call.reduction->type_map != nullptr) {
    return call.reduction->fold_through(call.recv, to, sources, k, count);
  }
  call.reduction->fold(call.recv + to * elem_bytes, sources, k, count);
}

/// Whether what a member awaited was everybody's, and so proves what everybody has finished.
template <class Team>
bool is_everybody(const Team& team, const Members& members) {
  return members.count == team.size();
}

/// Of everybody, or of some members, which proves nothing about the others.
template <class Team>
typename Team::Await filled_by(Team& team, const Members& members, std::uint64_t epoch,
                               std::uint64_t proves) {
  return is_everybody(team, members) ? team.waits().all_filled(epoch, proves)
                                     : team.waits().filled_by(members, epoch);
}

/// One turn beside the epoch.
template <class AnyTeam>
class InlineFold {
 public:
  using Team = AnyTeam;
  static constexpr std::uint64_t kAhead = 0;
  static constexpr std::uint64_t count() { return 1; }

  InlineFold(Team& team, const WholeFold& call) : team_(team), call_(call), epoch_(team.epochs().begin(1)) {}

  bool gives(std::uint64_t) const { return call_.is_read; }
  template <class How>
  Progress await_free(How& how, std::uint64_t) {
    return how.inline_free(team_, epoch_);
  }
  void give(std::uint64_t) {
    team_.inline_lines().show(epoch_, call_.send, bytes(), call_.reduction->type_map);
  }

  /// The result not before the own input has been loaded: that would have to wait. Who shows none has not
  /// loaded it (scan of two, rotating, 8 bytes: 0.70 and, fetched, 0.51 us).
  void make_ready() const {
    if (call_.reduction->type_map != nullptr) return;
    if (has_unread_input()) kernels::prefetch(call_.send, bytes());
    kernels::fetch_for_result(call_.recv, call_.wanted_count * call_.reduction->elem_bytes, kFetchedOfResult);
  }
  bool takes(std::uint64_t) const { return call_.wanted_count > 0; }
  /// A member puts its input of `epoch` only after its previous calls: it has finished epoch - 1.
  template <class How>
  Progress await_given(How& how, std::uint64_t) {
    const Members awaited = awaited_ones();
    if (is_everybody(team_, awaited)) [[likely]]
      return how.all_shown(team_, epoch_, epoch_ - 1);
    const auto& [first, count] = awaited;
    if (count == 1) return first == team_.rank() ? Progress::done : how.shown(team_, first, epoch_);
    return how.wait(team_.waits().shown_by(awaited, epoch_));
  }
  void take(std::uint64_t) {
    if (!call_.is_read && team_.size() == 2) team_.inline_lines().fetch_later(0, epoch_);
    if (call_.reduction->builtin == nullptr || !is_everybody(team_, call_.sources)) [[unlikely]]
      return fold_any(team_, call_, epoch_);
    // In place, a block that moves to the top of recv must not come from what it overwrites.
    const std::byte* const own = call_.send == call_.recv && call_.wanted_start != 0 ? nullptr : call_.send;
    const std::size_t elem_bytes = call_.reduction->elem_bytes;
    const void* const* sources = team_.inline_lines().sources(
        epoch_, own, bytes(), call_.wanted_start * elem_bytes, call_.wanted_count * elem_bytes);
    call_.reduction->builtin(call_.recv, sources, static_cast<std::size_t>(team_.size()), call_.wanted_count);
  }
  void finish(std::uint64_t) { team_.epochs().finish(epoch_); }

 private:
  std::size_t bytes() const { return call_.count * call_.reduction->elem_bytes; }
  /// The last member of a scan: it folds what it does not show. Of an exscan it folds it neither.
  bool has_unread_input() const { return !call_.is_read && call_.sources.end() == team_.rank() + 1; }
  /// Not a line of its own that it does not show.
  Members awaited_ones() const {
    return {call_.sources.first, call_.sources.count - (has_unread_input() ? 1 : 0)};
  }

  /// By value: the call of the usual case stays in registers.
  [[gnu::noinline]] static void fold_any(Team& team, WholeFold call, std::uint64_t epoch) {
    const std::size_t offset = call.wanted_start * call.reduction->elem_bytes;
    const std::size_t bytes = call.count * call.reduction->elem_bytes;
    fold_elements(
        team, call, call.wanted_start, call.wanted_count,
        [&](int member) { return team.inline_lines().payload(member, epoch, bytes) + offset; }, false);
  }

  Team& team_;
  const WholeFold& call_;
  std::uint64_t epoch_;
};

/// Through the slots: `chunk_count` elements at a time, of which chunk c+1 is given before what is wanted of
/// chunk c is folded.
template <class AnyTeam>
class SlotFold {
 public:
  using Team = AnyTeam;
  static constexpr std::uint64_t kAhead = 1;

  SlotFold(Team& team, const WholeFold& call, std::size_t chunk_count, bool streaming)
      : team_(team),
        call_(call),
        chunk_count_(chunk_count),
        streaming_(streaming),
        chunks_((call.count + chunk_count - 1) / chunk_count),
        first_epoch_(team.epochs().begin(chunks_)) {}

  std::uint64_t count() const { return chunks_; }
  static constexpr bool gives(std::uint64_t) { return true; }
  template <class How>
  Progress await_free(How& how, std::uint64_t chunk) {
    return how.slot_free(team_, first_epoch_ + chunk);
  }
  void give(std::uint64_t chunk) {
    const std::size_t elem_bytes = call_.reduction->elem_bytes;
    const std::size_t start = chunk * chunk_count_;
    team_.slots().pack_in(team_.slots().own(first_epoch_ + chunk), call_.send, call_.reduction->type_map,
                          start * elem_bytes, std::min(chunk_count_, call_.count - start) * elem_bytes);
    team_.slots().publish_filled(first_epoch_ + chunk);
  }

  bool takes(std::uint64_t chunk) const { return wanted(chunk).count > 0; }
  /// A member fills chunk c after it has folded chunk c-2, and after all calls before.
  template <class How>
  Progress await_given(How& how, std::uint64_t chunk) {
    const std::uint64_t proven = first_epoch_ - 1 + (chunk < 1 ? 0 : chunk - 1);
    return how.wait(filled_by(team_, call_.sources, first_epoch_ + chunk, proven));
  }
  void take(std::uint64_t chunk) {
    const Piece piece = wanted(chunk);
    const std::size_t offset = (piece.start - chunk * chunk_count_) * call_.reduction->elem_bytes;
    const std::uint64_t epoch = first_epoch_ + chunk;
    fold_elements(
        team_, call_, piece.start, piece.count,
        [&](int member) { return team_.slots().of(member, epoch) + offset; }, streaming_);
  }
  void finish(std::uint64_t chunk) { team_.epochs().finish(first_epoch_ + chunk); }

 private:
  Piece wanted(std::uint64_t chunk) const {
    const std::size_t start = std::max(chunk * chunk_count_, call_.wanted_start);
    const std::size_t end = std::min((chunk + 1) * chunk_count_, call_.wanted_start + call_.wanted_count);
    return {start, end > start ? end - start : 0};
  }

  Team& team_;
  const WholeFold& call_;
  std::size_t chunk_count_;
  bool streaming_;
  std::uint64_t chunks_;
  std::uint64_t first_epoch_;
};

}  // namespace foldlane::engine
