#include "matching/machine.hpp"

#include <algorithm>

namespace foldlane::matching {

namespace {

Value bit(std::size_t place) { return Value{1} << place; }
bool is_one_bit(Value set) { return set != 0 && (set & (set - 1)) == 0; }
Grant least(Grant a, Grant b) { return std::min(a, b); }

}  // namespace

Machine::Machine(const Program& program, Rules rules)
    : program_(&program),
      rules_(rules),
      at_(program.scripts.size(), 0),
      taken_(program.messages.size(), kNone) {
  for (const Script& script : program.scripts) {
    outcome_.emplace_back(script.size(), kPending);
    inactive_.emplace_back(script.size(), false);
  }
  for (int rank = 0; rank < program.ranks(); ++rank) enter(rank);
}

bool Machine::finished() const {
  for (int rank = 0; rank < program_->ranks(); ++rank)
    if (!finished(rank)) return false;
  return true;
}

bool Machine::leaves_messages() const { return std::count(taken_.begin(), taken_.end(), kNone) > 0; }

void Machine::enter(int rank) {
  if (!finished(rank) && call(rank).receives()) enter_receive(rank, at(rank));
}

void Machine::enter_receive(int rank, int place) {
  const Call& receive = program_->call(rank, place);
  const Call* const before = receive.from == kNone ? nullptr : &program_->call(rank, receive.from);
  const Value left = before == nullptr ? kNothing : value(rank, receive.from);
  if (before != nullptr && before->kind == Kind::receive && left != kCancelled) {
    value(rank, place) = kNothing;
  } else if (before != nullptr && before->takes && left >= 0) {
    value(rank, place) = left;
  } else if (receive.source == kNobody) {
    value(rank, place) = kFromNobody;
  }
}

// ---- Messages and receives ----

bool Machine::sent(int message) const {
  const Message& m = program_->message(message);
  return m.send <= at(m.sender);
}

/// A message that a matched probe took is received when its handle is.
bool Machine::started(int message) const {
  const int place = taken_[static_cast<std::size_t>(message)];
  if (place == kNone) return false;
  const int receiver = program_->message(message).receiver;
  if (program_->call(receiver, place).kind != Kind::probe) return true;
  const int last = std::min(at(receiver), static_cast<int>(program_->script(receiver).size()) - 1);
  for (int later = place + 1; later <= last; ++later)
    if (program_->call(receiver, later).from == place) return true;
  return false;
}

bool Machine::accepts(int rank, int place, const Message& message) const {
  const Call& receive = program_->call(rank, place);
  if (message.receiver != rank) return false;
  if (receive.from != kNone && program_->call(rank, receive.from).kind == Kind::probe) {
    const Value found = value(rank, receive.from);
    if (found >= 0) {
      const Message& seen = program_->message(static_cast<int>(found));
      return message.comm == seen.comm && message.sender == seen.sender && message.tag == seen.tag;
    }
  }
  if (rules_.tags_matter) return receive.accepts(message);
  return message.comm == receive.comm && (receive.source == kAny || receive.source == message.sender);
}

bool Machine::is_pending(int rank, int place) const {
  return place <= at(rank) && program_->call(rank, place).receives() && value(rank, place) == kPending;
}

/// A receive that was posted before the call at `before` waits for such a message.
bool Machine::waits_for(int rank, const Message& message, int before) const {
  for (int place = 0; place < before; ++place)
    if (is_pending(rank, place) && accepts(rank, place, message)) return true;
  return false;
}

bool Machine::is_first_of_sender(int message, int rank, int place) const {
  const Message& m = program_->message(message);
  for (int earlier = 0; earlier < message; ++earlier) {
    const Message& other = program_->message(earlier);
    if (other.sender == m.sender && free(earlier) && accepts(rank, place, other)) return false;
  }
  return true;
}

bool Machine::may_match(int message, int place) const {
  const Message& m = program_->message(message);
  return free(message) && is_pending(m.receiver, place) && accepts(m.receiver, place, m) &&
         (!rules_.in_order_of_sends || is_first_of_sender(message, m.receiver, place)) &&
         (!rules_.in_order_of_receives || !waits_for(m.receiver, m, place));
}

void Machine::match(int message, int place) {
  taken_[static_cast<std::size_t>(message)] = place;
  value(program_->message(message).receiver, place) = message;
}

/// Only the sender's first message fits, and with a named source there is no other.
bool Machine::must_match(int message, int place) const {
  const Call& receive = program_->call(program_->message(message).receiver, place);
  return receive.source != kAny && !receive.cancellable && may_match(message, place);
}

// ---- Probes ----

bool Machine::may_see(int rank, int message) const {
  const Message& m = program_->message(message);
  return free(message) && accepts(rank, at(rank), m) &&
         (!rules_.probes_see_free ||
          (is_first_of_sender(message, rank, at(rank)) && !waits_for(rank, m, at(rank))));
}

/// What a probe has found stays there until it is received, so the next one must find something as well.
/// Unless a receive has come between that could have taken it.
bool Machine::has_seen_one(int rank) const {
  for (int place = 0; place < at(rank); ++place) {
    const Value found = program_->call(rank, place).kind == Kind::probe ? value(rank, place) : kNothing;
    if (found < 0 || !free(static_cast<int>(found))) continue;
    const Message& m = program_->message(static_cast<int>(found));
    bool disturbed = !accepts(rank, at(rank), m);
    for (int later = place + 1; later < at(rank); ++later)
      disturbed |= program_->call(rank, later).receives() && accepts(rank, later, m);
    if (!disturbed) return true;
  }
  return false;
}

Grant Machine::may_probe(int rank, Value found) const {
  const Call& probe = call(rank);
  if (probe.source == kNobody) return found == kFromNobody ? Grant::yes : Grant::no;
  if (found == kNothing) return probe.blocking || has_seen_one(rank) ? Grant::no : Grant::yes;
  return found >= 0 && may_see(rank, static_cast<int>(found)) ? Grant::yes : Grant::no;
}

// ---- Ends of calls ----

Grant Machine::send_ends(const Call& call) const {
  if (call.message == kNone || call.mode == Mode::buffered || started(call.message)) return Grant::yes;
  if (call.mode == Mode::synchronous) return rules_.synchronous ? Grant::no : Grant::yes;
  return Grant::generous;
}

Grant Machine::completes(int rank, int place) const {
  const Call& request = program_->call(rank, place);
  if (request.kind == Kind::send) return send_ends(request);
  return value(rank, place) == kPending ? Grant::no : Grant::yes;
}

Value Machine::active(int rank) const {
  const std::vector<int>& requests = call(rank).requests;
  Value set = 0;
  for (std::size_t i = 0; i < requests.size(); ++i)
    if (!inactive_[static_cast<std::size_t>(rank)][static_cast<std::size_t>(requests[i])]) set |= bit(i);
  return set;
}

Grant Machine::may_complete(int rank, Value set) const {
  const Call& wait = call(rank);
  const Value all = active(rank);
  if (set == 0) return all == 0 || !wait.blocking ? Grant::yes : Grant::no;
  const bool whole = wait.which == Which::one || wait.which == Which::all;
  if ((set & ~all) != 0 || (whole && set != all) || (wait.which == Which::any && !is_one_bit(set)))
    return Grant::no;
  Grant grant = Grant::yes;
  for (std::size_t i = 0; i < wait.requests.size(); ++i)
    if ((set & bit(i)) != 0) grant = least(grant, completes(rank, wait.requests[i]));
  return grant;
}

bool Machine::all_are_here(int rank) const {
  const auto barriers = [this](int member, int comm) {
    const Script& script = program_->script(member);
    const auto end = script.begin() + std::min(at(member) + 1, static_cast<int>(script.size()));
    return std::count_if(script.begin(), end,
                         [comm](const Call& c) { return c.kind == Kind::barrier && c.comm == comm; });
  };
  const int comm = call(rank).comm;
  const std::vector<int>& members = program_->comm(comm).group;
  return std::all_of(members.begin(), members.end(),
                     [&](int member) { return barriers(member, comm) >= barriers(rank, comm); });
}

Grant Machine::may_end(int rank, Value with) const {
  const Call& now = call(rank);
  const auto yes_if = [](bool holds) { return holds ? Grant::yes : Grant::no; };
  switch (now.kind) {
    case Kind::send:
      return now.blocking ? send_ends(now) : Grant::yes;
    case Kind::receive:
      return yes_if(!now.blocking || (with != kPending && with == value(rank, at(rank))));
    case Kind::exchange:
    case Kind::replace:
      return least(yes_if(with != kPending && with == value(rank, at(rank))), send_ends(now));
    case Kind::probe:
      return may_probe(rank, with);
    case Kind::cancel:
      return yes_if((with != 0) == is_pending(rank, now.requests[0]));
    case Kind::complete:
      return may_complete(rank, with);
    case Kind::barrier:
      return yes_if(all_are_here(rank));
  }
  return Grant::no;
}

void Machine::end(int rank, Value with) {
  const Call& now = call(rank);
  const int place = at(rank);
  if (!now.receives()) value(rank, place) = with;
  if (now.kind == Kind::probe && now.takes && with >= 0) taken_[static_cast<std::size_t>(with)] = place;
  if (now.kind == Kind::cancel && with != 0) value(rank, now.requests[0]) = kCancelled;
  for (std::size_t i = 0; now.kind == Kind::complete && i < now.requests.size(); ++i) {
    if ((with & bit(i)) != 0)
      inactive_[static_cast<std::size_t>(rank)][static_cast<std::size_t>(now.requests[i])] = true;
  }
  ++at_[static_cast<std::size_t>(rank)];
  enter(rank);
}

// ---- What may come ----

bool Machine::is_forced(int rank) const {
  const Call& now = call(rank);
  if (now.kind == Kind::probe) return now.source == kNobody;
  if (now.kind == Kind::cancel) return !is_pending(rank, now.requests[0]);
  if (now.kind != Kind::complete) return true;
  return active(rank) == 0 || (now.blocking && (now.which == Which::one || now.which == Which::all));
}

std::vector<Value> Machine::values(int rank) const {
  const Call& now = call(rank);
  std::vector<Value> found;
  if (now.receives()) return {value(rank, at(rank))};
  if (now.kind == Kind::cancel) return {is_pending(rank, now.requests[0])};
  if (now.kind == Kind::probe) {
    for (Value message = kFromNobody; message < static_cast<Value>(program_->messages.size()); ++message)
      if (may_probe(rank, message) != Grant::no) found.push_back(message);
    return found;
  }
  if (now.kind != Kind::complete) return {0};
  const Value all = active(rank);
  if (all == 0 || !now.blocking) found.push_back(0);
  for (Value set = all; set != 0; set = (set - 1) & all) {
    const bool whole = now.which == Which::one || now.which == Which::all;
    if (!whole || set == all) found.push_back(set);
    if (whole) break;
  }
  return found;
}

std::string Machine::key() const {
  std::string key;
  const auto append = [&key](Value v) { key.append(reinterpret_cast<const char*>(&v), 4); };
  for (int place : at_) append(place);
  for (int place : taken_) append(place);
  for (const std::vector<Value>& values : outcome_)
    for (Value v : values) append(v);
  return key;
}

}  // namespace foldlane::matching
