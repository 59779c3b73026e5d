#include "engine/collectives.hpp"

#include <array>
#include <cstring>
#include <utility>
#include <vector>

#include "engine/broadcast_direct.hpp"
#include "engine/by_plan.hpp"
#include "engine/fold_direct.hpp"
#include "engine/fold_pair.hpp"
#include "engine/fold_shares.hpp"
#include "engine/in_groups.hpp"
#include "engine/perform.hpp"
#include "kernels/copy.hpp"

namespace foldlane::engine {
namespace {

using shm::Result;

/// The parts of a reduction that both ways of doing it start from.
struct Fold {
  const std::byte* send;
  std::byte* recv;
  std::size_t count;
  const Reduction& reduction;

  Fold(const void* from, void* to, std::size_t elements, const Reduction& how)
      : send(static_cast<const std::byte*>(from)),
        recv(static_cast<std::byte*>(to)),
        count(elements),
        reduction(how) {}

  std::uint64_t bytes() const { return count * reduction.elem_bytes; }

  /// A team of one: the result is the input.
  Result<void> copy_alone(Team& team) const {
    team.record_call();
    if (team.size() > 1) return {};
    if (recv == send || bytes() == 0) return {};
    if (reduction.layout == nullptr) {
      kernels::copy(recv, send, bytes());
      return {};
    }
    std::vector<std::byte> packed(reduction.elem_bytes);
    for (std::size_t offset = 0; offset < bytes(); offset += packed.size()) {
      reduction.layout->pack(packed.data(), send, offset, packed.size());
      reduction.layout->unpack(recv, packed.data(), offset, packed.size());
    }
    return {};
  }

  Shares equal_shares(const Team& team) const {
    return Shares::equal(count, team.size(), reduction.elem_bytes);
  }
  WholeFold whole(std::size_t wanted_start, std::size_t wanted_count, const Members& sources) const {
    return {send, recv, count, wanted_start, wanted_count, sources, &reduction};
  }
};

Members everybody(const Team& team) { return {0, team.size()}; }

Result<void> fold_by_shares(Team& team, const Plan& plan, const Fold& fold, Deliver deliver, int root,
                            Shares shares) {
  const SharesFold call{.send = fold.send,
                        .recv = fold.recv,
                        .reduction = &fold.reduction,
                        .deliver = deliver,
                        .root = root,
                        .piece_count = plan.piece_bytes / fold.reduction.elem_bytes,
                        .streaming = plan.streaming};
  return perform_with_slots(team, [&] { return fold_shares(team, call, std::move(shares)).run(); });
}

enum class Attempt : std::uint8_t { declined, done, failed };

/// `start`: what to try where this member has something to offer.
template <class Start>
Attempt attempt(Team& team, const DirectOffer& own, const Start& start) {
  if (!own.accepts()) return run_declined(team) ? Attempt::declined : Attempt::failed;
  const RingLease lease(team);  // for what it knows about stores
  bool taken = false;
  if (!lease || !start(taken).run()) return Attempt::failed;
  if (taken) team.process().count_direct_call();
  return taken ? Attempt::done : Attempt::declined;
}

/// Where the result goes.
struct Delivery {
  Deliver deliver;
  int root = 0;
};

/// Operations of the caller's could write to what they are only to read: they see no peer's buffers.
template <class MakeShares>
Attempt try_direct(Team& team, const Plan& plan, const Fold& fold, const Delivery& delivery,
                   const MakeShares& shares) {
  if (!plan.direct_first || fold.reduction.builtin == nullptr) return Attempt::declined;
  const DirectFold call{.send = fold.send,
                        .recv = fold.recv,
                        .reduction = &fold.reduction,
                        .deliver = delivery.deliver,
                        .root = delivery.root,
                        .streaming = plan.direct_streaming};
  const DirectOffer own = own_offer(team, call, fold.bytes());
  return attempt(team, own, [&](bool& taken) { return fold_direct(team, call, own, shares(), taken); });
}

/// What each of two members wants.
template <class MakeShares>
std::array<Piece, 2> wanted(const Fold& fold, const Delivery& delivery, const MakeShares& make_shares) {
  const Piece all{0, fold.count};
  if (delivery.deliver == Deliver::to_all) return {all, all};
  if (delivery.deliver == Deliver::own_share) {
    const Shares shares = make_shares();
    return {shares.of(0), shares.of(1)};
  }
  std::array<Piece, 2> pieces{};
  pieces[static_cast<std::size_t>(delivery.root)] = all;
  return pieces;
}

template <class MakeShares>
Result<void> fold_by_pair(Team& team, const Plan& plan, const Fold& fold, const Delivery& delivery,
                          const MakeShares& make_shares) {
  const auto pieces = wanted(fold, delivery, make_shares);
  const auto own = static_cast<std::size_t>(team.rank());
  const PairFold call{.send = fold.send,
                      .recv = fold.recv,
                      .mine = pieces[own],
                      .theirs = pieces[1 - own],
                      .reduction = &fold.reduction,
                      .box_count = plan.piece_bytes / fold.reduction.elem_bytes,
                      .streaming = plan.streaming};
  return perform(team, [&] { return run_fold_pair(team, call); });
}

/// `shares` makes them: not all ways need them, and they cost an allocation.
template <class MakeShares>
Result<void> fold_large(Team& team, const Plan& chosen, const Fold& fold, const WholeFold& whole,
                        const Delivery& delivery, const MakeShares& shares) {
  const Attempt direct = try_direct(team, chosen, fold, delivery, shares);
  if (direct != Attempt::declined) return verdict(team, direct == Attempt::done);
  if (chosen.style == Style::pair) return fold_by_pair(team, chosen, fold, delivery, shares);
  if (chosen.style == Style::whole) return fold_by_wholes(team, chosen, whole);
  return fold_by_shares(team, chosen, fold, delivery.deliver, delivery.root, shares());
}

Result<void> bcast_large(Team& team, const Plan& chosen, const Message& message, int root) {
  Broadcast call{.buffer = static_cast<std::byte*>(message.buffer),
                 .layout = message.layout,
                 .bytes = message.bytes,
                 .root = root,
                 .reads = true,
                 .chunk_bytes = chosen.piece_bytes,
                 .streaming = chosen.direct_streaming};
  return perform_with_slots(team, [&] {
    bool taken = false;
    if (!broadcast_direct(team, call, taken).run()) return false;
    if (taken) team.process().count_direct_call();
    call.streaming = chosen.streaming;
    return taken || run_broadcast(team, call);
  });
}

Plan plan_for(Call call, Team& team, const Fold& fold) {
  return plan(call, fold.bytes(), shape_of(team), fold.reduction.elem_bytes, fold.reduction.value_bytes());
}

}  // namespace

Result<void> allreduce_by_plan(Team& team, const void* send, void* recv, std::size_t count,
                               const Reduction& reduction) {
  const Fold fold(send, recv, count, reduction);
  const WholeFold whole = fold.whole(0, fold.count, everybody(team));
  if (team.carries_inline(fold.bytes())) return fold_in_one_line(team, whole);
  const Plan chosen = plan_for(Call::allreduce, team, fold);
  if (chosen.cls == Class::alone) return fold.copy_alone(team);
  if (chosen.style == Style::grouped) return fold_in_groups(team, chosen, whole, kNobody, nullptr);
  return fold_large(team, chosen, fold, whole, {Deliver::to_all}, [&] { return fold.equal_shares(team); });
}

Result<void> reduce_by_plan(Team& team, const void* send, void* recv, std::size_t count,
                            const Reduction& reduction, int root) {
  const Fold fold(send, recv, count, reduction);
  const WholeFold whole = fold.whole(0, team.rank() == root ? fold.count : 0, everybody(team));
  if (team.carries_inline(fold.bytes())) return fold_in_one_line(team, whole);
  const Plan chosen = plan_for(Call::reduce, team, fold);
  if (chosen.cls == Class::alone) return fold.copy_alone(team);
  if (chosen.style == Style::grouped)
    return fold_in_groups(team, chosen, fold.whole(0, fold.count, everybody(team)), root, nullptr);
  return fold_large(team, chosen, fold, whole, {Deliver::to_root, root},
                    [&] { return fold.equal_shares(team); });
}

Result<void> bcast_by_plan(Team& team, const Message& message, int root) {
  const Plan chosen = plan(Call::bcast, message.bytes, shape_of(team));
  if (chosen.direct_first) return bcast_large(team, chosen, message, root);
  return perform_broadcast(team, chosen, message, root, true);
}

Result<void> reduce_scatter_by_plan(Team& team, const void* send, void* recv, const BlockCounts& counts,
                                    const Reduction& reduction) {
  const Shares shares = Shares::blocks(counts, team.size());
  const Fold fold(send, recv, shares.total(), reduction);
  const WholeFold whole = fold.whole(shares.start(team.rank()), shares.count(team.rank()), everybody(team));
  if (team.carries_inline(fold.bytes())) return fold_in_one_line(team, whole);
  const Plan chosen = plan_for(Call::reduce_scatter, team, fold);
  if (chosen.cls == Class::alone) return fold.copy_alone(team);
  if (chosen.style == Style::grouped)
    return fold_in_groups(team, chosen, fold.whole(0, fold.count, everybody(team)), kNobody, &shares);
  return fold_large(team, chosen, fold, whole, {Deliver::own_share}, [&] { return shares; });
}

Result<void> scan(Team& team, const void* send, void* recv, std::size_t count, const Reduction& reduction,
                  Prefix prefix) {
  const Call call = prefix == Prefix::inclusive ? Call::scan : Call::exscan;
  const Fold fold(send, recv, count, reduction);
  if (!team.enter(info_of(call, count, reduction))) [[unlikely]]
    return failure_of(team);
  const int sources = team.rank() + (prefix == Prefix::inclusive ? 1 : 0);
  const WholeFold whole = fold.whole(0, sources > 0 ? count : 0, {0, sources});
  if (fits_inline(fold.bytes(), team.size())) return fold_in_one_line(team, whole);
  const Plan chosen = plan(call, fold.bytes(), shape_of(team), reduction.elem_bytes);
  if (chosen.cls != Class::alone) return fold_by_wholes(team, chosen, whole);
  if (prefix == Prefix::inclusive) return fold.copy_alone(team);
  team.record_call();
  return {};
}

Result<void> exchange_bytes(Team& team, Call as, const void* own, std::size_t bytes, void* all) {
  if (!team.enter({.call = as, .count = bytes})) [[unlikely]]
    return failure_of(team);
  if (team.size() == 1) {  // has no lines
    std::memcpy(all, own, bytes);
    return {};
  }
  return verdict(team, run_exchange_shown(team, static_cast<const std::byte*>(own), bytes,
                                          static_cast<std::byte*>(all)));
}

}  // namespace foldlane::engine
