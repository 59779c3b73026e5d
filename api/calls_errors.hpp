// Error codes and error handlers.
#pragma once

#include <mpi.h>

#include "api/call.hpp"

namespace foldlane::api {

// errors.cpp
int error_class(Call call, int code, int* error_class);
int error_string(Call call, int code, char* string, int* length);
int add_error_class(Call call, int* error_class);
int add_error_code(Call call, int error_class, int* code);
int add_error_string(Call call, int code, const char* string);
int remove_error_class(Call call, int error_class);
int remove_error_code(Call call, int code);
int remove_error_string(Call call, int code);

// errhandler.cpp
int comm_get_errhandler(Call call, MPI_Comm comm, MPI_Errhandler* errhandler);
int comm_set_errhandler(Call call, MPI_Comm comm, MPI_Errhandler errhandler);
int errhandler_free(Call call, MPI_Errhandler* errhandler);

}  // namespace foldlane::api
