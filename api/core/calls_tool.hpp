// The calls of the tool interface behind the generated entry points.
#pragma once

#include <mpi.h>

#include "api/core/call.hpp"

namespace foldlane::api {

// tool.cpp
int t_init_thread(Call call, int required, int* provided);
int t_finalize(Call call);

// tool_cvars.cpp
int t_cvar_get_num(Call call, int* num_cvar);
int t_cvar_get_info(Call call, int index, char* name, int* name_len, int* verbosity, MPI_Datatype* datatype,
                    MPI_T_enum* enumtype, char* desc, int* desc_len, int* bind, int* scope);
int t_cvar_get_index(Call call, const char* name, int* index);
int t_cvar_handle_alloc(Call call, int index, void*, MPI_T_cvar_handle* handle, int* count);
int t_cvar_handle_free(Call call, MPI_T_cvar_handle* handle);
int t_cvar_read(Call call, MPI_T_cvar_handle handle, void* buffer);
int t_cvar_write(Call call, MPI_T_cvar_handle handle, const void*);

// tool_pvars.cpp
int t_pvar_get_num(Call call, int* num_pvar);
int t_pvar_get_info(Call call, int index, char* name, int* name_len, int* verbosity, int* var_class,
                    MPI_Datatype* datatype, MPI_T_enum* enumtype, char* desc, int* desc_len, int* bind,
                    int* readonly, int* continuous, int* atomic);
int t_pvar_get_index(Call call, const char* name, int var_class, int* index);

// tool_pvar_sessions.cpp
int t_pvar_session_create(Call call, MPI_T_pvar_session* session);
int t_pvar_session_free(Call call, MPI_T_pvar_session* session);
int t_pvar_handle_alloc(Call call, MPI_T_pvar_session session, int index, void*, MPI_T_pvar_handle* handle,
                        int* count);
int t_pvar_handle_free(Call call, MPI_T_pvar_session session, MPI_T_pvar_handle* handle);
int t_pvar_read(Call call, MPI_T_pvar_session session, MPI_T_pvar_handle handle, void* buffer);
int t_pvar_start(Call call, MPI_T_pvar_session session, MPI_T_pvar_handle handle);
int t_pvar_stop(Call call, MPI_T_pvar_session session, MPI_T_pvar_handle handle);
int t_pvar_reset(Call call, MPI_T_pvar_session session, MPI_T_pvar_handle handle);
int t_pvar_write(Call call, MPI_T_pvar_session session, MPI_T_pvar_handle handle, const void*);
int t_pvar_readreset(Call call, MPI_T_pvar_session session, MPI_T_pvar_handle handle, void*);

// tool_absent.cpp
int t_enum_get_info(Call call, MPI_T_enum enumtype, int*, char*, int*);
int t_enum_get_item(Call call, MPI_T_enum enumtype, int, int*, char*, int*);
int t_category_get_num(Call call, int* num_cat);
int t_category_changed(Call call, int* update_number);
int t_category_get_index(Call call, const char* name, int*);
int t_category_get_info(Call call, int index, char*, int*, char*, int*, int*, int*, int*);
int t_category_get_num_events(Call call, int index, int*);
int t_category_get_categories(Call call, int index, int, int*);
int t_category_get_cvars(Call call, int index, int, int*);
int t_category_get_pvars(Call call, int index, int, int*);
int t_category_get_events(Call call, int index, int, int*);
int t_event_get_num(Call call, int* num_events);
int t_event_get_index(Call call, const char* name, int*);
int t_event_get_info(Call call, int index, char*, int*, int*, MPI_Datatype*, MPI_Aint*, int*, MPI_T_enum*,
                     MPI_Info*, char*, int*, int*);
int t_event_handle_alloc(Call call, int index, void*, MPI_Info, MPI_T_event_registration*);
int t_event_handle_free(Call call, MPI_T_event_registration registration, void*,
                        MPI_T_event_free_cb_function*);
int t_event_handle_get_info(Call call, MPI_T_event_registration registration, MPI_Info*);
int t_event_handle_set_info(Call call, MPI_T_event_registration registration, MPI_Info);
int t_event_register_callback(Call call, MPI_T_event_registration registration, MPI_T_cb_safety, MPI_Info,
                              void*, MPI_T_event_cb_function*);
int t_event_callback_get_info(Call call, MPI_T_event_registration registration, MPI_T_cb_safety, MPI_Info*);
int t_event_callback_set_info(Call call, MPI_T_event_registration registration, MPI_T_cb_safety, MPI_Info);
int t_event_set_dropped_handler(Call call, MPI_T_event_registration registration,
                                MPI_T_event_dropped_cb_function*);
int t_event_read(Call call, MPI_T_event_instance instance, int, void*);
int t_event_copy(Call call, MPI_T_event_instance instance, void*);
int t_event_get_timestamp(Call call, MPI_T_event_instance instance, MPI_Count*);
int t_event_get_source(Call call, MPI_T_event_instance instance, int*);
int t_source_get_num(Call call, int* num_sources);
int t_source_get_info(Call call, int index, char*, int*, char*, int*, MPI_T_source_order*, MPI_Count*,
                      MPI_Count*, MPI_Info*);
int t_source_get_timestamp(Call call, int index, MPI_Count*);

}  // namespace foldlane::api
