#include "api/host/move.hpp"

#include "engine/collectives/collectives.hpp"
#include "engine/collectives/verdict.hpp"
#include "engine/moves/wrong_length.hpp"

namespace foldlane::host {

using Result = Move::Result;

Move::Move(const Made& made, const Role& role, const Side& send, const Side& recv) : role_(role) {
  const engine::Call call = role.call;
  const bool rooted = engine::moves_from_or_to_root(call), is_root = role.rank == role.root;
  const bool gives = engine::gives_in(call, is_root);
  takes_ = engine::takes_in(call, is_root);
  has_own_ = !rooted || is_root;
  in_place_ = has_own_ && (takes_ ? send.buffer : recv.buffer) == the->host().constants().in_place;
  const int other = rooted ? role.root : role.rank;
  if (in_place_ ? !takes_ : gives || has_own_)
    sends_ = engine::gives_block_for_each(call) ? HostBlocks(made, send, 0, role.size)
                                                : HostBlocks(made, send, other, 1);
  if (in_place_ ? takes_ : takes_ || has_own_)
    receives_ = engine::takes_block_of_each(call) ? HostBlocks(made, recv, 0, role.size)
                                                  : HostBlocks(made, recv, other, 1);
}

std::uint64_t Move::bytes() const noexcept {
  if (replaces()) return receives_.bytes();
  return in_place_ && takes_ ? receives_.bytes_for(role_.rank) : sends_.bytes();
}

Result Move::perform(engine::Team& team, engine::Channel* channel) {
  sends_.make_room();
  receives_.make_room();
  if (has_other_length_for_itself(team)) return engine::failure_of(team);
  pack();
  Result done = exchange(team, channel);
  if (done.ok()) receives_.unpack();
  return done;
}

bool Move::has_other_length_for_itself(engine::Team& team) {
  if (!has_own_ || in_place_) return false;
  const int rank = role_.rank;
  const std::uint64_t sent = sends_.bytes_for(rank), expected = receives_.bytes_for(rank);
  if (sent == expected) return false;
  team.agreement().give_up(engine::wrong_length(rank, rank, sent, expected));
  return true;
}

void Move::pack() {
  sends_.pack();
  if (in_place_ && takes_) receives_.pack();
}

Result Move::exchange(engine::Team& team, engine::Channel* channel) {
  const auto& [call, rank, size, root] = role_;
  const HostBlocks& own_side = in_place_ ? receives_ : sends_;
  const OneForAll one_for_all(own_side.block_for(rank), size, in_place_ ? rank : -1);
  engine::Movement movement{
      .messenger = &the->messenger(), .channel = channel, .sends = &sends_, .receives = &receives_};
  if (replaces()) movement.sends = &receives_;
  if (engine::moves_one_to_all(call)) movement.sends = &one_for_all;
  movement.first = engine::moves_from_or_to_root(call) ? 0 : (rank + 1) % size;
  movement.replaces = replaces();
  if (engine::moves_equal_blocks(call))
    movement.block_bytes = (sends_.count() > 0 ? sends_ : receives_).block_bytes();
  if (in_place_ && !movement.replaces) {
    sends_.skip(rank);
    receives_.skip(rank);
  }
  return engine::perform(team, {.call = call, .root = root, .movement = &movement});
}

}  // namespace foldlane::host
