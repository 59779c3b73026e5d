// Collectives as requests. Short calls make theirs in place, where the compiler knows which call it is:
// handed over from function to function, its description takes a tenth of the instructions.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

#include "api/datatype/datatype_store.hpp"
#include "api/objects/communicator.hpp"
#include "api/op/call_text.hpp"
#include "api/op/mismatch.hpp"
#include "api/op/op.hpp"
#include "api/request/completion.hpp"
#include "api/request/request.hpp"
#include "api/request/request_slots.hpp"
#include "engine/collectives/operation.hpp"

namespace foldlane::api {

class KeptMovement;
class TypedBlocks;

/// What a call needs until it is done, although the program may free it before.
struct Kept {
  // Of a reduction whose operation is the program's, with the type of its elements.
  bool by_program = false;
  MPI_Op op = MPI_OP_NULL;
  MPI_Datatype datatype = MPI_DATATYPE_NULL;
  const Datatype* type = nullptr;
  // Of a broadcast.
  const std::shared_ptr<const engine::TypeMap>* type_map = nullptr;
  // Of a reduce-scatter, one for each member. The standard leaves them to the call, but mpi4py 3 does not.
  const engine::BlockCounts* counts = nullptr;
  int members = 0;

  // Of a call that moves data.
  const engine::Movement* movement = nullptr;
  const TypedBlocks* sends = nullptr;
  const TypedBlocks* receives = nullptr;

  bool is_nothing() const noexcept {
    return !by_program && type_map == nullptr && counts == nullptr && movement == nullptr;
  }
};

/// Of a reduction. Predefined operations need nothing.
inline Kept kept_for(const Reducer& reducer, MPI_Op op, MPI_Datatype datatype, const Datatype& type) {
  return {reducer.calls_program(), op, datatype, &type};
}

/// Keeps it: what the call knows of an operation of the program ends with the call.
class Keeping {
 public:
  explicit Keeping(const Kept& kept);
  Keeping(const Keeping&) = delete;
  Keeping& operator=(const Keeping&) = delete;
  ~Keeping();

  /// Null if the operation is predefined.
  const engine::Reduction* reduction() const noexcept { return reducer_ ? &**reducer_ : nullptr; }
  /// Null if there are none.
  const std::int64_t* counts() const noexcept;
  /// Null if it is none.
  const engine::Movement* movement() const noexcept;

 private:
  std::optional<Reducer> reducer_;
  std::optional<KeptDatatype> datatype_;
  std::variant<std::shared_ptr<const engine::TypeMap>, std::unique_ptr<std::int64_t[]>,
               std::unique_ptr<const KeptMovement>>
      of_call_;  // of one kind of calls each
};

/// Throws what the call has failed with.
[[noreturn, gnu::cold]] void fail_as(engine::CollectiveOperation& operation);

/// "MPI_Iallreduce(MPI_COMM_WORLD)", "MPI_Allreduce_init(MPI_COMM_WORLD)".
std::string title_of(const engine::CallInfo& call, Lifetime lifetime, MPI_Comm comm);

/// A call and all that it needs until it is done.
template <class Operation>
class CollectiveRequest final : public Request {
 public:
  /// Of what needs nothing that the program could free: a Collective, or PairArguments.
  template <class Described>
  [[gnu::always_inline]] CollectiveRequest(MPI_Comm comm, Lifetime lifetime, engine::Team& team,
                                           const Described& call)
      : Request(comm, lifetime), operation_(team, call) {
    set_what_is_kept();
  }
  /// The same, of an operation that is made of the arguments of the call.
  template <class... Arguments>
  [[gnu::always_inline]] CollectiveRequest(MPI_Comm comm, Lifetime lifetime, engine::Team& team,
                                           std::in_place_t in_place, const Arguments&... arguments)
      : Request(comm, lifetime), operation_(team, in_place, arguments...) {
    set_what_is_kept();
  }
  CollectiveRequest(MPI_Comm comm, Lifetime lifetime, engine::Team& team, const engine::Collective& call,
                    const Kept& kept)
      : Request(comm, lifetime),
        keeping_(kept.is_nothing() ? nullptr : std::make_unique<const Keeping>(kept)),
        operation_(team, with_what_is_kept(call)) {
    if (lifetime == Lifetime::persistent) keep_team();
  }

  const Operation& operation() const noexcept { return operation_; }

  std::string title() const override {
    return title_of(operation_.info(), is_persistent() ? Lifetime::persistent : Lifetime::once, comm());
  }
  void begin() override { operation_.start(); }
  bool poll() override { return operation_.done(); }
  bool advance() override {
    world.job->process().progress().finish_alone<Operation>(operation_);
    return operation_.done();
  }
  bool has_failed() const noexcept override { return operation_.failed(); }
  void note_wait(engine::WaitNote& note) override {
    operation_.describe(note);
    name_call(note);
  }
  void finish(MPI_Status&) override {
    if (!operation_.failed()) [[likely]]
      return;
    set_keeps_nothing(false);
    fail_as(operation_);
  }

 private:
  /// An operation that has ended keeps no steps, and nothing else unless it has failed (finish()).
  [[gnu::always_inline]] void set_what_is_kept() {
    set_keeps_nothing(!is_persistent() && std::is_trivially_destructible_v<typename Operation::Kind>);
    if (is_persistent()) [[unlikely]]
      keep_team();
  }
  /// What is under way when its communicator is freed ends before the team does.
  [[gnu::noinline]] void keep_team() { owned_team_ = check_communicator(comm()).owned_team; }
  engine::Collective with_what_is_kept(engine::Collective call) const {
    if (keeping_ == nullptr) return call;
    if (keeping_->reduction() != nullptr) call.reduction = keeping_->reduction();
    if (keeping_->counts() != nullptr) call.blocks = keeping_->counts();
    if (keeping_->movement() != nullptr) call.movement = keeping_->movement();
    return call;
  }

  OwnedTeam owned_team_;
  std::unique_ptr<const Keeping> keeping_;  // by itself, and mostly not at all: requests are small
  Operation operation_;
};

/// Of any call.
void make_long_request(MPI_Request& to, MPI_Comm comm, Lifetime lifetime, engine::Team& team,
                       engine::Collective call, Kept kept);

/// Of two members whose arguments are usual, through boxes.
void make_pair_box_request(MPI_Request& to, MPI_Comm comm, Lifetime lifetime, engine::Team& team,
                           const engine::PairArguments& call);

/// Of two members. False: the arguments are not usual. They are looked at in the request of what goes in
/// lines: copied there they would take 34 instructions more of 1,070. What goes through boxes makes another
/// one.
template <class Usual>
[[gnu::always_inline]] inline bool make_pair_request(MPI_Request& to, MPI_Comm comm, Lifetime lifetime,
                                                     engine::Team& team, engine::Call call,
                                                     const Usual& sends, const Usual& receives, int root) {
  using Kind = CollectiveRequest<engine::OperationOf<engine::PairLineMoving>>;
  RequestSlot& slot = get_request_slot();
  Kind& request = place_request<Kind>(slot, comm, lifetime, team, std::in_place, call, sends, receives, root);
  const engine::PairArguments& arguments = request.operation().kind().arguments;
  const bool is_usual = arguments.are_usual() && !arguments.are_long();
  if (is_usual && !arguments.move().uses_boxes()) [[likely]] {
    hand_out_request(to, slot, request);
    return true;
  }
  const AtExit give_back([&] { take_request_back(slot, request); });
  if (is_usual) make_pair_box_request(to, comm, lifetime, team, arguments);
  return is_usual;
}

/// Of any call, noted by the recorder.
void make_recorded_request(MPI_Request& to, MPI_Comm comm, Lifetime lifetime, engine::Team& team,
                           const engine::Collective& call, const Kept& kept);

/// By itself: it is seldom.
template <class Operation>
[[gnu::noinline]] void make_kept_request(MPI_Request& to, MPI_Comm comm, Lifetime lifetime,
                                         engine::Team& team, const engine::Collective& call,
                                         const Kept& kept) {
  make_request<CollectiveRequest<Operation>>(to, comm, lifetime, team, call, kept);
}

/// Of a call that may be a short one.
[[gnu::always_inline]] inline void make_collective_request(MPI_Request& to, MPI_Comm comm, Lifetime lifetime,
                                                           engine::Team& team, const engine::Collective& call,
                                                           const Kept& kept) {
  engine::with_operation_for(team, call, [&]<class Operation>(std::type_identity<Operation>) {
    if constexpr (std::is_same_v<Operation, engine::OperationOf<engine::LongCall>>) {
      make_long_request(to, comm, lifetime, team, call, kept);
    } else if (kept.is_nothing()) [[likely]] {
      make_request<CollectiveRequest<Operation>>(to, comm, lifetime, team, call);
    } else {
      make_kept_request<Operation>(to, comm, lifetime, team, call, kept);
    }
  });
}

}  // namespace foldlane::api
