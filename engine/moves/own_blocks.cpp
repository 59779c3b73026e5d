#include "engine/moves/own_blocks.hpp"

#include <algorithm>

#include "engine/moves/copy_block.hpp"
#include "engine/moves/wrong_length.hpp"
#include "engine/p2p/messenger.hpp"

namespace foldlane::engine {
namespace {

/// The next one from place `i` on, which becomes the place after it; without bytes if there is none.
UserBuffer next_own(const Blocks& blocks, int own, int& i) {
  while ((i = blocks.place_of(own, i)) < blocks.count()) {
    const UserBuffer buffer = blocks.at(i++).buffer;
    if (buffer.bytes > 0) return buffer;
  }
  return {};
}

/// Of rows, where a member is once, if at all.
UserBuffer only_block(const Blocks& blocks, int own) {
  const int place = blocks.place_of(own);
  return place < blocks.count() ? blocks.at(place).buffer : UserBuffer{};
}

std::optional<Trouble> copy_only_block(const Movement& movement, int own, OwnCopies& copies) {
  const UserBuffer from = only_block(*movement.sends, own), to = only_block(*movement.receives, own);
  if (from.bytes != to.bytes) return wrong_length(own, own, from.bytes, to.bytes);
  if (from.bytes > 0) copy_beside_messages(to, from, movement.mail, copies);
  return {};
}

/// A probe takes in what has come, and sends nothing: this member has copies of its own to make.
void take_in(const Mail& mail) {
  Envelope oldest{};
  mail.messenger->probe(*mail.channel, kAnySource, kAnyTag, oldest, Within::step);
}

}  // namespace

void copy_beside_messages(const UserBuffer& to, const UserBuffer& from, const Mail& mail, OwnCopies& copies) {
  constexpr std::uint64_t kPieceBytes = 64 << 10;
  const auto copy = [&](const UserBuffer& piece, const UserBuffer& of) {
    copies.perform(static_cast<std::size_t>(from.bytes), static_cast<std::size_t>(of.bytes),
                   [&](kernels::CopyBy by) { copy_block(piece, of, by); });
  };
  if (mail.channel == nullptr || from.bytes <= kPieceBytes) return copy(to, from);
  for (std::uint64_t offset = 0; offset < from.bytes; offset += kPieceBytes) {
    const std::uint64_t bytes = std::min(kPieceBytes, from.bytes - offset);
    copy(to.part(offset, bytes), from.part(offset, bytes));
    if (offset + bytes < from.bytes) take_in(mail);
  }
}

std::optional<Trouble> copy_blocks_of(const Movement& movement, int own, OwnCopies& copies) {
  if (movement.sends->row() != nullptr && movement.receives->row() != nullptr)
    return copy_only_block(movement, own, copies);
  for (int sent = 0, received = 0;;) {
    const UserBuffer from = next_own(*movement.sends, own, sent);
    const UserBuffer to = next_own(*movement.receives, own, received);
    if (from.bytes != to.bytes) return wrong_length(own, own, from.bytes, to.bytes);
    if (from.bytes == 0) return {};
    copy_beside_messages(to, from, movement.mail, copies);
  }
}

}  // namespace foldlane::engine
