#include "api/host/moves/move.hpp"

#include <fmt/format.h>

#include "engine/collectives/collectives.hpp"
#include "engine/collectives/verdict.hpp"
#include "engine/moves/wrong_length.hpp"

namespace foldlane::host {

using engine::Call;
using engine::UserBuffer;
using Result = Move::Result;

Move::Move(const Made& made, const Role& role, const Side& send, const Side& recv) : role_(role) {
  const Call call = role.call;
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

template <class Exchange>
Result Move::pack_and(const Exchange& exchange) {
  sends_.make_room();
  receives_.make_room();
  pack();
  Result done = exchange();
  if (done.ok()) receives_.unpack();
  return done;
}

Result Move::perform(engine::Team& team, engine::Channel* channel) {
  if (has_other_length_for_itself()) {
    const int rank = role_.rank;
    team.agreement().give_up(
        engine::wrong_length(rank, rank, sends_.bytes_for(rank), receives_.bytes_for(rank)));
    return engine::failure_of(team);
  }
  return pack_and([&] { return exchange(team, channel); });
}

Result Move::perform(AcrossNodes& nodes) {
  if (has_other_length_for_itself())
    return shm::Error{shm::Errc::disagreement,
                      fmt::format("this rank gives itself {} bytes and expects {}",
                                  sends_.bytes_for(role_.rank), receives_.bytes_for(role_.rank))};
  return pack_and([&] { return exchange(nodes); });
}

bool Move::has_other_length_for_itself() const noexcept {
  return has_own_ && !in_place_ && sends_.bytes_for(role_.rank) != receives_.bytes_for(role_.rank);
}

void Move::pack() {
  sends_.pack();
  if (in_place_ && takes_) receives_.pack();
}

Result Move::exchange(engine::Team& team, engine::Channel* channel) {
  const auto& [call, rank, size, root] = role_;
  const HostBlocks& own_side = in_place_ ? receives_ : sends_;
  const OneForAll one_for_all(own_side.block_for(rank), size, in_place_ ? rank : -1);
  engine::Movement movement{.mail = {&the->messenger(), channel}, .sends = &sends_, .receives = &receives_};
  if (replaces()) movement.sends = &receives_;
  if (engine::moves_one_to_all(call)) movement.sends = &one_for_all;
  movement.first = engine::moves_from_or_to_root(call) ? 0 : (rank + 1) % size;
  movement.replaces = replaces();
  if (engine::moves_equal_blocks(call)) movement.block_bytes = block_bytes();
  if (in_place_ && !movement.replaces) {
    sends_.skip(rank);
    receives_.skip(rank);
  }
  return engine::perform(team, {.call = call, .root = root, .movement = &movement});
}

UserBuffer Move::own_block() const noexcept {
  if (in_place_) return (takes_ ? receives_ : sends_).block_for(role_.rank);
  return (role_.call == Call::scatter ? receives_ : sends_).at(0).buffer;
}

std::uint64_t Move::block_bytes() const noexcept {
  return (sends_.count() > 0 ? sends_ : receives_).block_bytes();
}

bool Move::goes_across(const AcrossNodes& nodes) const noexcept {
  switch (role_.call) {
    case Call::allgather:
    case Call::allgatherv:
      return true;
    case Call::gather:
    case Call::scatter:
      return nodes.bundles_rooted(block_bytes(), role_.root);
    case Call::alltoall:
      return nodes.bundles_all(block_bytes());
    default:
      return false;
  }
}

Result Move::exchange(AcrossNodes& nodes) {
  switch (role_.call) {
    case Call::gather:
      return nodes.gather(own_block(), receives_, role_.root);
    case Call::scatter:
      return nodes.scatter(sends_, own_block(), role_.root);
    case Call::alltoall:
      return nodes.alltoall(in_place_ ? receives_ : sends_, receives_,
                            static_cast<std::size_t>(block_bytes()));
    default:
      return nodes.allgather(own_block(), receives_);
  }
}

std::uint64_t Move::bytes_from_other_nodes(const AcrossNodes& nodes) const noexcept {
  std::uint64_t bytes = 0;
  for (int member = 0; member < nodes.size(); ++member)
    if (!nodes.is_on_this(member)) bytes += receives_.bytes_for(member);
  return bytes;
}

}  // namespace foldlane::host
