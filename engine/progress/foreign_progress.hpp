// What waits have to look after besides: another library in this process, whose messages move only while
// somebody is inside it, or peers that nobody else watches.
#pragma once

namespace foldlane::engine {

/// What a wait of ours is for may depend on it, so each wait that is not short goes on with it, in the thread
/// that waits, and so does each round of who only tests. Called without any lock of ours: it may call back.
class ForeignProgress {
 public:
  virtual ~ForeignProgress() = default;
  virtual void go_on() noexcept = 0;
};

}  // namespace foldlane::engine
