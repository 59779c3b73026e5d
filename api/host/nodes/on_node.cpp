#include "api/host/nodes/on_node.hpp"

#include "api/host/moves/blocks.hpp"
#include "engine/collectives/collectives.hpp"

namespace foldlane::host {

using engine::Blocks;
using engine::Call;
using engine::Shares;

OnNode::OnNode(engine::Team& team, engine::Messenger& messenger)
    : team_(team),
      mail_{&messenger, team.size() > 1 ? &messenger.open(team, engine::Messages::collective) : nullptr} {}

OnNode::Result OnNode::broadcast(void* data, std::size_t bytes, int root) const {
  return engine::bcast(team_, {.buffer = data, .bytes = bytes, .mail = mail_}, root);
}

OnNode::Result OnNode::spread(std::byte* vector, std::size_t elem_bytes, const Shares& shares) const {
  if (team_.size() == 1) return {};
  const int index = team_.rank();
  const ShareBlocks receives(vector, elem_bytes, shares, index);
  const OneForAll sends({vector + shares.start(index) * elem_bytes, shares.count(index) * elem_bytes},
                        team_.size(), index);
  return move(Call::allgatherv, 0, sends, receives);
}

OnNode::Result OnNode::collect(std::byte* vector, std::byte* own, std::size_t elem_bytes,
                               const Shares& shares, int root) const {
  if (team_.size() == 1) return {};
  const engine::NoBlocks none;
  if (team_.rank() == root)
    return move(Call::gatherv, root, none, ShareBlocks(vector, elem_bytes, shares, root));
  return move(Call::gatherv, root, engine::OneBlock({root, {own, shares.count(team_.rank()) * elem_bytes}}),
              none);
}

OnNode::Result OnNode::hand_out(std::byte* vector, std::byte* own, std::size_t elem_bytes,
                                const Shares& shares, int root) const {
  if (team_.size() == 1) return {};
  const engine::NoBlocks none;
  if (team_.rank() == root)
    return move(Call::scatterv, root, ShareBlocks(vector, elem_bytes, shares, root), none);
  return move(Call::scatterv, root, none,
              engine::OneBlock({root, {own, shares.count(team_.rank()) * elem_bytes}}));
}

OnNode::Result OnNode::swap(std::byte* given, std::byte* taken, std::size_t bytes) const {
  const Shares shares = Shares::blocks(engine::BlockCounts::equal(1), team_.size());
  return move(Call::alltoall, 0, ShareBlocks(given, bytes, shares, kNobody),
              ShareBlocks(taken, bytes, shares, kNobody), bytes);
}

OnNode::Result OnNode::move(Call call, int root, const Blocks& sends, const Blocks& receives,
                            std::uint64_t block_bytes) const {
  const engine::Movement movement{
      .mail = mail_,
      .sends = &sends,
      .receives = &receives,
      .first = engine::moves_from_or_to_root(call) ? 0 : (team_.rank() + 1) % team_.size(),
      .block_bytes = block_bytes};
  return engine::perform(team_, {.call = call, .root = root, .movement = &movement});
}

}  // namespace foldlane::host
