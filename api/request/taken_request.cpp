#include "api/request/taken_request.hpp"

#include <fmt/format.h>

#include <string>

#include "api/errors/raise.hpp"
#include "engine/job/job.hpp"

namespace foldlane::api {
namespace {

std::string describe(MPI_Request handle, int index) {
  if (index < 0) return fmt::format("the request {}", fmt::ptr(handle));
  return fmt::format("the request {} at index {} of the array", fmt::ptr(handle), index);
}

}  // namespace

Taken TakenRequest::take_contended(RequestSlot* slot, std::uint64_t handle, std::uint64_t bit) noexcept {
  for (;;) {
    const std::uint64_t seen = slot == nullptr ? 0 : slot->word.observe();
    if (seen == 0 || (seen & RequestSlot::kHandle) != handle) return Taken::unknown;
    if ((seen & RequestSlot::kOwned) != 0) return Taken::in_use;
    if ((seen & RequestSlot::kLookedAt) != 0) {
      if (bit == RequestSlot::kLookedAt) return Taken::in_use;
      engine::yield();
    } else if (slot->change(seen, seen | bit)) {
      slot_ = slot;
      bit_ = bit;
      return Taken::yes;
    }
  }
}

PinnedRequest::PinnedRequest(MPI_Request request) : slot_(find_request_slot(request)) {
  for (;;) {
    const std::uint64_t seen = slot_ == nullptr ? 0 : slot_->word.observe();
    if (seen == 0 || (seen & RequestSlot::kHandle) != reinterpret_cast<std::uint64_t>(request))
      reject_unknown_request(request);
    if (slot_->change(seen, seen + RequestSlot::kPin)) return;
  }
}

PinnedRequest::~PinnedRequest() {
  if (slot_->update([](std::uint64_t seen) { return seen - RequestSlot::kPin; }) == 0)
    destroy_request(*slot_);
}

void reject_unknown_request(MPI_Request handle, int index) {
  if (handle == MPI_REQUEST_NULL) fail(MPI_ERR_REQUEST, "the request is MPI_REQUEST_NULL");
  fail(MPI_ERR_REQUEST,
       fmt::format("{} does not exist; it may be complete already", describe(handle, index)));
}

void reject_used_request(MPI_Request handle, int index) {
  fail(MPI_ERR_REQUEST,
       fmt::format("{} is in use: it was freed with MPI_Request_free, stands in the array twice, or another "
                   "thread waits for it; only one call may complete a request",
                   describe(handle, index)));
}

}  // namespace foldlane::api
