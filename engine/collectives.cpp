#include "engine/collectives.hpp"

#include <utility>

#include "engine/broadcast.hpp"
#include "engine/fold_shares.hpp"
#include "engine/fold_whole.hpp"
#include "engine/plan.hpp"
#include "kernels/copy.hpp"
#include "shm/job.hpp"

namespace foldlane::engine {
namespace {

using shm::Result;

TeamShape shape_of(Team& team) {
  const Geometry& geometry = team.process().geometry();
  return {team.size(), geometry.slot_bytes, geometry.llc_bytes};
}

Result<void> peer_failure(Team& team) {
  return shm::Error{shm::Errc::peer_failed,
                    shm::describe(shm::unpack(team.process().signals().abort_word()))};
}

Result<void> verdict(Team& team, bool done) {
  if (done) [[likely]]
    return {};
  return peer_failure(team);
}

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

  Result<void> copy_alone() const {
    if (recv != send) kernels::copy(recv, send, bytes());
    return {};
  }
};

Result<void> fold_in_one_line(Team& team, const Fold& fold, std::size_t wanted_start,
                              std::size_t wanted_count) {
  const WholeFold call{fold.send, fold.recv, fold.count, wanted_start, wanted_count, &fold.reduction};
  return verdict(team, run_fold_once<LinePlace>(team, call));
}

Result<void> fold_whole(Team& team, const Plan& plan, const Fold& fold, std::size_t wanted_count) {
  const WholeFold call{fold.send, fold.recv, fold.count, 0, wanted_count, &fold.reduction};
  if (plan.cls == Class::one_shot) return verdict(team, run_fold_once<SlotPlace>(team, call));
  const std::size_t chunk_count = plan.piece_bytes / fold.reduction.elem_bytes;
  return verdict(team, fold_chunks(team, call, chunk_count, plan.streaming).run());
}

Result<void> fold_by_shares(Team& team, const Plan& plan, const Fold& fold, Deliver deliver, int root,
                            Shares shares) {
  const SharesFold call{.send = fold.send,
                        .recv = fold.recv,
                        .reduction = &fold.reduction,
                        .deliver = deliver,
                        .root = root,
                        .piece_count = plan.piece_bytes / fold.reduction.elem_bytes,
                        .streaming = plan.streaming};
  return verdict(team, fold_shares(team, call, std::move(shares)).run());
}

}  // namespace

Result<void> barrier(Team& team) {
  if (team.size() == 1) return {};
  return verdict(team, run_meet(team));
}

Result<void> bcast(Team& team, void* buffer, std::size_t bytes, int root) {
  const Plan chosen = plan(Call::bcast, bytes, shape_of(team));
  if (chosen.cls == Class::alone) return {};
  const Broadcast call{static_cast<std::byte*>(buffer), bytes, root, chosen.piece_bytes, chosen.streaming};
  Procedure procedure =
      chosen.cls == Class::inline_line ? broadcast_inline(team, call) : broadcast_chunks(team, call);
  return verdict(team, procedure.run());
}

Result<void> allreduce(Team& team, const void* send, void* recv, std::size_t count,
                       const Reduction& reduction) {
  const Fold fold(send, recv, count, reduction);
  if (fits_inline(fold.bytes(), team.size())) return fold_in_one_line(team, fold, 0, count);
  const Plan chosen = plan(Call::allreduce, fold.bytes(), shape_of(team));
  if (chosen.cls == Class::alone) return fold.copy_alone();
  if (chosen.style == Style::whole) return fold_whole(team, chosen, fold, count);
  return fold_by_shares(team, chosen, fold, Deliver::to_all, 0,
                        Shares::equal(count, team.size(), reduction.elem_bytes));
}

Result<void> reduce(Team& team, const void* send, void* recv, std::size_t count, const Reduction& reduction,
                    int root) {
  const Fold fold(send, recv, count, reduction);
  const std::size_t wanted_count = team.rank() == root ? count : 0;
  if (fits_inline(fold.bytes(), team.size())) return fold_in_one_line(team, fold, 0, wanted_count);
  const Plan chosen = plan(Call::reduce, fold.bytes(), shape_of(team));
  if (chosen.cls == Class::alone) return fold.copy_alone();
  if (chosen.style == Style::whole) return fold_whole(team, chosen, fold, wanted_count);
  return fold_by_shares(team, chosen, fold, Deliver::to_root, root,
                        Shares::equal(count, team.size(), reduction.elem_bytes));
}

Result<void> reduce_scatter(Team& team, const void* send, void* recv, const BlockCounts& counts,
                            const Reduction& reduction) {
  Shares shares = Shares::blocks(counts, team.size());
  const Fold fold(send, recv, shares.total(), reduction);
  if (fits_inline(fold.bytes(), team.size())) {
    return fold_in_one_line(team, fold, shares.start(team.rank()), shares.count(team.rank()));
  }
  const Plan chosen = plan(Call::reduce_scatter, fold.bytes(), shape_of(team));
  if (chosen.cls == Class::alone) return fold.copy_alone();
  return fold_by_shares(team, chosen, fold, Deliver::own_share, 0, std::move(shares));
}

}  // namespace foldlane::engine
