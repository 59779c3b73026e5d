// The basic elements of a datatype, and how many of them a number of bytes holds.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "api/datatype/datatype.hpp"

namespace foldlane::api {

/// Equal elements that follow each other, without padding.
struct ElementRun {
  std::int64_t count;
  std::int64_t bytes;  // of one element
};

/// How many elements the first `bytes` bytes of items made of these runs are; nothing if they end within an
/// element.
std::optional<std::int64_t> elements_in(std::int64_t bytes, std::span<const ElementRun> runs) noexcept;

/// The bytes of the first `elements` elements; nothing if they are more than 64 bits count, or if an item has
/// no elements.
std::optional<std::int64_t> bytes_of(std::int64_t elements, std::span<const ElementRun> runs) noexcept;

/// The same two questions for items of a datatype.
std::optional<std::int64_t> elements_in(std::int64_t bytes, const Datatype& type);
std::optional<std::int64_t> bytes_of(std::int64_t elements, const Datatype& type);

}  // namespace foldlane::api
