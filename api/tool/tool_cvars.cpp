// The control variables of the tool interface: what this library lets people see of its settings. None can be
// changed while the program runs.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <string>
#include <variant>

#include "api/core/calls.hpp"
#include "api/core/handle_table.hpp"
#include "api/tool/tool.hpp"
#include "engine/choice/decision.hpp"
#include "engine/job/job.hpp"
#include "engine/team/team_lines.hpp"

namespace foldlane::api {
namespace {

using Value = std::variant<std::string, unsigned long>;

struct ControlVariable {
  const char* name;
  const char* description;
  int verbosity;
  Value (*value)();  // the same at each call
};

// As the kernels read it: once.
Value disabled_isa() {
  static const char* const text = std::getenv("FOLDLANE_DISABLE_ISA");
  static const std::string kept = text == nullptr ? "" : text;
  return kept;
}

// As a job reads it: once, when it is joined.
Value forced_arms() {
  static const char* const text = std::getenv(engine::kArmsVariable);
  static const std::string kept = text == nullptr ? "" : text;
  return kept;
}

Value slot_bytes() { return static_cast<unsigned long>(engine::Job::capacity().slot_bytes); }
Value slots_per_rank() { return static_cast<unsigned long>(engine::kSlots); }
Value team_limit() { return static_cast<unsigned long>(engine::Job::capacity().teams); }

constexpr std::array kVariables{
    ControlVariable{"FOLDLANE_DISABLE_ISA",
                    "instruction set levels that are not to be used, separated by commas",
                    MPI_T_VERBOSITY_USER_DETAIL, disabled_isa},
    ControlVariable{engine::kArmsVariable, "what is not to be decided by timing, as slot-stores=plain",
                    MPI_T_VERBOSITY_TUNER_DETAIL, forced_arms},
    ControlVariable{"foldlane_slot_bytes", "bytes of one slot, through which ranks hand data to each other",
                    MPI_T_VERBOSITY_TUNER_DETAIL, slot_bytes},
    ControlVariable{"foldlane_slots_per_rank", "slots that each rank has", MPI_T_VERBOSITY_TUNER_DETAIL,
                    slots_per_rank},
    ControlVariable{"foldlane_team_limit", "teams of ranks that can exist at a time",
                    MPI_T_VERBOSITY_TUNER_BASIC, team_limit}};

HandleTable<MPI_T_cvar_handle, const ControlVariable*> handles;

const ControlVariable& check_variable(int index) {
  check_index(index, kVariables.size(), "control variables");
  return kVariables[static_cast<std::size_t>(index)];
}

const ControlVariable& check_handle(MPI_T_cvar_handle handle) {
  const ControlVariable* const* found = handles.find(handle);
  if (found == nullptr) {
    fail(MPI_T_ERR_INVALID_HANDLE,
         fmt::format("the handle {} of a control variable does not exist; it may have been freed",
                     fmt::ptr(handle)));
  }
  return **found;
}

MPI_Datatype datatype_of(const Value& value) {
  return std::holds_alternative<std::string>(value) ? MPI_CHAR : MPI_UNSIGNED_LONG;
}

/// The elements a reader needs room for; a text has its terminating zero.
int count_of(const Value& value) {
  const auto* text = std::get_if<std::string>(&value);
  return text == nullptr ? 1 : static_cast<int>(text->size()) + 1;
}

void copy_value(const Value& value, void* buffer) {
  if (const auto* text = std::get_if<std::string>(&value)) {
    std::memcpy(buffer, text->c_str(), text->size() + 1);
  } else {
    std::memcpy(buffer, &std::get<unsigned long>(value), sizeof(unsigned long));
  }
}

}  // namespace

int t_cvar_get_num(Call call, int* num_cvar) {
  return run_tool(call, [&] {
    check_pointer(num_cvar, "num_cvar");
    *num_cvar = static_cast<int>(kVariables.size());
  });
}

int t_cvar_get_info(Call call, int index, char* name, int* name_len, int* verbosity, MPI_Datatype* datatype,
                    MPI_T_enum* enumtype, char* desc, int* desc_len, int* bind, int* scope) {
  return run_tool(call, [&] {
    const ControlVariable& variable = check_variable(index);
    put_text(variable.name, name, name_len);
    put_text(variable.description, desc, desc_len);
    put(verbosity, variable.verbosity);
    put(datatype, datatype_of(variable.value()));
    put(enumtype, MPI_T_ENUM_NULL);
    put(bind, MPI_T_BIND_NO_OBJECT);
    put(scope, MPI_T_SCOPE_CONSTANT);
  });
}

int t_cvar_get_index(Call call, const char* name, int* index) {
  return run_tool(call, [&] {
    check_pointer(name, "name");
    check_pointer(index, "cvar_index");
    const auto found = std::find_if(
        kVariables.begin(), kVariables.end(),
        [&](const ControlVariable& variable) { return std::string_view(variable.name) == name; });
    if (found == kVariables.end()) {
      fail(MPI_T_ERR_INVALID_NAME, fmt::format("no control variable is named \"{}\"", name));
    }
    *index = static_cast<int>(found - kVariables.begin());
  });
}

int t_cvar_handle_alloc(Call call, int index, void*, MPI_T_cvar_handle* handle, int* count) {
  return run_tool(call, [&] {
    const ControlVariable& variable = check_variable(index);
    check_pointer(handle, "handle");
    check_pointer(count, "count");
    MPI_T_cvar_handle made = handles.insert(&variable);
    if (made == nullptr) fail(MPI_T_ERR_OUT_OF_HANDLES, "too many handles of control variables exist");
    *handle = made;
    *count = count_of(variable.value());
  });
}

int t_cvar_handle_free(Call call, MPI_T_cvar_handle* handle) {
  return run_tool(call, [&] {
    check_pointer(handle, "handle");
    check_handle(*handle);
    handles.erase(*handle);
    *handle = MPI_T_CVAR_HANDLE_NULL;
  });
}

int t_cvar_read(Call call, MPI_T_cvar_handle handle, void* buffer) {
  return run_tool(call, [&] {
    const ControlVariable& variable = check_handle(handle);
    check_pointer(buffer, "buf");
    copy_value(variable.value(), buffer);
  });
}

int t_cvar_write(Call call, MPI_T_cvar_handle handle, const void*) {
  return run_tool(call, [&] {
    fail(MPI_T_ERR_CVAR_SET_NEVER, fmt::format("{} is read-only", check_handle(handle).name));
  });
}

}  // namespace foldlane::api
