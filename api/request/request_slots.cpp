#include "api/request/request_slots.hpp"

#include <mutex>

#include "api/errors/raise.hpp"

namespace foldlane::api {

std::array<shm::RealAtoms::Word<RequestSlot*>, kRequestSlots / kSlotsPerChunk> request_chunks;

namespace {

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
std::uint32_t made_slots;  // a multiple of kSlotsPerChunk

void make_slots() {
  if (made_slots == kRequestSlots) fail(MPI_ERR_NO_MEM, "too many requests exist; complete some");
  auto* const chunk = new RequestSlot[kSlotsPerChunk]();
  for (std::uint32_t i = kSlotsPerChunk; i-- > 0;) {
    chunk[i].index = made_slots + i;
    chunk[i].generation = 1;
    shared_slots.push(chunk[i]);
  }
  request_chunks[made_slots / kSlotsPerChunk].publish(chunk);
  made_slots += kSlotsPerChunk;
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

std::size_t request_slots() noexcept {
  const std::lock_guard lock(mutex);
  return made_slots;
}

}  // namespace foldlane::api
