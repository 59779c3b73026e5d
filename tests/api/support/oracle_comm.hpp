// The oracle on any communicator and any datatype: buffers whose gaps are guarded, the canonical tree over
// the communicator's ranks, and one walk through all reductions.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "support/oracle.hpp"

namespace foldlane::testing {

/// Where the bytes of an element are, told without the library's help.
struct Span {
  std::ptrdiff_t offset;
  std::size_t bytes;
};

/// One reduction to test: T is an element without its gaps.
template <class T>
struct Subject {
  std::string name;
  MPI_Datatype datatype;
  MPI_Op op;
  T (*make)(std::uint64_t random);
  T (*combine)(const T& left, const T& right);
  std::vector<Span> spans{{0, sizeof(T)}};
  std::ptrdiff_t extent = sizeof(T);
};

/// A buffer of `count` elements; every byte that no element owns is a guard.
template <class T>
class Buffer {
 public:
  Buffer(const Subject<T>& subject, std::size_t count) : subject_(&subject) {
    std::ptrdiff_t high = 0;
    for (const Span& span : subject.spans) {
      const std::ptrdiff_t last = count > 0 ? static_cast<std::ptrdiff_t>(count - 1) * subject.extent : 0;
      low_ = std::min({low_, span.offset, span.offset + last});
      high = std::max({high, span.offset, span.offset + last}) + static_cast<std::ptrdiff_t>(span.bytes);
    }
    // Element 0 is aligned to a line.
    low_ = -((-low_ + kGuard + 63) / 64 * 64);
    memory_.resize(static_cast<std::size_t>(high - low_) + kGuard + 64, kPattern);
    start_ = 64 - reinterpret_cast<std::uintptr_t>(memory_.data()) % 64;
  }
  Buffer(const Subject<T>& subject, const std::vector<T>& content) : Buffer(subject, content.size()) {
    put(content.data(), content.size());
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  unsigned char* data() { return memory_.data() + start_ - low_; }
  std::vector<unsigned char>& bytes() { return memory_; }

  void put(const T* content, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      const auto* from = reinterpret_cast<const unsigned char*>(content + i);
      for (const Span& span : subject_->spans) {
        std::memcpy(data() + static_cast<std::ptrdiff_t>(i) * subject_->extent + span.offset, from,
                    span.bytes);
        from += span.bytes;
      }
    }
  }
  void clear(std::size_t first, std::size_t end) {
    for (std::size_t i = first; i < end; ++i) {
      for (const Span& span : subject_->spans)
        std::memset(data() + static_cast<std::ptrdiff_t>(i) * subject_->extent + span.offset, 0, span.bytes);
    }
  }
  bool same(const Buffer& other) const {
    return memory_.size() - 64 == other.memory_.size() - 64 &&
           std::memcmp(memory_.data() + start_, other.memory_.data() + other.start_, memory_.size() - 64) ==
               0;
  }

 private:
  static constexpr std::ptrdiff_t kGuard = 64;
  static constexpr unsigned char kPattern = 0x5a;
  const Subject<T>* subject_;
  std::vector<unsigned char> memory_;
  std::ptrdiff_t low_ = 0;
  std::size_t start_ = 0;
};

/// The inputs of `ranks` ranks and the canonical tree over some of them.
template <class T>
class Inputs {
 public:
  Inputs(const Subject<T>& subject, int ranks, std::size_t count, std::uint64_t salt = 0)
      : subject_(subject), count_(count), of_(static_cast<std::size_t>(ranks)) {
    for (std::size_t rank = 0; rank < of_.size(); ++rank) {
      for (std::size_t i = 0; i < count; ++i) of_[rank].push_back(subject.make(scramble(rank + salt, i)));
    }
  }
  const std::vector<T>& of(int rank) const { return of_[static_cast<std::size_t>(rank)]; }

  std::vector<T> tree(int low, int high) const {
    if (low == high) return std::vector<T>(count_);
    if (high - low == 1) return of(low);
    int half = 1;
    while (2 * half < high - low) half *= 2;
    const std::vector<T> left = tree(low, low + half), right = tree(low + half, high);
    std::vector<T> result;
    for (std::size_t i = 0; i < count_; ++i) result.push_back(subject_.combine(left[i], right[i]));
    return result;
  }

 private:
  const Subject<T>& subject_;
  std::size_t count_;
  std::vector<std::vector<T>> of_;
};

/// Blocks of different sizes, some of them empty, that add up to `count`.
inline std::vector<int> uneven_blocks(std::size_t count, int ranks) {
  const int total = static_cast<int>(count), share = total / ranks;
  std::vector<int> blocks(static_cast<std::size_t>(std::max(1, ranks)));
  for (std::size_t r = 0; r < blocks.size(); ++r) blocks[r] = share * static_cast<int>(r % 3) / 2;
  blocks.back() += total - std::accumulate(blocks.begin(), blocks.end(), 0);
  return blocks;
}

/// The walk of one rank through all reductions of an intracommunicator.
template <class T>
class CommWalk {
 public:
  CommWalk(const Subject<T>& subject, MPI_Comm comm, std::size_t count) : subject_(subject), comm_(comm) {
    MPI_Comm_rank(comm, &rank_);
    MPI_Comm_size(comm, &size_);
    // Reduce_scatter_block wants a multiple.
    const auto ranks = static_cast<std::size_t>(size_);
    count_ = (count + ranks - 1) / ranks * ranks;
    length_ = static_cast<int>(count_);
    inputs_ = std::make_unique<Inputs<T>>(subject, size_, count_);
    all_ = inputs_->tree(0, size_);
  }

  void run() {
    run_collectives();
    local();
  }

  void run_collectives() {
    in_all_forms([this] {
      allreduce();
      reduce();
      reduce_scatter();
      reduce_scatter_block();
      prefix();
    });
  }

 private:
  using Memory = Buffer<T>;

  void allreduce() {
    Memory in(subject_, input()), out(subject_, count_), wide(subject_, count_), place(subject_, input());
    perform(out, kAllreduce, in.data(), out.data(), length_, subject_.datatype, subject_.op, comm_);
    check("MPI_Allreduce", out, count_, all_.data(), count_);
    perform(wide, kAllreduceC, in.data(), wide.data(), length_, subject_.datatype, subject_.op, comm_);
    check("MPI_Allreduce_c", wide, count_, all_.data(), count_);
    perform(place, kAllreduce, MPI_IN_PLACE, place.data(), length_, subject_.datatype, subject_.op, comm_);
    check("MPI_Allreduce in place", place, count_, all_.data(), count_);
    check("input of MPI_Allreduce", in, count_, input().data(), count_);
  }

  void reduce() {
    Memory in(subject_, input());
    for (int root = 0; root < size_; ++root) {
      const bool here = rank_ == root;
      Memory out(subject_, count_), place(subject_, input());
      perform(out, kReduce, in.data(), out.data(), length_, subject_.datatype, subject_.op, root, comm_);
      check("MPI_Reduce", out, count_, all_.data(), here ? count_ : 0);
      perform(place, kReduceC, here ? MPI_IN_PLACE : in.data(), here ? place.data() : nullptr, length_,
              subject_.datatype, subject_.op, root, comm_);
      if (here) check("MPI_Reduce_c in place", place, count_, all_.data(), count_);
    }
    check("input of MPI_Reduce", in, count_, input().data(), count_);
  }

  void reduce_scatter() {
    const std::vector<int> blocks = uneven_blocks(count_, size_);
    const std::vector<MPI_Count> wide_blocks(blocks.begin(), blocks.end());
    const auto own = static_cast<std::size_t>(blocks[static_cast<std::size_t>(rank_)]);
    const T* const block = all_.data() + std::accumulate(blocks.begin(), blocks.begin() + rank_, 0);
    Memory in(subject_, input()), out(subject_, own), wide(subject_, own), place(subject_, input());
    perform(out, kReduceScatter, in.data(), out.data(), blocks.data(), subject_.datatype, subject_.op, comm_);
    check("MPI_Reduce_scatter", out, own, block, own);
    perform(wide, kReduceScatterC, in.data(), wide.data(), wide_blocks.data(), subject_.datatype, subject_.op,
            comm_);
    check("MPI_Reduce_scatter_c", wide, own, block, own);
    perform(place, kReduceScatter, MPI_IN_PLACE, place.data(), blocks.data(), subject_.datatype, subject_.op,
            comm_);
    check_top("MPI_Reduce_scatter in place", place, block, own);
  }

  void reduce_scatter_block() {
    const std::size_t own = count_ / static_cast<std::size_t>(size_);
    const T* const block = all_.data() + static_cast<std::size_t>(rank_) * own;
    Memory in(subject_, input()), out(subject_, own), place(subject_, input());
    perform(out, kReduceScatterBlock, in.data(), out.data(), static_cast<int>(own), subject_.datatype,
            subject_.op, comm_);
    check("MPI_Reduce_scatter_block", out, own, block, own);
    perform(place, kReduceScatterBlockC, MPI_IN_PLACE, place.data(), static_cast<MPI_Count>(own),
            subject_.datatype, subject_.op, comm_);
    check_top("MPI_Reduce_scatter_block_c in place", place, block, own);
  }

  void prefix() {
    const std::vector<T> inclusive = inputs_->tree(0, rank_ + 1), exclusive = inputs_->tree(0, rank_);
    const std::size_t received = rank_ > 0 ? count_ : 0;
    Memory in(subject_, input()), out(subject_, count_), place(subject_, input()), out_ex(subject_, count_),
        place_ex(subject_, input());
    perform(out, kScan, in.data(), out.data(), length_, subject_.datatype, subject_.op, comm_);
    check("MPI_Scan", out, count_, inclusive.data(), count_);
    perform(place, kScanC, MPI_IN_PLACE, place.data(), length_, subject_.datatype, subject_.op, comm_);
    check("MPI_Scan_c in place", place, count_, inclusive.data(), count_);
    perform(out_ex, kExscanC, in.data(), out_ex.data(), length_, subject_.datatype, subject_.op, comm_);
    check("MPI_Exscan_c", out_ex, count_, exclusive.data(), received);
    perform(place_ex, kExscan, MPI_IN_PLACE, place_ex.data(), length_, subject_.datatype, subject_.op, comm_);
    check("MPI_Exscan in place", place_ex, count_, rank_ > 0 ? exclusive.data() : input().data(), count_);
  }

  void local() {
    const std::vector<T>& right = inputs_->of((rank_ + 1) % size_);
    std::vector<T> result;
    for (std::size_t i = 0; i < count_; ++i) result.push_back(subject_.combine(input()[i], right[i]));
    Memory in(subject_, input()), inout(subject_, right), wide(subject_, right);
    MPI_Reduce_local(in.data(), inout.data(), length_, subject_.datatype, subject_.op);
    check("MPI_Reduce_local", inout, count_, result.data(), count_);
    MPI_Reduce_local_c(in.data(), wide.data(), length_, subject_.datatype, subject_.op);
    check("MPI_Reduce_local_c", wide, count_, result.data(), count_);
  }

  const std::vector<T>& input() const { return inputs_->of(rank_); }

  /// A buffer for `size` elements must hold the first `count` of `expected`, and nothing else.
  void check(const char* call, const Memory& result, std::size_t size, const T* expected, std::size_t count) {
    Memory wanted(subject_, size);
    wanted.put(expected, count);
    judge(call, result, wanted);
  }
  /// In place: what is left of the input behind the block is undefined.
  void check_top(const char* call, Memory& result, const T* expected, std::size_t count) {
    Memory wanted(subject_, count_);
    wanted.put(expected, count);
    wanted.clear(count, count_);
    result.clear(count, count_);
    judge(call, result, wanted);
  }
  void judge(const char* call, const Memory& result, const Memory& wanted) {
    ++compared_calls;
    if (!result.same(wanted))
      give_up(std::string(call) + ", " + form_name() + ", of " + std::to_string(count_) + " x " +
              subject_.name + ": differing bytes");
  }

  const Subject<T>& subject_;
  MPI_Comm comm_;
  int rank_ = -1;
  int size_ = -1;
  std::size_t count_;
  int length_;
  std::unique_ptr<Inputs<T>> inputs_;
  std::vector<T> all_;
};

}  // namespace foldlane::testing
