// The collectives of a communicator whose members are on several nodes: the engine folds on each node, the
// host carries values between the nodes, and each column folds those of its share.
//
// The order of a fold is a property of the communicator, whatever the size: that of the members of a node,
// then that of the nodes, each canonical. Where Placement::is_canonical() it is that of one node.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "api/host/nodes/column.hpp"
#include "api/host/nodes/division.hpp"
#include "api/host/nodes/on_node.hpp"
#include "api/host/nodes/piece_length.hpp"
#include "api/host/nodes/placement.hpp"
#include "engine/collectives/collectives.hpp"
#include "engine/data/reduction.hpp"
#include "engine/moves/movement.hpp"
#include "engine/p2p/messenger.hpp"
#include "engine/team/team.hpp"
#include "shm/base/result.hpp"

namespace foldlane::host {

class NodeOrder;

class AcrossNodes {
 public:
  using Result = shm::Result<void>;
  using Seat = Placement::Seat;

  /// Collective over `comm`; `team` has its members on this node, and must outlive this.
  AcrossNodes(const Host& host, Explanation& explanation, Handle comm, Placement placement, int member,
              engine::Team& team, engine::Messenger& messenger);

  const Placement& placement() const noexcept { return placement_; }
  engine::Team& team() noexcept { return team_; }
  int rank() const noexcept { return member_; }
  int size() const noexcept { return placement_.size(); }
  const OnNode& on_node() const noexcept { return on_node_; }
  /// Among the members of its node.
  int index_of(int member) const noexcept { return placement_.seat(member).index; }
  bool is_on_this(int member) const noexcept { return placement_.seat(member).node == seat_.node; }

  // As those of the engine. Error also: system (the host's call has failed).
  Result barrier();
  Result bcast(void* data, std::size_t bytes, int root);
  Result allreduce(const void* send, void* recv, std::size_t count, const engine::Reduction& reduction);
  Result reduce(const void* send, void* recv, std::size_t count, const engine::Reduction& reduction,
                int root);
  /// Only where nodes have equal runs of neighbours.
  Result reduce_scatter(const void* send, void* recv, const engine::BlockCounts& counts,
                        const engine::Reduction& reduction);
  /// Only where nodes have runs of neighbours.
  Result scan(const void* send, void* recv, std::size_t count, const engine::Reduction& reduction,
              engine::Prefix prefix);

  // Calls that only move data. In place, `own` is the block that stands in the list.
  /// All members know how long everybody's block is.
  Result allgather(const engine::UserBuffer& own, const engine::Blocks& all);
  /// `all` are the root's.
  Result gather(const engine::UserBuffer& own, const engine::Blocks& all, int root);
  Result scatter(const engine::Blocks& all, const engine::UserBuffer& own, int root);
  /// Whether they are for blocks of so many bytes.
  bool bundles_rooted(std::uint64_t bytes, int root) const noexcept;
  /// All blocks have so many bytes. Receives may be the sends.
  Result alltoall(const engine::Blocks& sends, const engine::Blocks& receives, std::size_t bytes);
  bool bundles_all(std::uint64_t bytes) const noexcept;

 private:
  /// A chunk of a node's bytes.
  struct Piece {
    std::byte* bytes;
    Division division;
  };

  int index() const noexcept { return seat_.index; }
  int column_for(const Seat& root) const noexcept;
  Result bcast_chunk(std::byte* data, std::size_t bytes, const Seat& root);

  template <class Step>
  Result in_chunks(const engine::Reduction& reduction, std::size_t count, int one, const Step& step);
  using Values = shm::Result<const std::byte*>;
  Values fold_on_node(const engine::Reduction& reduction, const std::byte* send, const Division& division);
  Result fold_between_nodes(const engine::Reduction& reduction, const std::byte* own, std::size_t count,
                            std::byte* result);
  Result fold_with_other(const engine::Reduction& reduction, const std::byte* own, std::size_t count,
                         std::byte* result);
  Result fold_by_slices(const engine::Reduction& reduction, std::size_t count, std::byte* result);
  Result fold_at(const Seat& root, const engine::Reduction& reduction, const std::byte* own,
                 std::size_t count, std::byte* result);
  Result fold_blocks(const engine::Reduction& reduction, const engine::BlockCounts& counts, std::byte* recv);
  Result scan_chunk(const std::byte* send, std::byte* recv, std::size_t count,
                    const engine::Reduction& reduction, engine::Prefix prefix);
  Result pass_to_later_nodes(const std::byte* own, std::size_t bytes, std::byte* values);
  void fold_all(const engine::Reduction& reduction, const std::byte* all, std::size_t stride_bytes,
                std::size_t count, std::byte* result) const;
  Result gather_by_leaders(std::byte* vector, const NodeOrder& order);
  Result gather_by_columns(std::byte* vector, const NodeOrder& order);
  Result exchange_pieces(const std::vector<Piece>& pieces);
  Result spread(std::byte* recv, std::size_t elem_bytes, const Division& division);

  Placement placement_;
  int member_;
  Seat seat_;
  engine::Team& team_;
  OnNode on_node_;
  Column column_;
  PieceLength piece_length_;
  Scratch own_;     // values of this member's share
  Scratch all_;     // those of all nodes
  Scratch result_;  // of a share or a slice of it
};

}  // namespace foldlane::host
