// The parts of the tool interface of which this library has nothing: enumerations, categories, events and
// sources of events. They are counted as zero, so no index, name or handle of theirs is right.
#include <fmt/format.h>

#include "api/core/calls.hpp"
#include "api/tool/tool.hpp"

namespace foldlane::api {
namespace {

int count_none(Call call, int* count, const char* parameter) {
  return run_tool(call, [&] {
    check_pointer(count, parameter);
    *count = 0;
  });
}

int refuse_index(Call call, int index, const char* things) {
  return run_tool(call, [&] { check_index(index, 0, things); });
}

int refuse_category(Call call, int index) { return refuse_index(call, index, "categories"); }
int refuse_event(Call call, int index) { return refuse_index(call, index, "event types"); }
int refuse_source(Call call, int index) { return refuse_index(call, index, "event sources"); }

int refuse_name(Call call, const char* name, const char* thing) {
  return run_tool(call, [&] {
    check_pointer(name, "name");
    fail(MPI_T_ERR_INVALID_NAME, fmt::format("no {} is named \"{}\"", thing, name));
  });
}

// The standard has the invalid enumeration among the invalid indices.
int refuse_enumeration(Call call, MPI_T_enum enumtype) {
  return run_tool(call, [&] {
    fail(MPI_T_ERR_INVALID_INDEX, fmt::format("the enumeration {} does not exist", fmt::ptr(enumtype)));
  });
}

template <class Handle>
int refuse_handle(Call call, Handle handle, const char* thing) {
  return run_tool(call, [&] {
    fail(MPI_T_ERR_INVALID_HANDLE, fmt::format("the {} {} does not exist", thing, fmt::ptr(handle)));
  });
}

int refuse_registration(Call call, MPI_T_event_registration registration) {
  return refuse_handle(call, registration, "event registration");
}

int refuse_instance(Call call, MPI_T_event_instance instance) {
  return refuse_handle(call, instance, "event instance");
}

}  // namespace

int t_enum_get_info(Call call, MPI_T_enum enumtype, int*, char*, int*) {
  return refuse_enumeration(call, enumtype);
}
int t_enum_get_item(Call call, MPI_T_enum enumtype, int, int*, char*, int*) {
  return refuse_enumeration(call, enumtype);
}

int t_category_get_num(Call call, int* num_cat) { return count_none(call, num_cat, "num_cat"); }
int t_category_changed(Call call, int* update_number) {
  return count_none(call, update_number, "update_number");
}
int t_category_get_index(Call call, const char* name, int*) { return refuse_name(call, name, "category"); }
int t_category_get_info(Call call, int index, char*, int*, char*, int*, int*, int*, int*) {
  return refuse_category(call, index);
}
int t_category_get_num_events(Call call, int index, int*) { return refuse_category(call, index); }
int t_category_get_categories(Call call, int index, int, int*) { return refuse_category(call, index); }
int t_category_get_cvars(Call call, int index, int, int*) { return refuse_category(call, index); }
int t_category_get_pvars(Call call, int index, int, int*) { return refuse_category(call, index); }
int t_category_get_events(Call call, int index, int, int*) { return refuse_category(call, index); }

int t_event_get_num(Call call, int* num_events) { return count_none(call, num_events, "num_events"); }
int t_event_get_index(Call call, const char* name, int*) { return refuse_name(call, name, "event type"); }
int t_event_get_info(Call call, int index, char*, int*, int*, MPI_Datatype*, MPI_Aint*, int*, MPI_T_enum*,
                     MPI_Info*, char*, int*, int*) {
  return refuse_event(call, index);
}
int t_event_handle_alloc(Call call, int index, void*, MPI_Info, MPI_T_event_registration*) {
  return refuse_event(call, index);
}

int t_event_handle_free(Call call, MPI_T_event_registration registration, void*,
                        MPI_T_event_free_cb_function*) {
  return refuse_registration(call, registration);
}
int t_event_handle_get_info(Call call, MPI_T_event_registration registration, MPI_Info*) {
  return refuse_registration(call, registration);
}
int t_event_handle_set_info(Call call, MPI_T_event_registration registration, MPI_Info) {
  return refuse_registration(call, registration);
}
int t_event_register_callback(Call call, MPI_T_event_registration registration, MPI_T_cb_safety, MPI_Info,
                              void*, MPI_T_event_cb_function*) {
  return refuse_registration(call, registration);
}
int t_event_callback_get_info(Call call, MPI_T_event_registration registration, MPI_T_cb_safety, MPI_Info*) {
  return refuse_registration(call, registration);
}
int t_event_callback_set_info(Call call, MPI_T_event_registration registration, MPI_T_cb_safety, MPI_Info) {
  return refuse_registration(call, registration);
}
int t_event_set_dropped_handler(Call call, MPI_T_event_registration registration,
                                MPI_T_event_dropped_cb_function*) {
  return refuse_registration(call, registration);
}

int t_event_read(Call call, MPI_T_event_instance instance, int, void*) {
  return refuse_instance(call, instance);
}
int t_event_copy(Call call, MPI_T_event_instance instance, void*) { return refuse_instance(call, instance); }
int t_event_get_timestamp(Call call, MPI_T_event_instance instance, MPI_Count*) {
  return refuse_instance(call, instance);
}
int t_event_get_source(Call call, MPI_T_event_instance instance, int*) {
  return refuse_instance(call, instance);
}

int t_source_get_num(Call call, int* num_sources) { return count_none(call, num_sources, "num_sources"); }
int t_source_get_info(Call call, int index, char*, int*, char*, int*, MPI_T_source_order*, MPI_Count*,
                      MPI_Count*, MPI_Info*) {
  return refuse_source(call, index);
}
int t_source_get_timestamp(Call call, int index, MPI_Count*) { return refuse_source(call, index); }

}  // namespace foldlane::api
