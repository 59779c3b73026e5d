// Where the bytes of a datatype are: the blocks of one element in the order of packing, and copies between
// them and the packed form. Immutable; copies share the blocks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace foldlane::engine {

struct Runs;

/// `count` blocks of `block_bytes` packed bytes each, `stride` bytes apart.
struct Run {
  std::int64_t offset;  // of the first block, from the element's offset 0
  std::uint64_t block_bytes;
  std::uint64_t count;
  std::int64_t stride;
  std::shared_ptr<const Runs> inner;  // where the bytes of a block are; null: one after the other
};

/// Blocks without a pattern, in the order of packing: what is quick to walk.
struct Spans {
  std::vector<std::int64_t> offsets;
  std::vector<std::uint64_t> starts;  // packed bytes before each; one more, the end
  std::uint64_t block_bytes = 0;      // of every block; 0 if they differ

  bool empty() const noexcept { return offsets.empty(); }
  std::size_t count() const noexcept { return offsets.size(); }
  std::uint64_t bytes(std::size_t i) const noexcept { return starts[i + 1] - starts[i]; }
};

/// Nested, so that an array of structures is one run of structures instead of a run for each member of each.
struct Runs {
  std::vector<Run> list;              // none is empty
  std::vector<std::uint64_t> starts;  // packed bytes before each run
  std::uint64_t bytes = 0;            // packed
  unsigned depth = 0;                 // levels of nesting
  Spans spans;                        // the same again, if most runs are of a few plain blocks; else empty
};

class TypeMap {
 public:
  /// `count` elements of `type_map`, `stride` bytes apart, the first at `displacement`.
  struct Part {
    const TypeMap* type_map;
    std::int64_t displacement;
    std::uint64_t count;
    std::int64_t stride;
  };
  /// `count` elements, one after the other as the extent says.
  struct Block {
    std::int64_t displacement;  // bytes
    std::uint64_t count;
  };

  /// No bytes at all.
  TypeMap();
  /// A basic element, which alignment may round up when it becomes part of something.
  static TypeMap basic(std::uint64_t bytes, std::uint64_t alignment);

  // The builders return nothing if a size, an offset or an extent does not fit into 63 bits.
  static std::optional<TypeMap> composed(std::span<const Part> parts);
  std::optional<TypeMap> contiguous(std::uint64_t count) const;
  std::optional<TypeMap> strided(std::uint64_t count, std::uint64_t block_length, std::int64_t stride) const;
  std::optional<TypeMap> indexed(std::span<const Block> blocks) const;
  std::optional<TypeMap> resized(std::int64_t lower_bound, std::int64_t extent) const;

  std::uint64_t size_bytes() const noexcept { return runs_->bytes; }
  std::int64_t extent() const noexcept { return extent_; }
  std::int64_t lower_bound() const noexcept { return lower_bound_; }
  std::int64_t true_lower_bound() const noexcept { return true_lower_bound_; }
  std::int64_t true_extent() const noexcept { return true_extent_; }
  const Runs& runs() const noexcept { return *runs_; }

  /// The packed form of any number of elements equals their memory.
  bool dense() const noexcept { return dense_; }

  /// Copies `bytes` packed bytes from `offset` on, counted from element 0 of `buffer`, element i being at
  /// buffer + i * extent. Begins in O(log runs) steps at any offset, and touches no byte between the blocks.
  void pack(std::byte* packed, const std::byte* buffer, std::uint64_t offset, std::size_t bytes) const;
  void unpack(std::byte* buffer, const std::byte* packed, std::uint64_t offset, std::size_t bytes) const;

 private:
  class Bounds;
  TypeMap(std::shared_ptr<const Runs> runs, const Bounds& bounds);
  void settle();

  std::shared_ptr<const Runs> runs_;
  std::int64_t lower_bound_ = 0;
  std::int64_t extent_ = 0;
  std::int64_t true_lower_bound_ = 0;
  std::int64_t true_extent_ = 0;
  std::uint64_t alignment_ = 1;   // the extent is rounded up to a multiple, unless it was set
  bool explicit_bounds_ = false;  // by resized(), of this type map or of a part
  bool dense_ = true;
  Run elements_;  // the elements of a buffer, without an end
};

}  // namespace foldlane::engine
