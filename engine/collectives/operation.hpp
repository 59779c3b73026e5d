// A collective as an operation: nonblocking, or persistent when it is started again and again.
#pragma once

#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "engine/algorithms/broadcast.hpp"
#include "engine/algorithms/exchange.hpp"
#include "engine/algorithms/fold_whole.hpp"
#include "engine/collectives/by_plan.hpp"
#include "engine/collectives/collective.hpp"
#include "engine/collectives/info.hpp"
#include "engine/collectives/move_steps.hpp"
#include "engine/collectives/pair_arguments.hpp"
#include "engine/collectives/verdict.hpp"
#include "engine/moves/pair/of_two.hpp"
#include "engine/moves/pair/pair_lines.hpp"
#include "engine/progress/operation.hpp"
#include "shm/base/result.hpp"

namespace foldlane::engine {

class CollectiveOperation : public Operation {
 public:
  /// Of an operation that has failed, also when its team is gone.
  const shm::Error& error() const noexcept { return failure_->error; }
  const Trouble& trouble() const noexcept { return failure_->trouble; }

  CallInfo info() const noexcept { return CallInfo::unpacked(what_, count_); }
  /// Of a wait for it.
  void describe(WaitNote& note) {
    note.team = &team_;
    note.what = what_;
    note.count = count_;
    team_.operations().describe(note);
  }

  /// Collective, in the same order on all members. Only when it is done. Does not block.
  virtual void start() = 0;

 protected:
  CollectiveOperation(Team& team, const CallInfo& info) noexcept
      : team_(team), what_(info.packed()), count_(info.count) {}
  /// Of which set_info() will tell what it is.
  explicit CollectiveOperation(Team& team) noexcept : team_(team) {}
  void set_info(const CallInfo& info) noexcept {
    what_ = info.packed();
    count_ = info.count;
  }

  Team& team() noexcept { return team_; }
  /// False if the team is broken.
  bool announce() noexcept { return team_.agreement().announce(CallInfo::unpacked(what_, count_)); }
  [[gnu::cold]] void keep_failure() { failure_ = failure_to_keep(team_); }

 private:
  Team& team_;
  // Its info, which is announced a moment later: read as a word, it must not be written field by field.
  std::uint64_t what_ = 0;
  std::uint64_t count_ = 0;
  std::unique_ptr<const Failure> failure_;
};

// The kinds of calls: what each keeps of the call, and its steps, which are made anew for each start. Short
// calls need no coroutine.

struct Meeting {
  using Steps = SteppedTurns<Exchange<Team>>;
  Meeting(const Team&, const Collective&) {}
  void begin(std::optional<Steps>& steps, Team& team) const { steps.emplace(team); }
};

struct InlineFolding {
  using Steps = SteppedTurns<InlineFold<Team>>;
  InlineFolding(const Team& team, const Collective& call) : fold(whole_of(team, call)) {}
  void begin(std::optional<Steps>& steps, Team& team) const { steps.emplace(team, fold); }

  WholeFold fold;
};

struct InlineBroadcasting {
  using Steps = SteppedTurns<InlineBroadcast<Team>>;
  InlineBroadcasting(const Team&, const Collective& call) : broadcast(broadcast_of(call)) {}
  void begin(std::optional<Steps>& steps, Team& team) const { steps.emplace(team, broadcast); }

  Broadcast broadcast;
};

struct InlineMoving {
  using Steps = SteppedTurns<InlineMove<Team>>;
  InlineMoving(const Team&, const Collective& of) : call(of.call), root(of.root), movement(of.movement) {}
  void begin(std::optional<Steps>& steps, Team& team) const { steps.emplace(team, call, root, *movement); }

  Call call;
  int root;
  const Movement* movement;
};

/// Of two members, in turns and nothing else: in a line each.
struct PairLineMoving {
  static constexpr bool kComparesLengths = true;  // and gives the team up if one is not as expected
  using Steps = SteppedTurns<PairLineTurns<Team>>;
  /// As of PairArguments, which are made where they stay.
  template <class Side>
  [[gnu::always_inline]] PairLineMoving(Team& team, Call call, const Side& sends, const Side& receives,
                                        int root)
      : arguments(call, team, sends, receives, root) {}
  CallInfo info() const noexcept { return arguments.info(); }
  void begin(std::optional<Steps>& steps, Team& team) const { steps.emplace(team, arguments.move()); }

  PairArguments arguments;
};

/// The same, through boxes, too.
struct PairMoving {
  static constexpr bool kComparesLengths = true;
  using Steps = SteppedTurns<PairMoveTurns<Team>>;
  PairMoving(const Team&, const PairArguments& call) : part(new PairPart(call.move())) {}
  void begin(std::optional<Steps>& steps, Team& team) const { steps.emplace(team, part->move); }

  std::unique_ptr<const PairPart> part;  // by itself: requests are small
};

struct LongCall {
  using Steps = Procedure;
  LongCall(const Team&, const Collective& collective) : call(collective) {}
  void begin(std::optional<Steps>& steps, Team& team) const { steps.emplace(steps_of(team, call)); }

  Collective call;
};

template <class KindOfCall>
class OperationOf final : public CollectiveOperation {
 public:
  using Kind = KindOfCall;

  /// `call`: a Collective, or PairArguments. What it points to must outlive the operation, but for blocks of
  /// the arguments, and the team must outlive its end.
  template <class Described>
  [[gnu::always_inline]] OperationOf(Team& team, const Described& call)
      : CollectiveOperation(team, info_of(call, team)), kind_(team, call) {}

  /// Of a kind that is made of the arguments of the call, and knows what the call is.
  template <class... Arguments>
  [[gnu::always_inline]] OperationOf(Team& team, std::in_place_t, const Arguments&... arguments)
      : CollectiveOperation(team), kind_(team, arguments...) {
    set_info(kind_.info());
  }

  const Kind& kind() const noexcept { return kind_; }

  void start() override {
    team().process().progress().template start<OperationOf>(team().operations(), *this);
  }

 private:
  friend class OperationQueue;

  Progress advance(Patience patience) override {
    if (!begin_unless_begun()) return end(Progress::failed);
    const Progress progress = steps_->step(patience);
    return progress == Progress::waiting ? progress : end(progress);
  }
  Progress run() override {
    if (!begin_unless_begun()) return end(Progress::failed);
    return end(outcome(steps_->run()));
  }
  void give_up() noexcept override {
    team().agreement().give_up(Broken::operation);
    end(Progress::failed);
  }
  int awaited_rank() const noexcept override { return steps_->awaited_rank(); }
  std::uint64_t steps() const noexcept override { return steps_->steps(); }

  /// False if the team is broken.
  bool begin_unless_begun() {
    if (steps_) return true;
    if (!announce()) [[unlikely]]
      return false;
    kind_.begin(steps_, team());
    return true;
  }
  Progress end(Progress progress) {
    steps_.reset();
    if constexpr (requires { Kind::kComparesLengths; })
      if (team().agreement().broken()) progress = Progress::failed;
    if (progress == Progress::failed) [[unlikely]]
      keep_failure();
    return progress;
  }

  Kind kind_;
  std::optional<typename Kind::Steps> steps_;
};

/// Returns make(std::type_identity<…>()) of the class of operations that carries the call out: with the same
/// limits as the blocking short calls, which are those of the plan.
template <class Make>
[[gnu::always_inline]] inline auto with_operation_for(const Team& team, const Collective& call,
                                                      const Make& make) {
  using std::type_identity;
  const InlineLimits& limits = team.inline_limits();
  if (call.movement != nullptr)
    return is_short_move(team, call) ? make(type_identity<OperationOf<InlineMoving>>())
                                     : make(type_identity<OperationOf<LongCall>>());
  if (limits.is_central() || limits.bytes() == 0 || call.is_between_groups())
    return make(type_identity<OperationOf<LongCall>>());
  if (call.call == Call::barrier) return make(type_identity<OperationOf<Meeting>>());
  if (!limits.carry(call.bytes())) return make(type_identity<OperationOf<LongCall>>());
  if (call.call == Call::bcast) return make(type_identity<OperationOf<InlineBroadcasting>>());
  return make(type_identity<OperationOf<InlineFolding>>());
}

}  // namespace foldlane::engine
