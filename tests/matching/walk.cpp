#include "matching/walk.hpp"

#include <unordered_set>

namespace foldlane::matching {

namespace {

/// A call that ends, or a message that goes to the receive at `place` of its receiver.
struct Move {
  int rank, place = kNone;
  Value value = 0;
  Grant grant = Grant::yes;
};

void make(Machine& machine, const Move& move) {
  if (move.place != kNone) {
    machine.match(static_cast<int>(move.value), move.place);
  } else {
    machine.end(move.rank, move.value);
  }
}

class Walk {
 public:
  explicit Walk(const Program& program) : program_(program) {}

  /// Does what comes in any case and takes no possibility away.
  void settle(Machine& machine) const {
    bool goes_on = true;
    while (goes_on) {
      goes_on = false;
      for (int rank = 0; rank < program_.ranks(); ++rank) goes_on |= end_forced(machine, rank);
      each_match(machine, [&](int message, int place) {
        if (!machine.must_match(message, place)) return;
        machine.match(message, place);
        goes_on = true;
      });
    }
  }

  /// In a settled state.
  std::vector<Move> moves(const Machine& machine) const {
    std::vector<Move> moves;
    for (int rank = 0; rank < program_.ranks(); ++rank) {
      if (machine.finished(rank)) continue;
      for (Value value : machine.values(rank)) {
        const Grant grant = machine.may_end(rank, value);
        if (grant != Grant::no) moves.push_back({rank, kNone, value, grant});
      }
    }
    each_match(machine, [&](int message, int place) {
      moves.push_back({program_.message(message).receiver, place, message, Grant::yes});
    });
    return moves;
  }

  static bool is_stuck(const std::vector<Move>& moves) {
    for (const Move& move : moves)
      if (move.grant == Grant::yes) return false;
    return true;
  }

 private:
  static bool end_forced(Machine& machine, int rank) {
    bool ended = false;
    while (!machine.finished(rank) && machine.is_forced(rank)) {
      const Value value = machine.values(rank)[0];
      if (machine.may_end(rank, value) != Grant::yes) break;
      machine.end(rank, value);
      ended = true;
    }
    return ended;
  }

  template <class Action>
  void each_match(const Machine& machine, const Action& action) const {
    for (std::size_t message = 0; message < program_.messages.size(); ++message) {
      const int receiver = program_.messages[message].receiver;
      const int calls = static_cast<int>(program_.script(receiver).size());
      for (int place = 0; place < calls && place <= machine.at(receiver); ++place)
        if (machine.may_match(static_cast<int>(message), place)) action(static_cast<int>(message), place);
    }
  }

  const Program& program_;
};

}  // namespace

Exploration explore(const Program& program, int most_states) {
  const Walk walk(program);
  Exploration found;
  std::unordered_set<std::string> known;
  std::vector<Machine> open = {Machine(program)};
  while (!open.empty()) {
    Machine machine = std::move(open.back());
    open.pop_back();
    walk.settle(machine);
    if (!known.insert(machine.key()).second) continue;
    if (static_cast<int>(known.size()) > most_states) {
      found.complete = false;
      return found;
    }
    const std::vector<Move> moves = walk.moves(machine);
    if (machine.finished()) {
      found.may_leave_messages |= machine.leaves_messages();
      found.outcomes.insert(machine.outcome());
    } else if (Walk::is_stuck(moves)) {
      found.may_deadlock = true;
      return found;
    }
    for (const Move& move : moves) {
      open.push_back(machine);
      make(open.back(), move);
    }
  }
  return found;
}

Outcome simulate(const Program& program, Random& random, Rules rules) {
  const Walk walk(program);
  Machine machine(program, rules);
  const int generosity = 50 * random.below(3);
  while (true) {
    walk.settle(machine);
    if (machine.finished()) return machine.outcome();
    const std::vector<Move> moves = walk.moves(machine);
    if (Walk::is_stuck(moves)) return {};
    const Move& move = random.pick(moves);
    if (move.grant == Grant::generous && !random.chance(generosity)) continue;
    make(machine, move);
  }
}

std::string replay(const Program& program, const Outcome& outcome) {
  Machine machine(program);
  const auto said = [&](int rank, int place) {
    return outcome[static_cast<std::size_t>(rank)][static_cast<std::size_t>(place)];
  };
  const auto match_as_said = [&](int rank) {
    bool matched = false;
    const int calls = static_cast<int>(program.script(rank).size());
    for (int place = 0; place < calls && place <= machine.at(rank); ++place) {
      const Value message = said(rank, place);
      if (!program.call(rank, place).receives() || message < 0) continue;
      if (program.message(static_cast<int>(message)).receiver != rank) continue;
      if (!machine.may_match(static_cast<int>(message), place)) continue;
      machine.match(static_cast<int>(message), place);
      matched = true;
    }
    return matched;
  };
  bool goes_on = true;
  while (goes_on) {
    goes_on = false;
    for (int rank = 0; rank < program.ranks(); ++rank) {
      goes_on |= match_as_said(rank);
      while (!machine.finished(rank) && machine.may_end(rank, said(rank, machine.at(rank))) != Grant::no) {
        machine.end(rank, said(rank, machine.at(rank)));
        goes_on = true;
      }
    }
  }
  if (machine.finished() && machine.outcome() == outcome) return {};
  std::string text;
  for (int rank = 0; rank < program.ranks(); ++rank) {
    if (machine.finished(rank)) continue;
    const int place = machine.at(rank);
    text += "rank " + std::to_string(rank) + " cannot have ended call " + std::to_string(place) + " (" +
            text_of(program.call(rank, place), program) + ") with " + std::to_string(said(rank, place)) +
            "\n";
  }
  return text.empty() ? "a request has another outcome than it can have" : text;
}

}  // namespace foldlane::matching
