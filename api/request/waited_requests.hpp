// The requests of MPI_Waitall, completed where the program has them: messages mostly come in the order in
// which they are awaited, and what is complete is never looked at again.
#pragma once

#include <mpi.h>

#include "api/core/call.hpp"
#include "api/request/completion.hpp"

namespace foldlane::api {

class WaitedRequests {
 public:
  explicit WaitedRequests(MPI_Request* handles) noexcept : handles_(handles) {}
  WaitedRequests(const WaitedRequests&) = delete;
  WaitedRequests& operator=(const WaitedRequests&) = delete;
  ~WaitedRequests();

  /// Takes so many. Throws MPI_ERR_REQUEST if one does not exist or is in use.
  void take(int count);

  /// One round: completes for the program what is complete, from the first one on that was not. True if the
  /// call is over: all are complete, or one has failed.
  bool complete_next(StatusArray& statuses);
  /// In a call that is over: those that are not complete are pending.
  void complete_rest(StatusArray& statuses);

  /// Of a wait for them: what the next one is for.
  engine::Expected expected() const;
  /// What a wait for them says of itself.
  void note_wait(engine::WaitNote& note, Call call) const;

 private:
  /// So often one that has failed is looked for behind the first that is not complete; after so many rounds
  /// in which that has not changed, always.
  static constexpr unsigned kRoundsPerLook = 16;
  static constexpr unsigned kQuickRounds = 256;

  bool settle(StatusArray& statuses);
  void complete_asked(RequestSlot& slot, StatusArray& statuses);
  bool has_failed_behind() const;
  /// Calls `use` with the active ones that are not settled.
  template <class Use>
  void for_each_left(const Use& use) const;

  MPI_Request* handles_;
  int taken_ = 0;
  int next_ = 0;  // those before it are complete, or were inactive
  unsigned in_vain_ = 0;
};

}  // namespace foldlane::api
