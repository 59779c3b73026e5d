#include "matching/planner.hpp"

#include <algorithm>
#include <utility>

namespace foldlane::matching {

namespace {

constexpr std::size_t kMostRequests = 30;  // of one call

}  // namespace

Planner::Planner(std::uint64_t seed, int ranks)
    : random_(seed),
      salt_(random_.next()),
      ranks_(ranks),
      draft_(seed, ranks),
      comms_(communicators_of(ranks)),
      requests_(static_cast<std::size_t>(ranks)) {
  for (int comm = 0; comm < comms(); ++comm) {
    units_.push_back(static_cast<Unit>(random_.below(4)));
    most_bytes_.push_back(random_.chance(2) ? 307200 : random_.chance(25) ? 8208 : 128);
  }
}

/// Communicator 0 is always exact: messages that only tell somebody to go on are sent there.
Planner::Tell Planner::tell(int comm, int receiver) const {
  if (comm == 0) return Tell::exact;
  return static_cast<Tell>((salt_ >> (2 * ((comm * 8 + receiver) % 31))) % 4);
}

Stream& Planner::stream(int comm, int receiver, int sender, int tag) {
  const Tell by = tell(comm, receiver);
  if (by == Tell::by_tag || by == Tell::any) sender = kAny;
  if (by == Tell::by_source || by == Tell::any) tag = kAny;
  return streams_.try_emplace({comm, receiver, sender, tag}, Stream{comm, receiver, sender, tag})
      .first->second;
}

Stream& Planner::some_stream() {
  const int number = random_.below(comms());
  const Communicator& members = comm(number);
  const int receiver = random_.pick(random_.chance(60) ? members.group : members.peers_of(members.group[0]));
  return stream(number, receiver, random_.pick(members.peers_of(receiver)), random_.below(3));
}

Stream* Planner::fresh_stream() {
  const Stream& any = some_stream();
  if (tell(any.comm, any.receiver) != Tell::by_tag) return nullptr;
  return &stream(any.comm, any.receiver, kAny, fresh_tag_++);
}

std::vector<Stream*> Planner::streams() {
  std::vector<Stream*> all;
  for (auto& entry : streams_) all.push_back(&entry.second);
  return all;
}

Call Planner::send_call(Stream& to, Mode mode, int units, int sender) {
  if (sender == kNone)
    sender = to.is_private() ? to.sender : random_.pick(comm(to.comm).peers_of(to.receiver));
  const int tag = to.tag == kAny ? random_.below(5) : to.tag;
  const int most = most_bytes_[static_cast<std::size_t>(to.comm)];
  if (units == kNone) units = some_units(random_, unit(to.comm), most);
  Call send{Kind::send};
  send.comm = to.comm;
  send.mode = mode;
  send.message = draft_.add_message({sender, to.receiver, to.comm, tag, unit(to.comm), units});
  send.layout = some_layout(random_, units);
  ++to.sent;
  return send;
}

void Planner::send(Stream& to, bool blocking, Mode mode, int units, int sender) {
  Call call = send_call(to, mode, units, sender);
  call.blocking = blocking;
  const int rank = draft_.message(call.message).sender;
  const int number = draft_.add(rank, now_, call);
  if (!blocking) remember(rank, {number, &to, true, mode == Mode::buffered, to.sent});
}

Call Planner::receive_call(const Stream& from) {
  Call receive{Kind::receive};
  receive.comm = from.comm;
  receive.source = from.sender;
  receive.tag = from.tag;
  receive.unit = unit(from.comm);
  receive.capacity = room(from.comm);
  receive.receive_layout = static_cast<Layout>(random_.below(6));
  return receive;
}

void Planner::receive(Stream& from, Form form) {
  const int request = draft_.receive(from.receiver, now_, now_, receive_call(from), form);
  ++from.posted;
  if (request != kNone) remember(from.receiver, {request, &from, false, false, from.posted});
}

void Planner::exchange(Stream& to, Stream& from, int units, bool replace) {
  Call call = send_call(to, Mode::standard, units, kNone);
  const Call receive = receive_call(from);
  call.kind = replace ? Kind::replace : Kind::exchange;
  call.source = receive.source;
  call.tag = receive.tag;
  call.unit = receive.unit;
  call.capacity = replace ? units : receive.capacity;
  call.receive_layout = replace ? call.layout : receive.receive_layout;
  ++from.posted;
  draft_.add(from.receiver, now_, call);
}

void Planner::barrier(int number) {
  Call call{Kind::barrier};
  call.comm = number;
  for (int rank : comm(number).group) draft_.add(rank, now_, call);
}

void Planner::to_nobody() {
  static const std::vector<Kind> kKinds = {Kind::send, Kind::receive, Kind::probe};
  Call call = receive_call({0, 0, kNobody, kAny});
  call.kind = random_.pick(kKinds);
  call.blocking = random_.chance(50) || call.kind == Kind::send;
  const int rank = random_.below(ranks_);
  const int number = draft_.add(rank, now_, call);
  if (call.kind == Kind::receive && !call.blocking) complete(rank, {number}, true, Which::one);
}

/// Of a tag that no message has.
void Planner::futile_receive() {
  const Stream& any = some_stream();
  Call receive = receive_call({any.comm, any.receiver, random_.chance(50) ? kAny : any.sender, 999});
  receive.blocking = false;
  Call cancel{Kind::cancel};
  cancel.requests = {draft_.add(any.receiver, now_, receive)};
  draft_.add(any.receiver, now_ + random_.below(5), cancel);
  // In the last event, by when it is cancelled.
  remember(any.receiver, {cancel.requests[0], nullptr, false, false, 0});
}

// ---- Completion ----

bool Planner::must_be_done(const Request& request) const {
  if (request.stream == nullptr) return false;
  if (!request.is_send) return request.stream->sent >= request.number;
  return request.is_buffered || request.stream->sealed ||
         (request.stream->is_private() && request.stream->posted >= request.number);
}

void Planner::complete(int rank, std::vector<int> requests, bool blocking, Which which) {
  Call call{Kind::complete};
  call.which = requests.size() == 1 && which != Which::any ? Which::one : which;
  call.blocking = blocking;
  call.requests = std::move(requests);
  draft_.add(rank, now_, call);
}

void Planner::complete_some(int rank) {
  const bool blocking = random_.chance(50);
  const auto which = static_cast<Which>(random_.between(1, 3));
  const std::size_t most = which == Which::all ? kMostRequests : 5;
  std::vector<int> chosen;
  for (const Request& request : requests_[static_cast<std::size_t>(rank)]) {
    const bool may_be = must_be_done(request) || (!blocking && request.stream != nullptr);
    if (may_be && chosen.size() < most && random_.chance(60)) chosen.push_back(request.call);
  }
  if (!chosen.empty()) complete(rank, chosen, blocking, which);
}

void Planner::complete_all(int rank) {
  std::vector<int> chosen;
  for (const Request& request : requests_[static_cast<std::size_t>(rank)]) {
    chosen.push_back(request.call);
    if (chosen.size() == kMostRequests) complete(rank, std::exchange(chosen, {}), true, Which::all);
  }
  if (!chosen.empty()) complete(rank, chosen, true, Which::all);
}

}  // namespace foldlane::matching
