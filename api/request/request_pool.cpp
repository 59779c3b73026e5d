#include "api/request/request_pool.hpp"

#include <fmt/format.h>

#include <array>
#include <mutex>
#include <string>

#include "api/core/world.hpp"
#include "api/errors/raise.hpp"
#include "engine/job/job.hpp"

namespace foldlane::api {
namespace {

// Handles are above the predefined ones (below 0x1000) and below 2^31, a positive Fortran INTEGER:
// generations count from 1 in the 11 bits above the slot number. A stale handle is taken for a new one only
// if its slot has been used exactly 2,047 times since.
constexpr unsigned kIndexBits = 20;
constexpr std::uint32_t kSlots = 1u << kIndexBits;
constexpr std::uint32_t kGenerations = 1u << 11;
constexpr std::uint32_t kChunk = 256;

// The word of a slot.
constexpr std::uint64_t kHandle = (std::uint64_t{1} << 31) - 1;
constexpr std::uint64_t kLookedAt = std::uint64_t{1} << 32;
constexpr std::uint64_t kOwned = std::uint64_t{1} << 33;
constexpr std::uint64_t kPin = std::uint64_t{1} << 40;
constexpr std::uint64_t kPins = ~(kPin - 1);

std::uint64_t bit_of(Taking taking) noexcept { return taking == Taking::owned ? kOwned : kLookedAt; }

// Slots never move and outlive everything: threads may end after the library's static objects.
std::array<shm::RealAtoms::Word<RequestSlot*>, kSlots / kChunk> chunks;

// A list of free slots.
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

std::mutex mutex;          // of the two below
FreeSlots shared_slots;    // that no thread has in its own list
std::uint32_t made_slots;  // a multiple of kChunk

void make_slots() {
  if (made_slots == kSlots) fail(MPI_ERR_NO_MEM, "too many requests exist; complete some");
  auto* const chunk = new RequestSlot[kChunk]();
  for (std::uint32_t i = kChunk; i-- > 0;) {
    chunk[i].index = made_slots + i;
    chunk[i].generation = 1;
    shared_slots.push(chunk[i]);
  }
  chunks[made_slots / kChunk].publish(chunk);
  made_slots += kChunk;
}

/// The free slots of a thread: most requests are made and completed without touching what threads share.
class OwnSlots {
 public:
  OwnSlots() = default;
  OwnSlots(const OwnSlots&) = delete;
  OwnSlots& operator=(const OwnSlots&) = delete;
  ~OwnSlots() { give(slots_.count); }

  RequestSlot& get() {
    if (slots_.first == nullptr) [[unlikely]]
      fetch();
    return slots_.pop();
  }
  void put(RequestSlot& slot) noexcept {
    slots_.push(slot);
    if (slots_.count > 2 * kBatch) [[unlikely]]
      give(kBatch);
  }

 private:
  static constexpr unsigned kBatch = 64;

  void fetch() {
    const std::lock_guard lock(mutex);
    if (shared_slots.first == nullptr) make_slots();
    shared_slots.move_to(slots_, kBatch);
  }
  void give(unsigned count) noexcept {
    const std::lock_guard lock(mutex);
    slots_.move_to(shared_slots, count);
  }

  FreeSlots slots_;
};

OwnSlots& own_slots() noexcept {
  thread_local OwnSlots slots;
  return slots;
}

RequestSlot* slot_of(std::uint64_t handle) noexcept {
  if (handle == 0 || (handle & ~kHandle) != 0) return nullptr;
  const auto index = static_cast<std::uint32_t>(handle) & (kSlots - 1);
  RequestSlot* const chunk = chunks[index / kChunk].observe();
  return chunk == nullptr ? nullptr : &chunk[index % kChunk];
}

/// Where only one thread at a time is in the library, a locked instruction would be wasted.
bool change(RequestSlot& slot, std::uint64_t seen, std::uint64_t next) noexcept {
  if (world.has_threads) return slot.word.claim(seen, next);
  slot.word.publish(next);
  return true;
}

/// Replaces the word by next(word), which must be right whatever other threads do to it meanwhile.
template <class Next>
std::uint64_t update(RequestSlot& slot, const Next& next) noexcept {
  for (;;) {
    const std::uint64_t seen = slot.word.observe();
    if (change(slot, seen, next(seen))) return next(seen);
  }
}

void destroy(RequestSlot& slot) noexcept {
  slot.request->~Request();
  slot.generation = slot.generation + 1 == kGenerations ? 1 : slot.generation + 1;
  put_request_slot_back(slot);
}

/// Nobody finds it any more. Who holds the last pin destroys it.
void end_request(RequestSlot& slot) noexcept {
  if (update(slot, [](std::uint64_t seen) { return seen & kPins; }) == 0) destroy(slot);
}

std::string describe(MPI_Request handle, int index) {
  if (index < 0) return fmt::format("the request {}", fmt::ptr(handle));
  return fmt::format("the request {} at index {} of the array", fmt::ptr(handle), index);
}

[[noreturn, gnu::cold]] void reject_used_request(MPI_Request handle, int index) {
  fail(MPI_ERR_REQUEST,
       fmt::format("{} is in use: it was freed with MPI_Request_free, stands in the array twice, or another "
                   "thread waits for it; only one call may complete a request",
                   describe(handle, index)));
}

}  // namespace

// One thread alone has no list of its own: to find it takes as long as all the rest.
RequestSlot& get_request_slot() {
  if (world.has_threads) return own_slots().get();
  if (shared_slots.first == nullptr) [[unlikely]]
    make_slots();
  return shared_slots.pop();
}
void put_request_slot_back(RequestSlot& slot) noexcept {
  if (world.has_threads) return own_slots().put(slot);
  shared_slots.push(slot);
}

MPI_Request publish_request(RequestSlot& slot, Request* request) noexcept {
  const std::uint64_t handle = std::uint64_t{slot.generation} << kIndexBits | slot.index;
  slot.request = request;
  slot.word.publish(handle);
  return reinterpret_cast<MPI_Request>(handle);
}

std::size_t request_slots() noexcept {
  const std::lock_guard lock(mutex);
  return made_slots;
}

Taken TakenRequest::take(MPI_Request request, Taking taking) noexcept {
  const auto handle = reinterpret_cast<std::uint64_t>(request);
  RequestSlot* const slot = slot_of(handle);
  for (;;) {
    const std::uint64_t seen = slot == nullptr ? 0 : slot->word.observe();
    if (seen == 0 || (seen & kHandle) != handle) return Taken::unknown;
    if ((seen & kOwned) != 0) return Taken::in_use;
    if ((seen & kLookedAt) != 0) {
      if (taking == Taking::looked_at) return Taken::in_use;
      engine::yield();
    } else if (change(*slot, seen, seen | bit_of(taking))) {
      slot_ = slot;
      taking_ = taking;
      return Taken::yes;
    }
  }
}

void TakenRequest::give_back() noexcept {
  update(*slot_, [this](std::uint64_t seen) { return seen & ~bit_of(taking_); });
}

void TakenRequest::end() noexcept { end_request(*std::exchange(slot_, nullptr)); }

PinnedRequest::PinnedRequest(MPI_Request request) : slot_(slot_of(reinterpret_cast<std::uint64_t>(request))) {
  for (;;) {
    const std::uint64_t seen = slot_ == nullptr ? 0 : slot_->word.observe();
    if (seen == 0 || (seen & kHandle) != reinterpret_cast<std::uint64_t>(request))
      reject_unknown_request(request);
    if (change(*slot_, seen, seen + kPin)) return;
  }
}

PinnedRequest::~PinnedRequest() {
  if (update(*slot_, [](std::uint64_t seen) { return seen - kPin; }) == 0) destroy(*slot_);
}

void PinnedRequest::end() noexcept { end_request(*slot_); }

void reject_unknown_request(MPI_Request handle, int index) {
  if (handle == MPI_REQUEST_NULL) fail(MPI_ERR_REQUEST, "the request is MPI_REQUEST_NULL");
  fail(MPI_ERR_REQUEST,
       fmt::format("{} does not exist; it may be complete already", describe(handle, index)));
}

TakenRequest take_request(MPI_Request handle, int index) {
  TakenRequest request;
  if (handle == MPI_REQUEST_NULL) return request;
  switch (request.take(handle, Taking::owned)) {
    case Taken::unknown:
      reject_unknown_request(handle, index);
    case Taken::in_use:
      reject_used_request(handle, index);
    case Taken::yes:
      break;
  }
  return request;
}

}  // namespace foldlane::api
