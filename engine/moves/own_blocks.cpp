#include "engine/moves/own_blocks.hpp"

#include "engine/moves/copy_block.hpp"
#include "engine/moves/wrong_length.hpp"

namespace foldlane::engine {
namespace {

/// The next one from place `i` on, which becomes the place after it; without bytes if there is none.
UserBuffer next_own(const Blocks& blocks, int own, int& i) {
  for (const int count = blocks.count(); i < count; ++i) {
    const Block block = blocks.at(i);
    if (block.member != own || block.buffer.bytes == 0) continue;
    ++i;
    return block.buffer;
  }
  return {};
}

}  // namespace

std::optional<Trouble> copy_blocks_of(const Movement& movement, int own) {
  for (int sent = 0, received = 0;;) {
    const UserBuffer from = next_own(*movement.sends, own, sent);
    const UserBuffer to = next_own(*movement.receives, own, received);
    if (from.bytes != to.bytes) return wrong_length(own, own, from.bytes, to.bytes);
    if (from.bytes == 0) return {};
    copy_block(to, from);
  }
}

}  // namespace foldlane::engine
