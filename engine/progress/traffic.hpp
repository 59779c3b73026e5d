// What a process drives besides its operations: its messages (engine/p2p).
#pragma once

#include "engine/progress/procedure.hpp"

namespace foldlane::engine {

class Traffic {
 public:
  virtual ~Traffic() = default;

  /// Something is under way, or has come: waits must go on with it. Any thread may ask.
  virtual bool is_there() const noexcept = 0;
  /// One round. True if something moved.
  virtual bool step(Patience patience) = 0;
  /// Ends what nobody owns and is over. Called without any lock. True if there was something.
  virtual bool bury() = 0;
};

}  // namespace foldlane::engine
