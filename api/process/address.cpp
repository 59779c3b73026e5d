// MPI_Get_address, MPI_Aint_add, MPI_Aint_diff: addresses are plain integers here. Legal at any time.
#include "api/core/calls.hpp"
#include "api/errors/args.hpp"

namespace foldlane::api {
namespace {

// Unsigned, because an address above the middle of the address space must wrap instead of overflow.
std::uintptr_t bits(MPI_Aint value) { return static_cast<std::uintptr_t>(value); }

}  // namespace

int get_address(Call call, const void* location, MPI_Aint* address) {
  return run(call, [&] { *check_output(address, "address") = reinterpret_cast<MPI_Aint>(location); });
}

MPI_Aint aint_add(Call, MPI_Aint base, MPI_Aint displacement) {
  return static_cast<MPI_Aint>(bits(base) + bits(displacement));
}

MPI_Aint aint_diff(Call, MPI_Aint minuend, MPI_Aint subtrahend) {
  return static_cast<MPI_Aint>(bits(minuend) - bits(subtrahend));
}

}  // namespace foldlane::api
