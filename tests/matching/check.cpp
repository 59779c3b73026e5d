#include "matching/check.hpp"

#include <map>
#include <tuple>

#include "matching/draft.hpp"
#include "matching/walk.hpp"

namespace foldlane::matching {

const char* text_of(Complaint complaint) {
  static const char* const kTexts[] = {
      "",
      "its memory is not what the message should have made of it, or was changed outside of the message",
      "MPI_Get_count and MPI_Get_elements disagree",
      "the status for MPI_PROC_NULL is not MPI_PROC_NULL, MPI_ANY_TAG and no elements",
      "it completed a request that was not active",
      "a request is still there",
      "a matched probe gave a wrong handle"};
  return kTexts[static_cast<std::size_t>(complaint)];
}

namespace {

/// The id as far as a message of this size can hold it.
std::int64_t readable_id(const Program& program, int message) {
  const Message& m = program.message(message);
  const int bytes = m.units * bytes_of(m.unit);
  const std::uint32_t mask = bytes >= 4 ? ~0U : (1U << (8 * bytes)) - 1;
  return id_of(program, message) & mask;
}

/// Makes an outcome of the logs of a rank. Messages with the same envelope are told apart by their order: the
/// k-th that was sent is for the k-th call of its receiver that takes such a message, and what it holds must
/// agree.
class Reader {
 public:
  Reader(const Program& program, int rank, const Log& log) : program_(program), rank_(rank), log_(log) {
    for (std::size_t number = 0; number < program.messages.size(); ++number) {
      const Message& m = program.messages[number];
      if (m.receiver == rank) queues_[{m.comm, m.sender, m.tag}].messages.push_back(static_cast<int>(number));
    }
  }

  /// Ends early with a complaint.
  std::vector<Value> read() {
    for (std::size_t place = 0; place < log_.size() && complaint_.empty(); ++place) {
      place_ = static_cast<int>(place);
      const auto said = static_cast<Complaint>(record().complaint);
      if (said != Complaint::none) complain(text_of(said));
      values_.push_back(value_of(program_.call(rank_, place_)));
    }
    return values_;
  }
  const std::string& complaint() const { return complaint_; }

 private:
  struct Queue {
    std::vector<int> messages;
    std::size_t next = 0;
  };

  const Record& record(int place) const { return log_[static_cast<std::size_t>(place)]; }
  const Record& record() const { return record(place_); }

  void complain(const std::string& why) {
    if (complaint_.empty())
      complaint_ = "rank " + std::to_string(rank_) + ", call " + std::to_string(place_) + " (" +
                   text_of(program_.call(rank_, place_), program_) + "): " + why;
  }

  Value value_of(const Call& call) {
    if (call.kind == Kind::complete) return record().seen;
    if (call.kind == Kind::cancel) return static_cast<Seen>(record(call.requests[0]).seen) == Seen::cancelled;
    if (!call.selects()) return 0;
    switch (static_cast<Seen>(record().seen)) {
      case Seen::nothing:
        return kNothing;
      case Seen::cancelled:
        return kCancelled;
      case Seen::nobody:
        return kFromNobody;
      case Seen::message:
        return message_of(call);
    }
    complain("it has a record that no call makes");
    return kNothing;
  }

  Value message_of(const Call& call) {
    const bool by_handle = call.from != kNone && program_.call(rank_, call.from).takes &&
                           static_cast<Seen>(record(call.from).seen) == Seen::message;
    const int sender = program_.comm(call.comm).peer_at(rank_, static_cast<int>(record().source));
    Queue& queue = queues_[{call.comm, sender, static_cast<int>(record().tag)}];
    if (!by_handle && queue.next == queue.messages.size()) {
      complain("it has a message from rank " + std::to_string(sender) + " with tag " +
               std::to_string(record().tag) + ", more than were sent");
      return kNothing;
    }
    const int message = by_handle ? static_cast<int>(values_[static_cast<std::size_t>(call.from)])
                                  : queue.messages[queue.next];
    if (!by_handle && (call.kind != Kind::probe || call.takes)) ++queue.next;
    compare(call, message, sender);
    return message;
  }

  void compare(const Call& call, int message, int sender) {
    const Message& m = program_.message(message);
    const bool same_id = call.kind == Kind::probe || record().id == readable_id(program_, message);
    if (record().units == m.units && m.sender == sender && m.tag == record().tag && same_id) return;
    complain("it has a message from rank " + std::to_string(sender) + " with tag " +
             std::to_string(record().tag) + ", " + std::to_string(record().units) + " units and the number " +
             std::to_string(record().id - id_of(program_, 0)) + ", where message " + std::to_string(message) +
             " was the next");
  }

  const Program& program_;
  int rank_, place_ = 0;
  const Log& log_;
  std::map<std::tuple<int, int, int>, Queue> queues_;  // by communicator, sender and tag
  std::vector<Value> values_;
  std::string complaint_;
};

}  // namespace

Verdict check(const Program& program, const std::vector<Log>& logs, const std::set<Outcome>* legal) {
  Outcome outcome;
  for (int rank = 0; rank < program.ranks(); ++rank) {
    Reader reader(program, rank, logs[static_cast<std::size_t>(rank)]);
    outcome.push_back(reader.read());
    if (!reader.complaint().empty()) return {reader.complaint()};
  }
  const std::string why = replay(program, outcome);
  if (why.empty() && legal != nullptr && !legal->contains(outcome))
    return {"it is none of the outcomes found by exploring"};
  return {why};
}

std::vector<Log> logs_of(const Program& program, const Outcome& outcome) {
  std::vector<Log> logs;
  for (int rank = 0; rank < program.ranks(); ++rank) {
    Log& log = logs.emplace_back(program.script(rank).size());
    for (std::size_t place = 0; place < log.size(); ++place) {
      const Call& call = program.script(rank)[place];
      const Value value = outcome[static_cast<std::size_t>(rank)][place];
      Record& record = log[place];
      if (call.kind == Kind::complete) record.seen = value;
      if (!call.selects()) continue;
      if (value == kCancelled) record.seen = static_cast<std::int64_t>(Seen::cancelled);
      if (value == kFromNobody) record.seen = static_cast<std::int64_t>(Seen::nobody);
      if (value < 0) continue;
      const Message& m = program.message(static_cast<int>(value));
      const bool is_probe = call.kind == Kind::probe;
      record = {static_cast<std::int64_t>(Seen::message),
                program.comm(call.comm).place_of(rank, m.sender),
                m.tag,
                m.units,
                is_probe ? 0 : readable_id(program, static_cast<int>(value)),
                0};
    }
  }
  return logs;
}

}  // namespace foldlane::matching
