// What the matrices of calls share: counts around every boundary, caller's buffers of any type map between
// guard bytes, inputs, and the serial fold in the canonical order.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/data/reduction.hpp"
#include "engine/data/type_map.hpp"
#include "kernels/fold.hpp"
#include "support/ranks.hpp"

namespace foldlane::testing {

struct Setting {
  Transport transport;
  int ranks;
};

/// As threads and, but under ThreadSanitizer, as processes.
std::vector<Setting> settings_for(const std::vector<int>& ranks);

/// Counts at which the class of some call changes, and their neighbours, up to a vector that goes through the
/// ring of slots more than once.
std::vector<std::size_t> boundary_counts(std::size_t elem_bytes, const shm::SegmentShape& shape);

std::vector<std::pair<kernels::Op, kernels::Elem>> valid_pairs();

/// Blocks of the given number of members: equal ones, everything to one member, or a staircase with an empty
/// step. Their sum may be less than `count`.
std::vector<std::int64_t> equal_blocks(std::size_t count, int ranks);
std::vector<std::int64_t> unequal_blocks(std::size_t count, int ranks, bool one_member);
std::size_t sum(const std::vector<std::int64_t>& blocks);

/// A number that rank 0 counts up, be it a thread or a process.
class SharedCounter {
 public:
  SharedCounter()
      : count_(static_cast<long*>(
            mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0))) {}
  SharedCounter(const SharedCounter&) = delete;
  SharedCounter& operator=(const SharedCounter&) = delete;
  ~SharedCounter() { munmap(count_, 4096); }
  long& operator*() const { return *count_; }

 private:
  long* count_;
};

/// Where the bytes of an element are, told without the library's help.
struct Form {
  struct Span {
    std::int64_t offset;
    std::size_t bytes;
  };
  std::string name;
  std::vector<Span> spans;  // in the order of packing
  std::int64_t extent = 0;
  std::size_t packed_bytes = 0;
  std::optional<engine::TypeMap> type_map;  // none: packed
  bool assigned = false;                    // the caller's function writes whole extents, gaps included

  static Form packed(std::size_t bytes);
  /// The same as the library's type map, resized to these bounds.
  static Form spread(std::string name, std::vector<Span> spans, std::int64_t lower_bound,
                     std::int64_t extent);
};

/// The inputs of all ranks, as packed bytes, and what becomes of them.
class Material {
 public:
  /// A predefined fold.
  Material(kernels::Op op, kernels::Elem elem, int ranks, std::size_t most);
  /// A caller's fold, neither commutative nor associative: any other tree gives other bits.
  Material(Form form, int ranks, std::size_t most);
  Material(const Material&) = delete;
  Material& operator=(const Material&) = delete;

  const std::string& name() const { return form_.name; }
  const Form& form() const { return form_; }
  const engine::Reduction& reduction() const { return reduction_; }
  const std::vector<std::byte>& input(int rank) const { return inputs_[static_cast<std::size_t>(rank)]; }
  /// The canonical tree over ranks [first, end).
  std::vector<std::byte> expected(int first, int end) const;

 private:
  bool has_padding() const;

  Form form_;
  std::optional<std::pair<kernels::Op, kernels::Elem>> builtin_;
  engine::Reduction reduction_;
  std::vector<std::vector<std::byte>> inputs_;
  std::size_t most_;
};

/// A caller's buffer of `count` elements: every byte that no element owns is a guard.
class Image {
 public:
  Image(const Form& form, std::size_t count);

  /// The argument of a call; it may lie outside of the memory.
  std::byte* buffer() { return at(0); }
  void put(std::size_t first, const std::byte* packed, std::size_t count);
  /// Makes elements whose values are undefined comparable.
  void clear(std::size_t first, std::size_t count);
  bool operator==(const Image& other) const { return memory_ == other.memory_; }

 private:
  std::byte* at(std::int64_t offset);

  const Form& form_;
  std::vector<std::byte> memory_;
  std::int64_t low_ = 0;
};

}  // namespace foldlane::testing
