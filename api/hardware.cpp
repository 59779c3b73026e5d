#include "api/hardware.hpp"

#include <fmt/format.h>

#include "api/raise.hpp"

namespace foldlane::api {

std::int64_t hardware_color(engine::Team&, int split_type, const InfoMap&) {
  switch (split_type) {
    case MPI_UNDEFINED:
      return MPI_UNDEFINED;
    case MPI_COMM_TYPE_SHARED:
      return 0;  // all ranks of a job share the memory of one machine
    default:
      fail(MPI_ERR_ARG, fmt::format("split_type is {}, which is none that this library knows", split_type));
  }
}

}  // namespace foldlane::api
