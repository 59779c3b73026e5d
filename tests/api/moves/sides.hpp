// Buffers of calls that move data: their blocks, of datatypes with gaps, and what must lie in each byte.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <functional>
#include <vector>

namespace foldlane::testing {

/// Ranks and blocks are ints.
template <class List>
auto& at(List& list, int i) {
  return list[static_cast<std::size_t>(i)];
}

inline constexpr unsigned char kCanary = 0xa5;
inline constexpr std::size_t kBehind = 64;

enum Form { blocking, nonblocking, persistent, blocking_c, nonblocking_c, persistent_c, kForms };

// Datatypes of ints: dense; one in twelve bytes; two in twenty.
inline constexpr int kKinds = 3;
inline constexpr int kInts[] = {1, 1, 2};
inline constexpr long kExtents[] = {4, 12, 20};
inline MPI_Datatype types[kKinds];

inline long place_of(int kind, int i) {
  if (kind == 0) return 4L * i;
  return kind == 1 ? 12L * i + 4 : 20L * (i / 2) + 12 * (i % 2);
}

inline void make_types() {
  types[0] = MPI_INT;
  MPI_Datatype inner;
  const int one = 1, two[] = {1, 1};
  const MPI_Aint where = 4, wheres[] = {0, 12};
  MPI_Type_create_hindexed(1, &one, &where, MPI_INT, &inner);
  MPI_Type_create_resized(inner, 0, 12, &types[1]);
  MPI_Type_free(&inner);
  MPI_Type_create_hindexed(2, two, wheres, MPI_INT, &inner);
  MPI_Type_create_resized(inner, 0, 20, &types[2]);
  MPI_Type_free(&inner);
  MPI_Type_commit(&types[1]);
  MPI_Type_commit(&types[2]);
}
inline void free_types() {
  for (int kind = 1; kind < kKinds; ++kind) MPI_Type_free(&types[kind]);
}

/// One buffer, as its blocks and as arguments.
struct Side {
  std::vector<int> ints;  // of each block
  std::vector<int> kinds;
  std::vector<long> offsets;  // bytes
  std::size_t bytes = 0;

  std::vector<int> counts, places;
  std::vector<MPI_Count> counts_c;
  std::vector<MPI_Aint> places_c;
  std::vector<MPI_Datatype> blocks_types;

  int blocks() const { return static_cast<int>(ints.size()); }
  int count() const { return counts.empty() ? 0 : counts[0]; }
  MPI_Datatype type() const { return kinds.empty() ? MPI_INT : types[kinds[0]]; }

  void add(int n, int kind, long offset, bool in_bytes) {
    ints.push_back(n);
    kinds.push_back(kind);
    offsets.push_back(offset);
    const long end = offset + n / kInts[kind] * kExtents[kind];
    bytes = std::max(bytes, static_cast<std::size_t>(end));
    counts.push_back(n / kInts[kind]);
    places.push_back(static_cast<int>(in_bytes ? offset : offset / kExtents[kind]));
    counts_c.push_back(counts.back());
    places_c.push_back(places.back());
    blocks_types.push_back(types[kind]);
  }
  std::vector<unsigned char> memory() const { return std::vector<unsigned char>(bytes + kBehind, kCanary); }
};

inline Side one_block(int ints, int kind) {
  Side side;
  side.add(ints, kind, 0, false);
  return side;
}

/// How blocks lie in a buffer.
struct Layout {
  int kind;       // of the first one, if each has a datatype of its own
  bool is_list;   // with displacements: in the reverse order, and apart
  bool is_typed;  // with a datatype for each, and displacements in bytes
};

inline Side side_of_blocks(const Layout& layout, int blocks, const std::function<int(int)>& ints) {
  Side side;
  long end = 0;
  std::vector<long> offsets(static_cast<std::size_t>(blocks));
  const auto kind_of = [&](int j) { return layout.is_typed ? (layout.kind + j) % kKinds : layout.kind; };
  for (int step = 0; step < blocks; ++step) {
    const int j = layout.is_list ? blocks - 1 - step : step;
    const int k = kind_of(j);
    at(offsets, j) = end;
    end += ints(j) / kInts[k] * kExtents[k] + (layout.is_list ? kExtents[k] : 0);
    if (layout.is_typed) end = (end + 7) / 8 * 8;
  }
  for (int j = 0; j < blocks; ++j) side.add(ints(j), kind_of(j), at(offsets, j), layout.is_typed);
  return side;
}

using Value = std::function<int(int block, int i)>;

inline void write_block(std::vector<unsigned char>& to, const Side& side, int block, const Value& value) {
  for (int i = 0; i < at(side.ints, block); ++i) {
    const int word = value(block, i);
    std::memcpy(to.data() + at(side.offsets, block) + place_of(at(side.kinds, block), i), &word, sizeof word);
  }
}
inline std::vector<unsigned char> written(const Side& side, const Value& value) {
  auto memory = side.memory();
  for (int block = 0; block < side.blocks(); ++block) write_block(memory, side, block, value);
  return memory;
}

/// The words of a later round differ.
inline Value in_round(const Value& value, int round) {
  return [=](int block, int i) { return value(block, i) + round; };
}

/// A call in the form of the case `c`, on `comm`. What is not blocking leaves its `request`.
#define CALL(NAME, name, ARGS, ARGS_C)                            \
  switch (c.form) {                                               \
    case blocking:                                                \
      MPI_##NAME(ARGS, comm);                                     \
      break;                                                      \
    case nonblocking:                                             \
      MPI_I##name(ARGS, comm, &request);                          \
      break;                                                      \
    case persistent:                                              \
      MPI_##NAME##_init(ARGS, comm, MPI_INFO_NULL, &request);     \
      break;                                                      \
    case blocking_c:                                              \
      MPI_##NAME##_c(ARGS_C, comm);                               \
      break;                                                      \
    case nonblocking_c:                                           \
      MPI_I##name##_c(ARGS_C, comm, &request);                    \
      break;                                                      \
    default:                                                      \
      MPI_##NAME##_init_c(ARGS_C, comm, MPI_INFO_NULL, &request); \
  }
#define LIST(...) __VA_ARGS__

}  // namespace foldlane::testing
