#include "api/objects/buffer_space.hpp"

#include <algorithm>
#include <cstdint>
#include <new>

namespace foldlane::api {
namespace {

constexpr std::size_t kAlignment = 16;
constexpr std::size_t round_up(std::size_t bytes) noexcept {
  return (bytes + kAlignment - 1) & ~(kAlignment - 1);
}

}  // namespace

BufferSpace::BufferSpace(std::byte* memory, std::size_t bytes) noexcept
    : end_(memory + bytes), start_{&start_, &start_, nullptr} {
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  start_.end = memory + std::min(bytes, round_up(address) - address);
}

std::byte* BufferSpace::take(std::size_t bytes) noexcept {
  constexpr std::size_t kNote = round_up(sizeof(Piece));
  static_assert(kNote + kAlignment - 1 <= kPieceOverhead);
  const std::size_t needed = kNote + round_up(bytes);
  if (needed < bytes) return nullptr;
  Piece* before = last_;
  while (gap_after(*before) < needed) {
    before = before->next;
    if (before == last_) return nullptr;
  }
  std::byte* const place = before->end;
  last_ = new (place) Piece{before, before->next, place + needed};
  before->next = before->next->previous = last_;
  return place + kNote;
}

void BufferSpace::give_back(std::byte* piece) noexcept {
  auto* const taken = reinterpret_cast<Piece*>(piece - round_up(sizeof(Piece)));
  taken->previous->next = taken->next;
  taken->next->previous = taken->previous;
  if (last_ == taken) last_ = taken->previous;
}

std::size_t BufferSpace::free() const noexcept {
  std::size_t bytes = gap_after(start_);
  for (const Piece* piece = start_.next; piece != &start_; piece = piece->next) bytes += gap_after(*piece);
  return bytes;
}

std::size_t BufferSpace::gap_after(const Piece& piece) const noexcept {
  const std::byte* const to = piece.next == &start_ ? end_ : reinterpret_cast<const std::byte*>(piece.next);
  return static_cast<std::size_t>(to - piece.end);
}

}  // namespace foldlane::api
