#include "shm/program_heap/program_heap.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <mimalloc.h>

#include <cstdint>
#include <cstdlib>

#include "shm/program_heap/fork_copy.hpp"

namespace foldlane::shm {
namespace {

/// mimalloc 2 wants arenas at multiples of its segments, 32 MiB.
constexpr std::uintptr_t kArenaAlignment = std::uintptr_t{32} << 20;

/// Found in the process, not linked: only a mimalloc that stands in for malloc of the whole program is of
/// use.
decltype(&mi_manage_os_memory) arena_function() {
  return reinterpret_cast<decltype(&mi_manage_os_memory)>(dlsym(RTLD_DEFAULT, kArenaFunction));
}

std::span<std::byte> aligned_part(std::span<std::byte> range) {
  const auto start = reinterpret_cast<std::uintptr_t>(range.data());
  const std::size_t skipped = round_up(start, kArenaAlignment) - start;
  if (skipped >= range.size()) return {};
  return range.subspan(skipped, (range.size() - skipped) / kArenaAlignment * kArenaAlignment);
}

bool lies_in(std::span<std::byte> range, const void* place) {
  const auto offset =
      reinterpret_cast<std::uintptr_t>(place) - reinterpret_cast<std::uintptr_t>(range.data());
  return offset < range.size();
}

/// Takes blocks, never to be written or freed, until they come from the arena. False if they do not.
bool take_until_arena(std::size_t bytes, std::span<std::byte> arena) {
  constexpr int kMostBlocks = 1 << 16;  // more than what is left of 12 GiB; then this is not mimalloc
  for (int block = 0; block < kMostBlocks; ++block) {
    void* const taken = std::malloc(bytes);
    if (taken == nullptr) return false;
    if (!lies_in(arena, taken)) continue;
    std::free(taken);
    return true;
  }
  return false;
}

/// mimalloc fills the segments that it has before it begins another. So what still fits into them is taken,
/// the largest first: address space, not memory. Below 192 KiB blocks share a page of the allocator, of 512
/// KiB, and none fits any more, or they are smaller than what is worth sharing. False if malloc is not
/// mimalloc's.
bool use_up_private_segments(std::span<std::byte> arena) {
  constexpr std::size_t kMost = std::size_t{16} << 20, kLeast = std::size_t{192} << 10;
  for (std::size_t bytes = kMost; bytes > kLeast; bytes /= 2) {
    if (!take_until_arena(bytes, arena)) return false;
  }
  return take_until_arena(kLeast, arena);
}

Error cannot(Errc code, const std::string& why) {
  return {code, "placing the program's heap in the shared segment (--shared-heap): " + why};
}

/// When this library is loaded, which is before the program's own handlers. An error is copy_on_fork's to
/// tell.
[[gnu::constructor]] void prepare_early() {
  if (shared_heap_wanted()) static_cast<void>(prepare_copy_on_fork());
}

}  // namespace

bool shared_heap_wanted() noexcept {
  const char* const wish = std::getenv(kSharedHeapVariable);
  return wish != nullptr && *wish != '\0';
}

Result<void> place_program_heap(const Segment& segment, std::span<std::byte> range) {
  const auto manage = arena_function();
  if (manage == nullptr) {
    return cannot(
        Errc::invalid,
        "mimalloc 2 is not loaded in this process; the launcher preloads it, which does nothing for a "
        "program that is statically linked or set-user-id, or that clears LD_PRELOAD");
  }
  const std::span<std::byte> arena = aligned_part(range);
  if (arena.empty()) {
    return cannot(
        Errc::no_memory,
        fmt::format("{} MiB of address space are too few; a limit on it (`ulimit -v`) leaves no room",
                    range.size() >> 20));
  }
  // "Large" memory is never given back: mimalloc would do that with madvise, which leaves shared pages as
  // they are.
  constexpr bool kCommitted = true, kLarge = true, kZero = true;
  constexpr int kAnyNode = -1;
  if (!manage(arena.data(), arena.size(), kCommitted, kLarge, kZero, kAnyNode))
    return cannot(Errc::system, "mimalloc refuses the arena");
  if (auto copied = copy_on_fork(segment, arena); !copied.ok()) return copied;
  if (!use_up_private_segments(arena))
    return cannot(Errc::invalid, "the program's malloc is not mimalloc's; it has an allocator of its own");
  return {};
}

}  // namespace foldlane::shm
