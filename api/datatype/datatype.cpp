// Datatypes as they are: sizes, extents, names, MPI_Type_commit, MPI_Type_free.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "api/attributes/attribute_calls.hpp"
#include "api/core/calls.hpp"
#include "api/datatype/checks.hpp"
#include "api/datatype/datatype_store.hpp"
#include "api/datatype/type_attributes.hpp"
#include "api/errors/args.hpp"

namespace foldlane::api {

int type_size(Call call, MPI_Datatype datatype, int* size) {
  return run(call, [&] {
    check_active();
    const std::int64_t bytes = check_datatype(datatype).size;
    *check_output(size, "size") =
        bytes > std::numeric_limits<int>::max() ? MPI_UNDEFINED : static_cast<int>(bytes);
  });
}

int type_size(Call call, MPI_Datatype datatype, MPI_Count* size) {
  return run(call, [&] {
    check_active();
    *check_output(size, "size") = check_datatype(datatype).size;
  });
}

int type_get_extent(Call call, MPI_Datatype datatype, MPI_Count* lower_bound, MPI_Count* extent) {
  return run(call, [&] {
    check_active();
    const Datatype& type = check_datatype(datatype);
    check_output(extent, "extent");
    *check_output(lower_bound, "lb") = type.lower_bound;
    *extent = type.extent;
  });
}

int type_get_true_extent(Call call, MPI_Datatype datatype, MPI_Count* lower_bound, MPI_Count* extent) {
  return run(call, [&] {
    check_active();
    const Datatype& type = check_datatype(datatype);
    check_output(extent, "true_extent");
    *check_output(lower_bound, "true_lb") = type.true_lb;
    *extent = type.true_extent;
  });
}

int type_commit(Call call, MPI_Datatype* datatype) {
  return run(call, [&] {
    check_active();
    check_datatype(*check_output(datatype, "datatype"));
    commit_datatype(*datatype);
  });
}

int type_free(Call call, MPI_Datatype* datatype) {
  return run(call, [&] {
    check_active();
    const Datatype& type = check_datatype(*check_output(datatype, "datatype"));
    if (type.predefined()) {
      fail(MPI_ERR_TYPE, fmt::format("{} is predefined and cannot be freed", describe(type)));
    }
    check_callbacks(destroy_type_attributes(*datatype));
    free_datatype(*datatype);
    *datatype = MPI_DATATYPE_NULL;
  });
}

int type_get_name(Call call, MPI_Datatype datatype, char* name, int* length) {
  return run(call, [&] {
    check_active();
    const std::string text = datatype == MPI_DATATYPE_NULL ? std::string("MPI_DATATYPE_NULL")
                                                           : datatype_name(check_datatype(datatype));
    check_output(length, "resultlen");
    copy_text(text, MPI_MAX_OBJECT_NAME, check_output(name, "type_name"), length);
  });
}

int type_set_name(Call call, MPI_Datatype datatype, const char* name) {
  return run(call, [&] {
    check_active();
    check_datatype(datatype);
    check_output(name, "type_name");
    set_datatype_name(datatype, {name, strnlen(name, MPI_MAX_OBJECT_NAME - 1)});
  });
}

}  // namespace foldlane::api
