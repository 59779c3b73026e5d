// The forms of a collective as users write them: allreduce, iallreduce, allreduce_init.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/statistics/call_kind.hpp"
#include "engine/team/call_names.hpp"

namespace foldlane::tools {

using engine::Form;

struct CallForm {
  const engine::NamedCall* call;
  Form form;
};

/// "iallreduce" of "allreduce".
inline std::string written(std::string_view call, Form form) {
  std::string text(form == Form::nonblocking ? "i" : "");
  text += call;
  if (form == Form::persistent) text += "_init";
  return text;
}

/// Nothing if there is no such collective.
inline std::optional<CallForm> call_form(std::string_view text) {
  for (const engine::NamedCall& row : engine::kCallNames)
    for (const Form form : {Form::blocking, Form::nonblocking, Form::persistent})
      if (row.is_collective && text == written(row.name, form)) return CallForm{&row, form};
  return std::nullopt;
}

}  // namespace foldlane::tools
