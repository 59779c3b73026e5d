// Why planned programs end, whatever their wildcards take, however late messages come, and if no send is
// buffered.
//
// A program is a sequence of events; each adds calls to the ends of the scripts of some ranks. Messages and
// receives belong to streams: the receives of a stream take any of its messages and no others. So with r
// receives posted and m messages sent, as many of both are matched in the end as the smaller number says,
// whichever they are: no choice of a wildcard starves anybody. Receives that are cancelled count, because the
// same again follows at once.
//
// Assume that nobody can go on, and take the first event that is not done by all its ranks. Those ranks have
// done all events before, so each of them is in its first call of this event that blocks, and:
//  - A receive or probe is planned only when the stream's messages, those of this event included, outnumber
//  its other
//    receives: a message is there for it. Only its own rank posts receives of the stream, so nobody is ahead
//    with one.
//  - A wait for a receive is planned when there are messages for it and for all receives of the stream posted
//  before.
//  - A blocking send, or a wait for one, that needs its receive is planned only
//      in a stream of one sender, where messages are received in order, once as many receives are planned (or
//      in this event, where the receiver is as well: it has no other call that blocks before, or is at the
//      probe that sees it); or in a sealed stream, when receives for all its messages ever are planned. (In
//      other streams of many senders a rank that is ahead may have sent what took this one's receive.)
//  - All others of an exchange, or of a barrier, are in this event too, since they have done all events
//  before.
//  - A ready send is planned behind a message, or a barrier, that its receiver has sent after posting the
//  receive.
// So somebody can go on.
#include "matching/generate.hpp"
#include "matching/planner.hpp"

namespace foldlane::matching {

namespace {

class Plan {
 public:
  Plan(std::uint64_t seed, int ranks) : planner_(seed, ranks), random_(planner_.random()) {}

  Program make() {
    const int events = random_.between(3, 60);
    for (int i = 0; i < events; ++i) {
      planner_.next_event();
      plan_event();
    }
    finish();
    return planner_.build();
  }

 private:
  void plan_event() {
    switch (random_.below(16)) {
      case 0:
      case 1:
      case 2:
        return transfer(planner_.some_stream());
      case 3:
      case 4:
      case 5:
        return send_early(planner_.some_stream());
      case 6:
      case 7:
        return receive_late(some_open_stream());
      case 8:
        return post(planner_.some_stream());
      case 9:
        return send_to_posted(some_open_stream());
      case 10:
        return ring();
      case 11:
        return burst();
      case 12:
        return ready(planner_.some_stream());
      case 13:
        return random_.chance(30) ? planner_.barrier(random_.below(3)) : planner_.to_nobody();
      case 14:
        return random_.chance(30) ? planner_.futile_receive()
                                  : planner_.complete_some(random_.below(planner_.ranks()));
      default:
        return planner_.complete_some(random_.below(planner_.ranks()));
    }
  }

  Stream& some_open_stream() {
    std::vector<Stream*> open;
    for (Stream* stream : planner_.streams())
      if (stream->sent != stream->posted) open.push_back(stream);
    return open.empty() ? planner_.some_stream() : *random_.pick(open);
  }

  Mode some_mode() { return static_cast<Mode>(random_.below(3)); }
  Form some_form() { return static_cast<Form>(random_.below(kForms)); }

  /// Sender and receiver meet, or pass.
  void transfer(Stream& stream) {
    if (!stream.is_private() || stream.sender == stream.receiver || stream.sent != stream.posted) return;
    planner_.send(stream, random_.chance(60), some_mode());
    planner_.receive(stream, some_form());
  }

  void send_early(Stream& stream) {
    if (stream.sealed) return;
    const bool buffered = random_.chance(20);
    planner_.send(stream, buffered && random_.chance(50),
                  buffered ? Mode::buffered : static_cast<Mode>(random_.below(2)));
  }

  void receive_late(Stream& stream) {
    if (stream.sent > stream.posted) planner_.receive(stream, some_form());
  }

  void post(Stream& stream) {
    if (!stream.sealed) planner_.receive(stream, Form::posted);
  }

  void send_to_posted(Stream& stream) {
    if (stream.posted <= stream.sent) return;
    if (!stream.is_private()) return send_early(stream);
    planner_.send(stream, random_.chance(60), some_mode());
  }

  /// Some ranks in a circle, each with one call; a circle of one sends to itself.
  void ring() {
    std::vector<int> members = planner_.comm(0).group;
    random_.shuffle(members);
    members.resize(static_cast<std::size_t>(random_.between(1, planner_.ranks())));
    const int tag = random_.below(3);
    std::vector<Stream*> arcs;
    for (std::size_t i = 0; i < members.size(); ++i) {
      arcs.push_back(&planner_.stream(0, members[(i + 1) % members.size()], members[i], tag));
      if (arcs.back()->sent != arcs.back()->posted) return;
    }
    const int units = random_.below(9);
    for (std::size_t i = 0; i < arcs.size(); ++i)
      planner_.exchange(*arcs[i], *arcs[(i + arcs.size() - 1) % arcs.size()], units, random_.chance(40));
  }

  /// Many send to one, which has posted its receives before.
  void burst() {
    Stream* const stream = planner_.fresh_stream();
    if (stream == nullptr) return;
    const int messages = random_.between(2, 8);
    for (int i = 0; i < messages; ++i) planner_.receive(*stream, Form::posted);
    const Communicator& members = planner_.comm(stream->comm);
    const bool all_know = members.remote.empty() && random_.chance(50);
    planner_.next_event();
    if (all_know) planner_.barrier(stream->comm);
    for (int i = 0; i < messages; ++i) {
      planner_.next_event();
      planner_.send(*stream, random_.chance(60), all_know && random_.chance(40) ? Mode::ready : some_mode());
    }
    stream->sealed = true;
    for (int i = random_.below(4); i > 0; --i) planner_.complete_some(stream->receiver);
  }

  void ready(Stream& stream) {
    if (!stream.is_private() || stream.sent != stream.posted) return;
    planner_.receive(stream, Form::posted);
    if (stream.sender != stream.receiver) {
      Stream& go = planner_.stream(0, stream.sender, stream.receiver, 77);
      planner_.send(go, random_.chance(50), Mode::standard, 0);
      planner_.receive(go, Form::plain);
    }
    planner_.send(stream, random_.chance(50), Mode::ready);
  }

  void finish() {
    for (Stream* stream : planner_.streams()) {
      while (stream->sent > stream->posted) {
        planner_.next_event();
        planner_.receive(*stream, some_form());
      }
      while (stream->sent < stream->posted) {
        planner_.next_event();
        planner_.send(*stream, stream->is_private() && random_.chance(60), some_mode());
      }
    }
    planner_.next_event();
    for (Stream* stream : planner_.streams()) stream->sealed = true;
    for (int rank = 0; rank < planner_.ranks(); ++rank) {
      for (int i = random_.below(4); i > 0; --i) planner_.complete_some(rank);
    }
    planner_.next_event();
    for (int i = 0; i < 5; ++i) planner_.next_event();  // behind what futile receives are cancelled by
    for (int rank = 0; rank < planner_.ranks(); ++rank) planner_.complete_all(rank);
  }

  Planner planner_;
  Random& random_;
};

}  // namespace

Program planned_program(std::uint64_t seed, int most_ranks) {
  Random random(seed);
  return Plan(seed, random.between(std::min(2, most_ranks), most_ranks)).make();
}

}  // namespace foldlane::matching
