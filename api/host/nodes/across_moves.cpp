// Calls over several nodes that only move data.
//
// Of an allgather the members of a node first give each other their blocks; then each column has a share of
// all nodes' bytes carried, and hands it on. What is short goes by leaders: one message between two nodes
// carries the blocks of a whole node. So it does for short blocks of a gather and a scatter, whose carriers
// are the members of the root's column, and for short blocks of an alltoall, which go to the column of their
// receivers first. Longer blocks of these three go straight to where they belong, each in a message of the
// host's.
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "api/host/nodes/across_nodes.hpp"
#include "api/host/nodes/node_order.hpp"
#include "engine/collectives/collectives.hpp"
#include "kernels/copy.hpp"

namespace foldlane::host {
namespace {

using engine::Blocks;
using engine::UserBuffer;
using Result = shm::Result<void>;

/// Of a block: copying more on the node would cost more than a message of its own.
constexpr std::uint64_t kMostInBundle = 4 << 10;

/// Nothing to do where it is in place.
void put(std::byte* place, const UserBuffer& block) {
  if (block.address != place) block.copy_to(place, 0, static_cast<std::size_t>(block.bytes));
}
void take(const UserBuffer& block, const std::byte* place) {
  if (block.address != place) block.copy_from(place, 0, static_cast<std::size_t>(block.bytes));
}

void put_all(std::byte* vector, const Blocks& all, const NodeOrder& order) {
  for (int member = 0; member < all.count(); ++member)
    put(vector + order.start(member), all.at(member).buffer);
}
void take_all(const Blocks& all, const std::byte* vector, const NodeOrder& order) {
  for (int member = 0; member < all.count(); ++member)
    take(all.at(member).buffer, vector + order.start(member));
}

/// Blocks of one size from or for a root that share messages, of which its column has some for each node.
struct Bundles {
  Bundles(const Placement& placement, const Placement::Seat& own, const Placement::Seat& root,
          std::uint64_t bytes)
      : order(placement, [bytes](int) { return bytes; }), carries(own.index == root.index) {
    if (!carries) return;
    vector = memory.room_for(order.total());
    of_node = vector + order.start_of_node(own.node);
  }

  const NodeOrder order;
  const bool carries;
  std::byte* vector = nullptr;   // of who carries them: of all nodes
  std::byte* of_node = nullptr;  // of this one
  Scratch memory;
};

/// Where they lie, if they do in this order, one behind the other.
std::byte* in_one_piece(const Blocks& all, const NodeOrder& order) {
  std::byte* first = nullptr;
  for (int member = 0; member < all.count(); ++member) {
    const UserBuffer block = all.at(member).buffer;
    if (block.bytes == 0) continue;
    if (first == nullptr) first = block.address - order.start(member);
    if (block.address != first + order.start(member)) return nullptr;
  }
  return first;
}

}  // namespace

bool AcrossNodes::bundles_rooted(std::uint64_t bytes, int root) const noexcept {
  return bytes <= kMostInBundle && placement_.seat(root).index < placement_.columns();
}

bool AcrossNodes::bundles_all(std::uint64_t bytes) const noexcept {
  return bytes <= kMostInBundle && placement_.has_equal_nodes();
}

Result AcrossNodes::allgather(const UserBuffer& own, const Blocks& all) {
  const NodeOrder order(placement_, [&](int member) { return all.at(member).buffer.bytes; });
  if (order.total() == 0) return {};
  Scratch staged;
  std::byte* vector = in_one_piece(all, order);
  if (vector == nullptr) vector = staged.room_for(order.total());
  put(vector + order.start(member_), own);
  Result known = order.total() <= kMostForOneColumn ? gather_by_leaders(vector, order)
                                                    : gather_by_columns(vector, order);
  if (known.ok()) take_all(all, vector, order);
  return known;
}

Result AcrossNodes::gather_by_leaders(std::byte* vector, const NodeOrder& order) {
  const int node = seat_.node;
  Result known = on_node_.collect(vector + order.start_of_node(node), vector + order.start(member_), 1,
                                  order.shares_on(node), 0);
  if (known.ok() && index() == 0) known = column_.gather_all(vector, order.parts());
  return known.ok() ? on_node_.broadcast(vector, order.total(), 0) : std::move(known);
}

Result AcrossNodes::gather_by_columns(std::byte* vector, const NodeOrder& order) {
  const std::size_t most = chunk_bytes(placement_.nodes()) * static_cast<std::size_t>(placement_.columns());
  std::size_t longest = 0;
  for (int node = 0; node < placement_.nodes(); ++node)
    longest = std::max(longest, order.bytes_of_node(node));
  Result known = on_node_.spread(vector + order.start_of_node(seat_.node), 1, order.shares_on(seat_.node));
  for (std::size_t done = 0; done < longest && known.ok(); done += most) {
    std::vector<Piece> pieces;
    for (int node = 0; node < placement_.nodes(); ++node) {
      const std::size_t bytes = order.bytes_of_node(node), start = std::min(done, bytes);
      pieces.push_back({vector + order.start_of_node(node) + start,
                        divide(std::min(most, bytes - start), 1, team_.size(), placement_.columns(), 0)});
    }
    known = exchange_pieces(pieces);
  }
  return known;
}

/// One of each node; its members have theirs.
Result AcrossNodes::exchange_pieces(const std::vector<Piece>& pieces) {
  std::vector<int> bytes;
  for (const Piece& piece : pieces) bytes.push_back(static_cast<int>(piece.division.shares.count(index())));
  const Parts parts(std::move(bytes));
  std::byte* const shares = all_.room_for(parts.total());
  const auto each_share = [&](const auto& body) {
    for (int node = 0; node < placement_.nodes(); ++node) {
      const Piece& piece = pieces[static_cast<std::size_t>(node)];
      body(node, piece.bytes + piece.division.shares.start(index()), shares + parts.start(node),
           static_cast<std::size_t>(parts.bytes(node)));
    }
  };
  each_share([&](int node, const std::byte* place, std::byte* share, std::size_t count) {
    if (node == seat_.node) kernels::copy(share, place, count);
  });
  Result known;
  if (parts.total() > 0) known = column_.gather_all(shares, parts);
  each_share([&](int node, std::byte* place, const std::byte* share, std::size_t count) {
    if (node != seat_.node) kernels::copy(place, share, count);
  });
  for (int node = 0; node < placement_.nodes() && known.ok(); ++node) {
    const Piece& piece = pieces[static_cast<std::size_t>(node)];
    if (node != seat_.node) known = spread(piece.bytes, 1, piece.division);
  }
  return known;
}

Result AcrossNodes::gather(const UserBuffer& own, const Blocks& all, int root) {
  if (own.bytes == 0) return {};
  const Seat& seat = placement_.seat(root);
  const Bundles bundles(placement_, seat_, seat, own.bytes);
  if (bundles.carries) put(bundles.vector + bundles.order.start(member_), own);
  Result known =
      on_node_.collect(bundles.of_node, own.address, 1, bundles.order.shares_on(seat_.node), seat.index);
  if (known.ok() && bundles.carries) known = column_.gather(bundles.vector, bundles.order.parts(), seat.node);
  if (known.ok() && member_ == root) take_all(all, bundles.vector, bundles.order);
  return known;
}

Result AcrossNodes::scatter(const Blocks& all, const UserBuffer& own, int root) {
  if (own.bytes == 0) return {};
  const Seat& seat = placement_.seat(root);
  const Bundles bundles(placement_, seat_, seat, own.bytes);
  if (member_ == root) put_all(bundles.vector, all, bundles.order);
  Result known;
  if (bundles.carries) known = column_.scatter(bundles.vector, bundles.order.parts(), seat.node);
  if (known.ok())
    known =
        on_node_.hand_out(bundles.of_node, own.address, 1, bundles.order.shares_on(seat_.node), seat.index);
  if (known.ok() && bundles.carries) take(own, bundles.vector + bundles.order.start(member_));
  return known;
}

/// Blocks for a column's members of all nodes go to the one of this node, which swaps them with these.
Result AcrossNodes::alltoall(const Blocks& sends, const Blocks& receives, std::size_t bytes) {
  if (bytes == 0) return {};
  const auto nodes = static_cast<std::size_t>(placement_.nodes()),
             columns = static_cast<std::size_t>(placement_.columns());
  std::byte* const given = own_.room_for(nodes * columns * bytes);
  std::byte* const taken = all_.room_for(nodes * columns * bytes);
  const auto each = [&](const auto& body) {
    for (std::size_t node = 0; node < nodes; ++node)
      for (std::size_t i = 0; i < columns; ++i)
        body(placement_.members_on(static_cast<int>(node))[i], (i * nodes + node) * bytes,
             (node * columns + i) * bytes);
  };
  each([&](int member, std::size_t by_column, std::size_t) {
    put(given + by_column, sends.at(member).buffer);
  });
  Result swapped = on_node_.swap(given, taken, nodes * bytes);
  if (!swapped.ok()) return swapped;
  each([&](int, std::size_t by_column, std::size_t by_node) {
    kernels::copy(given + by_node, taken + by_column, bytes);
  });
  swapped = column_.swap(given, columns * bytes, taken);
  if (!swapped.ok()) return swapped;
  each([&](int member, std::size_t, std::size_t by_node) {
    take(receives.at(member).buffer, taken + by_node);
  });
  return {};
}

}  // namespace foldlane::host
