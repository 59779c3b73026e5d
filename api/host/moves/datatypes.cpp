#include "api/host/moves/datatypes.hpp"

#include <algorithm>
#include <stdexcept>

namespace foldlane::host {
namespace {

/// Calls `move` for runs of elements that the host's integers can count.
template <class Move>
void in_runs(const Elements& elements, const Move& move) {
  constexpr std::int64_t kMostBytes = 1 << 30;
  const Datatype& type = elements.type;
  if (type.bytes > kMostBytes)
    throw std::runtime_error("this MPI packs no datatype of more than 1 GiB; send several smaller elements");
  const std::int64_t most = kMostBytes / type.bytes;
  for (std::int64_t first = 0; first < elements.count; first += most) {
    const std::int64_t count = std::min(most, elements.count - first);
    const int result = move(elements.buffer + first * type.extent, static_cast<int>(count),
                            first * type.bytes, static_cast<int>(count * type.bytes));
    if (result != 0) throw std::runtime_error("MPI_Pack or MPI_Unpack has failed");
  }
}

}  // namespace

Datatype ask_for_datatype(const Host& host, Handle handle) {
  Datatype type{handle, -1, 0, false};
  std::ptrdiff_t lower_bound = 0;
  if (host.call().Type_size_x(handle, &type.bytes) != 0) type.bytes = -1;
  if (host.call().Type_get_extent(handle, &lower_bound, &type.extent) != 0) type.bytes = -1;
  return type;
}

void pack(const Host& host, Handle comm, const Elements& elements, std::byte* packed) {
  in_runs(elements, [&](const std::byte* from, int count, std::int64_t at, int bytes) {
    int position = 0;
    return host.call().Pack(from, count, elements.type.handle, packed + at, bytes, &position, comm);
  });
}

void unpack(const Host& host, Handle comm, const Elements& elements, const std::byte* packed) {
  in_runs(elements, [&](std::byte* to, int count, std::int64_t at, int bytes) {
    int position = 0;
    return host.call().Unpack(packed + at, bytes, &position, to, count, elements.type.handle, comm);
  });
}

}  // namespace foldlane::host
