#include "engine/moves/inline_move.hpp"

#include "engine/moves/copy_block.hpp"

namespace foldlane::engine {
namespace {

/// Whether the blocks lie one after the other as they are shown. One that is missing, in place, is shown too:
/// they are of one buffer.
bool is_vector(const Blocks& blocks, std::size_t block_bytes, std::size_t bytes) {
  const UserBuffer first = blocks.at(0).buffer;
  if (!first.contiguous() || first.bytes != block_bytes) return false;
  if (bytes == block_bytes) return true;
  const UserBuffer second = blocks.at(1).buffer;
  return second.bytes == block_bytes && second.address == first.address + block_bytes;
}

}  // namespace

void InlineMove::give(std::uint64_t) {
  const auto block_bytes = static_cast<std::size_t>(movement_.block_bytes);
  const Blocks& blocks = *movement_.sends;
  if (blocks.count() == 0) return team_.inline_lines().show(epoch_, kNoInput, bytes_);  // a root, in place
  if (is_vector(blocks, block_bytes, bytes_))
    return team_.inline_lines().show(epoch_, blocks.at(0).buffer.address, bytes_);
  std::array<std::byte, Team::kInlineBytes> packed{};
  const bool is_one = bytes_ == block_bytes;
  for (int i = 0; i < blocks.count(); ++i) {
    const UserBuffer block = blocks.at(i).buffer;
    if (block.bytes == 0) continue;
    block.copy_to(packed.data() + (is_one ? 0 : static_cast<std::size_t>(i) * block_bytes), 0, block_bytes);
    if (is_one) break;
  }
  team_.inline_lines().show(epoch_, packed.data(), bytes_);
}

/// In place its own block is there. Else it comes from where it is: to read back a line that was written a
/// moment ago would wait for it.
void InlineMove::take_own() {
  if (movement_.replaces || movement_.sends->count() == 0 || movement_.receives->count() == 0) return;
  const int own = team_.rank();
  const UserBuffer from = movement_.sends->at(movement_.sends->count() == 1 ? 0 : own).buffer;
  const UserBuffer to = movement_.receives->at(movement_.receives->count() == 1 ? 0 : own).buffer;
  if (from.bytes > 0 && to.bytes > 0) copy_block(to, from);
}

void InlineMove::take(std::uint64_t) {
  const bool has_one_for_each = bytes_ != movement_.block_bytes;
  const int own = team_.rank();
  const std::size_t offset =
      has_one_for_each ? static_cast<std::size_t>(own) * static_cast<std::size_t>(movement_.block_bytes) : 0;
  if (call_ != Call::scatter || own == root_) take_own();
  if (call_ == Call::scatter && own == root_) return;
  const Blocks& blocks = *movement_.receives;
  for (int i = 0; i < blocks.count(); ++i) {
    const Block block = blocks.at(i);
    if (block.member == own || block.buffer.bytes == 0) continue;
    const std::byte* const payload = team_.inline_lines().payload(block.member, epoch_, bytes_);
    block.buffer.copy_from(payload + offset, 0, static_cast<std::size_t>(movement_.block_bytes));
  }
}

}  // namespace foldlane::engine
