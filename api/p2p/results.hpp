// What calls tell of messages: statuses, and errors that name the message.
#pragma once

#include <mpi.h>

#include "api/core/failure.hpp"
#include "api/p2p/suspicions.hpp"
#include "api/request/completion.hpp"
#include "api/request/request.hpp"
#include "api/request/status.hpp"
#include "engine/p2p/communication.hpp"

namespace foldlane::api {

/// Of what was sent to, or received from, MPI_PROC_NULL.
inline MPI_Status null_status() noexcept {
  MPI_Status status = empty_status();
  status.MPI_SOURCE = MPI_PROC_NULL;
  return status;
}

[[noreturn, gnu::cold]] void fail_send(const engine::Send& send);
[[noreturn, gnu::cold]] void fail_receive(const engine::Receive& receive, int first);

/// Of one that is over.
inline void require_sent(const engine::Send& send) {
  if (send.delivery() != engine::Delivery::done) [[unlikely]]
    fail_send(send);
}
inline void finish_receive(const engine::Receive& receive, int first, MPI_Status& status) {
  const engine::Delivery delivery = receive.delivery();
  if (delivery == engine::Delivery::cancelled) [[unlikely]]
    return set_cancelled(status, true);
  if (delivery == engine::Delivery::done) [[likely]] {
    if (receive.envelope.type != receive.buffer.type) [[unlikely]]
      examine(receive, first);
    return describe_message(status, receive.envelope, first);
  }
  fail_receive(receive, first);
}

/// The same, into the program's status.
inline void put_received(MPI_Status* status, const engine::Receive& receive, int first) {
  MPI_Status result = empty_status();
  finish_receive(receive, first, result);
  put_status(status, result);
}

}  // namespace foldlane::api
