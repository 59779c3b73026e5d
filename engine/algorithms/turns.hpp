// Exchanges in turns, the one text of all that goes from place to place without a second hop. In each turn a
// member gives (writes a place of its own and says so) and takes (reads what others have given); either may
// be missing, as at the root or the leaves of a rooted call.
//
// An algorithm is a class of these members, where `how` decides whether a wait blocks:
//   count()                   how many turns there are
//   kAhead                    how many turns a member gives ahead of taking, so that it works while it waits
//   gives(t)                  whether this member gives something in turn t
//   Progress await_free(how, t)   until the place of turn t may be written
//   give(t)
//   make_ready()              if there is one: behind the giving of turn 0, whether this member gives or not
//   takes(t), Progress await_given(how, t), take(t)     the same for what others give
//   finish(t)                 this member has no more to do with turn t
//   has_failed()              if there is one: taking has given the team up, and the call ends there
// From this text come the blocking form (run_turns: everything inlined, no coroutine, which would cost 20 ns
// of an 8-byte allreduce), the one that is driven step by step (SteppedTurns, for nonblocking and persistent
// calls), and a part of a longer procedure (as_procedure).
#pragma once

#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>

#include "engine/progress/procedure.hpp"

namespace foldlane::engine {

/// Where a member stands.
struct TurnCursor {
  std::uint64_t turn = 0;
  bool given = false;
};

template <class Turns>
[[gnu::always_inline]] inline bool has_failed(const Turns& turns) {
  if constexpr (requires { turns.has_failed(); }) return turns.has_failed();
  return false;
}

template <class Turns>
[[gnu::always_inline]] inline void make_ready(Turns& turns) {
  if constexpr (requires { turns.make_ready(); }) turns.make_ready();
}

/// Goes on until a wait says something else than done. Who drives it asks again what has failed.
template <class Turns, class How>
[[gnu::always_inline]] inline Progress advance_turns(Turns& turns, TurnCursor& at, How& how) {
  if (has_failed(turns)) [[unlikely]]
    return Progress::failed;
  for (; at.turn < turns.count() + Turns::kAhead; ++at.turn, at.given = false) {
    if (!at.given && at.turn < turns.count() && turns.gives(at.turn)) {
      if (const Progress state = turns.await_free(how, at.turn); state != Progress::done) [[unlikely]]
        return state;
      turns.give(at.turn);
    }
    if (!at.given && at.turn == 0) make_ready(turns);
    at.given = true;
    if (at.turn < Turns::kAhead) continue;
    const std::uint64_t turn = at.turn - Turns::kAhead;
    if (turns.takes(turn)) {
      if (const Progress state = turns.await_given(how, turn); state != Progress::done) [[unlikely]]
        return state;
      turns.take(turn);
      if (has_failed(turns)) [[unlikely]]
        return Progress::failed;
    }
    turns.finish(turn);
  }
  return Progress::done;
}

/// Waits in place, by the functions of a team that do so without an object of their own.
template <class Team>
struct Blocking {
  using Epoch = std::uint64_t;
  static constexpr bool kBlocks = true;
  static Progress inline_free(Team& team, Epoch epoch) {
    return outcome(team.blocking_waits().inline_free(epoch));
  }
  static Progress slot_free(Team& team, Epoch epoch) {
    return outcome(team.blocking_waits().slot_free(epoch));
  }
  static Progress box_free(Team& team, Epoch turn, Epoch epoch) {
    return outcome(team.blocking_waits().box_free(turn, epoch));
  }
  static Progress shown(Team& team, int member, Epoch epoch) {
    return outcome(team.blocking_waits().shown(member, epoch));
  }
  static Progress filled(Team& team, int member, Epoch epoch) {
    return outcome(team.blocking_waits().filled(member, epoch));
  }
  static Progress all_shown(Team& team, Epoch epoch, Epoch proves) {
    return outcome(team.blocking_waits().all_shown(epoch, proves));
  }
  static Progress delivered(Team& team, Epoch epoch, Epoch proves) {
    return outcome(team.blocking_waits().delivered(epoch, proves));
  }
  static Progress wait(typename Team::Await awaited) { return outcome(block(awaited)); }
};

/// Looks, and keeps what it is waiting for until the next step.
template <class Team>
class Stepping {
 public:
  using Epoch = std::uint64_t;
  static constexpr bool kBlocks = false;
  Progress inline_free(Team& team, Epoch epoch) {
    if (!pending_ && team.waits().is_inline_free(epoch)) [[likely]]
      return Progress::done;
    return look([&] { return team.waits().inline_free(epoch); });
  }
  Progress slot_free(Team& team, Epoch epoch) {
    const Progress words = look([&] { return team.waits().slot_words_free(epoch); });
    return words != Progress::done ? words : look([&] { return team.waits().slot_left_by_others(epoch); });
  }
  Progress box_free(Team& team, Epoch turn, Epoch epoch) {
    return look([&] { return team.waits().box_free(turn, epoch); });
  }
  Progress shown(Team& team, int member, Epoch epoch) {
    return look_unless_starting([&] { return team.waits().shown(member, epoch); });
  }
  Progress filled(Team& team, int member, Epoch epoch) {
    return look_unless_starting([&] { return team.waits().filled(member, epoch); });
  }
  Progress all_shown(Team& team, Epoch epoch, Epoch proves) {
    return look_unless_starting([&] { return team.waits().all_shown(epoch, proves); });
  }
  Progress delivered(Team& team, Epoch epoch, Epoch proves) {
    return look_unless_starting([&] { return team.waits().delivered(epoch, proves); });
  }
  Progress wait(const typename Team::Await& awaited) {
    return look_unless_starting([&] { return awaited; });
  }

  void set_patience(Patience patience) noexcept { patience_ = patience; }
  int awaited_rank() const noexcept { return pending_ ? pending_->writer() : kNoRank; }
  /// How many waits are over.
  std::uint64_t steps() const noexcept { return steps_; }

 private:
  /// For what others give.
  template <class Make>
  Progress look_unless_starting(const Make& make) {
    return patience_ == Patience::starts ? Progress::waiting : look(make);
  }
  template <class Make>
  Progress look(const Make& make) {
    if (!pending_) pending_.emplace(make());
    const Progress state = pending_->poll(patience_);
    if (state == Progress::done) {
      pending_->await_resume();
      pending_.reset();
      ++steps_;
    }
    return state;
  }

  std::optional<typename Team::Await> pending_;
  Patience patience_ = Patience::none;
  std::uint32_t steps_ = 0;
};

/// False if the job or the team has failed.
template <class Turns>
[[gnu::always_inline]] inline bool run_turns(Turns&& turns) {
  Blocking<typename std::remove_reference_t<Turns>::Team> how;
  TurnCursor at;
  return advance_turns(turns, at, how) == Progress::done;
}

/// The form that gives the thread back.
template <class Turns>
class SteppedTurns {
 public:
  template <class... Args>
  explicit SteppedTurns(Args&&... args) : turns_(std::forward<Args>(args)...) {}

  Progress step(Patience patience = Patience::none) {
    how_.set_patience(patience);
    return advance_turns(turns_, at_, how_);
  }
  /// Goes on to the end, blocking.
  Progress run() {
    Blocking<typename Turns::Team> how;
    return advance_turns(turns_, at_, how);
  }
  /// After a step that was waiting.
  int awaited_rank() const noexcept { return how_.awaited_rank(); }
  std::uint64_t steps() const noexcept { return how_.steps(); }
  Turns& turns() noexcept { return turns_; }

 private:
  Turns turns_;
  TurnCursor at_;
  Stepping<typename Turns::Team> how_;
};

/// Of a procedure: what its stepped turns stand at.
template <class Turns>
class TurnsWait final : public Wait {
 public:
  explicit TurnsWait(SteppedTurns<Turns>& turns) noexcept : turns_(turns) {}
  void set_blocking(bool blocking) noexcept override { blocking_ = blocking; }
  Progress poll(Patience patience) override { return blocking_ ? turns_.run() : turns_.step(patience); }
  int writer() const noexcept override { return turns_.awaited_rank(); }
  std::uint64_t steps() const noexcept override { return turns_.steps(); }

  bool await_ready() { return poll(Patience::none) == Progress::done; }
  void await_suspend(Procedure::Handle handle) noexcept { Procedure::suspend(handle, *this); }
  void await_resume() const noexcept {}

 private:
  SteppedTurns<Turns>& turns_;
  bool blocking_ = false;
};

/// Turns as a procedure, or as a part of one, which keeps their arguments.
template <class Turns, class... Args>
Procedure as_procedure(typename Turns::Team& team, Args... args) {
  SteppedTurns<Turns> turns(team, args...);
  co_await TurnsWait<Turns>(turns);
}

}  // namespace foldlane::engine
