// The memory of requests and their handles. A request lives in a slot; a handle is the number of a slot and
// its generation, so that the handle of a completed request is recognised. Slots are used again and never
// given back to the system: whoever looks at one with a stale handle reads a word that does not match.
//
// PROTOCOL "request slot": one word per slot says whose slot it is now (the handle, 0: nobody's), whether a
// thread has taken it, and how many pins hold it. Every change starts from a word with the right handle, so a
// stale handle changes nothing. Who takes a request is alone with it until it gives it back or ends it. A pin
// keeps the memory for those who may meet a thread that has taken it: MPI_Cancel, MPI_Grequest_complete. The
// last one to leave an ended request destroys it.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>

#include "api/request/request.hpp"
#include "shm/sync/atoms.hpp"

namespace foldlane::api {

/// What fits into a slot: the largest request, that of a collective.
inline constexpr std::size_t kRequestBytes = 672;

struct alignas(64) RequestSlot {
  shm::RealAtoms::Word<std::uint64_t> word;
  Request* request;
  RequestSlot* next;  // in a list of free slots
  std::uint32_t index;
  std::uint32_t generation;
  alignas(16) std::byte storage[kRequestBytes];
};

/// A free slot, out of this thread's own list. Throws MPI_ERR_NO_MEM.
RequestSlot& get_request_slot();
void put_request_slot_back(RequestSlot& slot) noexcept;

/// The handle of the request that now lives in the slot.
MPI_Request publish_request(RequestSlot& slot, Request* request) noexcept;

/// Makes a request of class `Kind`, and its handle.
template <class Kind, class... Args>
MPI_Request new_request(Args&&... args) {
  static_assert(sizeof(Kind) <= kRequestBytes && alignof(Kind) <= 16, "kRequestBytes is too small");
  RequestSlot& slot = get_request_slot();
  try {
    return publish_request(slot, new (slot.storage) Kind(std::forward<Args>(args)...));
  } catch (...) {
    put_request_slot_back(slot);
    throw;
  }
}

/// How many slots were ever made.
std::size_t request_slots() noexcept;

/// What a request is taken for: to be completed, started or freed, or just to be looked at.
enum class Taking : std::uint8_t { owned, looked_at };

enum class Taken : std::uint8_t { yes, unknown, in_use };

/// A request that this thread alone uses; empty for MPI_REQUEST_NULL.
class TakenRequest {
 public:
  TakenRequest() noexcept = default;
  TakenRequest(TakenRequest&& other) noexcept
      : slot_(std::exchange(other.slot_, nullptr)), taking_(other.taking_) {}
  TakenRequest& operator=(TakenRequest&&) = delete;
  ~TakenRequest() {
    if (slot_ != nullptr) give_back();
  }

  explicit operator bool() const noexcept { return slot_ != nullptr; }
  Request* operator->() const noexcept { return slot_->request; }

  /// Takes the request. Waits for a thread that looks at it, which is short; who looks waits for nobody.
  Taken take(MPI_Request handle, Taking taking) noexcept;

  /// Destroys the request; its handle is unknown from now on.
  void end() noexcept;

  /// Never gives it back: it goes on without anybody to take it.
  void leave() noexcept { slot_ = nullptr; }

 private:
  void give_back() noexcept;

  RequestSlot* slot_ = nullptr;
  Taking taking_ = Taking::owned;
};

/// A request that is there as long as this object, whatever other threads do with it.
class PinnedRequest {
 public:
  /// Throws MPI_ERR_REQUEST unless the handle is a request.
  explicit PinnedRequest(MPI_Request handle);
  PinnedRequest(const PinnedRequest&) = delete;
  PinnedRequest& operator=(const PinnedRequest&) = delete;
  ~PinnedRequest();

  Request* operator->() const noexcept { return slot_->request; }
  Request& operator*() const noexcept { return *slot_->request; }

  /// Of a request that was freed while it was active. Destroys it with the last pin.
  void end() noexcept;

 private:
  RequestSlot* slot_;
};

/// Takes a request to complete, start or free it; empty for MPI_REQUEST_NULL. Throws MPI_ERR_REQUEST if there
/// is no such request or it is in use; `index` is its place in the program's array, -1 if there is none.
TakenRequest take_request(MPI_Request handle, int index = -1);

/// "request 0x100007", or "array_of_requests[3] (0x100007)".
[[noreturn, gnu::cold]] void reject_unknown_request(MPI_Request handle, int index = -1);

}  // namespace foldlane::api
