#include <algorithm>

#include "matching/draft.hpp"
#include "matching/generate.hpp"

namespace foldlane::matching {

namespace {

class Small {
 public:
  Small(std::uint64_t seed, int ranks)
      : random_(seed),
        ranks_(ranks),
        draft_(seed, ranks),
        comms_(communicators_of(ranks)),
        requests_(comms_[0].group.size()) {
    for (std::size_t comm = 0; comm < comms_.size(); ++comm)
      units_.push_back(static_cast<Unit>(random_.below(4)));
    busy_comm_ = random_.below(static_cast<int>(comms_.size()));
    busy_receiver_ = random_.below(ranks);
    most_bytes_ = random_.chance(5) ? 307200 : random_.chance(30) ? 8208 : 128;
  }

  Program make() {
    const int messages = random_.between(1, 7);
    for (int i = 0; i < messages; ++i) add_traffic(i);
    if (random_.chance(15)) add_nobody();
    if (random_.chance(15)) add_futile();
    for (int rank = 0; rank < ranks_; ++rank) add_completions(rank);
    return draft_.build();
  }

 private:
  struct Posted {
    int call;
    double time;
  };

  double moment(double from, double length) { return from + length * random_.below(1000) / 1000; }
  std::vector<Posted>& requests(int rank) { return requests_[static_cast<std::size_t>(rank)]; }
  Unit unit(int comm) const { return units_[static_cast<std::size_t>(comm)]; }
  /// Room for any message on this communicator.
  int room(int comm) const { return most_bytes_ / bytes_of(unit(comm)); }

  const std::vector<int>& other_group(int comm) const {
    const Communicator& members = comms_[static_cast<std::size_t>(comm)];
    return members.peers_of(members.group[0]);
  }

  void add_traffic(int i) {
    const int comm = random_.chance(70) ? busy_comm_ : random_.below(static_cast<int>(comms_.size()));
    const Communicator& members = comms_[static_cast<std::size_t>(comm)];
    const bool is_busy = members.has(busy_receiver_) && random_.chance(60);
    const int receiver =
        is_busy ? busy_receiver_ : random_.pick(random_.chance(70) ? members.group : other_group(comm));
    const int sender = random_.pick(members.peers_of(receiver));
    const int message = add_message(sender, receiver, comm);
    if (sender != receiver && random_.chance(15)) {
      add_exchange(message, i);
    } else {
      add_send(message, moment(i, 2));
      add_receive(receiver, comm, sender, draft_.message(message).tag, moment(i - 0.5, 3));
    }
  }

  int add_message(int sender, int receiver, int comm) {
    const int units = some_units(random_, unit(comm), most_bytes_);
    return draft_.add_message({sender, receiver, comm, random_.below(3), unit(comm), units});
  }

  Call send_call(int message) {
    const Message& m = draft_.message(message);
    Call send{Kind::send};
    send.comm = m.comm;
    send.message = message;
    send.mode = static_cast<Mode>(random_.below(3));
    send.layout = some_layout(random_, m.units);
    return send;
  }

  void add_send(int message, double time) {
    Call send = send_call(message);
    send.blocking = random_.chance(50);
    const int rank = draft_.message(message).sender;
    const int call = draft_.add(rank, time, send);
    if (!send.blocking) requests(rank).push_back({call, time});
  }

  Call receive_call(int comm, int source, int tag) {
    Call receive{Kind::receive};
    receive.comm = comm;
    receive.source = random_.chance(50) ? kAny : source;
    receive.tag = random_.chance(40) ? kAny : tag;
    receive.unit = unit(comm);
    receive.capacity = room(comm);
    receive.receive_layout = static_cast<Layout>(random_.below(6));
    return receive;
  }

  void add_receive(int rank, int comm, int source, int tag, double time) {
    const auto form = static_cast<Form>(random_.below(kForms));
    const Call receive = receive_call(comm, source, tag);
    const int request =
        draft_.receive(rank, time, random_.chance(50) ? time : moment(time, 2), receive, form);
    if (request != kNone) requests(rank).push_back({request, time});
  }

  /// The sender of this message has one from its receiver at the same time.
  void add_exchange(int message, int i) {
    const Message there = draft_.message(message);
    const int back = add_message(there.receiver, there.sender, there.comm);
    Call exchange = send_call(message);
    const Call receive = receive_call(there.comm, there.receiver, draft_.message(back).tag);
    exchange.kind = Kind::exchange;
    exchange.mode = Mode::standard;
    exchange.source = receive.source;
    exchange.tag = receive.tag;
    exchange.unit = receive.unit;
    exchange.capacity = receive.capacity;
    exchange.receive_layout = receive.receive_layout;
    draft_.add(there.sender, moment(i, 2), exchange);
    add_send(back, moment(i, 2));
    add_receive(there.receiver, there.comm, there.sender, there.tag, moment(i - 0.5, 3));
  }

  void add_nobody() {
    Call call = receive_call(0, kNobody, 0);
    call.source = kNobody;
    if (random_.chance(30)) call.kind = Kind::send;
    if (random_.chance(30)) call.kind = Kind::probe;
    draft_.add(random_.below(ranks_), moment(0, 5), call);
  }

  /// For a tag that no message has.
  void add_futile() {
    const int rank = random_.below(ranks_);
    Call receive = receive_call(0, kAny, 0);
    receive.tag = 9;
    receive.blocking = false;
    Call cancel{Kind::cancel};
    const double time = moment(0, 5);
    cancel.requests = {draft_.add(rank, time, receive)};
    draft_.add(rank, moment(time, 3), cancel);
    // Completed at the end only: who cancels it must not find it gone.
    futile_.push_back({rank, cancel.requests[0]});
  }

  void add_completions(int rank) {
    const std::vector<Posted>& posted = requests(rank);
    for (int times = random_.below(3); times > 0 && !posted.empty(); --times) {
      Call complete{Kind::complete};
      double time = 0;
      for (const Posted& request : posted) {
        if (complete.requests.size() == 4 || !random_.chance(70)) continue;
        complete.requests.push_back(request.call);
        time = std::max(time, request.time);
      }
      complete.blocking = random_.chance(40);
      complete.which = complete.requests.size() == 1 ? Which::one : static_cast<Which>(random_.between(1, 3));
      if (!complete.requests.empty()) draft_.add(rank, moment(time, 3), complete);
    }
    Call last{Kind::complete};
    last.which = Which::all;
    for (const Posted& request : posted) last.requests.push_back(request.call);
    for (const auto& [owner, call] : futile_)
      if (owner == rank) last.requests.push_back(call);
    draft_.add(rank, 1e6, last);
  }

  Random random_;
  int ranks_;
  Draft draft_;
  std::vector<Communicator> comms_;
  std::vector<std::vector<Posted>> requests_;
  std::vector<Unit> units_;
  std::vector<std::pair<int, int>> futile_;
  int most_bytes_;
  int busy_comm_, busy_receiver_;  // where messages meet
};

}  // namespace

Program small_program(std::uint64_t seed, int most_ranks) {
  Random random(seed);
  const int ranks = most_ranks == 1 ? 1 : random.between(2, std::min(most_ranks, 4));
  return Small(seed, ranks).make();
}

}  // namespace foldlane::matching
