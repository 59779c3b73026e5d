// What a request handle stands for: a call that goes on after it has returned. request_slots.hpp makes them
// and finds them again; request.cpp and request_sets.cpp complete them.
//
// Threads: the functions of one request are called by one thread at a time, the one that has taken it;
// cancel() and what a subclass says so about may be called by others meanwhile. Any thread may be the one
// that completes it.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <string>

#include "engine/p2p/communication.hpp"
#include "engine/progress/long_wait.hpp"
#include "shm/sync/atoms.hpp"

namespace foldlane::api {

enum class Lifetime : std::uint8_t { once, persistent };

class PartitionedRequest;

class Request {
 public:
  /// `comm` is where errors are raised: MPI_COMM_NULL for MPI_COMM_SELF. A persistent request begins
  /// inactive.
  explicit Request(MPI_Comm comm, Lifetime lifetime = Lifetime::once,
                   engine::Communication* communication = nullptr) noexcept
      : comm_(comm), communication_(communication), lifetime_(lifetime) {}
  Request(const Request&) = delete;
  Request& operator=(const Request&) = delete;
  virtual ~Request() = default;

  MPI_Comm comm() const noexcept { return comm_; }
  bool is_persistent() const noexcept { return lifetime_ == Lifetime::persistent; }
  bool is_active() const noexcept { return !is_persistent() || active_.observe() != 0; }

  /// A plain receive, be it over or not; else null.
  const engine::Receive* plain_receive() const noexcept {
    return is_plain_ ? static_cast<const engine::Receive*>(communication_) : nullptr;
  }

  /// The call that made it, and what that was given: "MPI_Irecv(source 1, tag 5, 8 bytes, MPI_COMM_WORLD)".
  virtual std::string title() const = 0;

  /// Its destructor need not be called.
  bool keeps_nothing() const noexcept { return keeps_nothing_; }

  // ---- of an active request

  /// poll(), which is not asked where all depends on one message.
  bool is_over() { return communication_ != nullptr ? communication_->over() : poll(); }

  /// True once what the request stands for is complete, successfully or not, and from then on. Never blocks,
  /// never throws. That it gets there is the business of the process's progress (engine/progress).
  virtual bool poll() = 0;

  /// The program waits for this request alone: may block as long as it is not complete. Returns poll().
  virtual bool advance() { return poll(); }

  /// After poll() was true: whether finish() will throw, if that is known. Waits for several requests end
  /// when one has failed, because the others may depend on it.
  virtual bool has_failed() const noexcept { return false; }

  /// After poll() was true, any number of times: tells what finish() tells, and changes nothing.
  virtual void describe(MPI_Status&) {}

  /// After poll() was true, once, on the thread that completes the request for the program: hands the results
  /// over. `status` comes empty. Throws a Failure if the call has failed.
  virtual void finish(MPI_Status& status) = 0;

  /// Null unless it is of MPI_Psend_init or MPI_Precv_init.
  virtual PartitionedRequest* partitioned() noexcept { return nullptr; }

  /// After poll() was false: what must happen before it is true, for a wait that has become long.
  virtual void note_wait(engine::WaitNote& note) { note.is_known = false; }

  /// MPI_Cancel. May run while another thread waits for the request.
  virtual void cancel();

  // ---- the life of a request

  /// Makes an inactive persistent request active. Throws MPI_ERR_REQUEST for others.
  void start();
  void check_startable() const;

  /// What goes on after the call has returned begins: by start() for persistent requests, else when the
  /// request is made. Only persistent ones may throw.
  virtual void begin() {}

  /// finish() was called: the next start() is allowed.
  void set_inactive() noexcept { active_.publish(0); }

  enum class Freed : std::uint8_t { now, later };
  /// MPI_Request_free. now: it can be destroyed. later: it goes on, nobody can take it any more, and whoever
  /// completes it ends it (PinnedRequest::end). Throws MPI_ERR_REQUEST if it must not be freed.
  virtual Freed free();

  /// The last call to a request that was freed; finish() does the same for the others.
  virtual void dispose() {}

 protected:
  engine::Communication& communication() const noexcept { return *communication_; }
  /// From the beginning, of one that lasts once: its communication is a receive that names the source as the
  /// program does.
  void set_plain() noexcept { is_plain_ = true; }
  /// Its destructor has nothing to do.
  void set_keeps_nothing(bool keeps_nothing) noexcept { keeps_nothing_ = keeps_nothing; }

 private:
  MPI_Comm comm_;
  engine::Communication* communication_;          // all that it is about; null: it is about something else
  shm::RealAtoms::Word<std::uint32_t> active_{};  // of a persistent one
  Lifetime lifetime_;
  bool is_plain_ = false;
  bool keeps_nothing_ = false;
};

/// Of a plain receive that is over as it should be: what finish() would tell stands in its envelope, and
/// nobody needs to ask the request. Else null.
inline const engine::Receive* received_plainly(const Request& request) noexcept {
  const engine::Receive* const receive = request.plain_receive();
  if (receive == nullptr) return nullptr;
  const bool is_as_wanted =
      receive->delivery() == engine::Delivery::done && receive->envelope.type == receive->buffer.type;
  return is_as_wanted ? receive : nullptr;
}
/// Of a wait for it.
inline engine::Expected expected_by(const Request& request) noexcept {
  const engine::Receive* const receive = request.plain_receive();
  return receive == nullptr ? engine::Expected::anything : engine::expected_by(*receive);
}

/// The status of what no message came with: of MPI_REQUEST_NULL, and of calls without messages.
inline MPI_Status empty_status() noexcept {
  MPI_Status status{};
  status.MPI_SOURCE = MPI_ANY_SOURCE;
  status.MPI_TAG = MPI_ANY_TAG;
  status.MPI_ERROR = MPI_SUCCESS;
  return status;
}

}  // namespace foldlane::api
