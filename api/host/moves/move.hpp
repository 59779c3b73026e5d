// A member's part in a call that only moves data, from its arguments on.
#pragma once

#include <cstdint>

#include "api/host/made_call.hpp"
#include "api/host/moves/blocks.hpp"
#include "api/host/nodes/across_nodes.hpp"
#include "engine/moves/roles.hpp"
#include "engine/team/team.hpp"
#include "shm/base/result.hpp"

namespace foldlane::host {

class Move {
 public:
  using Result = shm::Result<void>;
  struct Role {
    engine::Call call;
    int rank;
    int size;
    int root;
  };

  /// The sides must outlive it.
  Move(const Made& made, const Role& role, const Side& send, const Side& recv);

  /// Or else the host judges the arguments.
  bool is_valid() const noexcept { return sends_.are_valid() && receives_.are_valid(); }
  /// Of this member's input.
  std::uint64_t bytes() const noexcept;
  /// `channel` may be null in a team of one.
  Result perform(engine::Team& team, engine::Channel* channel);

  /// Whether it is for the lanes or the leaders of nodes. The same on all members.
  bool goes_across(const AcrossNodes& nodes) const noexcept;
  Result perform(AcrossNodes& nodes);
  /// Of blocks of one size.
  std::uint64_t block_bytes() const noexcept;
  /// Of this member's results.
  std::uint64_t bytes_from_other_nodes(const AcrossNodes& nodes) const noexcept;

 private:
  /// What comes from a member takes the place of what goes to it.
  bool replaces() const noexcept { return in_place_ && engine::gives_block_for_each(role_.call) && takes_; }
  bool has_other_length_for_itself() const noexcept;
  /// The only one of this member, or the one in its place among those of all.
  engine::UserBuffer own_block() const noexcept;
  template <class Exchange>
  Result pack_and(const Exchange& exchange);
  void pack();
  Result exchange(engine::Team& team, engine::Channel* channel);
  Result exchange(AcrossNodes& nodes);

  Role role_;
  bool takes_;
  bool has_own_;  // a block that this member gives itself
  bool in_place_;
  HostBlocks sends_;
  HostBlocks receives_;
};

}  // namespace foldlane::host
