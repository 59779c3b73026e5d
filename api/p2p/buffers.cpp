// The calls that attach memory for buffered sends, detach it again, and wait until the messages in it have
// gone.
#include <fmt/format.h>

#include <cstddef>
#include <limits>
#include <memory>
#include <utility>

#include "api/core/calls.hpp"
#include "api/errors/args.hpp"
#include "api/objects/communicator.hpp"
#include "api/objects/session.hpp"
#include "api/request/request_slots.hpp"

namespace foldlane::api {
namespace {

constexpr const char* kOfProcess = "the process";
constexpr const char* kOfSession = "the session";
constexpr const char* kOfCommunicator = "the communicator";

void attach(SendBufferPlace& place, void* buffer, MPI_Count size, const char* whose) {
  const bool is_automatic = buffer == MPI_BUFFER_AUTOMATIC;
  if (is_automatic) size = 0;
  if (size < 0) fail(MPI_ERR_ARG, fmt::format("size is {}; it must not be negative", size));
  if (!is_automatic) check_buffer(buffer, static_cast<std::size_t>(size), "buffer");
  if (!place.attach(std::make_shared<SendBuffer>(buffer, static_cast<std::size_t>(size), whose))) {
    fail(
        MPI_ERR_BUFFER,
        fmt::format("a buffer is attached to {} already; detach that before another one is attached", whose));
  }
}

template <class Size>
void check_size(const SendBuffer& buffer) {
  if (buffer.bytes() <= static_cast<std::size_t>(std::numeric_limits<Size>::max())) return;
  fail(MPI_ERR_VALUE_TOO_LARGE,
       fmt::format("the buffer has {} bytes, too many for an int; use the form of the call that ends in _c",
                   buffer.bytes()));
}

/// Where none is attached there is one of no bytes.
template <class Size>
void detach(SendBufferPlace& place, void* buffer_addr, Size* size) {
  check_output(buffer_addr, "buffer_addr");
  check_output(size, "size");
  if (const auto buffer = place.attached()) check_size<Size>(*buffer);
  const std::shared_ptr<SendBuffer> buffer = place.detach();
  if (buffer != nullptr) buffer->flush();
  *static_cast<void**>(buffer_addr) = buffer == nullptr ? nullptr : buffer->memory();
  *size = buffer == nullptr ? 0 : static_cast<Size>(buffer->bytes());
}

void flush(const SendBufferPlace& place) {
  if (const std::shared_ptr<SendBuffer> buffer = place.attached()) buffer->flush();
}

class FlushRequest final : public Request {
 public:
  FlushRequest(MPI_Comm comm, std::shared_ptr<SendBuffer> buffer)
      : Request(comm), buffer_(std::move(buffer)), messages_(buffer_ == nullptr ? 0 : buffer_->messages()) {}

  std::string title() const override { return "MPI_Buffer_iflush()"; }
  bool poll() override { return buffer_ == nullptr || buffer_->has_delivered(messages_); }
  void finish(MPI_Status&) override {}
  void note_wait(engine::WaitNote& note) override { buffer_->note_wait(note); }
  void cancel() override {
    fail(MPI_ERR_REQUEST, "the request of a flushed buffer cannot be cancelled; wait for it");
  }
  Freed free() override { return Freed::now; }

 private:
  std::shared_ptr<SendBuffer> buffer_;
  std::uint64_t messages_;
};

void iflush(const SendBufferPlace& place, MPI_Comm comm, MPI_Request* request) {
  *check_output(request, "request") = MPI_REQUEST_NULL;
  make_request<FlushRequest>(*request, comm, place.attached());
}

template <class Size>
int detach_from_process(Call call, void* buffer_addr, Size* size) {
  return run(call, [&] {
    check_active();
    detach(process_send_buffer, buffer_addr, size);
  });
}
template <class Size>
int detach_from_communicator(Call call, MPI_Comm comm, void* buffer_addr, Size* size) {
  return run(call, comm, [&] { detach(check_communicator(comm).send_buffer, buffer_addr, size); });
}
template <class Size>
int detach_from_session(Call call, MPI_Session session, void* buffer_addr, Size* size) {
  return run(call, session, [&] { detach(check_session(session).send_buffer, buffer_addr, size); });
}

}  // namespace

int buffer_attach(Call call, void* buffer, MPI_Count size) {
  return run(call, [&] {
    check_active();
    attach(process_send_buffer, buffer, size, kOfProcess);
  });
}
int buffer_detach(Call call, void* buffer_addr, int* size) {
  return detach_from_process(call, buffer_addr, size);
}
int buffer_detach(Call call, void* buffer_addr, MPI_Count* size) {
  return detach_from_process(call, buffer_addr, size);
}
int buffer_flush(Call call) {
  return run(call, [&] {
    check_active();
    flush(process_send_buffer);
  });
}
int buffer_iflush(Call call, MPI_Request* request) {
  return run(call, [&] {
    check_active();
    iflush(process_send_buffer, MPI_COMM_NULL, request);
  });
}

int comm_attach_buffer(Call call, MPI_Comm comm, void* buffer, MPI_Count size) {
  return run(call, comm,
             [&] { attach(check_communicator(comm).send_buffer, buffer, size, kOfCommunicator); });
}
int comm_detach_buffer(Call call, MPI_Comm comm, void* buffer_addr, int* size) {
  return detach_from_communicator(call, comm, buffer_addr, size);
}
int comm_detach_buffer(Call call, MPI_Comm comm, void* buffer_addr, MPI_Count* size) {
  return detach_from_communicator(call, comm, buffer_addr, size);
}
int comm_flush_buffer(Call call, MPI_Comm comm) {
  return run(call, comm, [&] { flush(check_communicator(comm).send_buffer); });
}
int comm_iflush_buffer(Call call, MPI_Comm comm, MPI_Request* request) {
  return run(call, comm, [&] { iflush(check_communicator(comm).send_buffer, comm, request); });
}

int session_attach_buffer(Call call, MPI_Session session, void* buffer, MPI_Count size) {
  return run(call, session, [&] { attach(check_session(session).send_buffer, buffer, size, kOfSession); });
}
int session_detach_buffer(Call call, MPI_Session session, void* buffer_addr, int* size) {
  return detach_from_session(call, session, buffer_addr, size);
}
int session_detach_buffer(Call call, MPI_Session session, void* buffer_addr, MPI_Count* size) {
  return detach_from_session(call, session, buffer_addr, size);
}
int session_flush_buffer(Call call, MPI_Session session) {
  return run(call, session, [&] { flush(check_session(session).send_buffer); });
}
int session_iflush_buffer(Call call, MPI_Session session, MPI_Request* request) {
  return run(call, session, [&] { iflush(check_session(session).send_buffer, MPI_COMM_NULL, request); });
}

}  // namespace foldlane::api
