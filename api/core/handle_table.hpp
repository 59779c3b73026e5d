// Handles of objects that users create. A handle is a slot number and the generation of the slot, so that a
// freed handle is recognised instead of reaching the object that took its place.
//
// Threads: find() takes no lock and may run while other threads insert and erase other objects; insert and
// erase exclude each other. That an object is not erased while somebody still uses it is the user's duty,
// as MPI has it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "api/core/maker.hpp"
#include "api/core/object_table.hpp"
#include "shm/sync/atoms.hpp"

namespace foldlane::api {

template <class Handle, class Object>
class HandleTable final : public ObjectTable {
 public:
  /// What to say about an object; nothing: the program has freed it, or has not made it.
  using Description = std::optional<std::string> (*)(Handle handle, const Object& object);

  /// Of objects that nobody lists.
  HandleTable() noexcept : ObjectTable(nullptr) {}
  HandleTable(const char* kind, Description describe) noexcept : ObjectTable(kind), describe_(describe) {}

  /// Null handle if all slots are in use.
  template <class... Args>
  Handle emplace(Args&&... args) {
    const std::lock_guard lock(mutex_);
    if (free_.empty() && !grow()) return nullptr;
    const std::size_t index = free_.back();
    Slot& slot = at(index);
    slot.object.emplace(std::forward<Args>(args)...);
    slot.made_by = maker;
    free_.pop_back();
    const std::uintptr_t handle = slot.generation << kSlotBits | index;
    slot.handle.publish(handle);
    return reinterpret_cast<Handle>(handle);
  }
  Handle insert(Object object) { return emplace(std::move(object)); }

  /// Null if the handle was never given out or has been erased.
  Object* find(Handle handle) noexcept {
    const auto value = reinterpret_cast<std::uintptr_t>(handle);
    const std::size_t index = value & (kSlots - 1);
    if (value == 0 || value >> (kSlotBits + kGenerationBits) != 0) return nullptr;
    Slot* const chunk = chunks_[index / kChunk].observe();
    if (chunk == nullptr || chunk[index % kChunk].handle.observe() != value) return nullptr;
    return &*chunk[index % kChunk].object;
  }

  /// Destroys the object, which must be found, outside of the table's lock: its destructor may use the table.
  void erase(Handle handle) {
    std::optional<Object> dying;  // outlives the lock
    const std::lock_guard lock(mutex_);
    const std::size_t index = reinterpret_cast<std::uintptr_t>(handle) & (kSlots - 1);
    Slot& slot = at(index);
    slot.handle.publish(0);
    dying.swap(slot.object);
    slot.generation = slot.generation % (kGenerations - 1) + 1;
    free_.push_back(index);
  }

  /// Calls `use` with every object. No other thread may use the table.
  template <class Use>
  void for_each(const Use& use) {
    for (std::size_t index = 0; index < made_; ++index) {
      if (at(index).handle.peek() != 0) use(*at(index).object);
    }
  }

  std::vector<Live> not_freed() override {
    std::vector<Live> result;
    for (std::size_t index = 0; index < made_; ++index) {
      const std::uintptr_t handle = at(index).handle.peek();
      if (handle == 0) continue;
      auto what = describe_(reinterpret_cast<Handle>(handle), *at(index).object);
      if (what) result.push_back({at(index).made_by, std::move(*what)});
    }
    return result;
  }

  /// The handle of an object that `fits`, or null. No other thread may use the table.
  template <class Fits>
  Handle handle_of(const Fits& fits) {
    for (std::size_t index = 0; index < made_; ++index) {
      const std::uintptr_t handle = at(index).handle.peek();
      if (handle != 0 && fits(*at(index).object)) return reinterpret_cast<Handle>(handle);
    }
    return nullptr;
  }

  /// Destroys all objects. No other thread may use the table.
  void clear() {
    for (std::size_t index = 0; index < made_; ++index) {
      const std::uintptr_t handle = at(index).handle.peek();
      if (handle != 0) erase(reinterpret_cast<Handle>(handle));
    }
  }

  std::size_t live() {
    const std::lock_guard lock(mutex_);
    return made_ - free_.size();
  }

 private:
  // Handles are at least 0x10000, above the predefined ones (below 0x1000), and below 2^31, a positive
  // Fortran INTEGER: generations count from 1 in the 15 bits above the slot number. A stale handle is taken
  // for a new one only if its slot has been used exactly 32,767 times since.
  static constexpr unsigned kSlotBits = 16;
  static constexpr unsigned kGenerationBits = 15;
  static constexpr std::size_t kSlots = std::size_t{1} << kSlotBits;
  static constexpr std::uintptr_t kGenerations = std::uintptr_t{1} << kGenerationBits;
  static constexpr std::size_t kChunk = 256;  // slots never move: find() takes no lock

  struct Slot {
    shm::RealAtoms::Word<std::uintptr_t> handle{};  // 0: free
    std::uintptr_t generation = 1;
    const char* made_by = nullptr;
    std::optional<Object> object;
  };

  Slot& at(std::size_t index) noexcept { return storage_[index / kChunk][index % kChunk]; }

  bool grow() {
    if (made_ == kSlots) return false;
    storage_.push_back(std::make_unique<Slot[]>(kChunk));
    free_.reserve(made_ + kChunk);
    for (std::size_t i = 0; i < kChunk; ++i) free_.push_back(made_ + kChunk - 1 - i);
    chunks_[made_ / kChunk].publish(storage_.back().get());
    made_ += kChunk;
    return true;
  }

  Description describe_ = nullptr;
  std::mutex mutex_;
  std::array<shm::RealAtoms::Word<Slot*>, kSlots / kChunk> chunks_{};
  std::vector<std::unique_ptr<Slot[]>> storage_;
  std::vector<std::size_t> free_;
  std::size_t made_ = 0;
};

}  // namespace foldlane::api
