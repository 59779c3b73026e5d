// Room in memory that somebody else owns, given out and taken back piece by piece. All that is noted about
// the pieces stands before each of them.
#pragma once

#include <cstddef>

namespace foldlane::api {

class BufferSpace {
 public:
  /// Of what is noted and what alignment costs, this much is lost per piece at most.
  static constexpr std::size_t kPieceOverhead = 48;

  BufferSpace(std::byte* memory, std::size_t bytes) noexcept;
  BufferSpace(const BufferSpace&) = delete;
  BufferSpace& operator=(const BufferSpace&) = delete;

  /// Aligned to 16 bytes. Null: there is no room for so much in one piece. The search goes on behind the
  /// piece that was given out last: a program that is told to count with a ring of messages (MPI-5.0, 3.6.4)
  /// finds room wherever that ring has it.
  std::byte* take(std::size_t bytes) noexcept;
  void give_back(std::byte* piece) noexcept;

  /// All gaps together.
  std::size_t free() const noexcept;

 private:
  struct Piece {
    Piece* previous;  // by address, in a ring through start_
    Piece* next;
    std::byte* end;
  };
  std::size_t gap_after(const Piece& piece) const noexcept;

  std::byte* end_;
  Piece start_;  // of no bytes, before all others
  Piece* last_ = &start_;
};

}  // namespace foldlane::api
