// The datatypes of a host, as far as moving data goes. What is not dense the host packs and unpacks.
#pragma once

#include <cstddef>
#include <cstdint>

#include "api/host/host.hpp"
#include "api/host/reductions.hpp"

namespace foldlane::host {

struct Datatype {
  Handle handle = 0;
  std::int64_t bytes = 0;  // of an element, packed; negative: the host does not know the datatype
  std::ptrdiff_t extent = 0;
  bool is_dense = true;

  bool is_known() const noexcept { return bytes >= 0; }
};

/// What the host says of it.
Datatype ask_for_datatype(const Host& host, Handle handle);

inline Datatype datatype_of(const Host& host, const Reductions& reductions, Handle handle) {
  const auto bytes = static_cast<std::int64_t>(reductions.dense_bytes(handle));
  if (bytes > 0) [[likely]]
    return {handle, bytes, static_cast<std::ptrdiff_t>(bytes), true};
  return ask_for_datatype(host, handle);
}

/// Elements of a buffer. `comm` is any communicator.
struct Elements {
  std::byte* buffer;
  std::int64_t count;
  const Datatype& type;
};
/// Of elements that have bytes. Throws if the host cannot.
void pack(const Host& host, Handle comm, const Elements& elements, std::byte* packed);
void unpack(const Host& host, Handle comm, const Elements& elements, const std::byte* packed);

}  // namespace foldlane::host
