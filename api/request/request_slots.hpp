// The memory of requests and their handles. A request lives in a slot; a handle is the number of a slot and
// its generation, so that the handle of a completed request is recognised. Slots are used again and never
// given back to the system: whoever looks at one with a stale handle reads a word that does not match.
//
// PROTOCOL "request slot": one word per slot says whose slot it is now (the handle, 0: nobody's), whether a
// thread has taken it, and how many pins hold it. Every change starts from a word with the right handle, so a
// stale handle changes nothing. Who takes a request is alone with it until it gives it back or ends it. A pin
// keeps the memory for those who may meet a thread that has taken it: MPI_Cancel, MPI_Grequest_complete. The
// last one to leave an ended request destroys it. taken_request.hpp has those who do all this.
#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>

#include "api/core/world.hpp"
#include "api/request/request.hpp"
#include "shm/sync/atoms.hpp"

namespace foldlane::api {

/// What fits into a slot: every request there is. A slot is 512 bytes then.
inline constexpr std::size_t kRequestBytes = 488;

struct alignas(64) RequestSlot {
  // The word: a handle, and above it
  static constexpr std::uint64_t kHandle = (std::uint64_t{1} << 31) - 1;
  static constexpr std::uint64_t kLookedAt = std::uint64_t{1} << 32;
  static constexpr std::uint64_t kOwned = std::uint64_t{1} << 33;
  static constexpr std::uint64_t kPin = std::uint64_t{1} << 40;
  static constexpr std::uint64_t kPins = ~(kPin - 1);

  shm::RealAtoms::Word<std::uint64_t> word;
  union {
    Request* request;
    RequestSlot* next;  // of a free one, in a list of them
  };
  std::uint32_t index;
  std::uint32_t generation;
  alignas(8) std::byte storage[kRequestBytes];

  /// False if another thread was faster. Where only one thread at a time is in the library, a locked
  /// instruction would be wasted.
  bool change(std::uint64_t seen, std::uint64_t desired) noexcept {
    if (world.has_threads) return word.claim(seen, desired);
    word.publish(desired);
    return true;
  }
  /// Replaces the word by changed(word), which must be right whatever other threads do to it meanwhile.
  template <class Changed>
  std::uint64_t update(const Changed& changed) noexcept {
    for (;;) {
      const std::uint64_t seen = word.observe();
      if (change(seen, changed(seen))) return changed(seen);
    }
  }
};

// Handles are above the predefined ones (below 0x1000) and below 2^31, a positive Fortran INTEGER:
// generations count from 1 in the 11 bits above the slot number. A stale handle is taken for a new one only
// if its slot has been used exactly 2,047 times since.
inline constexpr unsigned kIndexBits = 20;
inline constexpr std::uint32_t kRequestSlots = 1u << kIndexBits;
inline constexpr std::uint32_t kGenerations = 1u << 11;
inline constexpr std::uint32_t kSlotsPerChunk = 256;

/// Slots never move and outlive everything: threads may end after the library's static objects.
extern std::array<shm::RealAtoms::Word<RequestSlot*>, kRequestSlots / kSlotsPerChunk> request_chunks;

/// The handle of all that is complete when its call returns and has nothing to tell, as most short sends are:
/// there is no request to make, to take or to end. Below those of slots.
inline constexpr std::uintptr_t kCompleteHandle = 0x8000;
inline bool is_complete_request(MPI_Request request) noexcept {
  return reinterpret_cast<std::uintptr_t>(request) == kCompleteHandle;
}
inline MPI_Request complete_request() noexcept { return reinterpret_cast<MPI_Request>(kCompleteHandle); }
extern RequestSlot complete_slot;

/// Null if no slot can have this handle.
inline RequestSlot* find_request_slot(MPI_Request request) noexcept {
  if (is_complete_request(request)) return &complete_slot;
  const auto handle = reinterpret_cast<std::uint64_t>(request);
  if (handle == 0 || (handle & ~RequestSlot::kHandle) != 0) return nullptr;
  const auto index = static_cast<std::uint32_t>(handle) & (kRequestSlots - 1);
  RequestSlot* const chunk = request_chunks[index / kSlotsPerChunk].observe();
  return chunk == nullptr ? nullptr : &chunk[index % kSlotsPerChunk];
}

/// A list of free slots.
struct FreeSlots {
  RequestSlot* first = nullptr;
  unsigned count = 0;

  void push(RequestSlot& slot) noexcept {
    slot.next = first;
    first = &slot;
    ++count;
  }
  RequestSlot& pop() noexcept {
    RequestSlot& slot = *first;
    first = slot.next;
    --count;
    return slot;
  }
  void move_to(FreeSlots& other, unsigned most) noexcept {
    for (; most > 0 && count > 0; --most) other.push(pop());
  }
};

/// Those that no thread has in its own list. One thread alone has no list of its own: to find it takes as
/// long as all the rest.
extern FreeSlots shared_slots;
RequestSlot& find_free_slot();
void put_back_among_threads(RequestSlot& slot) noexcept;

/// Throws MPI_ERR_NO_MEM.
inline RequestSlot& get_request_slot() {
  if (world.has_threads || shared_slots.first == nullptr) [[unlikely]]
    return find_free_slot();
  return shared_slots.pop();
}
inline void put_request_slot_back(RequestSlot& slot) noexcept {
  if (world.has_threads) [[unlikely]]
    return put_back_among_threads(slot);
  shared_slots.push(slot);
}

/// Makes a request of class `Kind` in a slot that nobody has; if that throws, the slot is given back. In
/// place: a request is made by one call, and most of what it writes is known there.
template <class Kind, class... Args>
[[gnu::always_inline]] inline Kind& place_request(RequestSlot& slot, Args&&... args) {
  static_assert(sizeof(Kind) <= kRequestBytes && alignof(Kind) <= 8, "kRequestBytes is too small");
  try {
    auto* const request = new (slot.storage) Kind(std::forward<Args>(args)...);
    slot.request = request;
    return *request;
  } catch (...) {
    put_request_slot_back(slot);
    throw;
  }
}
/// Gives it a handle, and begins it unless it is persistent.
template <class Kind>
[[gnu::always_inline]] inline void hand_out_request(MPI_Request& to, RequestSlot& slot, Kind& request) {
  const bool begins = !request.is_persistent();
  const std::uint64_t handle = std::uint64_t{slot.generation} << kIndexBits | slot.index;
  slot.word.publish(handle);
  to = reinterpret_cast<MPI_Request>(handle);
  if (begins) request.begin();
}
/// Of one that was not handed out.
inline void take_request_back(RequestSlot& slot, Request& request) noexcept {
  request.~Request();
  put_request_slot_back(slot);
}
/// Both: makes a request, and throws MPI_ERR_NO_MEM if there is no slot.
template <class Kind, class... Args>
[[gnu::always_inline]] inline void make_request(MPI_Request& to, Args&&... args) {
  RequestSlot& slot = get_request_slot();
  hand_out_request(to, slot, place_request<Kind>(slot, std::forward<Args>(args)...));
}

/// Of a slot whose word says that nobody has it any more.
inline void destroy_request(RequestSlot& slot) noexcept {
  if (!slot.request->keeps_nothing()) slot.request->~Request();
  slot.generation = slot.generation + 1 == kGenerations ? 1 : slot.generation + 1;
  put_request_slot_back(slot);
}

/// Where a request that make_request() has made lies.
inline RequestSlot& slot_of(Request& request) noexcept {
  return *reinterpret_cast<RequestSlot*>(reinterpret_cast<std::byte*>(&request) -
                                         offsetof(RequestSlot, storage));
}

/// Nobody finds it any more. Who holds the last pin destroys it.
inline void end_request(RequestSlot& slot) noexcept {
  if (slot.update([](std::uint64_t seen) { return seen & RequestSlot::kPins; }) == 0) destroy_request(slot);
}

/// How many slots were ever made.
std::size_t request_slots() noexcept;

/// Calls `use` with every request that the program has a handle of. No other thread may use requests.
template <class Use>
void for_each_request(const Use& use) {
  for (std::size_t index = 0; index < request_slots(); ++index) {
    const RequestSlot& slot = request_chunks[index / kSlotsPerChunk].peek()[index % kSlotsPerChunk];
    // One that was freed, or is part of another one, stays taken.
    const std::uint64_t word = slot.word.peek();
    if ((word & RequestSlot::kHandle) != 0 && (word & RequestSlot::kOwned) == 0) use(*slot.request);
  }
}

}  // namespace foldlane::api
