#include "api/host/nodes/on_node.hpp"

#include "api/host/blocks.hpp"
#include "engine/collectives/collectives.hpp"

namespace foldlane::host {

using engine::Blocks;
using engine::Call;
using engine::Shares;

OnNode::OnNode(engine::Team& team, engine::Messenger& messenger)
    : team_(team),
      messenger_(messenger),
      channel_(team.size() > 1 ? &messenger.open(team, engine::Messages::collective) : nullptr) {}

OnNode::Result OnNode::spread(std::byte* vector, std::size_t elem_bytes, const Shares& shares) const {
  if (team_.size() == 1) return {};
  const int index = team_.rank();
  const ShareBlocks receives(vector, elem_bytes, shares, index);
  const OneForAll sends({vector + shares.start(index) * elem_bytes, shares.count(index) * elem_bytes},
                        team_.size(), index);
  const engine::Movement movement{.messenger = &messenger_,
                                  .channel = channel_,
                                  .sends = &sends,
                                  .receives = &receives,
                                  .first = (index + 1) % team_.size()};
  return engine::perform(team_, {.call = Call::allgatherv, .movement = &movement});
}

OnNode::Result OnNode::collect(std::byte* vector, std::byte* own, std::size_t elem_bytes,
                               const Shares& shares, int root) const {
  if (team_.size() == 1) return {};
  const bool is_root = team_.rank() == root;
  const ShareBlocks receives(vector, elem_bytes, shares, root);
  const OneBlock sends({root, {own, shares.count(team_.rank()) * elem_bytes}});
  const engine::NoBlocks none;
  const Blocks *given = &sends, *taken = &receives;
  (is_root ? given : taken) = &none;
  const engine::Movement movement{
      .messenger = &messenger_, .channel = channel_, .sends = given, .receives = taken};
  return engine::perform(team_, {.call = Call::gatherv, .root = root, .movement = &movement});
}

}  // namespace foldlane::host
