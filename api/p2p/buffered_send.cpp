// MPI_Bsend, MPI_Ibsend, MPI_Bsend_init: the message is copied into the attached buffer, and is the library's
// business from there on.
#include <fmt/format.h>

#include <memory>
#include <utility>

#include "api/core/calls.hpp"
#include "api/objects/session.hpp"
#include "api/p2p/message_titles.hpp"
#include "api/p2p/requests.hpp"
#include "api/request/request_slots.hpp"

namespace foldlane::api {
namespace {

std::shared_ptr<SendBuffer> buffer_of_session(MPI_Session session) {
  const Session* const found = sessions.find(session);
  return found == nullptr ? nullptr : found->send_buffer.attached();
}

/// That of the communicator, else of the session that it comes from, else of the process. The communicator
/// may be freed already; then `session` still says where it came from.
std::shared_ptr<SendBuffer> buffer_for(MPI_Comm comm, MPI_Session session) {
  const Communicator* const communicator = find_communicator(comm);
  std::shared_ptr<SendBuffer> buffer =
      communicator == nullptr ? nullptr : communicator->send_buffer.attached();
  if (buffer == nullptr) buffer = buffer_of_session(session);
  if (buffer == nullptr) buffer = process_send_buffer.attached();
  if (buffer != nullptr) return buffer;
  fail(MPI_ERR_BUFFER,
       "no buffer is attached to the communicator, to its session or to the process; attach one with "
       "MPI_Buffer_attach, for instance MPI_BUFFER_AUTOMATIC");
}

/// What is to be sent, once or again.
class BufferedSend {
 public:
  BufferedSend(MPI_Comm comm, const Communicator& communicator, const MessageArguments& arguments)
      : comm_(comm),
        session_(communicator.session),
        kept_(communicator.owned_team, arguments.memory.type_map) {
    arguments.set_up(original_);
  }

  std::string title() const { return title_of("MPI_Bsend_init", comm_, original_, is_null()); }
  void start() {
    if (!is_null()) buffer_for(comm_, session_)->send(original_, kept_.team());
  }

 private:
  bool is_null() const noexcept { return original_.channel == nullptr; }

  MPI_Comm comm_;
  MPI_Session session_;
  engine::Parcel original_;
  KeptForMessage kept_;
};

/// It is complete as soon as the message has been copied.
class BufferedSendRequest : public Request {
 public:
  explicit BufferedSendRequest(MPI_Comm comm, Lifetime lifetime = Lifetime::once) noexcept
      : Request(comm, lifetime) {}

  std::string title() const override { return fmt::format("MPI_Ibsend({})", api::describe(comm())); }
  bool poll() override { return true; }
  void finish(MPI_Status&) override {}
  void cancel() override {}
  Freed free() override { return Freed::now; }
};

class PersistentBufferedSend final : public BufferedSendRequest {
 public:
  PersistentBufferedSend(MPI_Comm comm, const Communicator& communicator, const MessageArguments& arguments)
      : BufferedSendRequest(comm, Lifetime::persistent), send_(comm, communicator, arguments) {}

  std::string title() const override { return send_.title(); }
  void begin() override { send_.start(); }

 private:
  BufferedSend send_;
};

}  // namespace

int bsend(Call call, const void* buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag,
          MPI_Comm comm) {
  return run(call, comm, [&] {
    Communicator& communicator = check_communicator(comm);
    BufferedSend(comm, communicator, check_send(communicator, comm, buf, count, datatype, dest, tag)).start();
  });
}

int ibsend(Call call, const void* buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag,
           MPI_Comm comm, MPI_Request* request) {
  return run(call, comm, [&] {
    *check_output(request, "request") = MPI_REQUEST_NULL;
    Communicator& communicator = check_communicator(comm);
    BufferedSend(comm, communicator, check_send(communicator, comm, buf, count, datatype, dest, tag)).start();
    make_request<BufferedSendRequest>(*request, comm);
  });
}

int bsend_init(Call call, const void* buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag,
               MPI_Comm comm, MPI_Request* request) {
  return run(call, comm, [&] {
    *check_output(request, "request") = MPI_REQUEST_NULL;
    Communicator& communicator = check_communicator(comm);
    make_request<PersistentBufferedSend>(*request, comm, communicator,
                                         check_send(communicator, comm, buf, count, datatype, dest, tag));
  });
}

}  // namespace foldlane::api
