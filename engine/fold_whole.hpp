// Reductions by wholes: every member shows its whole input; whoever wants a part of the result folds it by
// itself. One hop. The input travels beside the epoch (in a line), in a slot, or through the slots chunk by
// chunk.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "engine/reduction.hpp"
#include "engine/shares.hpp"
#include "engine/team.hpp"

namespace foldlane::engine {

struct WholeFold {
  const std::byte* send;
  std::byte* recv;
  std::size_t count;         // elements of the whole input
  std::size_t wanted_start;  // the part of the result this member wants; none: a leaf, which leaves early
  std::size_t wanted_count;
  Members sources;  // whose inputs make the result this member wants
  const Reduction* reduction;
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
  const int from_send = shifted || call.reduction->layout != nullptr ? -1 : team.rank();
  for (int i = 0; i < call.sources.count; ++i) {
    const int member = call.sources.first + i;
    sources[i] = member == from_send ? call.send + start * elem_bytes : place_of(member);
    if (member != from_send) team.will_read(sources[i], count * elem_bytes);
  }
  const std::size_t to = start - call.wanted_start;
  const auto k = static_cast<std::size_t>(call.sources.count);
  if (streaming || call.reduction->layout != nullptr) {
    return call.reduction->fold_through(call.recv, to, sources, k, count);
  }
  call.reduction->fold(call.recv + to * elem_bytes, sources, k, count);
}

/// Whether what a member awaited was everybody's, and so proves what everybody has finished.
template <class Team>
bool is_everybody(const Team& team, const Members& members) {
  return members.count == team.size();
}

/// The place beside the epoch.
template <class Team>
struct LinePlace {
  static auto free(Team& team, std::uint64_t epoch) { return team.inline_free(epoch); }
  /// Element `start` and those behind it; a line is for all of an input.
  static void put(Team& team, std::uint64_t epoch, const WholeFold& call, std::size_t, std::size_t count) {
    team.show(epoch, call.send, count * call.reduction->elem_bytes, call.reduction->layout);
  }
  static auto put_by(Team& team, const Members& members, std::uint64_t epoch, std::uint64_t proves) {
    return is_everybody(team, members) ? team.all_shown(epoch, proves) : team.shown_by(members, epoch);
  }
  static const std::byte* at(Team& team, int member, std::uint64_t epoch, const WholeFold& call) {
    return team.payload(member, epoch, call.count * call.reduction->elem_bytes);
  }
};

template <class Team>
struct SlotPlace {
  static auto free(Team& team, std::uint64_t epoch) { return team.slot_free(epoch); }
  static void put(Team& team, std::uint64_t epoch, const WholeFold& call, std::size_t start,
                  std::size_t count) {
    const std::size_t elem_bytes = call.reduction->elem_bytes;
    team.pack_in(team.own_slot(epoch), call.send, call.reduction->layout, start * elem_bytes,
                 count * elem_bytes);
    team.publish_filled(epoch);
  }
  static auto put_by(Team& team, const Members& members, std::uint64_t epoch, std::uint64_t proves) {
    return is_everybody(team, members) ? team.all_filled(epoch, proves) : team.filled_by(members, epoch);
  }
  static const std::byte* at(Team& team, int member, std::uint64_t epoch, const WholeFold&) {
    return team.slot(member, epoch);
  }
};

/// The steps of a fold whose input fits one place, for both ways of driving it. Keeps a reference: a copy of
/// the call, right after it was written, waits for those stores.
template <class Team, template <class> class Place>
class OneShot {
 public:
  OneShot(Team& team, const WholeFold& call) : team_(team), call_(call), epoch_(team.begin(1)) {}

  auto place_free() { return Place<Team>::free(team_, epoch_); }
  void put() { Place<Team>::put(team_, epoch_, call_, 0, call_.count); }
  bool wants() const { return call_.wanted_count > 0; }
  /// A member puts its input of `epoch` only after its previous calls: it has finished epoch - 1.
  auto sources_put() { return Place<Team>::put_by(team_, call_.sources, epoch_, epoch_ - 1); }
  void fold() {
    const std::size_t offset = call_.wanted_start * call_.reduction->elem_bytes;
    const auto place_of = [&](int member) { return Place<Team>::at(team_, member, epoch_, call_) + offset; };
    fold_elements(team_, call_, call_.wanted_start, call_.wanted_count, place_of, false);
  }
  void finish() { team_.finish(epoch_); }

 private:
  Team& team_;
  const WholeFold& call_;
  std::uint64_t epoch_;
};

template <template <class> class Place, class Team>
Procedure fold_once(Team& team, WholeFold call) {
  OneShot<Team, Place> steps(team, call);
  co_await steps.place_free();
  steps.put();
  if (steps.wants()) {
    co_await steps.sources_put();
    steps.fold();
  }
  steps.finish();
}

/// fold_once(…).run() without a coroutine, which would cost 20 ns of 110 at 8 bytes. False if the job has
/// failed.
template <template <class> class Place, class Team>
bool run_fold_once(Team& team, const WholeFold& call) {
  OneShot<Team, Place> steps(team, call);
  if (!block(steps.place_free())) return false;
  steps.put();
  if (steps.wants()) {
    if (!block(steps.sources_put())) return false;
    steps.fold();
  }
  steps.finish();
  return true;
}

/// What is left of run_fold_once<LinePlace> for the calls that are made most: packed elements, a kernel's
/// operation, and no wait that outlasts the first polls. An 8-byte allreduce of MPI takes 350 instructions
/// by it instead of 570.
template <class Team>
bool run_fold_in_lines(Team& team, const std::byte* send, std::byte* recv, std::size_t count,
                       const Reduction& reduction, const Piece& wanted) {
  const std::uint64_t epoch = team.begin(1);
  if (!team.wait_until_inline_free(epoch)) return false;
  const std::size_t bytes = count * reduction.elem_bytes;
  team.show(epoch, send, bytes);
  if (wanted.count > 0) {
    if (!team.wait_until_all_shown(epoch, epoch - 1)) return false;
    // In place, a block that moves to the top of recv must not come from what it overwrites.
    const std::byte* const own = send == recv && wanted.start != 0 ? nullptr : send;
    const void* const* sources = team.shown_sources(epoch, own, bytes, wanted.start * reduction.elem_bytes,
                                                    wanted.count * reduction.elem_bytes);
    reduction.builtin(recv, sources, static_cast<std::size_t>(team.size()), wanted.count);
  }
  team.finish(epoch);
  return true;
}

/// Larger inputs: chunk_count elements at a time go through a slot. Fills chunk c+1 before it folds what it
/// wants of chunk c, so that members work while they would wait.
template <class Team>
Procedure fold_chunks(Team& team, WholeFold call, std::size_t chunk_count, bool streaming) {
  const std::size_t elem_bytes = call.reduction->elem_bytes;
  const std::uint64_t chunks = (call.count + chunk_count - 1) / chunk_count;
  const std::uint64_t first_epoch = team.begin(chunks);
  const std::size_t wanted_end = call.wanted_start + call.wanted_count;
  for (std::uint64_t step = 0; step <= chunks; ++step) {
    if (step < chunks) {
      const std::uint64_t epoch = first_epoch + step;
      const std::size_t start = step * chunk_count;
      co_await team.slot_free(epoch);
      SlotPlace<Team>::put(team, epoch, call, start, std::min(chunk_count, call.count - start));
    }
    if (step == 0) continue;
    const std::uint64_t epoch = first_epoch + step - 1;
    const std::size_t chunk_start = (step - 1) * chunk_count;
    const std::size_t start = std::max(chunk_start, call.wanted_start);
    const std::size_t end = std::min(chunk_start + chunk_count, wanted_end);
    if (start < end) {
      // A member fills chunk c after it has folded chunk c-2, and after all calls before.
      const std::uint64_t proven = first_epoch - 1 + (step < 2 ? 0 : step - 2);
      co_await SlotPlace<Team>::put_by(team, call.sources, epoch, proven);
      const std::size_t offset = (start - chunk_start) * elem_bytes;
      fold_elements(
          team, call, start, end - start, [&](int member) { return team.slot(member, epoch) + offset; },
          streaming);
    }
    team.finish(epoch);
  }
}

/// A barrier is an inline fold of nothing that everybody waits for.
template <class Team>
Procedure meet(Team& team) {
  const std::uint64_t epoch = team.begin(1);
  co_await team.inline_free(epoch);
  team.show(epoch, nullptr, 0);
  co_await team.all_shown(epoch, epoch - 1);
  team.finish(epoch);
}

/// meet(…).run() without a coroutine.
template <class Team>
bool run_meet(Team& team) {
  const std::uint64_t epoch = team.begin(1);
  if (!team.wait_until_inline_free(epoch)) return false;
  team.show(epoch, nullptr, 0);
  if (!team.wait_until_all_shown(epoch, epoch - 1)) return false;
  team.finish(epoch);
  return true;
}

/// What everybody showed, one after the other.
template <class Team>
void copy_shown(Team& team, std::uint64_t epoch, std::size_t bytes, std::byte* all) {
  for (int member = 0; member < team.size(); ++member) {
    team.unpack_out(all, nullptr, static_cast<std::size_t>(member) * bytes,
                    team.payload(member, epoch, bytes), bytes, false);
  }
}

/// Everybody shows a few bytes and copies out what all showed.
template <class Team>
Procedure exchange_shown(Team& team, const std::byte* own, std::size_t bytes, std::byte* all) {
  const std::uint64_t epoch = team.begin(1);
  co_await team.inline_free(epoch);
  team.show(epoch, own, bytes);
  co_await team.all_shown(epoch, epoch - 1);
  copy_shown(team, epoch, bytes, all);
  team.finish(epoch);
}

/// exchange_shown(…).run() without a coroutine.
template <class Team>
bool run_exchange_shown(Team& team, const std::byte* own, std::size_t bytes, std::byte* all) {
  const std::uint64_t epoch = team.begin(1);
  if (!block(team.inline_free(epoch))) return false;
  team.show(epoch, own, bytes);
  if (!block(team.all_shown(epoch, epoch - 1))) return false;
  copy_shown(team, epoch, bytes, all);
  team.finish(epoch);
  return true;
}

}  // namespace foldlane::engine
