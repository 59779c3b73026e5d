// MPI's rules of matching, one step at a time. A state is where the ranks are, which message went to which
// receive, and what calls have led to. A rank enters its next call as soon as it has left the one before, and
// what it sends or receives counts from then on; a match may come at any time after that, as late as it
// likes: that is how messages take long. So entering and most matches never take a possibility away from
// anybody (what is taken away is taken by the same rank, in its own order), which the walks over states rely
// on.
#pragma once

#include <string>

#include "matching/outcome.hpp"
#include "matching/program.hpp"

namespace foldlane::matching {

/// The rules, which tests break one at a time.
struct Rules {
  bool in_order_of_sends = true;     // of two messages of one sender that fit, the first
  bool in_order_of_receives = true;  // of two receives that a message fits, the first
  bool synchronous = true;           // a synchronous send waits for its receive
  bool probes_see_free = true;       // a probe sees only what no receive waits for, and the first of a sender
  bool tags_matter = true;
};

/// generous: if the library buffers, which it need not.
enum class Grant { no, generous, yes };

class Machine {
 public:
  explicit Machine(const Program& program, Rules rules = {});

  bool finished() const;
  bool finished(int rank) const { return at(rank) == static_cast<int>(program_->script(rank).size()); }
  /// Messages that nobody has received.
  bool leaves_messages() const;

  /// May the call that the rank is in end like this now?
  Grant may_end(int rank, Value value) const;
  void end(int rank, Value value);
  /// How that call could end, now or later, matches permitting.
  std::vector<Value> values(int rank) const;
  /// Nothing but time decides how it ends.
  bool is_forced(int rank) const;

  bool may_match(int message, int place) const;
  void match(int message, int place);
  /// The receive must take this message sooner or later, so it may as well do so now.
  bool must_match(int message, int place) const;

  int at(int rank) const { return at_[static_cast<std::size_t>(rank)]; }
  const Outcome& outcome() const { return outcome_; }
  /// Equal for equal states.
  std::string key() const;

 private:
  const Call& call(int rank) const { return program_->call(rank, at(rank)); }
  Value value(int rank, int place) const {
    return outcome_[static_cast<std::size_t>(rank)][static_cast<std::size_t>(place)];
  }
  Value& value(int rank, int place) {
    return outcome_[static_cast<std::size_t>(rank)][static_cast<std::size_t>(place)];
  }
  void enter(int rank);
  void enter_receive(int rank, int place);

  bool sent(int message) const;
  bool free(int message) const { return sent(message) && taken_[static_cast<std::size_t>(message)] == kNone; }
  bool started(int message) const;
  bool accepts(int rank, int place, const Message& message) const;
  bool is_pending(int rank, int place) const;
  bool waits_for(int rank, const Message& message, int before) const;
  bool is_first_of_sender(int message, int rank, int place) const;
  bool may_see(int rank, int message) const;
  bool has_seen_one(int rank) const;
  bool all_are_here(int rank) const;

  Value active(int rank) const;
  Grant completes(int rank, int place) const;
  Grant may_complete(int rank, Value set) const;
  Grant may_probe(int rank, Value found) const;
  Grant send_ends(const Call& call) const;

  const Program* program_;
  Rules rules_;
  std::vector<int> at_;
  std::vector<int> taken_;  // by message: the call that took it
  Outcome outcome_;
  std::vector<std::vector<bool>> inactive_;  // requests that are completed
};

}  // namespace foldlane::matching
