// What planned programs are made of: see planned.cpp for why they cannot hang.
#pragma once

#include <map>
#include <tuple>

#include "matching/draft.hpp"

namespace foldlane::matching {

/// The messages to one receiver on one communicator that the same receives are for, and those only.
struct Stream {
  int comm, receiver;
  int sender, tag;      // kAny: of any sender, with any tag
  int sent = 0;         // messages planned so far
  int posted = 0;       // receives planned so far
  bool sealed = false;  // no message comes any more, and all receives are planned
  bool is_private() const { return sender != kAny; }
};

class Planner {
 public:
  Planner(std::uint64_t seed, int ranks);

  Program build() const { return draft_.build(); }
  Random& random() { return random_; }
  int ranks() const { return ranks_; }
  const Communicator& comm(int number) const { return comms_[static_cast<std::size_t>(number)]; }
  int comms() const { return static_cast<int>(comms_.size()); }

  /// What is planned from here on comes later than all before; what is planned in between is one event.
  void next_event() { ++now_; }

  Stream& some_stream();
  Stream& stream(int comm, int receiver, int sender, int tag);
  /// Of messages of any sender with a tag of its own, if streams to that receiver are by tag.
  Stream* fresh_stream();
  std::vector<Stream*> streams();

  /// The next message of the stream; `units` kNone: some.
  void send(Stream& to, bool blocking, Mode mode, int units = kNone, int sender = kNone);
  /// Some receive of the stream's next message, or one that is posted for it.
  void receive(Stream& from, Form form);
  /// Of both streams, where the first one's sender is the other's receiver.
  void exchange(Stream& to, Stream& from, int units, bool replace);
  void barrier(int comm);
  void to_nobody();
  void futile_receive();
  /// Waits for requests that must be done by now, or tests any.
  void complete_some(int rank);
  /// Waits for all requests of a rank.
  void complete_all(int rank);

 private:
  enum class Tell { exact, by_source, by_tag, any };
  struct Request {
    int call;
    const Stream* stream;
    bool is_send, is_buffered;
    int number;  // which message or receive of the stream
  };

  Tell tell(int comm, int receiver) const;
  bool must_be_done(const Request& request) const;
  Unit unit(int comm) const { return units_[static_cast<std::size_t>(comm)]; }
  int room(int comm) const { return most_bytes_[static_cast<std::size_t>(comm)] / bytes_of(unit(comm)); }
  Call receive_call(const Stream& from);
  Call send_call(Stream& to, Mode mode, int units, int sender);
  void remember(int rank, const Request& request) {
    requests_[static_cast<std::size_t>(rank)].push_back(request);
  }
  void complete(int rank, std::vector<int> requests, bool blocking, Which which);

  Random random_;
  std::uint64_t salt_;
  int ranks_;
  Draft draft_;
  std::vector<Communicator> comms_;
  std::vector<Unit> units_;
  std::vector<int> most_bytes_;
  std::map<std::tuple<int, int, int, int>, Stream> streams_;
  std::vector<std::vector<Request>> requests_;  // by rank, perhaps completed
  int now_ = 0;
  int fresh_tag_ = 1000;
};

}  // namespace foldlane::matching
