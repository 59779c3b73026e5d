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

/// Whether a call only moves data, a block for each rank or from each; sizes are those of a block.
inline bool moves_blocks(std::string_view call) {
  const auto known = tools::call_form(call);
  return known && engine::only_moves(known->call->call);
}

/// Whether ranks have to do with the two beside them in a ring.
inline bool is_among_neighbours(std::string_view call) {
  const auto known = tools::call_form(call);
  return known && engine::moves_among_neighbours(known->call->call);
}

inline bool gathers_at_root(std::string_view call) { return collective_of(call).starts_with("gather"); }
inline bool scatters_from_root(std::string_view call) { return collective_of(call).starts_with("scatter"); }

/// Whether ranks give one block to all: the same one, where several get it.
inline bool gathers(std::string_view call) {
  const auto known = tools::call_form(call);
  return gathers_at_root(call) || (known && engine::moves_one_to_all(known->call->call));
}

inline bool has_root(std::string_view call) {
  const std::string collective = collective_of(call);
  return collective == "reduce" || collective == "bcast" || gathers_at_root(call) || scatters_from_root(call);
}

/// Whether ranks get a share of the result each.
inline bool scatters(std::string_view call) { return collective_of(call).starts_with("reduce_scatter"); }

/// Whether a call combines elements; for the others an operation would be noise.
inline bool combines(std::string_view call) {
  return call.find("reduce") != std::string::npos || call.find("scan") != std::string::npos ||
         call.find("fold") != std::string::npos;
}

}  // namespace foldlane::bench
