#include "api/host/nodes/across_nodes.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "engine/collectives/collectives.hpp"
#include "kernels/copy.hpp"

namespace foldlane::host {
namespace {

using engine::Reduction;
using Result = shm::Result<void>;

/// Of a share: up to here everybody folds all of it, which saves a call of the host's.
constexpr std::size_t kMostInOneHop = 16 << 10;

}  // namespace

AcrossNodes::AcrossNodes(const Host& host, Explanation& explanation, Handle comm, Placement placement,
                         int member, engine::Team& team, engine::Messenger& messenger)
    : placement_(std::move(placement)),
      member_(member),
      seat_(placement_.seat(member)),
      team_(team),
      on_node_(team, messenger),
      column_(host, explanation, comm, index() < placement_.columns() ? index() : Column::kNone, seat_.node,
              placement_.nodes()),
      piece_length_(column_, explanation) {}

Result AcrossNodes::barrier() {
  Result met = engine::barrier(team_);
  if (met.ok() && index() == 0) met = column_.meet();
  return met.ok() ? engine::barrier(team_) : std::move(met);
}

/// Who sends to the other nodes, and who receives there: the root itself if it has a column.
int AcrossNodes::column_for(const Seat& root) const noexcept {
  return root.index < placement_.columns() ? root.index : 0;
}

Result AcrossNodes::bcast(void* data, std::size_t bytes, int root) {
  auto* const from = static_cast<std::byte*>(data);
  const std::size_t most = chunk_bytes(placement_.nodes());
  Result sent;
  for (std::size_t done = 0; done < bytes && sent.ok(); done += most)
    sent = bcast_chunk(from + done, std::min(most, bytes - done), placement_.seat(root));
  return sent;
}

Result AcrossNodes::bcast_chunk(std::byte* data, std::size_t bytes, const Seat& root) {
  const int column = column_for(root);
  const bool is_home = seat_.node == root.node;
  const bool is_told_first = is_home && root.index != column;
  const auto tell_node = [&] { return on_node_.broadcast(data, bytes, is_home ? root.index : column); };
  Result sent;
  if (is_told_first) sent = tell_node();
  if (sent.ok() && index() == column) sent = column_.broadcast(data, bytes, root.node);
  return sent.ok() && !is_told_first ? tell_node() : std::move(sent);
}

/// `step(offset, division)` for each chunk of a vector: which begins with this element, and who hands on what
/// of it.
template <class Step>
Result AcrossNodes::in_chunks(const Reduction& reduction, std::size_t count, int one, const Step& step) {
  const int columns = placement_.columns();
  const std::size_t most = static_cast<std::size_t>(columns) *
                           std::max<std::size_t>(1, chunk_bytes(placement_.nodes()) / reduction.elem_bytes);
  Result folded;
  for (std::size_t done = 0; done < count && folded.ok(); done += most)
    folded =
        step(done, divide(std::min(most, count - done), reduction.elem_bytes, team_.size(), columns, one));
  return folded;
}

Result AcrossNodes::allreduce(const void* send, void* recv, std::size_t count, const Reduction& reduction) {
  return in_chunks(reduction, count, 0, [&](std::size_t offset, const Division& division) {
    const auto* const from = static_cast<const std::byte*>(send) + offset * reduction.elem_bytes;
    auto* const to = static_cast<std::byte*>(recv) + offset * reduction.elem_bytes;
    const engine::Piece share = division.shares.of(index());
    std::byte* const result = to + share.start * reduction.elem_bytes;
    const Values own = fold_on_node(reduction, from, division);
    if (!own.ok()) return Result(own.error());
    Result folded;
    if (share.count > 0) folded = fold_between_nodes(reduction, own.value(), share.count, result);
    return folded.ok() ? spread(to, reduction.elem_bytes, division) : std::move(folded);
  });
}

Result AcrossNodes::reduce(const void* send, void* recv, std::size_t count, const Reduction& reduction,
                           int root) {
  const Seat& seat = placement_.seat(root);
  return in_chunks(reduction, count, column_for(seat), [&](std::size_t offset, const Division& division) {
    const auto* const from = static_cast<const std::byte*>(send) + offset * reduction.elem_bytes;
    auto* const to =
        member_ == root ? static_cast<std::byte*>(recv) + offset * reduction.elem_bytes : nullptr;
    const engine::Piece share = division.shares.of(index());
    const std::size_t start = share.start * reduction.elem_bytes;
    std::byte* const result =
        member_ == root ? to + start : result_.room_for(share.count * reduction.elem_bytes);
    const Values own = fold_on_node(reduction, from, division);
    if (!own.ok()) return Result(own.error());
    Result folded;
    if (share.count > 0) folded = fold_at(seat, reduction, own.value(), share.count, result);
    if (!folded.ok() || seat_.node != seat.node) return folded;
    if (division.sole == seat.index) return folded;
    return on_node_.collect(to, result, reduction.elem_bytes, division.shares, seat.index);
  });
}

/// The node's values of this member's share, until the next one.
AcrossNodes::Values AcrossNodes::fold_on_node(const Reduction& reduction, const std::byte* send,
                                              const Division& division) {
  if (team_.size() == 1 && placement_.nodes() == 2) return send;  // slices would reach beyond its end
  const std::size_t count = division.shares.total();
  // Slices of it are equal: the last one may reach beyond the end.
  std::byte* const own = own_.room_for(
      (division.shares.count(index()) + static_cast<std::size_t>(placement_.nodes())) * reduction.elem_bytes);
  Result folded;
  if (division.sole != kNobody) {
    folded = engine::reduce(team_, send, division.sole == index() ? own : nullptr, count, reduction,
                            division.sole);
  } else {
    std::vector<std::int64_t> counts;
    for (int i = 0; i < team_.size(); ++i)
      counts.push_back(static_cast<std::int64_t>(division.shares.count(i)));
    folded = engine::reduce_scatter(team_, send, own, engine::BlockCounts(counts.data()), reduction);
  }
  if (!folded.ok()) return folded.error();
  return own;
}

/// Each node has its `own` values, and gets the result. To swap slices moves fewer bytes where there are more
/// than two.
Result AcrossNodes::fold_between_nodes(const Reduction& reduction, const std::byte* own, std::size_t count,
                                       std::byte* result) {
  const std::size_t bytes = count * reduction.elem_bytes;
  if (placement_.nodes() == 2) return fold_with_other(reduction, own, count, result);
  if (bytes > kMostInOneHop) return fold_by_slices(reduction, count, result);
  std::byte* const all = all_.room_for(bytes * static_cast<std::size_t>(placement_.nodes()));
  Result known = column_.gather_all(own, bytes, all);
  if (known.ok()) fold_all(reduction, all, bytes, count, result);
  return known;
}

/// Each piece as soon as it has come.
Result AcrossNodes::fold_with_other(const Reduction& reduction, const std::byte* own, std::size_t count,
                                    std::byte* result) {
  const std::size_t bytes = count * reduction.elem_bytes;
  std::byte* const others = all_.room_for(bytes);
  return piece_length_.perform(bytes, [&](std::size_t most) {
    const std::size_t piece_bytes = most - most % reduction.elem_bytes;
    return column_.trade(own, others, bytes, piece_bytes, [&](std::size_t start, std::size_t length) {
      std::array<const void*, 2> sources{own + start, others + start};
      if (seat_.node == 1) std::swap(sources[0], sources[1]);
      reduction.fold(result + start, sources.data(), sources.size(), length / reduction.elem_bytes);
    });
  });
}

/// Each node folds one.
Result AcrossNodes::fold_by_slices(const Reduction& reduction, std::size_t count, std::byte* result) {
  const auto nodes = static_cast<std::size_t>(placement_.nodes());
  const std::size_t most = (count + nodes - 1) / nodes, bytes = most * reduction.elem_bytes;
  const std::size_t start = std::min(count, most * static_cast<std::size_t>(seat_.node));
  std::byte* const all = all_.room_for(nodes * bytes);
  std::byte* const slice = result_.room_for(most * reduction.elem_bytes);
  Result known = column_.swap(own_.room_for(bytes * nodes), bytes, all);
  if (!known.ok()) return known;
  fold_all(reduction, all, bytes, std::min(most, count - start), slice);
  known = column_.gather_all(slice, most * reduction.elem_bytes, all);
  if (known.ok()) kernels::copy(result, all, count * reduction.elem_bytes);
  return known;
}

/// Each node has its `own` values; the root's gets the result.
Result AcrossNodes::fold_at(const Seat& root, const Reduction& reduction, const std::byte* own,
                            std::size_t count, std::byte* result) {
  const std::size_t bytes = count * reduction.elem_bytes;
  const bool is_home = seat_.node == root.node;
  std::byte* const all =
      is_home ? all_.room_for(bytes * static_cast<std::size_t>(placement_.nodes())) : nullptr;
  Result known = column_.gather(own, bytes, all, root.node);
  if (known.ok() && is_home) fold_all(reduction, all, bytes, count, result);
  return known;
}

void AcrossNodes::fold_all(const Reduction& reduction, const std::byte* all, std::size_t stride_bytes,
                           std::size_t count, std::byte* result) const {
  std::vector<const void*> sources;
  for (std::size_t node = 0; node < static_cast<std::size_t>(placement_.nodes()); ++node)
    sources.push_back(all + node * stride_bytes);
  reduction.fold(result, sources.data(), sources.size(), count);
}

/// Everybody on the node gets the shares of all.
Result AcrossNodes::spread(std::byte* recv, std::size_t elem_bytes, const Division& division) {
  const engine::Shares& shares = division.shares;
  if (team_.size() == 1) return {};
  if (division.sole != kNobody) return on_node_.broadcast(recv, shares.total() * elem_bytes, division.sole);
  return on_node_.spread(recv, elem_bytes, shares);
}

}  // namespace foldlane::host
