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

// Of a message whose memory is known: who sends it to whom.
inline void set_up(engine::Parcel& parcel, const Line& line, int dest, int tag) noexcept {
  parcel.channel = line.channel;
  parcel.to = line.rank_in_job(dest);
  parcel.tag = tag;
}
inline void set_up(engine::Receive& receive, const Line& line, int source, int tag) noexcept {
  receive.channel = line.channel;
  receive.buffer.type |= line.type_mark;
  receive.source = line.source(source);
  receive.tag = tag_wanted(tag);
}

/// The arguments of a send or a receive, checked. Who copies it as a whole, or refers to it, has it in
/// memory.
struct MessageArguments {
  MessageMemory memory;
  Line line;  // without a channel if the partner is MPI_PROC_NULL
  int partner;
  int tag;

  template <class Communication>
  [[gnu::always_inline]] void set_up(Communication& communication) const noexcept {
    memory.set(communication.buffer);
    if (line.channel != nullptr) api::set_up(communication, line, partner, tag);
  }
};
[[gnu::always_inline]] inline MessageArguments check_send(Communicator& communicator, MPI_Comm comm,
                                                          const void* buf, MPI_Count count,
                                                          MPI_Datatype datatype, int dest, int tag) {
  return {check_message(buf, count, datatype), check_receiver(communicator, comm, dest, tag), dest, tag};
}
[[gnu::always_inline]] inline MessageArguments check_receive(Communicator& communicator, MPI_Comm comm,
                                                             void* buf, MPI_Count count,
                                                             MPI_Datatype datatype, int source, int tag) {
  return {check_message(buf, count, datatype), check_sender(communicator, comm, source, tag), source, tag};
}

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
  KeptForMessage() = default;
  KeptForMessage(OwnedTeam team, const TypeMapPlace* type_map) : team_(std::move(team)) {
    if (type_map != nullptr) type_map_ = *type_map;
  }
  const OwnedTeam& team() const noexcept { return team_; }

 private:
  OwnedTeam team_;
  TypeMapPlace type_map_;
};

/// Of one message, sent or received.
class MessageRequest : public Request {
 public:
  bool poll() final { return communication().over(); }
  bool has_failed() const noexcept final;
  Freed free() final;

 protected:
  using Request::Request;
  void set(engine::Delivery delivery) noexcept {
    communication().state.publish(static_cast<std::uint32_t>(delivery));
  }
};

class SendRequest final : public MessageRequest {
 public:
  SendRequest(MPI_Comm comm, Lifetime lifetime, const Communicator& communicator, engine::SendMode mode,
              const MessageArguments& arguments)
      : MessageRequest(comm, lifetime, &send_), kept_(communicator.owned_team, arguments.memory.type_map) {
    arguments.set_up(send_);
    send_.mode = mode;
    set(engine::Delivery::done);
  }

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
  /// Of MPI_PROC_NULL: it is over at once.
  bool is_null() const noexcept { return send_.channel == nullptr; }

  engine::Send send_;
  KeptForMessage kept_;
};

/// MPI_Irecv as it mostly is: from one of the own group, into memory without gaps, in a run that is neither
/// recorded nor replayed.
class PlainReceive final : public MessageRequest {
 public:
  static bool can_be(const Communicator& communicator, const MessageArguments& arguments) noexcept {
    return !communicator.is_inter && arguments.memory.type_map == nullptr &&
           arguments.line.channel != nullptr && journal == nullptr;
  }
  PlainReceive(MPI_Comm comm, const Communicator& communicator, const MessageArguments& arguments) noexcept
      : MessageRequest(comm, Lifetime::once, &receive_), team_(communicator.owned_team) {
    set_plain();
    set_keeps_nothing(team_ == nullptr);
    arguments.set_up(receive_);
  }

  std::string title() const override;
  void begin() override { messenger().start(receive_); }
  void describe(MPI_Status& status) override { finish_receive(receive_, 0, status); }
  void finish(MPI_Status& status) override { describe(status); }
  void cancel() override;
  void note_wait(engine::WaitNote& note) override;

 private:
  OwnedTeam team_;
  engine::Receive receive_;
};

/// Every other one.
class ReceiveRequest final : public MessageRequest {
 public:
  ReceiveRequest(MPI_Comm comm, Lifetime lifetime, const Communicator& communicator,
                 const MessageArguments& arguments);
  /// Of a message that was matched before; it is received at once.
  ReceiveRequest(const ClaimedMessage& claimed, const MessageMemory& memory);

  std::string title() const override;
  void begin() override;
  void describe(MPI_Status& status) override;
  void finish(MPI_Status& status) override;
  void cancel() override;
  void note_wait(engine::WaitNote& note) override;

 private:
  /// As that of a send.
  bool is_null() const noexcept { return receive_.channel == nullptr; }

  engine::Receive receive_;
  OpenReceive open_;
  CancellableReceive cancellable_;
  int first_ = 0;  // the member that is rank 0
  engine::Unexpected* claimed_ = nullptr;
  KeptForMessage kept_;
};

}  // namespace foldlane::api
