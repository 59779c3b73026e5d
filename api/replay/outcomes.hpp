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

/// As shm::kRecordVariable or kReplayVariable says, which name a directory. Throws a Failure (MPI_ERR_OTHER).
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

 private:
  void settle(engine::Receive& receive, int first);
  void record_match(engine::Receive& receive, int first);

  std::uint64_t number_ = 0;  // 0: nothing is open, recorded or replayed
  int source_;                // as the program wants it
  int tag_;
};

/// A nonblocking receive that the program may cancel, from its beginning to its end.
class CancellableReceive {
 public:
  /// Replayed, one that was cancelled in the recorded run gets nothing meanwhile.
  void begin(engine::Receive& receive) {
    if (journal != nullptr) [[unlikely]]
      settle(receive);
  }
  /// `cancel()` says whether it came before a message.
  template <class Cancel>
  void cancel(const Cancel& cancel) {
    if (!may_be_cancelled()) return;
    const bool cancelled = cancel();
    if (is_recorded()) journal->note_cancel(number_, cancelled);
  }
  /// It asks for what the program wants again.
  void end(engine::Receive& receive) {
    if (number_ != 0) [[unlikely]]
      release(receive);
  }

 private:
  void settle(engine::Receive& receive);
  bool may_be_cancelled() const;
  void release(engine::Receive& receive);

  std::uint64_t number_ = 0;  // 0: nothing is recorded or replayed
  int tag_;                   // as it is wanted
};

}  // namespace foldlane::api
