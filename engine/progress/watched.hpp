// What a rank's progress needs to know of another rank.
#pragma once

#include "shm/sync/inbox.hpp"

namespace foldlane::engine {

template <class Atoms>
struct BasicWatched {
  shm::Doorbell<Atoms>* doorbell = nullptr;
  shm::Inbox<Atoms>* inbox = nullptr;
  shm::Watchers<Atoms>* watchers = nullptr;
};

}  // namespace foldlane::engine
