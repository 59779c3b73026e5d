// Moving data between user memory and places (lines, slots, boxes).
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/data/type_map.hpp"
#include "kernels/copy.hpp"
#include "shm/machine/process_memory.hpp"
#include "shm/segment/layout.hpp"

namespace foldlane::engine {

/// The address of no buffer. Not null, which is where buffers of types with absolute addresses start.
inline constexpr std::byte kNoInputByte{};
inline constexpr const std::byte* kNoInput = &kNoInputByte;

/// Up to here vectors are copied into a slot or box in less time than the members of a direct call take to
/// await each other a second time (two ranks, allreduce of 4 KiB 0.36 and 0.42 us, of 8 KiB 0.42 and 0.37).
inline constexpr std::size_t kShortBytes = (8 << 10) - 1;

/// Who only writes fetches its next box or slot while the other one reads: 1 KiB that took 830 ns (far) and
/// 190 ns (near) takes 530 and 170 (engine/choice/decision.hpp, "hand-back", knows of this size). From 4 KiB
/// on that delays the reader when calls follow each other.
inline constexpr std::size_t kFetchedBytes = 2 << 10;

/// Before they are filled, boxes and slots of so many bytes are fetched to write. Longer ones take a little
/// longer then where cores are near (Zen 4: 1.02 to 1.04).
inline constexpr std::size_t kFetchedToWriteBytes = 4 << 10;

/// So much of a result is fetched while a call awaits others. Rotating buffers, far, without / with: 8 B
/// allreduce 0.81 and 0.58 us, bcast 0.72 and 0.50, 128 B 0.92 and 0.76, 0.78 and 0.67, 2 KiB 1.18 and 1.10;
/// with 2 KiB fetched an alltoall of 2 KiB takes 1.05 times as long.
inline constexpr std::size_t kFetchedOfResult = 512;

/// An own input of at most so many bytes is fetched while a blocked call awaits the one that it is folded
/// with, unless it was given and so has been read. Who gives something, too, has less time. Rotating, near
/// and far, without / with: reduce 256 B to 1 KiB 1.27 to 1.8 x as fast, 2 KiB 1.25 to 1.29, 4 KiB 1.16, 8
/// and 16 KiB 1.08 to 1.13, 32 KiB 0.96 to 1.00; reduce_scatter, of which half is folded, 512 B to 4 KiB 1.05
/// to 1.18, 8 KiB 0.96. Hot 0.97 to 1.06. One machine, Zen 4.
inline constexpr std::size_t kFetchedOfInput = 2 << 10;
inline constexpr std::size_t kFetchedOfInputByTaker = 16 << 10;

/// Of a buffer for a message, which mostly comes later. Half a round trip, without, with 256 B, with 2 KiB
/// and with 8 KiB: 512 B 1.33, 1.07, 0.91 and 1.01 us, 2 KiB 1.54, 1.41, 1.21 and 1.24. Messages of more than
/// 4 KiB are stored around the caches, if that is timed as quicker: what was fetched is in the way then. An
/// exchange of 8 KiB takes 3.84 us fetched and plain, 3.62 fetched and timed, 3.27 timed only; of 4 KiB in a
/// row one takes 0.74 fetched and plain, 0.90 timed only.
inline constexpr std::size_t kMostFetched = 4 << 10;
inline constexpr std::size_t fetched_of_message(std::size_t buffer_bytes) noexcept {
  return buffer_bytes <= kMostFetched ? 2 << 10 : shm::kLineBytes;
}

template <class Atoms>
struct BasicTransfer {
  /// `bytes` packed bytes of a caller's buffer from `offset` on, into a box or slot that is handed back each
  /// time: plain stores are right, but for the first one after other teams' use of the slot.
  static void put_in(std::byte* box, const std::byte* buffer, const TypeMap* type_map, std::uint64_t offset,
                     std::size_t bytes, kernels::CopyBy by = kernels::CopyBy::vectors) {
    Atoms::writes(box, bytes);
    fetch_to_write(box, bytes);
    if (type_map != nullptr) return type_map->pack(box, buffer, offset, bytes);
    kernels::copy(box, buffer + offset, bytes, by);
  }
  static void fetch_to_write(std::byte* box, std::size_t bytes) noexcept {
    if (bytes <= kFetchedToWriteBytes) kernels::fetch_to_write(box, bytes);
  }
  /// This member has taken everything out of a box or slot that nobody else reads, and has nothing to put
  /// into it.
  static void dirty(std::byte* box, std::size_t bytes) noexcept {
    Atoms::writes(box, bytes);
    for (std::size_t at = 0; at < bytes; at += shm::kLineBytes) box[at] = std::byte{};
  }
  static void unpack_out(std::byte* buffer, const TypeMap* type_map, std::uint64_t offset,
                         const std::byte* place, std::size_t bytes, bool streaming) {
    Atoms::reads(place, bytes);
    if (type_map != nullptr) return type_map->unpack(buffer, place, offset, bytes);
    kernels::copy(buffer + offset, place, bytes,
                  streaming ? kernels::CopyBy::streaming : kernels::CopyBy::vectors);
  }

  /// From another process's memory, with the kernel's help. False if the system refuses.
  static bool pull(int process, std::uint64_t from, std::byte* to, std::size_t bytes) noexcept {
    return shm::read_from_process(process, from, to, bytes);
  }

  /// The other way round.
  static bool push(int process, std::uint64_t to, const std::byte* from, std::size_t bytes) noexcept {
    return shm::write_to_process(process, to, from, bytes);
  }

  /// Of a process of which something could not be pulled.
  static bool has_ended(int process) noexcept { return shm::has_ended(process); }

  /// Says that a fold is about to read or write a place directly, for the model checker's race detector.
  static void will_read(const void* place, std::size_t bytes) noexcept { Atoms::reads(place, bytes); }
  static void will_write(const void* place, std::size_t bytes) noexcept { Atoms::writes(place, bytes); }
};

}  // namespace foldlane::engine
