#include "api/request/request_slots.hpp"

#include <mutex>

#include "api/errors/raise.hpp"

namespace foldlane::api {

std::array<shm::RealAtoms::Word<RequestSlot*>, kRequestSlots / kSlotsPerChunk> request_chunks;

FreeSlots shared_slots;

namespace {

class CompleteRequest final : public Request {
 public:
  CompleteRequest() noexcept : Request(MPI_COMM_NULL) {}
  std::string title() const override { return "a call that was complete when it returned"; }
  bool poll() override { return true; }
  void finish(MPI_Status&) override {}
  void cancel() override {}
  Freed free() override { return Freed::now; }
};

/// Like the other slots it outlives everything.
RequestSlot make_complete_slot() {
  RequestSlot slot{};
  slot.word.publish(kCompleteHandle);
  slot.request = new CompleteRequest;
  return slot;
}

std::mutex mutex;          // of shared_slots and the next
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

RequestSlot complete_slot = make_complete_slot();

RequestSlot& find_free_slot() {
  if (world.has_threads) return own_slots().get();
  make_slots();
  return shared_slots.pop();
}
void put_back_among_threads(RequestSlot& slot) noexcept { own_slots().put(slot); }

std::size_t request_slots() noexcept {
  const std::lock_guard lock(mutex);
  return made_slots;
}

}  // namespace foldlane::api
