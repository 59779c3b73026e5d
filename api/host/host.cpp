#include "api/host/host.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iterator>

namespace foldlane::host {
namespace {

/// The values as the tables have them: numbers, for Open MPI the names of what a handle is the address of,
/// and "-".
struct Row {
  std::string_view name;
  const char* standard;
  const char* mpich;
  const char* openmpi;
};

constexpr Row kRows[] = {
#include "host_constants.inc"
};

const char* text_of(const Row& row, Abi abi) {
  if (abi == Abi::standard) return row.standard;
  return abi == Abi::mpich ? row.mpich : row.openmpi;
}

template <class Function>
bool find(void* library, const char* name, Function*& function) {
  function = reinterpret_cast<Function*>(dlsym(library, name));
  return function != nullptr;
}

bool find_calls(void* library, CommunicatorCalls& calls) {
  return find(library, "PMPI_Comm_call_errhandler", calls.Comm_call_errhandler) &&
         find(library, "PMPI_Comm_create_keyval", calls.Comm_create_keyval) &&
         find(library, "PMPI_Comm_free", calls.Comm_free) &&
         find(library, "PMPI_Comm_get_attr", calls.Comm_get_attr) &&
         find(library, "PMPI_Comm_group", calls.Comm_group) &&
         find(library, "PMPI_Comm_rank", calls.Comm_rank) &&
         find(library, "PMPI_Comm_set_attr", calls.Comm_set_attr) &&
         find(library, "PMPI_Comm_size", calls.Comm_size) &&
         find(library, "PMPI_Comm_split", calls.Comm_split) &&
         find(library, "PMPI_Comm_split_type", calls.Comm_split_type) &&
         find(library, "PMPI_Comm_test_inter", calls.Comm_test_inter) &&
         find(library, "PMPI_Group_free", calls.Group_free) &&
         find(library, "PMPI_Group_translate_ranks", calls.Group_translate_ranks);
}

bool find_calls(void* library, MessageCalls& calls) {
  return find(library, "PMPI_Iprobe", calls.Iprobe) && find(library, "PMPI_Irecv", calls.Irecv) &&
         find(library, "PMPI_Isend", calls.Isend) && find(library, "PMPI_Test", calls.Test) &&
         find(library, "PMPI_Wait", calls.Wait);
}

bool find_all(void* library, HostCalls& calls) {
  return find_calls(library, static_cast<CommunicatorCalls&>(calls)) &&
         find_calls(library, static_cast<MessageCalls&>(calls)) && find(library, "PMPI_Abort", calls.Abort) &&
         find(library, "PMPI_Allgather", calls.Allgather) &&
         find(library, "PMPI_Allgatherv", calls.Allgatherv) &&
         find(library, "PMPI_Allreduce", calls.Allreduce) && find(library, "PMPI_Alltoall", calls.Alltoall) &&
         find(library, "PMPI_Alltoallv", calls.Alltoallv) && find(library, "PMPI_Barrier", calls.Barrier) &&
         find(library, "PMPI_Bcast", calls.Bcast) && find(library, "PMPI_Gather", calls.Gather) &&
         find(library, "PMPI_Gatherv", calls.Gatherv) &&
         find(library, "PMPI_Get_library_version", calls.Get_library_version) &&
         find(library, "PMPI_Ibarrier", calls.Ibarrier) && find(library, "PMPI_Pack", calls.Pack) &&
         find(library, "PMPI_Query_thread", calls.Query_thread) &&
         find(library, "PMPI_Scatterv", calls.Scatterv) &&
         find(library, "PMPI_Type_get_extent", calls.Type_get_extent) &&
         find(library, "PMPI_Type_size_x", calls.Type_size_x) && find(library, "PMPI_Unpack", calls.Unpack);
}

bool has_standard_abi(void* library) {
  int (*get_version)(int*, int*) = nullptr;
  int major = -1, minor = -1;  // a library with another ABI says so
  return find(library, "PMPI_Abi_get_version", get_version) && get_version(&major, &minor) == 0 && major >= 1;
}

bool has_mpich_abi(void* library) {
  constexpr std::size_t kLongestText = 8192 + 1;
  int (*get_version)(char*, int*) = nullptr;
  std::array<char, kLongestText> text{};
  int length = 0;
  if (!find(library, "PMPI_Get_library_version", get_version) || get_version(text.data(), &length) != 0)
    return false;
  const std::string_view version(text.data());
  const auto begins = [&](std::string_view name) { return version.substr(0, name.size()) == name; };
  return begins("MPICH") || begins("Intel") || begins("MVAPICH");
}

std::optional<Abi> abi_of(void* library) {
  if (has_standard_abi(library)) return Abi::standard;
  if (dlsym(library, "ompi_mpi_comm_world") != nullptr) return Abi::openmpi;
  if (has_mpich_abi(library)) return Abi::mpich;
  return std::nullopt;
}

}  // namespace

Host::Host(void* library, Abi abi)
    : library_(library), abi_(abi), mask_(abi == Abi::mpich ? 0xffffffffU : ~Handle{0}) {
  const auto word = [this](std::string_view name) { return value(name).value_or(0); };
  const auto number = [&](std::string_view name) { return static_cast<int>(word(name)); };
  constants_ = {.world = word("MPI_COMM_WORLD"),
                .comm_null = word("MPI_COMM_NULL"),
                .byte = word("MPI_BYTE"),
                .in_place = reinterpret_cast<void*>(word("MPI_IN_PLACE")),
                .status_ignore = reinterpret_cast<void*>(word("MPI_STATUS_IGNORE")),
                .any_source = number("MPI_ANY_SOURCE"),
                .undefined = number("MPI_UNDEFINED"),
                .thread_multiple = number("MPI_THREAD_MULTIPLE"),
                .err_other = number("MPI_ERR_OTHER")};
}

std::optional<Host> Host::find(void* library) {
  const auto abi = abi_of(library);
  if (!abi) return std::nullopt;
  Host host(library, *abi);
  if (!find_all(library, host.calls_)) return std::nullopt;
  return host;
}

std::optional<Handle> Host::value(std::string_view name) const {
  const auto* const row =
      std::find_if(std::begin(kRows), std::end(kRows), [name](const Row& each) { return each.name == name; });
  const std::string_view text = row == std::end(kRows) ? "-" : text_of(*row, abi_);
  if (text == "-") return std::nullopt;
  if (text.substr(0, 5) != "ompi_") return static_cast<Handle>(std::strtoll(text.data(), nullptr, 0));
  // A program that was not built for a shared library has a copy of the object, and means that one.
  void* object = dlsym(RTLD_DEFAULT, text.data());
  if (object == nullptr) object = dlsym(library_, text.data());
  if (object == nullptr) return std::nullopt;
  return reinterpret_cast<Handle>(object);
}

}  // namespace foldlane::host
