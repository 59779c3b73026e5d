// What a process drives besides its operations: its messages (engine/p2p).
#pragma once

#include "engine/progress/patience.hpp"

namespace foldlane::engine {

class Traffic {
 public:
  virtual ~Traffic() = default;

  /// Another rank has something for who has not used it yet. Any thread may ask.
  virtual bool is_called() const noexcept = 0;
  /// One round. True if something moved.
  virtual bool step(Patience patience) = 0;
  /// Ends what nobody owns and is over. Called without any lock. True if there was something.
  virtual bool bury() = 0;
};

}  // namespace foldlane::engine
