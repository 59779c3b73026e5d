// MPI_Sendrecv, MPI_Sendrecv_replace: a message each way, at the same time.
#include <fmt/format.h>

#include <cstddef>
#include <memory>

#include "api/core/calls.hpp"
#include "api/p2p/message_titles.hpp"
#include "api/p2p/requests.hpp"
#include "api/p2p/wait_notes.hpp"
#include "api/request/completion.hpp"
#include "api/request/request_slots.hpp"

namespace foldlane::api {
namespace {

struct BothWays {
  SendArguments send;
  ReceiveArguments receive;
};

void check_partners(const Communicator& communicator, int dest, int sendtag, int source, int recvtag) {
  check_send_tag(sendtag, "sendtag");
  check_receive_tag(recvtag, communicator, "recvtag");
  check_destination(dest, communicator);
  check_source(source, communicator);
}

/// What is sent out of a buffer that is to be received into.
class SentCopy {
 public:
  explicit SentCopy(const engine::UserBuffer& original)
      : bytes_(std::make_unique_for_overwrite<std::byte[]>(original.bytes)), buffer_(original) {
    original.copy_to(bytes_.get(), 0, original.bytes);
    buffer_.address = bytes_.get();
    buffer_.type_map = nullptr;
  }
  MessageMemory memory() const noexcept { return {buffer_, nullptr}; }

 private:
  std::unique_ptr<std::byte[]> bytes_;
  engine::UserBuffer buffer_;
};

void exchange(Call call, Communicator& communicator, MPI_Comm comm, const BothWays& both,
              MPI_Status* status) {
  const Line line = line_of(communicator, comm);
  engine::Send send;
  engine::Receive receive;
  const bool sends = both.send.dest != MPI_PROC_NULL;
  const bool receives = both.receive.source != MPI_PROC_NULL;
  OpenReceive open;
  if (receives) {
    set_up(receive, line, both.receive);
    open.begin(receive, line.first);
    messenger().start(receive);
  }
  if (sends) {
    set_up(send, line, both.send);
    messenger().start(send);
    messenger().wait(send, [&](engine::WaitNote& note) { note_send(note, call.name, send, comm); });
  }
  if (receives) {
    messenger().wait(receive, [&](engine::WaitNote& note) { note_receive(note, call.name, receive, comm); });
  }
  open.end(receive, line.first);
  if (sends) require_sent(send);
  if (!receives) return put_status(status, null_status());
  put_received(status, receive, line.first);
}

/// Both ways as one request. With the send it is over when both are.
class ExchangeRequest final : public Request {
 public:
  ExchangeRequest(MPI_Comm comm, Communicator& communicator, const BothWays& both,
                  std::unique_ptr<SentCopy> copy)
      : Request(comm),
        copy_(std::move(copy)),
        sends_(both.send.dest != MPI_PROC_NULL),
        receives_(both.receive.source != MPI_PROC_NULL),
        kept_send_(communicator.owned_team, both.send.memory),
        kept_receive_(communicator.owned_team, both.receive.memory) {
    const Line line = line_of(communicator, comm);
    first_ = line.first;
    if (sends_) set_up(send_, line, both.send);
    if (receives_) set_up(receive_, line, both.receive);
  }

  void begin() override {
    if (receives_) {
      open_.begin(receive_, first_);
      messenger().start(receive_);
    }
    if (sends_) messenger().start(send_);
  }
  std::string title() const override {
    return fmt::format("MPI_Isendrecv{}: {}, {}", copy_ == nullptr ? "" : "_replace",
                       title_of("send", comm(), send_, !sends_),
                       title_of("receive", comm(), receive_, !receives_, first_));
  }
  bool poll() override { return (!sends_ || send_.over()) && (!receives_ || receive_.over()); }
  void finish(MPI_Status& status) override {
    open_.end(receive_, first_);
    describe(status);
  }
  void describe(MPI_Status& status) override {
    if (sends_) require_sent(send_);
    if (receives_) return finish_receive(receive_, first_, status);
    status = null_status();
  }
  void note_wait(engine::WaitNote& note) override {
    if (sends_ && !send_.over()) return note_send(note, "MPI_Isendrecv", send_, comm());
    note_receive(note, "MPI_Isendrecv", receive_, comm());
  }
  void cancel() override {
    fail(MPI_ERR_REQUEST, "a request that sends and receives cannot be cancelled; wait for it");
  }
  /// Whoever sees the last of the three go has the rest to do: both ways, and this call.
  Freed free() override {
    const bool send_goes_on = sends_ && messenger().disown(send_, one_way_ended, this);
    const bool receive_goes_on = receives_ && messenger().disown(receive_, one_way_ended, this);
    const std::uint32_t over = 1U + (send_goes_on ? 0U : 1U) + (receive_goes_on ? 0U : 1U);
    return over_.add(over) + over == kAll ? Freed::now : Freed::later;
  }

 private:
  static constexpr std::uint32_t kAll = 3;
  static void one_way_ended(void* request) {
    auto& self = *static_cast<ExchangeRequest*>(request);
    if (self.over_.add(1) + 1 == kAll) end_request(slot_of(self));
  }

  engine::Send send_;
  engine::Receive receive_;
  OpenReceive open_;
  shm::RealAtoms::Word<std::uint32_t> over_{};  // once it is freed
  std::unique_ptr<SentCopy> copy_;
  bool sends_;
  bool receives_;
  int first_ = 0;
  KeptForMessage kept_send_;
  KeptForMessage kept_receive_;
};

BothWays check_both(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, int dest, int sendtag,
                    void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int source, int recvtag,
                    const Communicator& communicator) {
  const MessageMemory sent = check_message(sendbuf, sendcount, sendtype, "sendbuf");
  const MessageMemory received = check_message(recvbuf, recvcount, recvtype, "recvbuf");
  check_partners(communicator, dest, sendtag, source, recvtag);
  return {{engine::SendMode::standard, sent, dest, sendtag}, {received, source, recvtag}};
}

}  // namespace

int sendrecv(Call call, const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, int dest,
             int sendtag, void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int source, int recvtag,
             MPI_Comm comm, MPI_Status* status) {
  return run(call, comm, [&] {
    Communicator& communicator = check_communicator(comm);
    exchange(call, communicator, comm,
             check_both(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype, source,
                        recvtag, communicator),
             status);
  });
}

int sendrecv_replace(Call call, void* buf, MPI_Count count, MPI_Datatype datatype, int dest, int sendtag,
                     int source, int recvtag, MPI_Comm comm, MPI_Status* status) {
  return run(call, comm, [&] {
    Communicator& communicator = check_communicator(comm);
    const MessageMemory memory = check_message(buf, count, datatype);
    check_partners(communicator, dest, sendtag, source, recvtag);
    const SentCopy copy(memory.buffer);
    exchange(call, communicator, comm,
             {{engine::SendMode::standard, copy.memory(), dest, sendtag}, {memory, source, recvtag}}, status);
  });
}

int isendrecv(Call call, const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, int dest,
              int sendtag, void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int source, int recvtag,
              MPI_Comm comm, MPI_Request* request) {
  return run(call, comm, [&] {
    *check_output(request, "request") = MPI_REQUEST_NULL;
    Communicator& communicator = check_communicator(comm);
    const BothWays both = check_both(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount,
                                     recvtype, source, recvtag, communicator);
    make_request<ExchangeRequest>(*request, comm, communicator, both, nullptr);
  });
}

int isendrecv_replace(Call call, void* buf, MPI_Count count, MPI_Datatype datatype, int dest, int sendtag,
                      int source, int recvtag, MPI_Comm comm, MPI_Request* request) {
  return run(call, comm, [&] {
    *check_output(request, "request") = MPI_REQUEST_NULL;
    Communicator& communicator = check_communicator(comm);
    const MessageMemory memory = check_message(buf, count, datatype);
    check_partners(communicator, dest, sendtag, source, recvtag);
    auto copy = std::make_unique<SentCopy>(memory.buffer);
    const BothWays both{{engine::SendMode::standard, copy->memory(), dest, sendtag},
                        {memory, source, recvtag}};
    make_request<ExchangeRequest>(*request, comm, communicator, both, std::move(copy));
  });
}

}  // namespace foldlane::api
