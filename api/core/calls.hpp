// The implementations behind the generated entry points: MPI_Xxx_yyy is api::xxx_yyy. The forms of a call
// with int, with MPI_Count (_c, _x) counts are one function where int widens by itself, and overloads where a
// pointer differs.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <type_traits>

#include "api/core/call.hpp"
#include "api/core/calls_attributes.hpp"
#include "api/core/calls_collective.hpp"
#include "api/core/calls_comm.hpp"
#include "api/core/calls_datatype.hpp"
#include "api/core/calls_errors.hpp"
#include "api/core/calls_group.hpp"
#include "api/core/calls_info.hpp"
#include "api/core/calls_p2p.hpp"
#include "api/core/calls_request.hpp"
#include "api/core/calls_session.hpp"
#include "api/core/calls_status.hpp"
#include "api/core/calls_tool.hpp"
#include "api/core/calls_topology.hpp"

namespace foldlane::api {

// An MPI_Aint* argument reaches the functions below that take an MPI_Count*.
static_assert(std::is_same_v<MPI_Aint, MPI_Count>, "Foldlane needs 64-bit addresses");

// environment.cpp
int init(Call call, int* argc, char*** argv);
int init_thread(Call call, int* argc, char*** argv, int required, int* provided);
int finalize(Call call);
int initialized(Call call, int* flag);
int finalized(Call call, int* flag);
int abort(Call call, MPI_Comm comm, int code);
int is_thread_main(Call call, int* flag);
int query_thread(Call call, int* provided);
int pcontrol(Call call, int level);

// identity.cpp
int get_version(Call call, int* version, int* subversion);
int get_library_version(Call call, char* version, int* length);
int abi_get_version(Call call, int* major, int* minor);
int get_processor_name(Call call, char* name, int* length);
double wtime(Call call);
double wtick(Call call);

// address.cpp
int get_address(Call call, const void* location, MPI_Aint* address);
MPI_Aint aint_add(Call call, MPI_Aint base, MPI_Aint displacement);
MPI_Aint aint_diff(Call call, MPI_Aint minuend, MPI_Aint subtrahend);

// op.cpp
int op_create(Call call, MPI_User_function* function, int commute, MPI_Op* op);
int op_create(Call call, MPI_User_function_c* function, int commute, MPI_Op* op);
int op_free(Call call, MPI_Op* op);
int op_commutative(Call call, MPI_Op op, int* commute);

// memory.cpp
int alloc_mem(Call call, MPI_Aint size, MPI_Info info, void* baseptr);
int free_mem(Call call, void* base);

int reduce_local(Call call, const void* in, void* inout, MPI_Count count, MPI_Datatype datatype, MPI_Op op);

// Every handle is a positive int in the clothes of a pointer, so that it survives the way through Fortran.
template <class Handle>
int handle_to_int(Handle handle) noexcept {
  return static_cast<int>(reinterpret_cast<std::intptr_t>(handle));
}

template <class Handle>
Handle handle_from_int(int value) noexcept {
  return reinterpret_cast<Handle>(static_cast<std::intptr_t>(value));
}

}  // namespace foldlane::api
