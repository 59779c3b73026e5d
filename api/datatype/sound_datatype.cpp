#include "api/datatype/sound_datatype.hpp"

#include "api/datatype/datatype.hpp"

int foldlane_is_sound_datatype(MPI_Datatype datatype) noexcept {
  const foldlane::api::Datatype* found = foldlane::api::find_datatype(datatype);
  return found != nullptr && found->committed;
}
