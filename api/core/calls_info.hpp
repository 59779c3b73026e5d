// The info calls and those about the ABI, behind the generated entry points.
#pragma once

#include <mpi.h>

#include "api/core/call.hpp"

namespace foldlane::api {

// info.cpp
int info_create(Call call, MPI_Info* info);
int info_create_env(Call call, int argc, char** argv, MPI_Info* info);
int info_dup(Call call, MPI_Info info, MPI_Info* newinfo);
int info_free(Call call, MPI_Info* info);
int info_set(Call call, MPI_Info info, const char* key, const char* value);
int info_delete(Call call, MPI_Info info, const char* key);
int info_get(Call call, MPI_Info info, const char* key, int valuelen, char* value, int* flag);
int info_get_string(Call call, MPI_Info info, const char* key, int* buflen, char* value, int* flag);
int info_get_valuelen(Call call, MPI_Info info, const char* key, int* valuelen, int* flag);
int info_get_nkeys(Call call, MPI_Info info, int* nkeys);
int info_get_nthkey(Call call, MPI_Info info, int n, char* key);

// abi.cpp
int abi_get_info(Call call, MPI_Info* info);
int abi_get_fortran_info(Call call, MPI_Info* info);
int abi_set_fortran_info(Call call, MPI_Info info);
int abi_get_fortran_booleans(Call call, int logical_size, void* logical_true, void* logical_false,
                             int* is_set);
int abi_set_fortran_booleans(Call call, int logical_size, void* logical_true, void* logical_false);

}  // namespace foldlane::api
