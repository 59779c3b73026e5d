#include "engine/moves/shown_blocks.hpp"

#include "engine/moves/copy_block.hpp"
#include "engine/team/transfer.hpp"

namespace foldlane::engine {

/// A block that is missing, in place, is shown too: they are of one buffer.
const std::byte* ShownBlocks::in_one_piece() const {
  const Blocks& blocks = *movement_.sends;
  if (blocks.count() == 0) return kNoInput;
  const UserBuffer first = blocks.at(0).buffer;
  if (!first.contiguous() || first.bytes != block_bytes()) return nullptr;
  if (bytes() == block_bytes()) return first.address;
  const UserBuffer second = blocks.at(1).buffer;
  const bool follows = second.bytes == block_bytes() && second.address == first.address + block_bytes();
  return follows ? first.address : nullptr;
}

void ShownBlocks::pack(std::byte* place) const {
  const Blocks& blocks = *movement_.sends;
  for (int i = 0; i < blocks.count(); ++i) {
    const UserBuffer block = blocks.at(i).buffer;
    if (block.bytes == 0) continue;
    const std::size_t offset = gives_block_for_each(call_) ? static_cast<std::size_t>(i) * block_bytes() : 0;
    block.copy_to(place + offset, 0, block_bytes());
    if (!gives_block_for_each(call_)) return;
  }
}

/// Not from where it is shown: to read back what was written a moment ago would wait for it.
void ShownBlocks::copy_own() const {
  const OwnBlock block = own_block(movement_, own_);
  if (block.from.bytes > 0) copy_block(block.to, block.from);
}

}  // namespace foldlane::engine
