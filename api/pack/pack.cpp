// MPI_Pack, MPI_Unpack, MPI_Pack_size: the packed form is the bytes of the elements one after the other.
#include <fmt/format.h>

#include <limits>

#include "api/core/calls.hpp"
#include "api/datatype/datatype_args.hpp"
#include "api/objects/communicator.hpp"

namespace foldlane::api {
namespace {

const Datatype& check_packable(MPI_Datatype datatype) {
  const Datatype& type = check_datatype(datatype);
  check_committed(type);
  return type;
}

template <class Position>
int pack_elements(Call call, const void* buffer, std::int64_t count, MPI_Datatype datatype, void* packed,
                  std::int64_t size, Position* position, MPI_Comm comm) {
  return run(call, comm, [&] {
    check_communicator(comm);
    const Datatype& type = check_packable(datatype);
    const std::size_t bytes = check_packed_count(count, type);
    const std::size_t at = check_position(*check_output(position, "position"), size, bytes);
    check_elements(buffer, bytes, type, "inbuf");
    check_buffer(packed, bytes, "outbuf");
    if (bytes == 0) return;
    type.type_map->pack(static_cast<std::byte*>(packed) + at, static_cast<const std::byte*>(buffer), 0,
                        bytes);
    *position = static_cast<Position>(at + bytes);
  });
}

template <class Position>
int unpack_elements(Call call, const void* packed, std::int64_t size, Position* position, void* buffer,
                    std::int64_t count, MPI_Datatype datatype, MPI_Comm comm) {
  return run(call, comm, [&] {
    check_communicator(comm);
    const Datatype& type = check_packable(datatype);
    const std::size_t bytes = check_packed_count(count, type);
    const std::size_t at = check_position(*check_output(position, "position"), size, bytes);
    check_buffer(packed, bytes, "inbuf");
    check_elements(buffer, bytes, type, "outbuf");
    if (bytes == 0) return;
    type.type_map->unpack(static_cast<std::byte*>(buffer), static_cast<const std::byte*>(packed) + at, 0,
                          bytes);
    *position = static_cast<Position>(at + bytes);
  });
}

}  // namespace

int pack(Call call, const void* buffer, MPI_Count count, MPI_Datatype datatype, void* packed, MPI_Count size,
         int* position, MPI_Comm comm) {
  return pack_elements(call, buffer, count, datatype, packed, size, position, comm);
}

int pack(Call call, const void* buffer, MPI_Count count, MPI_Datatype datatype, void* packed, MPI_Count size,
         MPI_Count* position, MPI_Comm comm) {
  return pack_elements(call, buffer, count, datatype, packed, size, position, comm);
}

int unpack(Call call, const void* packed, MPI_Count size, int* position, void* buffer, MPI_Count count,
           MPI_Datatype datatype, MPI_Comm comm) {
  return unpack_elements(call, packed, size, position, buffer, count, datatype, comm);
}

int unpack(Call call, const void* packed, MPI_Count size, MPI_Count* position, void* buffer, MPI_Count count,
           MPI_Datatype datatype, MPI_Comm comm) {
  return unpack_elements(call, packed, size, position, buffer, count, datatype, comm);
}

int pack_size(Call call, MPI_Count count, MPI_Datatype datatype, MPI_Comm comm, int* size) {
  return run(call, comm, [&] {
    check_communicator(comm);
    const std::size_t bytes = check_packed_count(count, check_datatype(datatype));
    check_output(size, "size");
    if (bytes > std::numeric_limits<int>::max()) {
      fail(MPI_ERR_VALUE_TOO_LARGE,
           fmt::format("{} bytes do not fit into an int; call MPI_Pack_size_c", bytes));
    }
    *size = static_cast<int>(bytes);
  });
}

int pack_size(Call call, MPI_Count count, MPI_Datatype datatype, MPI_Comm comm, MPI_Count* size) {
  return run(call, comm, [&] {
    check_communicator(comm);
    const std::size_t bytes = check_packed_count(count, check_datatype(datatype));
    *check_output(size, "size") = static_cast<MPI_Count>(bytes);
  });
}

}  // namespace foldlane::api
