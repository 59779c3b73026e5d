// Who uses a request: one thread that has taken it, and any number that pin it (request_slots.hpp).
#pragma once

#include <mpi.h>

#include <cstdint>
#include <utility>

#include "api/request/request.hpp"
#include "api/request/request_slots.hpp"

namespace foldlane::api {

/// What a request is taken for: to be completed, started or freed, or just to be looked at.
enum class Taking : std::uint8_t { owned, looked_at };

enum class Taken : std::uint8_t { yes, unknown, in_use };

/// A request that this thread alone uses; empty for MPI_REQUEST_NULL. That of what is complete already is
/// everybody's, and only seems to be taken.
class TakenRequest {
 public:
  TakenRequest() noexcept = default;
  TakenRequest(TakenRequest&& other) noexcept
      : slot_(std::exchange(other.slot_, nullptr)), bit_(other.bit_) {}
  TakenRequest& operator=(TakenRequest&&) = delete;
  ~TakenRequest() {
    if (slot_ != nullptr && bit_ != 0) give_back();
  }

  explicit operator bool() const noexcept { return slot_ != nullptr; }
  Request* operator->() const noexcept { return slot_->request; }
  Request& operator*() const noexcept { return *slot_->request; }

  /// Takes the request. Waits for a thread that looks at it, which is short; who looks waits for nobody.
  Taken take(MPI_Request request, Taking taking) noexcept {
    if (is_complete_request(request)) {
      slot_ = &complete_slot;
      return Taken::yes;
    }
    RequestSlot* const slot = find_request_slot(request);
    const std::uint64_t bit = taking == Taking::owned ? RequestSlot::kOwned : RequestSlot::kLookedAt;
    const auto handle = reinterpret_cast<std::uint64_t>(request);
    // Nobody has taken it, nor pinned it.
    if (slot == nullptr || slot->word.observe() != handle || !slot->change(handle, handle | bit)) [[unlikely]]
      return take_contended(slot, handle, bit);
    slot_ = slot;
    bit_ = bit;
    return Taken::yes;
  }

  /// Destroys the request; its handle is unknown from now on.
  void end() noexcept {
    RequestSlot* const slot = std::exchange(slot_, nullptr);
    if (bit_ != 0) end_request(*slot);
  }

  /// Does not give it back: it goes on without anybody to take it, or this thread comes back to it.
  void leave() noexcept { slot_ = nullptr; }
  /// One that this thread has taken to complete it, and left.
  static TakenRequest left(RequestSlot& slot) noexcept {
    TakenRequest request;
    request.slot_ = &slot;
    request.bit_ = RequestSlot::kOwned;
    return request;
  }

 private:
  Taken take_contended(RequestSlot* slot, std::uint64_t handle, std::uint64_t bit) noexcept;
  void give_back() noexcept {
    slot_->update([this](std::uint64_t seen) { return seen & ~bit_; });
  }

  RequestSlot* slot_ = nullptr;
  std::uint64_t bit_ = 0;  // of the slot's word; 0: it is everybody's
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
  void end() noexcept { end_request(*slot_); }

 private:
  RequestSlot* slot_;
};

/// "the request 0x100007", or "the request 0x100007 at index 3 of the array".
[[noreturn, gnu::cold]] void reject_unknown_request(MPI_Request handle, int index = -1);
[[noreturn, gnu::cold]] void reject_used_request(MPI_Request handle, int index);

/// Takes a request to complete, start or free it; empty for MPI_REQUEST_NULL. Throws MPI_ERR_REQUEST if there
/// is no such request or it is in use; `index` is its place in the program's array, -1 if there is none.
inline void take_request(TakenRequest& request, MPI_Request handle, int index = -1) {
  if (handle == MPI_REQUEST_NULL) return;
  const Taken taken = request.take(handle, Taking::owned);
  if (taken == Taken::unknown) [[unlikely]]
    reject_unknown_request(handle, index);
  if (taken == Taken::in_use) [[unlikely]]
    reject_used_request(handle, index);
}
inline TakenRequest take_request(MPI_Request handle, int index = -1) {
  TakenRequest request;
  take_request(request, handle, index);
  return request;
}

}  // namespace foldlane::api
