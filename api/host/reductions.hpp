// Which of a host's datatypes and operations the engine knows.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "api/host/host.hpp"
#include "engine/data/reduction.hpp"
#include "kernels/elem.hpp"

namespace foldlane::host {

/// From handles to numbers. Filled once; any thread may look.
class HandleMap {
 public:
  static constexpr int kNone = -1;

  void put(Handle handle, int number) noexcept;
  int find(Handle handle) const noexcept {
    for (std::size_t at = place_of(handle, kBits);; at = (at + 1) % kPlaces) {
      if (places_[at].handle == handle) [[likely]]
        return places_[at].number;
      if (places_[at].number == kNone) return kNone;
    }
  }

 private:
  static constexpr int kBits = 9;  // far more places than handles, so that each is found at the first look
  static constexpr std::size_t kPlaces = std::size_t{1} << kBits;

  struct Place {
    Handle handle = 0;
    int number = kNone;
  };
  std::array<Place, kPlaces> places_{};
};

/// Predefined datatypes and operations. Whatever is not found is the host's.
class Reductions {
 public:
  /// Asks the host for the sizes of its types, and leaves out those that are others here.
  explicit Reductions(const Host& host);

  /// Null: the operation is not predefined, or not defined on the datatype.
  const engine::Reduction* find(Handle type, Handle op) const noexcept {
    const int element = types_.find(type), operation = ops_.find(op);
    if (element == HandleMap::kNone || operation == HandleMap::kNone) return nullptr;
    const Row& row = rows_[static_cast<std::size_t>(element)];
    if ((row.ops >> operation & 1) == 0) return nullptr;
    return &reductions_[static_cast<std::size_t>(operation)][static_cast<std::size_t>(row.element)];
  }

  /// Of elements that lie one behind the other; 0 if the type is not known to be such a one.
  std::size_t dense_bytes(Handle type) const noexcept {
    const int element = types_.find(type);
    return element == HandleMap::kNone ? 0 : rows_[static_cast<std::size_t>(element)].dense_bytes;
  }

 private:
  struct Row {
    std::uint16_t ops;
    kernels::Elem element;
    std::size_t dense_bytes;
  };
  static constexpr std::size_t kOps = 12;

  HandleMap types_;
  HandleMap ops_;
  std::array<Row, 128> rows_{};
  std::array<std::array<engine::Reduction, kernels::kElemCount>, kOps> reductions_{};
};

}  // namespace foldlane::host
