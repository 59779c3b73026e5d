// The calls that a program's MPI has given up: what the engine can do it does, and all else is passed on.
//
// Whether a call is passed on is decided by what is the same on all members: reductions have the same count,
// datatype and operation, broadcasts the same number of bytes. What nobody may pass is the host's to judge.
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "api/host/made_call.hpp"
#include "api/host/moves/blocks.hpp"
#include "engine/collectives/collectives.hpp"

namespace foldlane::host {
namespace {

using engine::Call;
using engine::Prefix;
using engine::Reduction;
using engine::Team;
using Result = shm::Result<void>;

const void* input_of(const void* send, const void* recv) {
  return send == the->host().constants().in_place ? recv : send;
}

/// How the members of a communicator over several nodes must be placed for a call.
enum class Placing { any, in_blocks, in_equal_blocks };

bool are_placed(const AcrossNodes& nodes, Placing wanted) {
  if (wanted == Placing::in_blocks) return nodes.placement().in_blocks();
  return wanted == Placing::any || nodes.placement().in_equal_blocks();
}

/// Why a reduction is not for us.
Reason reason_of(const Communicator& communicator, const Reduction* reduction, Placing placing) {
  if (communicator.team == nullptr && communicator.across == nullptr) return communicator.reason;
  if (reduction == nullptr) return Reason::unknown;
  if (communicator.across == nullptr) return Reason::arguments;
  if (reduction->widening != nullptr) return Reason::nodes;
  return are_placed(*communicator.across, placing) ? Reason::arguments : Reason::placement;
}

/// Between nodes, or by the host, which also has elements whose partial results are wider than they are.
template <class Body, class Original>
[[gnu::noinline]] int reduce_elsewhere(const Made& made, Communicator& communicator, std::int64_t least_count,
                                       std::uint64_t elements, const Reduction* reduction, int root,
                                       Placing placing, const Body& body, const Original& original) {
  AcrossNodes* const nodes = communicator.across.get();
  if (nodes != nullptr && reduction != nullptr && reduction->widening == nullptr && least_count >= 0 &&
      root >= 0 && root < nodes->size() && are_placed(*nodes, placing))
    return run(made, *nodes, elements * reduction->elem_bytes, [&] { return body(*nodes, *reduction); });
  return original(reason_of(communicator, reduction, placing));
}

/// `body` reduces with the engine, and between nodes; `original` with the host. Negative: `least_count`, so
/// that the call is not for us.
template <Placing placing = Placing::any, class Body, class Original>
[[gnu::always_inline]] inline int reduce_by(const Made& made, std::int64_t least_count,
                                            std::uint64_t elements, Handle type, Handle op, int root,
                                            const Body& body, const Original& original) {
  Communicator& communicator = the->communicators().enter(made.comm);
  const Reduction* const reduction = the->reductions().find(the->host().handle(type), the->host().handle(op));
  if (communicator.team == nullptr || reduction == nullptr || least_count < 0 || root < 0 ||
      root >= communicator.team->size()) [[unlikely]]
    return reduce_elsewhere(made, communicator, least_count, elements, reduction, root, placing, body,
                            original);
  return run(made, *communicator.team, elements * reduction->elem_bytes,
             [&] { return body(*communicator.team, *reduction); });
}

template <Call call>
Result fold(Team& team, const void* send, void* recv, std::size_t count, const Reduction& reduction) {
  if constexpr (call == Call::allreduce) return engine::allreduce(team, send, recv, count, reduction);
  return engine::scan(team, send, recv, count, reduction,
                      call == Call::scan ? Prefix::inclusive : Prefix::exclusive);
}
template <Call call>
Result fold(AcrossNodes& nodes, const void* send, void* recv, std::size_t count, const Reduction& reduction) {
  if constexpr (call == Call::allreduce) return nodes.allreduce(send, recv, count, reduction);
  return nodes.scan(send, recv, count, reduction, call == Call::scan ? Prefix::inclusive : Prefix::exclusive);
}

/// MPI_Allreduce, MPI_Scan, MPI_Exscan.
template <foldlane_call number, Call call, class Count>
int fold_call(const void* send, void* recv, Count count, Handle type, Handle op, Handle comm) {
  const Made made{number, the->host().handle(comm)};
  const auto elements = static_cast<std::size_t>(count);
  return reduce_by < call == Call::allreduce
             ? Placing::any
             : Placing::in_blocks >
                   (
                       made, count, elements, type, op, 0,
                       [&](auto& members, const Reduction& reduction) {
                         return fold<call>(members, input_of(send, recv), recv, elements, reduction);
                       },
                       [&](Reason reason) {
                         return pass_on(made, reason, send, recv, count, type, op, comm);
                       });
}

Result reduce_to(Team& team, const void* send, void* recv, std::size_t count, const Reduction& reduction,
                 int root) {
  return engine::reduce(team, send, recv, count, reduction, root);
}
Result reduce_to(AcrossNodes& nodes, const void* send, void* recv, std::size_t count,
                 const Reduction& reduction, int root) {
  return nodes.reduce(send, recv, count, reduction, root);
}

template <foldlane_call number, class Count>
int reduce(const void* send, void* recv, Count count, Handle type, Handle op, int root, Handle comm) {
  const Made made{number, the->host().handle(comm)};
  const auto elements = static_cast<std::size_t>(count);
  return reduce_by(
      made, count, elements, type, op, root,
      [&](auto& members, const Reduction& reduction) {
        if (members.rank() != root) return reduce_to(members, send, nullptr, elements, reduction, root);
        return reduce_to(members, input_of(send, recv), recv, elements, reduction, root);
      },
      [&](Reason reason) { return pass_on(made, reason, send, recv, count, type, op, root, comm); });
}

/// A member without a block may pass any address, even that of its input, which would mean "in place".
Result scatter(Team& team, const void* send, void* recv, const engine::BlockCounts& counts,
               const Reduction& reduction) {
  const bool in_place = send == the->host().constants().in_place;
  if (!in_place && counts[team.rank()] == 0) recv = nullptr;
  return engine::reduce_scatter(team, in_place ? recv : send, recv, counts, reduction);
}
Result scatter(AcrossNodes& nodes, const void* send, void* recv, const engine::BlockCounts& counts,
               const Reduction& reduction) {
  return nodes.reduce_scatter(input_of(send, recv), recv, counts, reduction);
}

template <foldlane_call number, class Count>
int reduce_scatter_block(const void* send, void* recv, Count count, Handle type, Handle op, Handle comm) {
  const Made made{number, the->host().handle(comm)};
  return reduce_by<Placing::in_equal_blocks>(
      made, count, static_cast<std::size_t>(count), type, op, 0,
      [&](auto& members, const Reduction& reduction) {
        return scatter(members, send, recv, engine::BlockCounts::equal(count), reduction);
      },
      [&](Reason reason) { return pass_on(made, reason, send, recv, count, type, op, comm); });
}

template <foldlane_call number, class Count>
int reduce_scatter(const void* send, void* recv, const Count* counts, Handle type, Handle op, Handle comm) {
  const Made made{number, the->host().handle(comm)};
  const Communicator& communicator = the->communicators().enter(made.comm);
  std::int64_t least = 0, total = 0;
  for (int member = 0; member < communicator.size(); ++member) {
    least = std::min<std::int64_t>(least, counts[member]);
    total += counts[member];
  }
  return reduce_by<Placing::in_equal_blocks>(
      made, least, static_cast<std::uint64_t>(total), type, op, 0,
      [&](auto& members, const Reduction& reduction) {
        return scatter(members, send, recv, engine::BlockCounts(counts), reduction);
      },
      [&](Reason reason) { return pass_on(made, reason, send, recv, counts, type, op, comm); });
}

int barrier(Handle comm) {
  const Made made{FOLDLANE_Barrier, the->host().handle(comm)};
  const Communicator& communicator = the->communicators().enter(made.comm);
  if (communicator.team != nullptr) [[likely]]
    return run(made, *communicator.team, 0, [&] { return engine::barrier(*communicator.team); });
  AcrossNodes* const nodes = communicator.across.get();
  if (nodes == nullptr) return pass_on(made, communicator.reason, comm);
  return run(made, *nodes, 0, [&] { return nodes->barrier(); });
}

Result bcast_bytes(AcrossNodes& nodes, const engine::UserBuffer& buffer, int root) {
  return nodes.bcast(buffer.address, buffer.bytes, root);
}

Result bcast_bytes(Communicator& communicator, const engine::UserBuffer& buffer, int root) {
  engine::Message message{.buffer = buffer.address, .bytes = buffer.bytes};
  if (engine::may_go_by_message(*communicator.team, message.bytes))
    message.mail = {&the->messenger(), the->communicators().channel_of(communicator)};
  return engine::bcast(*communicator.team, message, root);
}

/// Each member may describe the same bytes by another datatype.
template <class Members>
Result bcast_block(Members& members, int rank, HostBlocks& block, int root) {
  block.make_room();
  if (rank == root) block.pack();
  Result done = bcast_bytes(members, block.block_for(root), root);
  if (done.ok() && rank != root) block.unpack();
  return done;
}

template <foldlane_call number, class Count>
int bcast(void* buffer, Count count, Handle type, int root, Handle comm) {
  const Made made{number, the->host().handle(comm)};
  Communicator& communicator = the->communicators().enter(made.comm);
  Team* const team = communicator.team;
  AcrossNodes* const nodes = communicator.across.get();
  const int size = communicator.size();
  if (count < 0 || root < 0 || root >= size) {
    const Reason reason = size == 0 ? communicator.reason : Reason::arguments;
    return pass_on(made, reason, buffer, count, type, root, comm);
  }
  const Side side{buffer, engine::BlockCounts::equal(count), type};
  if (engine::UserBuffer dense; team != nullptr && UsualSide(side).find(0, dense))
    return run(made, *team, dense.bytes, [&] { return bcast_bytes(communicator, dense, root); });
  HostBlocks block(made, side, root, 1);
  if (!block.are_valid()) return pass_on(made, Reason::arguments, buffer, count, type, root, comm);
  if (team == nullptr)
    return run(made, *nodes, block.bytes(), [&] { return bcast_block(*nodes, nodes->rank(), block, root); });
  return run(made, *team, block.bytes(),
             [&] { return bcast_block(communicator, team->rank(), block, root); });
}

}  // namespace

void take_calls(Accelerator& accelerator, foldlane_function* calls) {
  the = &accelerator;
  take_moves(calls);
  using Large = std::int64_t;
  calls[FOLDLANE_Barrier] = any(barrier);
  calls[FOLDLANE_Bcast] = any(bcast<FOLDLANE_Bcast, int>);
  calls[FOLDLANE_Bcast_c] = any(bcast<FOLDLANE_Bcast_c, Large>);
  calls[FOLDLANE_Allreduce] = any(fold_call<FOLDLANE_Allreduce, Call::allreduce, int>);
  calls[FOLDLANE_Allreduce_c] = any(fold_call<FOLDLANE_Allreduce_c, Call::allreduce, Large>);
  calls[FOLDLANE_Scan] = any(fold_call<FOLDLANE_Scan, Call::scan, int>);
  calls[FOLDLANE_Scan_c] = any(fold_call<FOLDLANE_Scan_c, Call::scan, Large>);
  calls[FOLDLANE_Exscan] = any(fold_call<FOLDLANE_Exscan, Call::exscan, int>);
  calls[FOLDLANE_Exscan_c] = any(fold_call<FOLDLANE_Exscan_c, Call::exscan, Large>);
  calls[FOLDLANE_Reduce] = any(reduce<FOLDLANE_Reduce, int>);
  calls[FOLDLANE_Reduce_c] = any(reduce<FOLDLANE_Reduce_c, Large>);
  calls[FOLDLANE_Reduce_scatter] = any(reduce_scatter<FOLDLANE_Reduce_scatter, int>);
  calls[FOLDLANE_Reduce_scatter_c] = any(reduce_scatter<FOLDLANE_Reduce_scatter_c, Large>);
  calls[FOLDLANE_Reduce_scatter_block] = any(reduce_scatter_block<FOLDLANE_Reduce_scatter_block, int>);
  calls[FOLDLANE_Reduce_scatter_block_c] = any(reduce_scatter_block<FOLDLANE_Reduce_scatter_block_c, Large>);
}

}  // namespace foldlane::host
