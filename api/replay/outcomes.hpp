// How calls whose outcome depends on time are recorded and replayed; each of these does nothing otherwise.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>

#include "api/replay/journal.hpp"
#include "engine/p2p/communication.hpp"

namespace foldlane::api {

/// Null: nothing is recorded nor replayed.
[[gnu::visibility("hidden")]] extern Journal* journal;

/// As FOLDLANE_RECORD or FOLDLANE_REPLAY says, which name a directory. Throws a Failure (MPI_ERR_OTHER).
void open_journal(bool has_threads);
/// The process leaves MPI, maybe for good.
void flush_journal();

/// What the call told in the recorded run.
inline std::optional<Outcome> replayed(Call call) {
  if (journal == nullptr || !journal->replays()) [[likely]]
    return std::nullopt;
  return journal->recall(call);
}
/// A number of it; throws a Failure (MPI_ERR_OTHER) if the record was written by hand, and has none there.
int number(const Outcome& told, std::size_t index);
inline bool is_recorded() noexcept { return journal != nullptr && !journal->replays(); }
inline void record(Call call, std::initializer_list<int> outcome) {
  if (is_recorded()) [[unlikely]]
    journal->note(call, outcome);
}

/// A receive that leaves source or tag open, from its beginning to its end.
class OpenReceive {
 public:
  /// It is about to begin: replayed, it asks for what it got in the recorded run. `first`: the member that is
  /// rank 0.
  void begin(engine::Receive& receive, int first) {
    if (journal != nullptr) [[unlikely]]
      settle(receive, first);
  }
  /// It is over for the program, and asks for what the program wants again.
  void end(engine::Receive& receive, int first) {
    if (number_ != 0) [[unlikely]]
      record_match(receive, first);
  }
  /// Whether to cancel it: replayed, one that got a message in the recorded run is not.
  bool may_be_cancelled() const noexcept { return !has_match_; }

 private:
  void settle(engine::Receive& receive, int first);
  void record_match(engine::Receive& receive, int first);

  std::uint64_t number_ = 0;  // 0: nothing is open, recorded or replayed
  int source_ = 0;            // as the program wants it
  int tag_ = 0;
  bool has_match_ = false;
};

}  // namespace foldlane::api
