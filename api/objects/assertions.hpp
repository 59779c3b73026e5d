// What a program promises about a communicator by its hints (MPI-5.0, 7.4.4). Promises are kept as hints are;
// those that a receive can break are looked at by receives.
#pragma once

#include <cstdint>

#include "api/objects/info_map.hpp"

namespace foldlane::api {

enum Assertion : std::uint32_t {
  kNoAnyTag = 1,
  kNoAnySource = 2,
  kAllowOvertaking = 4,           // nothing overtakes here; accepted
  kStrictPersistentOrdering = 8,  // as all starts on a communicator are expected to be; accepted
  kExactLength = 0x4000,          // beyond the codes of types: a mark of receives (engine::UserBuffer::type)
};

/// The hints of `given` replace those of the same keys in `hints`. An assertion that is neither true nor
/// false is left out. Returns the assertions that are true then.
std::uint32_t take_hints(InfoMap& hints, const InfoMap& given);

/// `hints`, and the assertions that were not given, which are false.
InfoMap with_defaults(InfoMap hints);

}  // namespace foldlane::api
