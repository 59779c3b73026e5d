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

#include "support/expect.h"
#include "support/forms.hpp"

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
  std::vector<unsigned char>& bytes() { return bytes_; }
  T operator[](std::size_t i) const {
    T value;
    std::memcpy(&value, bytes_.data() + kGuard + i * sizeof(T), sizeof(T));
    return value;
  }
  bool intact() const { return is_pattern(0, kGuard) && is_pattern(bytes_.size() - kGuard, kGuard); }

  /// Nothing was ever written, the guards included.
  bool untouched() const { return is_pattern(0, bytes_.size()); }

  /// Says no of objects whose padding differs, too.
  bool has_bytes_of(const T* content, std::size_t count) const {
    return count == 0 || std::memcmp(bytes_.data() + kGuard, content, count * sizeof(T)) == 0;
  }

 private:
  static constexpr std::size_t kGuard = 64;
  static constexpr unsigned char kPattern = 0x5a;

  bool is_pattern(std::size_t first, std::size_t bytes) const {
    const unsigned char* const begin = bytes_.data() + first;
    return *begin == kPattern && std::memcmp(begin, begin + 1, bytes - 1) == 0;
  }

  std::size_t count_;
  std::vector<unsigned char> bytes_;
};

inline long compared_calls = 0;

/// So many neighbours are folded first, where a job over several nodes cannot fold as one node would.
inline std::size_t ranks_folded_first() {
  const char* const number = std::getenv("FOLDLANE_TEST_FOLDED_FIRST");
  return number == nullptr ? 1 : static_cast<std::size_t>(std::atoi(number));
}

template <class T>
class Oracle {
 public:
  Oracle(const Case<T>& reduction, std::size_t count) : case_(reduction), inputs_(ranks()) {
    for (std::size_t r = 0; r < ranks(); ++r) {
      for (std::size_t i = 0; i < count; ++i) inputs_[r].push_back(case_.make(scramble(r, i)));
    }
    for (std::size_t i = 0; i < count; ++i) expected_.push_back(fold(i));
  }

  const std::vector<T>& input() const { return inputs_[static_cast<std::size_t>(my_rank())]; }

  void check(const Guarded<T>& result, std::size_t first, std::size_t count, const char* call) const {
    ++compared_calls;
    if (!result.intact()) give_up(describe(call) + " wrote beside the buffer");
    if (result.has_bytes_of(expected_.data() + first, count)) return;
    for (std::size_t i = 0; i < count; ++i) {
      if (!case_.same(result[i], expected_[first + i])) {
        give_up(describe(call) + ": element " + std::to_string(i) + " differs from the canonical tree");
      }
    }
  }

  std::string describe(const char* call) const {
    return std::string(call) + ", " + form_name() + ", of " + std::to_string(expected_.size()) + " " +
           case_.name;
  }

 private:
  static std::size_t ranks() { return static_cast<std::size_t>(world_size()); }

  T fold(std::size_t i) const {
    const std::size_t run = ranks_folded_first();
    return tree(0, (ranks() + run - 1) / run, [&](std::size_t first) {
      return tree(first * run, std::min(ranks(), first * run + run),
                  [&](std::size_t rank) { return inputs_[rank][i]; });
    });
  }

  template <class Leaf>
  T tree(std::size_t low, std::size_t high, const Leaf& leaf) const {
    if (high - low == 1) return leaf(low);
    std::size_t half = 1;
    while (2 * half < high - low) half *= 2;
    return case_.combine(tree(low, low + half, leaf), tree(low + half, high, leaf));
  }

  Case<T> case_;
  std::vector<std::vector<T>> inputs_;
  std::vector<T> expected_;
};

template <class T>
void check_allreduce(const Case<T>& c, std::size_t count) {
  const Oracle<T> oracle(c, count);
  const int length = static_cast<int>(count);
  const T* in = oracle.input().data();
  in_all_forms([&] {
    Guarded<T> out(count), wide(count), in_place(oracle.input());
    perform(out, kAllreduce, in, out.data(), length, c.datatype, c.op, MPI_COMM_WORLD);
    oracle.check(out, 0, count, "MPI_Allreduce");
    perform(wide, kAllreduceC, in, wide.data(), length, c.datatype, c.op, MPI_COMM_WORLD);
    oracle.check(wide, 0, count, "MPI_Allreduce_c");
    perform(in_place, kAllreduce, MPI_IN_PLACE, in_place.data(), length, c.datatype, c.op, MPI_COMM_WORLD);
    oracle.check(in_place, 0, count, "MPI_Allreduce in place");
  });
}

template <class T>
void check_reduce(const Case<T>& c, std::size_t count) {
  const Oracle<T> oracle(c, count);
  const int length = static_cast<int>(count);
  const T* in = oracle.input().data();
  const auto check_root = [&](int root) {
    Guarded<T> out(count), in_place(oracle.input());
    perform(out, kReduce, in, out.data(), length, c.datatype, c.op, root, MPI_COMM_WORLD);
    const bool at_root = my_rank() == root;
    if (at_root) oracle.check(out, 0, count, "MPI_Reduce");
    if (!at_root && !out.untouched()) give_up(oracle.describe("MPI_Reduce") + " wrote outside the root");
    perform(in_place, kReduceC, at_root ? MPI_IN_PLACE : in, at_root ? in_place.data() : nullptr, length,
            c.datatype, c.op, root, MPI_COMM_WORLD);
    if (at_root) oracle.check(in_place, 0, count, "MPI_Reduce_c in place");
  };
  in_all_forms([&] {
    for (int root = 0; root < world_size(); ++root) check_root(root);
  });
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
  in_all_forms([&] {
    Guarded<T> out(own), wide(own), in_place(oracle.input());
    perform(out, kReduceScatter, in, out.data(), blocks.data(), c.datatype, c.op, MPI_COMM_WORLD);
    oracle.check(out, first, own, "MPI_Reduce_scatter");
    perform(wide, kReduceScatterC, in, wide.data(), wide_blocks.data(), c.datatype, c.op, MPI_COMM_WORLD);
    oracle.check(wide, first, own, "MPI_Reduce_scatter_c");
    perform(in_place, kReduceScatter, MPI_IN_PLACE, in_place.data(), blocks.data(), c.datatype, c.op,
            MPI_COMM_WORLD);
    oracle.check(in_place, first, own, "MPI_Reduce_scatter in place");
  });
}

template <class T>
void check_reduce_scatter_block(const Case<T>& c, std::size_t count) {
  const Oracle<T> oracle(c, count * static_cast<std::size_t>(world_size()));
  const int length = static_cast<int>(count);
  const std::size_t first = count * static_cast<std::size_t>(my_rank());
  in_all_forms([&] {
    Guarded<T> out(count), in_place(oracle.input());
    perform(out, kReduceScatterBlock, oracle.input().data(), out.data(), length, c.datatype, c.op,
            MPI_COMM_WORLD);
    oracle.check(out, first, count, "MPI_Reduce_scatter_block");
    perform(in_place, kReduceScatterBlockC, MPI_IN_PLACE, in_place.data(), length, c.datatype, c.op,
            MPI_COMM_WORLD);
    oracle.check(in_place, first, count, "MPI_Reduce_scatter_block_c in place");
  });
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

/// Rank 0 says how much has been compared, which must be something.
inline void report_comparisons(const char* what) {
  if (compared_calls == 0) give_up(std::string(what) + ": nothing was compared");
  if (my_rank() == 0)
    std::printf("%s: %ld calls x %d ranks compared, 0 differing bits\n", what, compared_calls, world_size());
}

}  // namespace foldlane::testing
