// MPI_Type_get_envelope, MPI_Type_get_contents: how a datatype was made.
#include <fmt/format.h>

#include <algorithm>

#include "api/core/calls.hpp"
#include "api/datatype/datatype_args.hpp"
#include "api/datatype/datatype_store.hpp"

namespace foldlane::api {
namespace {

const Contents& contents_of(const Datatype& type) {
  static const Contents named;
  return type.contents != nullptr ? *type.contents : named;
}

// The forms without large counts have no place for them.
void check_no_large_counts(Call call, const Contents& contents) {
  if (contents.large_counts.empty()) return;
  fail(MPI_ERR_TYPE, fmt::format("the datatype was made with large counts; call {}_c", call.name));
}

const Contents& check_contents(const Datatype& type) {
  if (type.contents == nullptr) {
    fail(MPI_ERR_TYPE, fmt::format("{} is a named datatype and has no contents", describe(type)));
  }
  return *type.contents;
}

template <class T>
void check_room(std::int64_t room, const std::vector<T>& needed, const T* array, const char* parameter) {
  const auto count = static_cast<std::int64_t>(needed.size());
  if (room < count) {
    fail(MPI_ERR_ARG,
         fmt::format("max_{0} is {1}, but the datatype was made of {2} {0}", parameter, room, count));
  }
  check_array(array, count, parameter);
}

// Who asks gets handles of its own, and has to free them; predefined datatypes keep theirs.
void put_types(const Contents& contents, MPI_Datatype* datatypes_out) {
  for (const auto& type : contents.types) {
    *datatypes_out++ = type->predefined() ? type->handle : add_equal(*type);
  }
}

void check_types_room(std::int64_t room, const Contents& contents, const MPI_Datatype* array) {
  const std::vector<MPI_Datatype> needed(contents.types.size());
  check_room(room, needed, array, "datatypes");
}

}  // namespace

int type_get_envelope(Call call, MPI_Datatype datatype, int* integers, int* addresses, int* datatypes_out,
                      int* combiner) {
  return run(call, [&] {
    check_active();
    const Contents& contents = contents_of(check_datatype(datatype));
    check_no_large_counts(call, contents);
    check_output(integers, "num_integers");
    check_output(addresses, "num_addresses");
    check_output(datatypes_out, "num_datatypes");
    *check_output(combiner, "combiner") = contents.combiner;
    *integers = static_cast<int>(contents.integers.size());
    *addresses = static_cast<int>(contents.addresses.size());
    *datatypes_out = static_cast<int>(contents.types.size());
  });
}

int type_get_envelope(Call call, MPI_Datatype datatype, MPI_Count* integers, MPI_Count* addresses,
                      MPI_Count* large_counts, MPI_Count* datatypes_out, int* combiner) {
  return run(call, [&] {
    check_active();
    const Contents& contents = contents_of(check_datatype(datatype));
    check_output(integers, "num_integers");
    check_output(addresses, "num_addresses");
    check_output(large_counts, "num_large_counts");
    check_output(datatypes_out, "num_datatypes");
    *check_output(combiner, "combiner") = contents.combiner;
    *integers = static_cast<MPI_Count>(contents.integers.size());
    *addresses = static_cast<MPI_Count>(contents.addresses.size());
    *large_counts = static_cast<MPI_Count>(contents.large_counts.size());
    *datatypes_out = static_cast<MPI_Count>(contents.types.size());
  });
}

int type_get_contents(Call call, MPI_Datatype datatype, int max_integers, int max_addresses,
                      int max_datatypes, int* integers, MPI_Aint* addresses, MPI_Datatype* datatypes_out) {
  return run(call, [&] {
    check_active();
    const Contents& contents = check_contents(check_datatype(datatype));
    check_no_large_counts(call, contents);
    check_room(max_integers, contents.integers, integers, "integers");
    check_room(max_addresses, contents.addresses, addresses, "addresses");
    check_types_room(max_datatypes, contents, datatypes_out);
    std::copy(contents.integers.begin(), contents.integers.end(), integers);
    std::copy(contents.addresses.begin(), contents.addresses.end(), addresses);
    put_types(contents, datatypes_out);
  });
}

int type_get_contents(Call call, MPI_Datatype datatype, MPI_Count max_integers, MPI_Count max_addresses,
                      MPI_Count max_large_counts, MPI_Count max_datatypes, int* integers, MPI_Aint* addresses,
                      MPI_Count* large_counts, MPI_Datatype* datatypes_out) {
  return run(call, [&] {
    check_active();
    const Contents& contents = check_contents(check_datatype(datatype));
    check_room(max_integers, contents.integers, integers, "integers");
    check_room(max_addresses, contents.addresses, addresses, "addresses");
    check_room(max_large_counts, contents.large_counts, large_counts, "large_counts");
    check_types_room(max_datatypes, contents, datatypes_out);
    std::copy(contents.integers.begin(), contents.integers.end(), integers);
    std::copy(contents.addresses.begin(), contents.addresses.end(), addresses);
    std::copy(contents.large_counts.begin(), contents.large_counts.end(), large_counts);
    put_types(contents, datatypes_out);
  });
}

}  // namespace foldlane::api
