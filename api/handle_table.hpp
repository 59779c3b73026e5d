// Handles of objects that users create. A handle is a slot number and the generation of the slot, so that a
// freed handle is recognised instead of reaching the object that took its place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace foldlane::api {

template <class Handle, class Object>
class HandleTable {
 public:
  /// Null handle if all slots are in use.
  Handle insert(Object object) {
    if (free_.empty()) {
      if (slots_.size() == kSlots) return nullptr;
      slots_.push_back({});
      free_.push_back(slots_.size() - 1);
    }
    const std::size_t index = free_.back();
    free_.pop_back();
    slots_[index].object = std::move(object);
    return reinterpret_cast<Handle>(slots_[index].generation << kSlotBits | index);
  }

  /// Null if the handle was never given out or has been erased.
  Object* find(Handle handle) noexcept {
    const auto value = reinterpret_cast<std::uintptr_t>(handle);
    const std::size_t index = value & (kSlots - 1);
    if (index >= slots_.size() || slots_[index].generation != value >> kSlotBits) return nullptr;
    return slots_[index].object ? &*slots_[index].object : nullptr;
  }

  /// The handle must be found.
  void erase(Handle handle) {
    const std::size_t index = reinterpret_cast<std::uintptr_t>(handle) & (kSlots - 1);
    slots_[index].object.reset();
    // A slot whose generations are used up is retired: its next handle would equal an old one.
    if (++slots_[index].generation < kGenerations) free_.push_back(index);
  }

 private:
  // Handles are at least 0x10000, above the predefined ones (below 0x1000), and below 2^31, a positive
  // Fortran INTEGER: generations count from 1 in the 15 bits above the slot number.
  static constexpr unsigned kSlotBits = 16;
  static constexpr std::size_t kSlots = std::size_t{1} << kSlotBits;
  static constexpr std::uintptr_t kGenerations = 1U << 15;

  struct Slot {
    std::uintptr_t generation = 1;
    std::optional<Object> object;
  };

  std::vector<Slot> slots_;
  std::vector<std::size_t> free_;
};

}  // namespace foldlane::api
