#include "api/p2p/requests.hpp"

#include <cstddef>

#include "api/request/request_slots.hpp"

namespace foldlane::api {

void set_up(engine::Receive& receive, const ClaimedMessage& claimed, const MessageMemory& memory) noexcept {
  if (claimed.message != nullptr) receive.channel = claimed.line.channel;
  memory.set(receive.buffer);
  receive.buffer.type |= claimed.line.type_mark;
}

bool MessageRequest::has_failed() const noexcept {
  const engine::Delivery delivery = communication().delivery();
  return delivery != engine::Delivery::done && delivery != engine::Delivery::cancelled;
}

/// It goes on by itself. Its memory is its slot.
Request::Freed MessageRequest::free() {
  if (!is_active()) return Freed::now;
  const auto end = [](void* owner) { end_request(*static_cast<RequestSlot*>(owner)); };
  return messenger().disown(communication(), end, &slot_of(*this)) ? Freed::later : Freed::now;
}

void SendRequest::begin() {
  if (is_null()) return;
  set(engine::Delivery::under_way);
  messenger().start(send_);
}

void PlainReceive::cancel() { messenger().cancel(receive_); }

ReceiveRequest::ReceiveRequest(MPI_Comm comm, Lifetime lifetime, const Communicator& communicator,
                               const MessageArguments& arguments)
    : MessageRequest(comm, lifetime, &receive_),
      first_(arguments.line.first),
      kept_(communicator.owned_team, arguments.memory.type_map) {
  arguments.set_up(receive_);
  set(engine::Delivery::done);
}

ReceiveRequest::ReceiveRequest(const ClaimedMessage& claimed, const MessageMemory& memory)
    : MessageRequest(claimed.comm, Lifetime::once, &receive_),
      first_(claimed.line.first),
      claimed_(claimed.message),
      kept_(claimed.team, memory.type_map) {
  set_up(receive_, claimed, memory);
  set(engine::Delivery::done);
}

void ReceiveRequest::begin() {
  if (is_null()) return;
  set(engine::Delivery::under_way);
  if (claimed_ != nullptr) return messenger().start(receive_, *claimed_);
  open_.begin(receive_, first_);
  cancellable_.begin(receive_);
  messenger().start(receive_);
}

void ReceiveRequest::finish(MPI_Status& status) {
  cancellable_.end(receive_);
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
  if (!is_null()) cancellable_.cancel([&] { return messenger().cancel(receive_); });
}

}  // namespace foldlane::api
