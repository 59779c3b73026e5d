// The oracle of the MPI-level tests: inputs that every rank can compute for every other rank, the canonical
// tree over them in plain loops, and one check that runs all reductions of the interface against it.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

namespace foldlane::testing {

inline int my_rank() {
  int rank = -1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

inline int world_size() {
  int size = -1;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  return size;
}

[[noreturn]] inline void give_up(const std::string& what) {
  std::fprintf(stderr, "rank %d of %d: %s\n", my_rank(), world_size(), what.c_str());
  MPI_Abort(MPI_COMM_WORLD, 1);
  std::abort();
}

/// A number that looks random and depends on its arguments only (splitmix64).
inline std::uint64_t scramble(std::uint64_t rank, std::uint64_t index) {
  std::uint64_t x = (rank + 1) * 0x9e3779b97f4a7c15U + index * 0xd1342543de82ef95U;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

/// One reduction to test. `make` turns a random number into an element, `combine` is the operation on two
/// elements, `same` compares results.
template <class T>
struct Case {
  std::string name;
  MPI_Datatype datatype;
  MPI_Op op;
  T (*make)(std::uint64_t random);
  T (*combine)(T left, T right);
  bool (*same)(const T& a, const T& b);
};

/// A receive buffer between guards, so that a write beside it is noticed.
template <class T>
class Guarded {
 public:
  explicit Guarded(std::size_t count) : count_(count), bytes_(count * sizeof(T) + 2 * kGuard, kPattern) {}
  Guarded(const std::vector<T>& content) : Guarded(content.size()) {
    if (count_ != 0) std::memcpy(data(), content.data(), count_ * sizeof(T));
  }

  void* data() { return bytes_.data() + kGuard; }
  T operator[](std::size_t i) const {
    T value;
    std::memcpy(&value, bytes_.data() + kGuard + i * sizeof(T), sizeof(T));
    return value;
  }
  bool intact() const {
    for (std::size_t i = 0; i < kGuard; ++i) {
      if (bytes_[i] != kPattern || bytes_[bytes_.size() - 1 - i] != kPattern) return false;
    }
    return true;
  }

  /// Nothing was ever written, the guards included.
  bool untouched() const {
    return std::all_of(bytes_.begin(), bytes_.end(), [](unsigned char byte) { return byte == kPattern; });
  }

 private:
  static constexpr std::size_t kGuard = 64;
  static constexpr unsigned char kPattern = 0x5a;
  std::size_t count_;
  std::vector<unsigned char> bytes_;
};

template <class T>
class Oracle {
 public:
  Oracle(const Case<T>& reduction, std::size_t count) : case_(reduction), inputs_(ranks()) {
    for (std::size_t r = 0; r < ranks(); ++r) {
      for (std::size_t i = 0; i < count; ++i) inputs_[r].push_back(case_.make(scramble(r, i)));
    }
    for (std::size_t i = 0; i < count; ++i) expected_.push_back(tree(0, ranks(), i));
  }

  const std::vector<T>& input() const { return inputs_[static_cast<std::size_t>(my_rank())]; }

  void check(const Guarded<T>& result, std::size_t first, std::size_t count, const char* call) const {
    if (!result.intact()) give_up(describe(call) + " wrote beside the buffer");
    for (std::size_t i = 0; i < count; ++i) {
      if (!case_.same(result[i], expected_[first + i])) {
        give_up(describe(call) + ": element " + std::to_string(i) + " differs from the canonical tree");
      }
    }
  }

  std::string describe(const char* call) const {
    return std::string(call) + " of " + std::to_string(expected_.size()) + " " + case_.name;
  }

 private:
  static std::size_t ranks() { return static_cast<std::size_t>(world_size()); }

  T tree(std::size_t low, std::size_t high, std::size_t i) const {
    if (high - low == 1) return inputs_[low][i];
    std::size_t half = 1;
    while (2 * half < high - low) half *= 2;
    return case_.combine(tree(low, low + half, i), tree(low + half, high, i));
  }

  Case<T> case_;
  std::vector<std::vector<T>> inputs_;
  std::vector<T> expected_;
};

template <class T>
void check_allreduce(const Case<T>& c, std::size_t count) {
  const Oracle<T> oracle(c, count);
  const int length = static_cast<int>(count);
  Guarded<T> out(count), wide(count), in_place(oracle.input());
  const T* in = oracle.input().data();
  MPI_Allreduce(in, out.data(), length, c.datatype, c.op, MPI_COMM_WORLD);
  oracle.check(out, 0, count, "MPI_Allreduce");
  MPI_Allreduce_c(in, wide.data(), length, c.datatype, c.op, MPI_COMM_WORLD);
  oracle.check(wide, 0, count, "MPI_Allreduce_c");
  MPI_Allreduce(MPI_IN_PLACE, in_place.data(), length, c.datatype, c.op, MPI_COMM_WORLD);
  oracle.check(in_place, 0, count, "MPI_Allreduce in place");
}

template <class T>
void check_reduce(const Case<T>& c, std::size_t count) {
  const Oracle<T> oracle(c, count);
  const int length = static_cast<int>(count);
  const T* in = oracle.input().data();
  for (int root = 0; root < world_size(); ++root) {
    Guarded<T> out(count), in_place(oracle.input());
    MPI_Reduce(in, out.data(), length, c.datatype, c.op, root, MPI_COMM_WORLD);
    const bool at_root = my_rank() == root;
    if (at_root) oracle.check(out, 0, count, "MPI_Reduce");
    if (!at_root && !out.untouched()) give_up(oracle.describe("MPI_Reduce") + " wrote outside the root");
    MPI_Reduce_c(at_root ? MPI_IN_PLACE : in, at_root ? in_place.data() : nullptr, length, c.datatype, c.op,
                 root, MPI_COMM_WORLD);
    if (at_root) oracle.check(in_place, 0, count, "MPI_Reduce_c in place");
  }
}

/// Blocks of different sizes, some of them empty, that add up to `count`.
inline std::vector<int> uneven_blocks(std::size_t count) {
  const int total = static_cast<int>(count), share = total / world_size();
  std::vector<int> blocks;
  for (int r = 0; r < world_size(); ++r) blocks.push_back(share * (r % 3));
  blocks.back() += total - std::accumulate(blocks.begin(), blocks.end(), 0);
  return blocks;
}

template <class T>
void check_reduce_scatter(const Case<T>& c, std::size_t count) {
  const std::vector<int> blocks = uneven_blocks(count);
  const std::vector<MPI_Count> wide_blocks(blocks.begin(), blocks.end());
  const auto own = static_cast<std::size_t>(blocks[static_cast<std::size_t>(my_rank())]);
  const auto first = static_cast<std::size_t>(std::accumulate(blocks.begin(), blocks.begin() + my_rank(), 0));
  const Oracle<T> oracle(c, count);
  const T* in = oracle.input().data();
  Guarded<T> out(own), wide(own), in_place(oracle.input());
  MPI_Reduce_scatter(in, out.data(), blocks.data(), c.datatype, c.op, MPI_COMM_WORLD);
  oracle.check(out, first, own, "MPI_Reduce_scatter");
  MPI_Reduce_scatter_c(in, wide.data(), wide_blocks.data(), c.datatype, c.op, MPI_COMM_WORLD);
  oracle.check(wide, first, own, "MPI_Reduce_scatter_c");
  MPI_Reduce_scatter(MPI_IN_PLACE, in_place.data(), blocks.data(), c.datatype, c.op, MPI_COMM_WORLD);
  oracle.check(in_place, first, own, "MPI_Reduce_scatter in place");
}

template <class T>
void check_reduce_scatter_block(const Case<T>& c, std::size_t count) {
  const Oracle<T> oracle(c, count * static_cast<std::size_t>(world_size()));
  const int length = static_cast<int>(count);
  const std::size_t first = count * static_cast<std::size_t>(my_rank());
  Guarded<T> out(count), in_place(oracle.input());
  MPI_Reduce_scatter_block(oracle.input().data(), out.data(), length, c.datatype, c.op, MPI_COMM_WORLD);
  oracle.check(out, first, count, "MPI_Reduce_scatter_block");
  MPI_Reduce_scatter_block_c(MPI_IN_PLACE, in_place.data(), length, c.datatype, c.op, MPI_COMM_WORLD);
  oracle.check(in_place, first, count, "MPI_Reduce_scatter_block_c in place");
}

/// About `count` elements through each call.
template <class T>
void check_all(const Case<T>& c, std::size_t count) {
  const auto ranks = static_cast<std::size_t>(world_size());
  check_allreduce(c, count);
  check_reduce(c, count);
  check_reduce_scatter(c, count);
  check_reduce_scatter_block(c, (count + ranks - 1) / ranks);
}

}  // namespace foldlane::testing
