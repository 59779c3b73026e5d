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

/// Checks the arguments of a send and fills it in. It has no channel if it goes to MPI_PROC_NULL. Returns
/// what check_message does.
inline const TypeMapPlace* check_send(engine::Parcel& parcel, Communicator& communicator, MPI_Comm comm,
                                      const void* buf, MPI_Count count, MPI_Datatype datatype, int dest,
                                      int tag) {
  const TypeMapPlace* const type_map = check_message(parcel.buffer, buf, count, datatype);
  check_send_tag(tag);
  check_destination(dest, communicator);
  if (dest != MPI_PROC_NULL) set_up(parcel, line_of(communicator, comm), dest, tag);
  return type_map;
}
/// The same for a receive.
inline const TypeMapPlace* check_receive(engine::Receive& receive, Communicator& communicator, MPI_Comm comm,
                                         void* buf, MPI_Count count, MPI_Datatype datatype, int source,
                                         int tag) {
  const TypeMapPlace* const type_map = check_message(receive.buffer, buf, count, datatype);
  check_receive_tag(tag, communicator);
  check_source(source, communicator);
  if (source != MPI_PROC_NULL) set_up(receive, line_of(communicator, comm), source, tag);
  return type_map;
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
  SendRequest(MPI_Comm comm, Lifetime lifetime, Communicator& communicator, engine::SendMode mode,
              const void* buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag)
      : MessageRequest(comm, lifetime, &send_),
        kept_(communicator.owned_team,
              check_send(send_, communicator, comm, buf, count, datatype, dest, tag)) {
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

class ReceiveRequest final : public MessageRequest {
 public:
  ReceiveRequest(MPI_Comm comm, Lifetime lifetime, Communicator& communicator, void* buf, MPI_Count count,
                 MPI_Datatype datatype, int source, int tag)
      : MessageRequest(comm, lifetime, &receive_),
        first_(first_partner(communicator)),
        kept_(communicator.owned_team,
              check_receive(receive_, communicator, comm, buf, count, datatype, source, tag)) {
    set(engine::Delivery::done);
  }
  /// Of a message that was matched before; it is received at once.
  ReceiveRequest(const ClaimedMessage& claimed, const MessageMemory& memory);

  std::string title() const override;
  void begin() override {
    if (is_null()) return;
    set(engine::Delivery::under_way);
    if (journal != nullptr || claimed_ != nullptr) [[unlikely]]
      return begin_otherwise();
    messenger().start(receive_);
  }
  void describe(MPI_Status& status) override;
  void finish(MPI_Status& status) override;
  void cancel() override;
  void note_wait(engine::WaitNote& note) override;

 private:
  /// As that of a send.
  bool is_null() const noexcept { return receive_.channel == nullptr; }
  /// Recorded or replayed, or of a message that was matched before.
  void begin_otherwise();

  engine::Receive receive_;
  OpenReceive open_;
  CancellableReceive cancellable_;
  int first_ = 0;  // the member that is rank 0
  engine::Unexpected* claimed_ = nullptr;
  KeptForMessage kept_;
};

}  // namespace foldlane::api
