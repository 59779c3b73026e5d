// A team that is being founded while its founders do other things.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "engine/founding.hpp"
#include "engine/procedure.hpp"

namespace foldlane::engine {

/// Made by Founding::start_duplicate. Used by one thread at a time. The parent must outlive it.
class Founding::Request final : public Unfinished, public std::enable_shared_from_this<Request> {
 public:
  Request(Founding& founding, Team& parent) : founding_(founding), parent_(parent) {}

  /// Takes its place in the order of the parent's calls, and goes as far as it can.
  void start();

  bool step() override;
  /// Needs a step() that was true. Waits for the lines of all members, which are a system call away.
  FoundedTeam result();

  void finish() override;

 private:
  bool begin();

  Founding& founding_;
  Team& parent_;
  std::shared_ptr<Unfinished> before_;
  std::optional<Procedure> procedure_;
  Offer own_{kNoId, 0};
  std::vector<Offer> offers_;
  bool done_ = false;
  bool failed_ = false;
};

}  // namespace foldlane::engine
