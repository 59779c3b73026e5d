#include "engine/moves/shown_blocks.hpp"

namespace foldlane::engine {

int ShownBlocks::next_block(int i) const {
  const Blocks& blocks = *movement_.sends;
  while (i < blocks.count() && blocks.at(i).buffer.bytes == 0) ++i;
  return i;
}

const std::byte* ShownBlocks::in_one_piece() const {
  const Blocks& blocks = *movement_.sends;
  const BlockRow* const row = blocks.row();
  if (row != nullptr && !row->is_list && row->bytes > 0 && blocks.count() > 0) return row->start;
  const int first = next_block(0);
  if (first == blocks.count()) return kNoInput;
  const UserBuffer block = blocks.at(first).buffer;
  if (!block.contiguous()) return nullptr;
  if (!gives_each()) return block.address;
  const int second = next_block(first + 1);
  const auto between = static_cast<std::size_t>(second - first) * block_bytes();
  if (second < blocks.count() && blocks.at(second).buffer.address != block.address + between) return nullptr;
  return block.address - static_cast<std::size_t>(first) * block_bytes();
}

}  // namespace foldlane::engine
