// MPI_Probe and its kin, and the receives of messages that MPI_Mprobe has taken out.
#include <fmt/format.h>

#include <optional>
#include <utility>

#include "api/core/calls.hpp"
#include "api/core/handle_table.hpp"
#include "api/p2p/requests.hpp"
#include "api/p2p/wait_notes.hpp"
#include "api/replay/outcomes.hpp"
#include "api/request/completion.hpp"
#include "api/request/request_slots.hpp"

namespace foldlane::api {
namespace {

std::optional<std::string> describe_claimed(MPI_Message, const ClaimedMessage& claimed) {
  const engine::Envelope& envelope = claimed.message->envelope;
  return fmt::format("from rank {}, tag {}, {} bytes, {}",
                     static_cast<int>(envelope.source) - claimed.line.first, envelope.tag, envelope.bytes,
                     describe(claimed.comm));
}

HandleTable<MPI_Message, ClaimedMessage> messages("matched message", describe_claimed);

struct Wanted {
  MPI_Comm comm;
  Communicator& communicator;
  Line line;
  int source;
  int tag;
};

Wanted check_wanted(int source, int tag, MPI_Comm comm) {
  Communicator& communicator = check_communicator(comm);
  check_receive_tag(tag, communicator);
  check_source(source, communicator);
  const Line line = line_of(communicator, comm);
  return {comm, communicator, line, line.source(source), tag_wanted(tag)};
}

engine::Envelope await_message(Call call, const Wanted& wanted) {
  engine::Envelope envelope;
  engine::Receive like_it;
  like_it.channel = wanted.line.channel;
  like_it.source = wanted.source;
  like_it.tag = wanted.tag;
  const auto describe = [&](engine::WaitNote& note) { note_probe(note, call.name, like_it, wanted.comm); };
  if (messenger().await(*wanted.line.channel, wanted.source, wanted.tag, envelope, describe)) return envelope;
  like_it.end(engine::Delivery::peer_failed);
  fail_receive(like_it, wanted.line.first);
}

/// Replayed, a call looks for what it found in the recorded run. False: it found nothing.
bool settle(Call call, Wanted& wanted) {
  const std::optional<Outcome> told = replayed(call);
  if (!told) return true;
  if (told->empty()) return false;
  wanted.source = wanted.line.first + number(*told, 0);
  wanted.tag = number(*told, 1);
  await_message(call, wanted);
  return true;
}
void record_found(Call call, const Wanted& wanted, const engine::Envelope& envelope) {
  record(call, {static_cast<int>(envelope.source) - wanted.line.first, envelope.tag});
}

void put_message(MPI_Status* status, const engine::Envelope& envelope, int first) {
  MPI_Status result = empty_status();
  describe_message(result, envelope, first);
  put_status(status, result);
}

MPI_Message add_message(const Wanted& wanted, engine::Unexpected& claimed) {
  const MPI_Message handle =
      messages.insert({wanted.comm, &claimed, wanted.line, wanted.communicator.owned_team});
  if (handle == nullptr) fail(MPI_ERR_NO_MEM, "too many matched messages wait for their receives");
  return handle;
}

/// False: none has come.
bool claim(Call call, const Wanted& wanted, MPI_Message* message, MPI_Status* status) {
  engine::Unexpected* const claimed = messenger().claim(*wanted.line.channel, wanted.source, wanted.tag);
  if (claimed == nullptr) return false;
  record_found(call, wanted, claimed->envelope);
  put_message(status, claimed->envelope, wanted.line.first);
  *message = add_message(wanted, *claimed);
  return true;
}

/// Where errors about it are raised: where it came.
MPI_Comm comm_of(const MPI_Message* message) noexcept {
  const ClaimedMessage* const found = message == nullptr ? nullptr : messages.find(*message);
  return found == nullptr ? MPI_COMM_NULL : found->comm;
}

/// Takes the message out of the table, and its handle from the program.
ClaimedMessage take_message(MPI_Message* message) {
  check_active();
  check_output(message, "message");
  if (*message == MPI_MESSAGE_NO_PROC) {
    *message = MPI_MESSAGE_NULL;
    return {MPI_COMM_NULL, nullptr, {}, nullptr};
  }
  ClaimedMessage* const found = *message == MPI_MESSAGE_NULL ? nullptr : messages.find(*message);
  if (found == nullptr) {
    fail(MPI_ERR_REQUEST,
         *message == MPI_MESSAGE_NULL
             ? std::string("the message is MPI_MESSAGE_NULL")
             : fmt::format("the message {} does not exist; it may have been received", fmt::ptr(*message)));
  }
  ClaimedMessage taken = std::move(*found);
  messages.erase(std::exchange(*message, MPI_MESSAGE_NULL));
  return taken;
}

}  // namespace

int probe(Call call, int source, int tag, MPI_Comm comm, MPI_Status* status) {
  return run(call, comm, [&] {
    Wanted wanted = check_wanted(source, tag, comm);
    if (source == MPI_PROC_NULL) return put_status(status, null_status());
    settle(call, wanted);
    const engine::Envelope envelope = await_message(call, wanted);
    record_found(call, wanted, envelope);
    put_message(status, envelope, wanted.line.first);
  });
}

int iprobe(Call call, int source, int tag, MPI_Comm comm, int* flag, MPI_Status* status) {
  return run(call, comm, [&] {
    Wanted wanted = check_wanted(source, tag, comm);
    *check_output(flag, "flag") = 1;
    if (source == MPI_PROC_NULL) return put_status(status, null_status());
    world.job->drive();
    engine::Envelope envelope;
    *flag =
        settle(call, wanted) && messenger().probe(*wanted.line.channel, wanted.source, wanted.tag, envelope);
    if (*flag == 0) return record(call, {});
    record_found(call, wanted, envelope);
    put_message(status, envelope, wanted.line.first);
  });
}

int mprobe(Call call, int source, int tag, MPI_Comm comm, MPI_Message* message, MPI_Status* status) {
  return run(call, comm, [&] {
    Wanted wanted = check_wanted(source, tag, comm);
    *check_output(message, "message") = MPI_MESSAGE_NO_PROC;
    if (source == MPI_PROC_NULL) return put_status(status, null_status());
    *message = MPI_MESSAGE_NULL;
    settle(call, wanted);
    do {
      await_message(call, wanted);  // another thread may be faster
    } while (!claim(call, wanted, message, status));
  });
}

int improbe(Call call, int source, int tag, MPI_Comm comm, int* flag, MPI_Message* message,
            MPI_Status* status) {
  return run(call, comm, [&] {
    Wanted wanted = check_wanted(source, tag, comm);
    check_output(message, "message");
    *check_output(flag, "flag") = 1;
    if (source == MPI_PROC_NULL) {
      *message = MPI_MESSAGE_NO_PROC;
      return put_status(status, null_status());
    }
    world.job->drive();
    *message = MPI_MESSAGE_NULL;
    *flag = settle(call, wanted) && claim(call, wanted, message, status);
    if (*flag == 0) record(call, {});
  });
}

int mrecv(Call call, void* buf, MPI_Count count, MPI_Datatype datatype, MPI_Message* message,
          MPI_Status* status) {
  return run(call, comm_of(message), [&] {
    const MessageMemory memory = check_message(buf, count, datatype);
    const ClaimedMessage claimed = take_message(message);
    if (claimed.message == nullptr) return put_status(status, null_status());
    engine::Receive receive;
    set_up(receive, claimed, memory);
    messenger().start(receive, *claimed.message);
    wait_for(messenger(), receive,
             [&](engine::WaitNote& note) { note_claimed(note, call.name, receive, claimed.comm); });
    put_received(status, receive, claimed.line.first);
  });
}

int imrecv(Call call, void* buf, MPI_Count count, MPI_Datatype datatype, MPI_Message* message,
           MPI_Request* request) {
  return run(call, comm_of(message), [&] {
    *check_output(request, "request") = MPI_REQUEST_NULL;
    const MessageMemory memory = check_message(buf, count, datatype);
    make_request<ReceiveRequest>(*request, take_message(message), memory);
  });
}

}  // namespace foldlane::api
