// What only moves data among a communicator's members on this node.
#pragma once

#include <cstddef>
#include <cstdint>

#include "api/host/nodes/division.hpp"
#include "engine/data/shares.hpp"
#include "engine/moves/movement.hpp"
#include "engine/p2p/messenger.hpp"
#include "engine/team/team.hpp"
#include "shm/base/result.hpp"

namespace foldlane::host {

/// Of a vector in which each member of a node has a share.
class ShareBlocks final : public engine::Blocks {
 public:
  ShareBlocks(std::byte* vector, std::size_t elem_bytes, const engine::Shares& shares, int skipped)
      : vector_(vector), elem_bytes_(elem_bytes), shares_(shares), skipped_(skipped) {}
  int count() const noexcept override { return shares_.members(); }

 private:
  engine::Block block_at(int i) const noexcept override {
    if (i == skipped_) return {i, {}};
    return {i, {vector_ + shares_.start(i) * elem_bytes_, shares_.count(i) * elem_bytes_}};
  }

  std::byte* vector_;
  std::size_t elem_bytes_;
  const engine::Shares& shares_;
  int skipped_;
};

class OnNode {
 public:
  using Result = shm::Result<void>;

  /// `team` must outlive it.
  OnNode(engine::Team& team, engine::Messenger& messenger);

  engine::Team& team() const noexcept { return team_; }
  /// Without a channel in a team of one.
  const engine::Mail& mail() const noexcept { return mail_; }
  Result broadcast(void* data, std::size_t bytes, int root) const;
  /// Everybody gets the shares of all; its own it has.
  Result spread(std::byte* vector, std::size_t elem_bytes, const engine::Shares& shares) const;
  /// The root gets them; `own` is this member's.
  Result collect(std::byte* vector, std::byte* own, std::size_t elem_bytes, const engine::Shares& shares,
                 int root) const;
  /// The root hands them out.
  Result hand_out(std::byte* vector, std::byte* own, std::size_t elem_bytes, const engine::Shares& shares,
                  int root) const;
  /// A share of `given` goes to each member, and one comes from each into `taken`; all have so many bytes.
  Result swap(std::byte* given, std::byte* taken, std::size_t bytes) const;

 private:
  Result move(engine::Call call, int root, const engine::Blocks& sends, const engine::Blocks& receives,
              std::uint64_t block_bytes = 0) const;

  engine::Team& team_;
  engine::Mail mail_;
};

}  // namespace foldlane::host
