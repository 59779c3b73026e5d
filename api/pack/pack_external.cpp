// MPI_Pack_external, MPI_Unpack_external, MPI_Pack_external_size.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "api/core/calls.hpp"
#include "api/datatype/datatype_args.hpp"
#include "api/datatype/external32.hpp"

namespace foldlane::api {
namespace {

void check_representation(const char* representation) {
  check_output(representation, "datarep");
  if (std::strcmp(representation, "external32") != 0) {
    fail(MPI_ERR_UNSUPPORTED_DATAREP,
         fmt::format("the data representation '{:.128}' is not known; \"external32\" is", representation));
  }
}

/// The elements of one call, converted some at a time.
struct Elements {
  const Datatype& type;
  std::uint64_t count;

  std::size_t size() const { return static_cast<std::size_t>(type.size); }

  template <class Convert>
  void convert(const Convert& some) const {
    constexpr std::size_t kBatchBytes = 65536;
    const std::uint64_t batch = std::min(count, std::max<std::uint64_t>(kBatchBytes / size(), 1));
    std::vector<std::byte> native(static_cast<std::size_t>(batch) * size());
    for (std::uint64_t first = 0; first < count; first += batch) {
      some(native.data(), first, std::min(batch, count - first));
    }
  }
};

struct Checked {
  Elements elements;
  std::size_t position;
  std::size_t bytes;  // external ones
};

Checked check(MPI_Datatype datatype, std::int64_t count, std::int64_t size, const MPI_Count* position) {
  const Datatype& type = check_datatype(datatype);
  check_committed(type);
  check_packed_count(count, type);
  const auto elements = static_cast<std::uint64_t>(count);
  const auto bytes = static_cast<std::size_t>(external_bytes(type, elements));
  return {{type, elements}, check_position(*check_output(position, "position"), size, bytes), bytes};
}

void write(const Elements& elements, const std::byte* buffer, std::byte* external) {
  elements.convert([&](std::byte* native, std::uint64_t first, std::uint64_t count) {
    elements.type.type_map->pack(native, buffer, first * elements.size(), count * elements.size());
    write_external(elements.type, count, native, external);
    external += external_bytes(elements.type, count);
  });
}

void read(const Elements& elements, const std::byte* external, std::byte* buffer) {
  elements.convert([&](std::byte* native, std::uint64_t first, std::uint64_t count) {
    read_external(elements.type, count, external, native);
    external += external_bytes(elements.type, count);
    elements.type.type_map->unpack(buffer, native, first * elements.size(), count * elements.size());
  });
}

}  // namespace

int pack_external(Call call, const char* representation, const void* buffer, MPI_Count count,
                  MPI_Datatype datatype, void* packed, MPI_Count size, MPI_Count* position) {
  return run(call, [&] {
    check_active();
    check_representation(representation);
    const Checked checked = check(datatype, count, size, position);
    check_elements(buffer, checked.bytes, checked.elements.type, "inbuf");
    check_buffer(packed, checked.bytes, "outbuf");
    if (checked.bytes == 0) return;
    write(checked.elements, static_cast<const std::byte*>(buffer),
          static_cast<std::byte*>(packed) + checked.position);
    *position = static_cast<MPI_Count>(checked.position + checked.bytes);
  });
}

int unpack_external(Call call, const char* representation, const void* packed, MPI_Count size,
                    MPI_Count* position, void* buffer, MPI_Count count, MPI_Datatype datatype) {
  return run(call, [&] {
    check_active();
    check_representation(representation);
    const Checked checked = check(datatype, count, size, position);
    check_buffer(packed, checked.bytes, "inbuf");
    check_elements(buffer, checked.bytes, checked.elements.type, "outbuf");
    if (checked.bytes == 0) return;
    read(checked.elements, static_cast<const std::byte*>(packed) + checked.position,
         static_cast<std::byte*>(buffer));
    *position = static_cast<MPI_Count>(checked.position + checked.bytes);
  });
}

int pack_external_size(Call call, const char* representation, MPI_Count count, MPI_Datatype datatype,
                       MPI_Count* size) {
  return run(call, [&] {
    check_active();
    check_representation(representation);
    const Datatype& type = check_datatype(datatype);
    check_packed_count(count, type);
    const std::uint64_t bytes = external_bytes(type, static_cast<std::uint64_t>(count));
    *check_output(size, "size") = static_cast<MPI_Count>(bytes);
  });
}

}  // namespace foldlane::api
