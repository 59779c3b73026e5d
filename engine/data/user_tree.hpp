// The canonical tree over a caller's function, which combines whole arrays: inout = in op inout.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "engine/data/reduction.hpp"

namespace foldlane::engine {

/// Memory for elements as a caller's buffer would hold them.
class ElementArray {
 public:
  ElementArray(const Reduction& reduction, std::size_t count);

  /// What a caller takes for the start of its buffer: with gaps or negative bounds it may lie outside.
  std::byte* data() const noexcept { return data_; }
  void load(const Reduction& reduction, const void* packed, std::size_t count);
  void store(const Reduction& reduction, std::byte* packed, std::size_t count) const;

 private:
  std::unique_ptr<std::byte[]> memory_;
  std::byte* data_;
};

class UserTree {
 public:
  /// The sources are packed, and so is what evaluate writes.
  UserTree(const Reduction& reduction, const void* const* sources, std::size_t k, std::size_t count)
      : reduction_(reduction), sources_(sources), k_(k), count_(count) {}

  /// Not evaluated in `dst`, because it may be one of the sources.
  void evaluate(std::byte* dst);

 private:
  void evaluate(std::size_t lo, std::size_t hi, std::size_t level);
  const void* left_operand(std::size_t lo, std::size_t mid, std::size_t level);
  ElementArray& array(std::size_t level);

  const Reduction& reduction_;
  const void* const* sources_;
  std::size_t k_;
  std::size_t count_;
  std::vector<ElementArray> arrays_;
};

}  // namespace foldlane::engine
