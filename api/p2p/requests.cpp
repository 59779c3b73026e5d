#include "api/p2p/requests.hpp"

#include <cstddef>

#include "api/request/request_slots.hpp"

namespace foldlane::api {

void set_up(engine::Send& send, const Line& line, const SendArguments& arguments) noexcept {
  send.channel = line.channel;
  send.buffer = arguments.memory.buffer;
  send.mode = arguments.mode;
  send.to = line.rank_in_job(arguments.dest);
  send.tag = arguments.tag;
}

void set_up(engine::Receive& receive, const Line& line, const ReceiveArguments& arguments) noexcept {
  receive.channel = line.channel;
  receive.buffer = arguments.memory.buffer;
  receive.buffer.type |= line.type_mark;
  receive.source = line.source(arguments.source);
  receive.tag = tag_wanted(arguments.tag);
}

void set_up(engine::Receive& receive, const ClaimedMessage& claimed, const MessageMemory& memory) noexcept {
  receive.channel = claimed.line.channel;
  receive.buffer = memory.buffer;
  receive.buffer.type |= claimed.line.type_mark;
}

bool MessageRequest::has_failed() const noexcept {
  const engine::Delivery delivery = communication_.delivery();
  return !is_null_ && delivery != engine::Delivery::done && delivery != engine::Delivery::cancelled;
}

/// It goes on by itself. Its memory is its slot.
Request::Freed MessageRequest::free() {
  if (!is_active() || is_null_) return Freed::now;
  const auto end = [](void* owner) { end_request(*static_cast<RequestSlot*>(owner)); };
  return messenger().disown(communication_, end, &slot_of(*this)) ? Freed::later : Freed::now;
}

SendRequest::SendRequest(MPI_Comm comm, Lifetime lifetime, Communicator& communicator,
                         const SendArguments& arguments)
    : MessageRequest(comm, lifetime, send_, arguments.dest == MPI_PROC_NULL),
      kept_(communicator.owned_team, arguments.memory) {
  if (!is_null()) set_up(send_, line_of(communicator, comm), arguments);
  set(engine::Delivery::done);
}

void SendRequest::begin() {
  if (is_null()) return;
  set(engine::Delivery::under_way);
  messenger().start(send_);
}

ReceiveRequest::ReceiveRequest(MPI_Comm comm, Lifetime lifetime, Communicator& communicator,
                               const ReceiveArguments& arguments)
    : MessageRequest(comm, lifetime, receive_, arguments.source == MPI_PROC_NULL),
      kept_(communicator.owned_team, arguments.memory) {
  set(engine::Delivery::done);
  if (is_null()) return;
  const Line line = line_of(communicator, comm);
  first_ = line.first;
  set_up(receive_, line, arguments);
}

ReceiveRequest::ReceiveRequest(const ClaimedMessage& claimed, const MessageMemory& memory)
    : MessageRequest(claimed.comm, Lifetime::once, receive_, claimed.message == nullptr),
      first_(claimed.line.first),
      claimed_(claimed.message),
      kept_(claimed.team, memory) {
  set_up(receive_, claimed, memory);
  set(engine::Delivery::done);
}

void ReceiveRequest::begin() {
  if (is_null()) return;
  set(engine::Delivery::under_way);
  if (claimed_ != nullptr) return messenger().start(receive_, *claimed_);
  open_.begin(receive_, first_);
  messenger().start(receive_);
}

void ReceiveRequest::finish(MPI_Status& status) {
  open_.end(receive_, first_);
  describe(status);
}

void ReceiveRequest::describe(MPI_Status& status) {
  if (is_null()) {
    status = null_status();
  } else {
    finish_receive(receive_, first_, status);
  }
}

void ReceiveRequest::cancel() {
  if (!is_null() && open_.may_be_cancelled()) messenger().cancel(receive_);
}

}  // namespace foldlane::api
