#include "api/datatype/checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "api/datatype/sound_datatype.hpp"

namespace foldlane::api::reject {

void datatype(MPI_Datatype datatype) {
  if (datatype == MPI_DATATYPE_NULL) fail(MPI_ERR_TYPE, "the datatype is MPI_DATATYPE_NULL");
  fail(MPI_ERR_TYPE,
       fmt::format("the datatype {} does not exist; it may have been freed", fmt::ptr(datatype)));
}

void uncommitted(const Datatype& type) {
  fail(MPI_ERR_TYPE, fmt::format("{} is not committed; call MPI_Type_commit first", describe(type)));
}

void huge_count(std::int64_t count, const Datatype& type) {
  fail(MPI_ERR_COUNT,
       fmt::format("{} elements of {} do not fit into memory; at most {} do", count, describe(type),
                   std::numeric_limits<std::int64_t>::max() /
                       std::max({std::abs(type.extent), type.size, std::int64_t{1}})));
}

}  // namespace foldlane::api::reject

int foldlane_is_sound_datatype(MPI_Datatype datatype) noexcept {
  const foldlane::api::Datatype* found = foldlane::api::find_datatype(datatype);
  return found != nullptr && found->committed;
}
