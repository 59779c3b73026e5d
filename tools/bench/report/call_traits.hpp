// What the name of a call says about it.
#pragma once

#include <string>
#include <string_view>

#include "options/call_form.hpp"

namespace foldlane::bench {

using tools::Form;

/// Of a call that has no forms: blocking.
inline Form form_of(std::string_view call) {
  const auto known = tools::call_form(call);
  return known ? known->form : Form::blocking;
}

/// What the forms of a call have in common: "allreduce" of "iallreduce" and "allreduce_init".
inline std::string collective_of(std::string_view call) {
  const auto known = tools::call_form(call);
  return std::string(known ? known->call->name : call);
}

inline bool has_data(std::string_view call) { return collective_of(call) != "barrier"; }

inline bool has_root(std::string_view call) {
  const std::string collective = collective_of(call);
  return collective == "reduce" || collective == "bcast";
}

/// Whether ranks get a share of the result each.
inline bool scatters(std::string_view call) { return collective_of(call).starts_with("reduce_scatter"); }

/// Whether a call combines elements; for the others an operation would be noise.
inline bool combines(std::string_view call) {
  return call.find("reduce") != std::string::npos || call.find("scan") != std::string::npos ||
         call.find("fold") != std::string::npos;
}

}  // namespace foldlane::bench
