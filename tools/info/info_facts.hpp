// The facts `foldlane info` reports, as one JSON document; the text form is made from the same facts.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace foldlane::tools {

/// Version, ISA levels, machine, waiting, memory for `ranks` ranks, limits, environment.
/// Throws std::runtime_error if the machine cannot be read.
nlohmann::ordered_json info_facts(int ranks);

/// Every MPI call with its state.
nlohmann::ordered_json call_facts();

}  // namespace foldlane::tools
