// The representation "external32": big-endian, without padding, with the sizes of the standard's table.
#pragma once

#include <cstddef>
#include <cstdint>

#include "api/datatype/datatype.hpp"

namespace foldlane::api {

/// Bytes of `count` elements; a Failure if they exceed 63 bits.
std::uint64_t external_bytes(const Datatype& type, std::uint64_t count);

/// Converts `count` elements between their packed native form and their external one. A Failure if a number
/// has no place in the other form.
void write_external(const Datatype& type, std::uint64_t count, const std::byte* native, std::byte* external);
void read_external(const Datatype& type, std::uint64_t count, const std::byte* external, std::byte* native);

}  // namespace foldlane::api
