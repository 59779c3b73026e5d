#include "api/p2p/wait_notes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>

#include "api/p2p/arguments.hpp"
#include "api/p2p/message_titles.hpp"
#include "api/p2p/requests.hpp"

namespace foldlane::api {
namespace {

std::string name_of(const engine::Channel& channel) {
  return channel.name().empty() ? "another communicator" : channel.name();
}

/// The members that a call on a communicator names as ranks.
struct Partners {
  int first;
  int count;
};
/// All of the team, if it is no communicator any more.
Partners partners_of(MPI_Comm comm, const engine::Channel& channel) noexcept {
  const Communicator* const found = find_communicator(comm);
  if (found == nullptr || !found->is_inter) return {0, static_cast<int>(channel.members().size())};
  return {found->sides().remote.first, found->sides().remote.count};
}

std::string source_and_tag(int source, int tag, int first) {
  const std::string named = source == engine::kAnySource ? "MPI_ANY_SOURCE" : std::to_string(source - first);
  return fmt::format("source {}, tag {}", named,
                     tag == engine::kAnyTag ? "MPI_ANY_TAG" : std::to_string(tag));
}

std::string describe(const engine::NearMiss& message) {
  return fmt::format("rank {} has sent it a message with tag {} ({} bytes) on {} that nobody has received\n",
                     message.from, message.envelope.tag, message.envelope.bytes, name_of(*message.channel));
}

void await_source(engine::WaitNote& note, const engine::Receive& receive, const Partners& partners) {
  constexpr std::size_t kMostNamed = 3;
  const engine::Channel& channel = *receive.channel;
  if (receive.source != engine::kAnySource) {
    note.awaited.push_back(channel.rank_in_job(receive.source));
  } else {
    const auto first = channel.members().begin() + partners.first;
    note.awaited.insert(note.awaited.end(), first, first + partners.count);
  }
  if (note.is_brief) return;
  const auto misses = messenger().near_misses(channel, receive.source, receive.tag);
  for (std::size_t i = 0; i < std::min(misses.size(), kMostNamed); ++i) note.hints += describe(misses[i]);
  if (misses.size() > kMostNamed)
    note.hints += fmt::format("and {} more messages\n", misses.size() - kMostNamed);
}

}  // namespace

void note_send(engine::WaitNote& note, const char* call, const engine::Send& send, MPI_Comm comm) {
  note.awaited.push_back(send.to);
  if (note.is_brief) return;
  const auto& members = send.channel->members();
  const Partners partners = partners_of(comm, *send.channel);
  const auto first = members.begin() + partners.first;
  note.call = fmt::format("{}(dest {}, tag {}, {} bytes, {})", call,
                          std::find(first, first + partners.count, send.to) - first, send.tag,
                          send.buffer.bytes, name_of(*send.channel));
}

void note_receive(engine::WaitNote& note, const char* call, const engine::Receive& receive, MPI_Comm comm) {
  const Partners partners = partners_of(comm, *receive.channel);
  await_source(note, receive, partners);
  if (note.is_brief) return;
  note.call =
      fmt::format("{}({}, {} bytes, {})", call, source_and_tag(receive.source, receive.tag, partners.first),
                  receive.buffer.bytes, name_of(*receive.channel));
}

void note_claimed(engine::WaitNote& note, const char* call, const engine::Receive& receive, MPI_Comm comm) {
  const auto source = static_cast<int>(receive.envelope.source);
  note.awaited.push_back(receive.channel->rank_in_job(source));
  if (note.is_brief) return;
  const int first = partners_of(comm, *receive.channel).first;
  note.call = fmt::format("{}({}, {} bytes, {})", call, source_and_tag(source, receive.envelope.tag, first),
                          receive.buffer.bytes, name_of(*receive.channel));
}

void note_probe(engine::WaitNote& note, const char* call, const engine::Receive& probe, MPI_Comm comm) {
  const Partners partners = partners_of(comm, *probe.channel);
  await_source(note, probe, partners);
  if (note.is_brief) return;
  note.call = fmt::format("{}({}, {})", call, source_and_tag(probe.source, probe.tag, partners.first),
                          name_of(*probe.channel));
}

void SendRequest::note_wait(engine::WaitNote& note) {
  note_send(note, name_of_send(send_.mode, is_persistent()), send_, comm());
}

void PlainReceive::note_wait(engine::WaitNote& note) { note_receive(note, "MPI_Irecv", receive_, comm()); }

void ReceiveRequest::note_wait(engine::WaitNote& note) {
  if (claimed_ != nullptr) return note_claimed(note, "MPI_Imrecv", receive_, comm());
  note_receive(note, is_persistent() ? "MPI_Recv_init" : "MPI_Irecv", receive_, comm());
}

}  // namespace foldlane::api
