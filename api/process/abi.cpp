// The calls about the ABI itself: sizes of its integers, and what a Fortran binding tells about its types.
#include <fmt/format.h>

#include <cstdint>
#include <cstring>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "api/core/calls.hpp"
#include "api/datatype/checks.hpp"
#include "api/errors/args.hpp"
#include "api/info/info.hpp"

namespace foldlane::api {
namespace {

struct Booleans {
  std::int32_t yes;
  std::int32_t no;
};

// What the predefined logical operations compute with.
constexpr Booleans kBooleans{1, 0};

std::mutex fortran;
std::optional<InfoMap> fortran_info;
bool booleans_set = false;

struct FortranSize {
  const char* key;
  MPI_Datatype datatype;
};

const FortranSize kFortranSizes[] = {{"mpi_logical_size", MPI_LOGICAL},
                                     {"mpi_integer_size", MPI_INTEGER},
                                     {"mpi_real_size", MPI_REAL},
                                     {"mpi_double_precision_size", MPI_DOUBLE_PRECISION}};

// The datatypes have fixed sizes here; a binding with others would be served wrong data.
void check_size(const InfoMap& map, const FortranSize& expected) {
  const std::string size = std::to_string(check_datatype(expected.datatype).size);
  const std::string* given = map.find(expected.key);
  if (given == nullptr || *given == size) return;
  fail(MPI_ERR_ABI, fmt::format("{} is \"{}\"; this library supports \"{}\"", expected.key, *given, size));
}

void check_logical_size(int logical_size) {
  const std::int64_t supported = check_datatype(MPI_LOGICAL).size;
  if (logical_size != supported) {
    fail(MPI_ERR_ABI,
         fmt::format("the size of LOGICAL is {}; this library supports {}", logical_size, supported));
  }
}

std::int32_t boolean_at(const void* logical, const char* parameter) {
  std::int32_t value;
  std::memcpy(&value, check_output(logical, parameter), sizeof value);
  return value;
}

}  // namespace

int abi_get_info(Call call, MPI_Info* info) {
  return run(call, [&] {
    check_output(info, "info");
    InfoMap map;
    map.set("mpi_aint_size", std::to_string(sizeof(MPI_Aint)));
    map.set("mpi_count_size", std::to_string(sizeof(MPI_Count)));
    map.set("mpi_offset_size", std::to_string(sizeof(MPI_Offset)));
    *info = new_info_handle(std::move(map));
  });
}

int abi_get_fortran_info(Call call, MPI_Info* info) {
  return run(call, [&] {
    check_output(info, "info");
    const std::lock_guard lock(fortran);
    *info = fortran_info.has_value() ? new_info_handle(*fortran_info) : MPI_INFO_NULL;
  });
}

int abi_set_fortran_info(Call call, MPI_Info info) {
  return run(call, [&] {
    if (info == MPI_INFO_NULL) fail(MPI_ERR_INFO, "the info is MPI_INFO_NULL");
    InfoMap map = check_info(info);
    for (const FortranSize& expected : kFortranSizes) check_size(map, expected);
    const std::lock_guard lock(fortran);
    if (fortran_info.has_value()) fail(MPI_ERR_ABI, "the Fortran types have been described before");
    fortran_info = std::move(map);
  });
}

int abi_get_fortran_booleans(Call call, int logical_size, void* logical_true, void* logical_false,
                             int* is_set) {
  return run(call, [&] {
    check_logical_size(logical_size);
    check_output(logical_true, "logical_true");
    check_output(logical_false, "logical_false");
    check_output(is_set, "is_set");
    const std::lock_guard lock(fortran);
    *is_set = booleans_set;
    if (!booleans_set) return;
    std::memcpy(logical_true, &kBooleans.yes, sizeof kBooleans.yes);
    std::memcpy(logical_false, &kBooleans.no, sizeof kBooleans.no);
  });
}

int abi_set_fortran_booleans(Call call, int logical_size, void* logical_true, void* logical_false) {
  return run(call, [&] {
    check_logical_size(logical_size);
    const Booleans given{boolean_at(logical_true, "logical_true"),
                         boolean_at(logical_false, "logical_false")};
    if (given.yes != kBooleans.yes || given.no != kBooleans.no) {
      fail(MPI_ERR_ABI, fmt::format("true is {} and false is {}; this library computes with {} and {}",
                                    given.yes, given.no, kBooleans.yes, kBooleans.no));
    }
    const std::lock_guard lock(fortran);
    if (booleans_set) fail(MPI_ERR_ABI, "the Fortran booleans have been set before");
    booleans_set = true;
  });
}

}  // namespace foldlane::api
