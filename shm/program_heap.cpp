#include "shm/program_heap.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <mimalloc.h>

#include <cstdint>
#include <cstdlib>

#include "shm/fork_copy.hpp"

namespace foldlane::shm {
namespace {

/// mimalloc 2 wants arenas at multiples of its segments, 32 MiB.
constexpr std::uintptr_t kArenaAlignment = std::uintptr_t{32} << 20;

/// Found in the process, not linked: only a mimalloc that stands in for malloc of the whole program is of
/// use.
struct Mimalloc {
  decltype(&mi_manage_os_memory_ex) manage;
  decltype(&mi_heap_new_in_arena) new_heap;
  decltype(&mi_heap_set_default) set_default;

  bool complete() const { return manage != nullptr && new_heap != nullptr && set_default != nullptr; }
};

template <class Function>
void find(Function& function, const char* name) {
  function = reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, name));
}

Mimalloc loaded_mimalloc() {
  Mimalloc found{};
  find(found.manage, "mi_manage_os_memory_ex");
  find(found.new_heap, "mi_heap_new_in_arena");
  find(found.set_default, "mi_heap_set_default");
  return found;
}

std::span<std::byte> aligned_part(std::span<std::byte> range) {
  const auto start = reinterpret_cast<std::uintptr_t>(range.data());
  const std::size_t skipped = round_up(start, kArenaAlignment) - start;
  if (skipped >= range.size()) return {};
  return range.subspan(skipped, (range.size() - skipped) / kArenaAlignment * kArenaAlignment);
}

Error cannot(Errc code, const std::string& why) {
  return {code, "placing the program's heap in the shared segment (--shared-heap): " + why};
}

}  // namespace

bool shared_heap_wanted() noexcept {
  const char* const wish = std::getenv(kSharedHeapVariable);
  return wish != nullptr && *wish != '\0';
}

Result<void> place_program_heap(const Segment& segment, std::span<std::byte> range) {
  const Mimalloc mimalloc = loaded_mimalloc();
  if (!mimalloc.complete()) {
    return cannot(
        Errc::invalid,
        "mimalloc 2 is not loaded in this process; the launcher preloads it, which does nothing for a "
        "program that is statically linked or set-user-id, or that clears LD_PRELOAD");
  }
  const std::span<std::byte> arena = aligned_part(range);
  if (arena.empty()) {
    return cannot(Errc::no_memory,
                  fmt::format("{} MiB of address space are too few; a limit on it (`ulimit -v`) "
                              "leaves no room",
                              range.size() >> 20));
  }
  if (auto copied = copy_on_fork(segment, arena); !copied.ok()) return copied;
  // "Large" memory is never given back: mimalloc would do that with madvise, which leaves shared pages as
  // they are.
  constexpr bool kCommitted = true, kLarge = true, kZero = true, kExclusive = false;
  constexpr int kAnyNode = -1;
  mi_arena_id_t id{};
  mi_heap_t* heap = nullptr;
  if (mimalloc.manage(arena.data(), arena.size(), kCommitted, kLarge, kZero, kAnyNode, kExclusive, &id))
    heap = mimalloc.new_heap(id);
  if (heap == nullptr) return cannot(Errc::system, "mimalloc refuses the arena");
  // Without it this thread would first use up what it got before, which is private.
  mimalloc.set_default(heap);
  return {};
}

}  // namespace foldlane::shm
