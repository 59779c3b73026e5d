// What the tests of datatypes have in common: owning handles, and the byte map of a datatype as MPI_Pack
// shows it.
#pragma once

#include <algorithm>
#include <vector>

#include "support/mpi_world.hpp"

namespace foldlane::testing {

/// A committed datatype, freed at the end.
class OwnType {
 public:
  OwnType() = default;
  OwnType(const OwnType&) = delete;
  OwnType& operator=(const OwnType&) = delete;
  ~OwnType() {
    if (handle_ != MPI_DATATYPE_NULL) {
      EXPECT_EQ(MPI_Type_free(&handle_), MPI_SUCCESS);
    }
  }
  MPI_Datatype* out() { return &handle_; }
  MPI_Datatype committed() {
    EXPECT_EQ(MPI_Type_commit(&handle_), MPI_SUCCESS);
    return handle_;
  }
  operator MPI_Datatype() const { return handle_; }

 private:
  MPI_Datatype handle_ = MPI_DATATYPE_NULL;
};

struct Extents {
  MPI_Count size, lower, extent, true_lower, true_extent;

  friend bool operator==(const Extents&, const Extents&) = default;
  friend void PrintTo(const Extents& e, std::ostream* out) {
    *out << "size " << e.size << " lb " << e.lower << " extent " << e.extent << " true lb " << e.true_lower
         << " true extent " << e.true_extent;
  }
};

inline Extents extents_of(MPI_Datatype type) {
  Extents e{};
  EXPECT_EQ(MPI_Type_size_c(type, &e.size), MPI_SUCCESS);
  EXPECT_EQ(MPI_Type_get_extent_c(type, &e.lower, &e.extent), MPI_SUCCESS);
  EXPECT_EQ(MPI_Type_get_true_extent_c(type, &e.true_lower, &e.true_extent), MPI_SUCCESS);
  return e;
}

using Offsets = std::vector<MPI_Count>;

/// The memory around `count` elements, with 8 bytes more on both sides.
class ElementMemory {
 public:
  ElementMemory(MPI_Datatype type, int count) {
    const Extents e = extents_of(type);
    const MPI_Count last = (count - 1) * e.extent;
    low_ = e.true_lower + std::min<MPI_Count>(last, 0) - 8;
    bytes.resize(static_cast<std::size_t>(e.true_extent + std::max(last, -last) + 16));
  }
  unsigned char* origin() { return bytes.data() - low_; }
  MPI_Count offset(std::size_t index) const { return low_ + static_cast<MPI_Count>(index); }

  std::vector<unsigned char> bytes;

 private:
  MPI_Count low_;
};

/// Where each packed byte of `count` elements comes from. The place of a byte is packed digit by digit.
inline Offsets packed_offsets(MPI_Datatype type, int count = 1) {
  ElementMemory memory(type, count);
  const auto packed_bytes = static_cast<std::size_t>(extents_of(type).size * count);
  std::vector<std::size_t> places(packed_bytes);
  for (unsigned shift = 0; shift < 24; shift += 8) {
    for (std::size_t i = 0; i < memory.bytes.size(); ++i) {
      memory.bytes[i] = static_cast<unsigned char>(i >> shift);
    }
    std::vector<unsigned char> packed(packed_bytes + 1);
    int position = 0;
    EXPECT_EQ(MPI_Pack(memory.origin(), count, type, packed.data(), static_cast<int>(packed_bytes), &position,
                       MPI_COMM_WORLD),
              MPI_SUCCESS);
    EXPECT_EQ(static_cast<std::size_t>(position), packed_bytes);
    for (std::size_t i = 0; i < packed_bytes; ++i) places[i] |= std::size_t{packed[i]} << shift;
  }
  Offsets offsets;
  for (std::size_t place : places) offsets.push_back(memory.offset(place));
  return offsets;
}

/// MPI_Unpack writes packed byte i at offsets[i], and nothing else.
inline void expect_unpacks_to(MPI_Datatype type, int count, const Offsets& offsets) {
  ElementMemory memory(type, count), expected(type, count);
  std::vector<unsigned char> packed(offsets.size() + 1);
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    packed[i] = static_cast<unsigned char>(i % 255 + 1);
    *(expected.origin() + offsets[i]) = packed[i];
  }
  int position = 0;
  EXPECT_EQ(MPI_Unpack(packed.data(), static_cast<int>(offsets.size()), &position, memory.origin(), count,
                       type, MPI_COMM_WORLD),
            MPI_SUCCESS);
  EXPECT_EQ(memory.bytes, expected.bytes);
}

/// The offsets of the bytes of elements of `bytes` bytes at `starts`.
inline Offsets bytes_at(const Offsets& starts, MPI_Count bytes) {
  Offsets offsets;
  for (MPI_Count start : starts) {
    for (MPI_Count i = 0; i < bytes; ++i) offsets.push_back(start + i);
  }
  return offsets;
}

inline void expect_map(MPI_Datatype type, const Offsets& offsets, int count = 1) {
  EXPECT_EQ(packed_offsets(type, count), offsets);
  expect_unpacks_to(type, count, offsets);
}

}  // namespace foldlane::testing
