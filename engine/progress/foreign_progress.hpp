// Another library in this process, whose messages move only while somebody is inside it.
#pragma once

namespace foldlane::engine {

/// Other processes may wait for its messages before they do what a wait of ours is for, so each wait that is
/// not short goes on with it, in the thread that waits. Called without any lock of ours: it may call back.
class ForeignProgress {
 public:
  virtual ~ForeignProgress() = default;
  virtual void go_on() noexcept = 0;
};

}  // namespace foldlane::engine
