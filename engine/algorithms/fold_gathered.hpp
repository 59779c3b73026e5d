// Reductions of elements that do not fit a slot: the packed bytes of one element after the other go through
// the slots; whoever wants the element puts those of all sources together in private memory and folds them
// there. For elements of hundreds of KiB, where the copies are what it costs anyway.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/algorithms/fold_whole.hpp"

namespace foldlane::engine {

template <class Team>
Procedure fold_gathered(Team& team, WholeFold call, std::size_t slot_bytes) {
  const std::size_t elem_bytes = call.reduction->elem_bytes;
  const std::uint64_t chunks = (elem_bytes + slot_bytes - 1) / slot_bytes;
  const auto k = static_cast<std::size_t>(call.wanted_count > 0 ? call.sources.count : 0);
  std::vector<std::byte> elements(k * elem_bytes);
  std::uint64_t epoch = team.epochs().begin(chunks * call.count);
  for (std::size_t element = 0; element < call.count; ++element) {
    const bool wanted = element >= call.wanted_start && element - call.wanted_start < call.wanted_count;
    for (std::uint64_t chunk = 0; chunk < chunks; ++chunk, ++epoch) {
      const std::size_t offset = chunk * slot_bytes;
      const std::size_t bytes = std::min(slot_bytes, elem_bytes - offset);
      co_await team.waits().slot_free(epoch);
      team.slots().pack_in(team.slots().own(epoch), call.send, call.reduction->type_map,
                           element * elem_bytes + offset, bytes);
      team.slots().publish_filled(epoch);
      if (wanted) {
        // A member fills only after it has finished the epoch before.
        co_await filled_by(team, call.sources, epoch, epoch - 1);
        for (std::size_t source = 0; source < k; ++source) {
          const int member = call.sources.first + static_cast<int>(source);
          Team::Transfer::unpack_out(elements.data(), nullptr, source * elem_bytes + offset,
                                     team.slots().of(member, epoch), bytes, false);
        }
      }
      team.epochs().finish(epoch);
    }
    if (!wanted) continue;
    const void** const sources = team.sources();
    for (std::size_t source = 0; source < k; ++source)
      sources[source] = elements.data() + source * elem_bytes;
    const std::size_t to = element - call.wanted_start;
    if (call.reduction->type_map != nullptr) {
      call.reduction->fold_through(call.recv, to, sources, k, 1);
    } else {
      call.reduction->fold(call.recv + to * elem_bytes, sources, k, 1);
    }
  }
}

}  // namespace foldlane::engine
