// Messages as requests.
#pragma once

#include <mpi.h>

#include <memory>
#include <utility>

#include "api/p2p/arguments.hpp"
#include "api/p2p/results.hpp"
#include "api/replay/outcomes.hpp"
#include "api/request/request.hpp"

namespace foldlane::api {

/// What one end of a message is, for requests that begin it later or again.
struct SendArguments {
  engine::SendMode mode;
  MessageMemory memory;
  int dest;
  int tag;
};
struct ReceiveArguments {
  MessageMemory memory;
  int source;
  int tag;
};

inline SendArguments check_send(engine::SendMode mode, const void* buf, MPI_Count count,
                                MPI_Datatype datatype, int dest, int tag, const Communicator& communicator) {
  const MessageMemory memory = check_message(buf, count, datatype);
  check_send_tag(tag);
  check_destination(dest, communicator);
  return {mode, memory, dest, tag};
}

void set_up(engine::Send& send, const Line& line, const SendArguments& arguments) noexcept;
void set_up(engine::Receive& receive, const Line& line, const ReceiveArguments& arguments) noexcept;

/// What an MPI_Message stands for: one that MPI_Mprobe has taken out for its receive. None: it came from
/// MPI_PROC_NULL.
struct ClaimedMessage {
  MPI_Comm comm;
  engine::Unexpected* message;
  Line line;
  OwnedTeam team;
};
/// Of its receive.
void set_up(engine::Receive& receive, const ClaimedMessage& claimed, const MessageMemory& memory) noexcept;

/// What a request about messages keeps although the program may free it meanwhile.
class KeptForMessage {
 public:
  KeptForMessage(OwnedTeam team, const MessageMemory& memory)
      : team_(std::move(team)), type_map_(memory.type_map == nullptr ? nullptr : *memory.type_map) {}

 private:
  OwnedTeam team_;
  std::shared_ptr<const engine::TypeMap> type_map_;
};

/// Of one message, sent or received.
class MessageRequest : public Request {
 public:
  bool poll() final { return is_null_ || communication_.over(); }
  bool has_failed() const noexcept final;
  Freed free() final;

 protected:
  MessageRequest(MPI_Comm comm, Lifetime lifetime, engine::Communication& communication,
                 bool is_null) noexcept
      : Request(comm, lifetime), communication_(communication), is_null_(is_null) {}
  /// Of MPI_PROC_NULL: it is over at once.
  bool is_null() const noexcept { return is_null_; }
  void set(engine::Delivery delivery) noexcept {
    communication_.state.publish(static_cast<std::uint32_t>(delivery));
  }

 private:
  engine::Communication& communication_;
  bool is_null_;
};

class SendRequest final : public MessageRequest {
 public:
  SendRequest(MPI_Comm comm, Lifetime lifetime, Communicator& communicator, const SendArguments& arguments);

  std::string title() const override;
  void begin() override;
  void describe(MPI_Status& status) override { finish(status); }
  void finish(MPI_Status&) override {
    if (!is_null()) require_sent(send_);
  }
  /// It has been sent or will be: the standard leaves that to the library (MPI-5.0, 3.8.4).
  void cancel() override {}
  void note_wait(engine::WaitNote& note) override;

 private:
  engine::Send send_;
  KeptForMessage kept_;
};

class ReceiveRequest final : public MessageRequest {
 public:
  ReceiveRequest(MPI_Comm comm, Lifetime lifetime, Communicator& communicator,
                 const ReceiveArguments& arguments);
  /// Of a message that was matched before; it is received at once.
  ReceiveRequest(const ClaimedMessage& claimed, const MessageMemory& memory);

  std::string title() const override;
  void begin() override;
  void describe(MPI_Status& status) override;
  void finish(MPI_Status& status) override;
  void cancel() override;
  void note_wait(engine::WaitNote& note) override;

 private:
  engine::Receive receive_;
  OpenReceive open_;
  int first_ = 0;  // the member that is rank 0
  engine::Unexpected* claimed_ = nullptr;
  KeptForMessage kept_;
};

}  // namespace foldlane::api
