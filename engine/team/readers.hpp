// Waiting for the few who read a place, where they are known, instead of for everybody.
#pragma once

#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/progress/procedure.hpp"

namespace foldlane::engine {

/// Who read a place of this member in one use of it, where those are few and are asked one by one, instead of
/// slot_free and inline_free.
struct Readers {
  std::uint64_t epoch = 0;  // of the use
  std::vector<int> members;

  /// To be filled in.
  std::vector<int>& begin(std::uint64_t used_in) {
    epoch = used_in;
    members.clear();
    return members;
  }
};

/// `place_free` is what to await where anybody may have read the place.
template <class Team, class PlaceFree>
class AwaitReaders final : public Wait {
 public:
  AwaitReaders(Team& team, const Readers* readers, PlaceFree place_free)
      : team_(team), readers_(readers), place_free_(place_free) {}

  void set_blocking(bool blocking) noexcept override {
    blocking_ = blocking;
    place_free_.set_blocking(blocking);
  }
  Progress poll(Patience patience) override {
    if (readers_ == nullptr) return place_free_.poll(patience);
    for (; next_ < readers_->members.size(); ++next_) {
      const Progress state = poll(readers_->members[next_], patience);
      if (state != Progress::done) return state;
    }
    return Progress::done;
  }
  int writer() const noexcept override {
    return readers_ == nullptr ? place_free_.writer()
                               : team_.members()[static_cast<std::size_t>(readers_->members[next_])];
  }

  bool await_ready() { return poll(Patience::none) == Progress::done; }
  void await_suspend(Procedure::Handle handle) { Procedure::suspend(handle, *this); }
  void await_resume() const noexcept {
    if (readers_ == nullptr) place_free_.await_resume();
  }

 private:
  Progress poll(int reader, Patience patience) {
    if (reader == team_.rank() || team_.epochs().has_finished(reader, readers_->epoch)) return Progress::done;
    auto wait = team_.waits().finished_by(reader, readers_->epoch);
    wait.set_blocking(blocking_);
    const Progress state = wait.poll(patience);
    if (state == Progress::done) team_.epochs().note_finished(reader);
    return state;
  }

  Team& team_;
  const Readers* readers_;
  PlaceFree place_free_;
  std::size_t next_ = 0;
  bool blocking_ = false;
};

/// My slot (inline line) of `epoch` may be written again, in a team of groups. [H1.acq]
template <class Team>
auto slot_unread(Team& team, std::uint64_t epoch) {
  return AwaitReaders(team, team.slots().readers(epoch), team.waits().slot_free(epoch));
}
template <class Team>
auto line_unread(Team& team, std::uint64_t epoch) {
  return AwaitReaders(team, team.inline_lines().readers(epoch), team.waits().inline_free(epoch));
}

}  // namespace foldlane::engine
