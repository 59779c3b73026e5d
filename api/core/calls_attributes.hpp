// Attributes of communicators and datatypes, attribute keys, and names of communicators.
#pragma once

#include <mpi.h>

#include "api/core/call.hpp"

namespace foldlane::api {

// keyvals.cpp
int comm_create_keyval(Call call, MPI_Comm_copy_attr_function* copy, MPI_Comm_delete_attr_function* destroy,
                       int* keyval, void* extra_state);
int type_create_keyval(Call call, MPI_Type_copy_attr_function* copy, MPI_Type_delete_attr_function* destroy,
                       int* keyval, void* extra_state);
int win_create_keyval(Call call, MPI_Win_copy_attr_function* copy, MPI_Win_delete_attr_function* destroy,
                      int* keyval, void* extra_state);
int keyval_create(Call call, MPI_Copy_function* copy, MPI_Delete_function* destroy, int* keyval,
                  void* extra_state);
int comm_free_keyval(Call call, int* keyval);
int type_free_keyval(Call call, int* keyval);
int win_free_keyval(Call call, int* keyval);
int keyval_free(Call call, int* keyval);

// comm_attributes.cpp
int comm_set_attr(Call call, MPI_Comm comm, int key, void* value);
int comm_get_attr(Call call, MPI_Comm comm, int key, void* attribute_val, int* flag);
int comm_delete_attr(Call call, MPI_Comm comm, int key);
int attr_put(Call call, MPI_Comm comm, int key, void* value);
int attr_get(Call call, MPI_Comm comm, int key, void* attribute_val, int* flag);
int attr_delete(Call call, MPI_Comm comm, int key);

// type_attributes.cpp
int type_set_attr(Call call, MPI_Datatype datatype, int key, void* value);
int type_get_attr(Call call, MPI_Datatype datatype, int key, void* attribute_val, int* flag);
int type_delete_attr(Call call, MPI_Datatype datatype, int key);

// comm_name.cpp
int comm_set_name(Call call, MPI_Comm comm, const char* name);
int comm_get_name(Call call, MPI_Comm comm, char* name, int* length);

}  // namespace foldlane::api
