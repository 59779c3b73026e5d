// MPI_Type_size, MPI_Type_get_extent.
#include "api/args.hpp"
#include "api/calls.hpp"

namespace foldlane::api {
namespace {

template <class Count>
int put_size(Call call, MPI_Datatype datatype, Count* size) {
  return run(call, [&] {
    check_active();
    *check_output(size, "size") = check_datatype(datatype).size;
  });
}

}  // namespace

int type_size(Call call, MPI_Datatype datatype, int* size) { return put_size(call, datatype, size); }
int type_size(Call call, MPI_Datatype datatype, MPI_Count* size) { return put_size(call, datatype, size); }

int type_get_extent(Call call, MPI_Datatype datatype, MPI_Count* lower_bound, MPI_Count* extent) {
  return run(call, [&] {
    check_active();
    const Datatype& type = check_datatype(datatype);
    *check_output(lower_bound, "lb") = 0;
    *check_output(extent, "extent") = type.extent;
  });
}

}  // namespace foldlane::api
