// What a blocking wait for one rank does besides (shm/sync/signals.hpp).
#pragma once

#include <cstdint>

#include "engine/progress/long_wait.hpp"
#include "engine/progress/procedure.hpp"

namespace foldlane::engine {

template <class Progress>
struct OtherWork {
  Progress& progress;
  int rank;

  bool is_there() const noexcept { return !progress.is_undisturbed() || progress.has_traffic(); }
  /// Before the first yield, too.
  bool is_urgent() const noexcept {
    return !progress.is_undisturbed() || progress.uses_traffic_.peek() != 0 || progress.foreign_ != nullptr;
  }
  void drive() const { progress.drive(); }
  template <class Over>
  void nap(const Over& over, std::int64_t nap_ns) const {
    progress.drive(Patience::asks);
    progress.nap(rank, over, nap_ns);
  }
  LongWait long_wait() const noexcept { return progress.long_wait(*this); }
  void operator()(WaitNote& note) const { note.awaits(rank); }
};

}  // namespace foldlane::engine
