// The performance variables of the tool interface: what can be asked about them.
#include <fmt/format.h>

#include <algorithm>

#include "api/core/calls.hpp"
#include "api/tool/tool.hpp"
#include "api/tool/tool_pvar_table.hpp"

namespace foldlane::api {

int t_pvar_get_num(Call call, int* num_pvar) {
  return run_tool(call, [&] {
    check_pointer(num_pvar, "num_pvar");
    *num_pvar = static_cast<int>(performance_variables().size());
  });
}

int t_pvar_get_info(Call call, int index, char* name, int* name_len, int* verbosity, int* var_class,
                    MPI_Datatype* datatype, MPI_T_enum* enumtype, char* desc, int* desc_len, int* bind,
                    int* readonly, int* continuous, int* atomic) {
  return run_tool(call, [&] {
    const auto variables = performance_variables();
    check_index(index, variables.size(), "performance variables");
    const PerformanceVariable& variable = variables[static_cast<std::size_t>(index)];
    put_text(variable.name, name, name_len);
    put_text(variable.description, desc, desc_len);
    put(verbosity, variable.verbosity);
    put(var_class, variable.var_class);
    put(datatype, variable.datatype);
    put(enumtype, MPI_T_ENUM_NULL);
    put(bind, MPI_T_BIND_NO_OBJECT);
    put(readonly, 1);
    put(continuous, 1);
    put(atomic, 0);
  });
}

int t_pvar_get_index(Call call, const char* name, int var_class, int* index) {
  return run_tool(call, [&] {
    check_pointer(name, "name");
    check_pointer(index, "pvar_index");
    const auto variables = performance_variables();
    const auto found =
        std::find_if(variables.begin(), variables.end(), [&](const PerformanceVariable& variable) {
          return variable.name == name && variable.var_class == var_class;
        });
    if (found == variables.end()) {
      fail(MPI_T_ERR_INVALID_NAME,
           fmt::format("no performance variable of class {} is named \"{}\"", var_class, name));
    }
    *index = static_cast<int>(found - variables.begin());
  });
}

}  // namespace foldlane::api
