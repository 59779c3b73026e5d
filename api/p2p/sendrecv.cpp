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

/// What is sent out of a buffer that is to be received into.
class SentCopy {
 public:
  explicit SentCopy(const engine::UserBuffer& original)
      : bytes_(std::make_unique_for_overwrite<std::byte[]>(original.bytes)), buffer_(original) {
    original.copy_to(bytes_.get(), 0, original.bytes);
    buffer_.address = bytes_.get();
    buffer_.type_map = nullptr;
  }
  const engine::UserBuffer& buffer() const noexcept { return buffer_; }

 private:
  std::unique_ptr<std::byte[]> bytes_;
  engine::UserBuffer buffer_;
};

struct BothWays {
  engine::Send send;  // as `receive`, without a channel if nobody is there
  engine::Receive receive;
  const TypeMapPlace* sent = nullptr;  // to be kept
  const TypeMapPlace* received = nullptr;
  std::unique_ptr<SentCopy> copy;  // of MPI_Sendrecv_replace

  bool sends() const noexcept { return send.channel != nullptr; }
  bool receives() const noexcept { return receive.channel != nullptr; }
};

/// Where what is received lies, or what is sent.
template <class Communication>
const TypeMapPlace* set_memory(Communication& communication, const MessageMemory& memory) {
  memory.set(communication.buffer);
  return memory.type_map;
}

/// Of messages whose memory is known: who sends to whom.
void check_partners(BothWays& both, Communicator& communicator, MPI_Comm comm, int dest, int sendtag,
                    int source, int recvtag) {
  check_send_tag(sendtag, "sendtag");
  check_receive_tag(recvtag, communicator, "recvtag");
  check_destination(dest, communicator);
  check_source(source, communicator);
  const Line line = line_of(communicator, comm);
  if (dest != MPI_PROC_NULL) set_up(both.send, line, dest, sendtag);
  if (source != MPI_PROC_NULL) set_up(both.receive, line, source, recvtag);
}

/// Messages in memory of their own.
void check_both(BothWays& both, Communicator& communicator, MPI_Comm comm, const void* sendbuf,
                MPI_Count sendcount, MPI_Datatype sendtype, int dest, int sendtag, void* recvbuf,
                MPI_Count recvcount, MPI_Datatype recvtype, int source, int recvtag) {
  both.sent = set_memory(both.send, check_message(sendbuf, sendcount, sendtype, "sendbuf"));
  both.received = set_memory(both.receive, check_message(recvbuf, recvcount, recvtype, "recvbuf"));
  check_partners(both, communicator, comm, dest, sendtag, source, recvtag);
}

void check_replace(BothWays& both, Communicator& communicator, MPI_Comm comm, void* buf, MPI_Count count,
                   MPI_Datatype datatype, int dest, int sendtag, int source, int recvtag) {
  both.received = set_memory(both.receive, check_message(buf, count, datatype));
  both.copy = std::make_unique<SentCopy>(both.receive.buffer);
  both.send.buffer = both.copy->buffer();
  check_partners(both, communicator, comm, dest, sendtag, source, recvtag);
}

void exchange(Call call, const Communicator& communicator, MPI_Comm comm, BothWays& both,
              MPI_Status* status) {
  const int first = first_partner(communicator);
  engine::Send& send = both.send;
  engine::Receive& receive = both.receive;
  OpenReceive open;
  if (both.receives()) {
    open.begin(receive, first);
    messenger().start(receive);
  }
  const bool is_sent = !both.sends() || messenger().send_at_once(send);
  if (!is_sent) {
    messenger().start(send);
    wait_for(messenger(), send, [&](engine::WaitNote& note) { note_send(note, call.name, send, comm); });
  }
  if (both.receives())
    wait_for(messenger(), receive,
             [&](engine::WaitNote& note) { note_receive(note, call.name, receive, comm); });
  open.end(receive, first);
  if (!is_sent) require_sent(send);
  if (!both.receives()) return put_status(status, null_status());
  put_received(status, receive, first);
}

/// Both ways as one request. With the send it is over when both are.
class ExchangeRequest final : public Request {
 public:
  /// `check` checks the arguments and fills in what is sent and received.
  template <class Check>
  ExchangeRequest(MPI_Comm comm, const Communicator& communicator, const Check& check)
      : Request(comm), first_(first_partner(communicator)) {
    check(both_);
    kept_send_ = KeptForMessage(communicator.owned_team, both_.sent);
    kept_receive_ = KeptForMessage(communicator.owned_team, both_.received);
  }

  void begin() override {
    if (both_.receives()) {
      open_.begin(both_.receive, first_);
      messenger().start(both_.receive);
    }
    if (both_.sends()) messenger().start(both_.send);
  }
  std::string title() const override {
    return fmt::format("MPI_Isendrecv{}: {}, {}", both_.copy == nullptr ? "" : "_replace",
                       title_of("send", comm(), both_.send, !both_.sends()),
                       title_of("receive", comm(), both_.receive, !both_.receives(), first_));
  }
  bool poll() override {
    return (!both_.sends() || both_.send.over()) && (!both_.receives() || both_.receive.over());
  }
  void finish(MPI_Status& status) override {
    open_.end(both_.receive, first_);
    describe(status);
  }
  void describe(MPI_Status& status) override {
    if (both_.sends()) require_sent(both_.send);
    if (both_.receives()) return finish_receive(both_.receive, first_, status);
    status = null_status();
  }
  void note_wait(engine::WaitNote& note) override {
    if (both_.sends() && !both_.send.over()) return note_send(note, "MPI_Isendrecv", both_.send, comm());
    note_receive(note, "MPI_Isendrecv", both_.receive, comm());
  }
  void cancel() override {
    fail(MPI_ERR_REQUEST, "a request that sends and receives cannot be cancelled; wait for it");
  }
  /// Whoever sees the last of the three go has the rest to do: both ways, and this call.
  Freed free() override {
    const bool send_goes_on = both_.sends() && messenger().disown(both_.send, one_way_ended, this);
    const bool receive_goes_on = both_.receives() && messenger().disown(both_.receive, one_way_ended, this);
    const std::uint32_t over = 1U + (send_goes_on ? 0U : 1U) + (receive_goes_on ? 0U : 1U);
    return over_.add(over) + over == kAll ? Freed::now : Freed::later;
  }

 private:
  static constexpr std::uint32_t kAll = 3;
  static void one_way_ended(void* request) {
    auto& self = *static_cast<ExchangeRequest*>(request);
    if (self.over_.add(1) + 1 == kAll) end_request(slot_of(self));
  }

  BothWays both_;
  OpenReceive open_;
  shm::RealAtoms::Word<std::uint32_t> over_{};  // once it is freed
  int first_;
  KeptForMessage kept_send_;
  KeptForMessage kept_receive_;
};

}  // namespace

int sendrecv(Call call, const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, int dest,
             int sendtag, void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int source, int recvtag,
             MPI_Comm comm, MPI_Status* status) {
  return run(call, comm, [&] {
    Communicator& communicator = check_communicator(comm);
    BothWays both;
    check_both(both, communicator, comm, sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount,
               recvtype, source, recvtag);
    exchange(call, communicator, comm, both, status);
  });
}

int sendrecv_replace(Call call, void* buf, MPI_Count count, MPI_Datatype datatype, int dest, int sendtag,
                     int source, int recvtag, MPI_Comm comm, MPI_Status* status) {
  return run(call, comm, [&] {
    Communicator& communicator = check_communicator(comm);
    BothWays both;
    check_replace(both, communicator, comm, buf, count, datatype, dest, sendtag, source, recvtag);
    exchange(call, communicator, comm, both, status);
  });
}

int isendrecv(Call call, const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, int dest,
              int sendtag, void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int source, int recvtag,
              MPI_Comm comm, MPI_Request* request) {
  return run(call, comm, [&] {
    *check_output(request, "request") = MPI_REQUEST_NULL;
    Communicator& communicator = check_communicator(comm);
    make_request<ExchangeRequest>(*request, comm, communicator, [&](BothWays& both) {
      check_both(both, communicator, comm, sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount,
                 recvtype, source, recvtag);
    });
  });
}

int isendrecv_replace(Call call, void* buf, MPI_Count count, MPI_Datatype datatype, int dest, int sendtag,
                      int source, int recvtag, MPI_Comm comm, MPI_Request* request) {
  return run(call, comm, [&] {
    *check_output(request, "request") = MPI_REQUEST_NULL;
    Communicator& communicator = check_communicator(comm);
    make_request<ExchangeRequest>(*request, comm, communicator, [&](BothWays& both) {
      check_replace(both, communicator, comm, buf, count, datatype, dest, sendtag, source, recvtag);
    });
  });
}

}  // namespace foldlane::api
