// Error codes and error handlers.
#pragma once

#include <mpi.h>

#include "api/core/call.hpp"

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
int comm_create_errhandler(Call call, MPI_Comm_errhandler_function* function, MPI_Errhandler* errhandler);
int comm_get_errhandler(Call call, MPI_Comm comm, MPI_Errhandler* errhandler);
int comm_set_errhandler(Call call, MPI_Comm comm, MPI_Errhandler errhandler);
int comm_call_errhandler(Call call, MPI_Comm comm, int code);
int session_create_errhandler(Call call, MPI_Session_errhandler_function* function,
                              MPI_Errhandler* errhandler);
int session_get_errhandler(Call call, MPI_Session session, MPI_Errhandler* errhandler);
int session_set_errhandler(Call call, MPI_Session session, MPI_Errhandler errhandler);
int session_call_errhandler(Call call, MPI_Session session, int code);
int file_create_errhandler(Call call, MPI_File_errhandler_function* function, MPI_Errhandler* errhandler);
int file_get_errhandler(Call call, MPI_File file, MPI_Errhandler* errhandler);
int file_set_errhandler(Call call, MPI_File file, MPI_Errhandler errhandler);
int file_call_errhandler(Call call, MPI_File file, int code);
int win_create_errhandler(Call call, MPI_Win_errhandler_function* function, MPI_Errhandler* errhandler);
int win_get_errhandler(Call call, MPI_Win win, MPI_Errhandler* errhandler);
int win_set_errhandler(Call call, MPI_Win win, MPI_Errhandler errhandler);
int win_call_errhandler(Call call, MPI_Win win, int code);
int errhandler_free(Call call, MPI_Errhandler* errhandler);

}  // namespace foldlane::api
