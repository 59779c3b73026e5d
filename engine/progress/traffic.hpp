// What a process drives besides its operations: its messages (engine/p2p).
#pragma once

#include <vector>

#include "engine/progress/patience.hpp"

namespace foldlane::engine {

class Traffic {
 public:
  virtual ~Traffic() = default;

  /// Another rank has something for who has not used it yet. Any thread may ask.
  virtual bool is_called() const noexcept = 0;
  /// One round. True if something moved.
  virtual bool step(Patience patience) = 0;
  /// This rank keeps so much that it has not asked for that others are told to keep what they send. Any
  /// thread may ask.
  virtual bool holds_back() const noexcept = 0;
  /// Those.
  virtual std::vector<int> held_back() = 0;
  /// What this rank waits for may need one of them to go on: from the next look on more is taken in. Any
  /// thread may say so.
  virtual void let_go_on() noexcept = 0;
  /// Ends what nobody owns and is over. Called without any lock. True if there was something.
  virtual bool bury() = 0;
};

}  // namespace foldlane::engine
