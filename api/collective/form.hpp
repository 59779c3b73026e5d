// The forms of a collective call. Each call has one text for its checks, which ends with handing the call to
// its form: the blocking one carries it out, the others make a request of it.
#pragma once

#include <mpi.h>

#include "api/collective/collective_request.hpp"
#include "api/comm/sole_call.hpp"
#include "api/datatype/checks.hpp"
#include "api/errors/args.hpp"
#include "api/info/info.hpp"
#include "api/objects/communicator.hpp"
#include "api/op/mismatch.hpp"
#include "api/op/op.hpp"
#include "api/request/request.hpp"
#include "api/statistics/recorded_call.hpp"
#include "engine/collectives/collectives.hpp"
#include "engine/collectives/leaf_calls.hpp"
#include "engine/collectives/list_steps.hpp"
#include "engine/collectives/move_steps.hpp"
#include "engine/collectives/neighbours/neighbour_steps.hpp"
#include "engine/collectives/pair_arguments.hpp"
#include "engine/moves/row_move.hpp"

namespace foldlane::api {

class Blocking {
 public:
  static constexpr bool kBlocks = true;

  Blocking(Call call, MPI_Comm comm) : sole_(call, comm) {}

  /// `perform` carries the call out; `describe` says what it is.
  template <class Perform, class Describe, class Keep>
  void operator()(engine::Team& team, const Perform& perform, const Describe& describe, const Keep&) const {
    if (recorder != nullptr) [[unlikely]]
      return record(team, perform, describe());
    require(team, perform());
  }
  /// For calls without a way of their own.
  template <class Keep>
  void operator()(engine::Team& team, const engine::Collective& call, const Keep&) const {
    const auto perform = [&] { return engine::perform(team, call); };
    if (recorder != nullptr) [[unlikely]]
      return record(team, perform, call);
    require(team, perform());
  }
  /// Of two ranks, and without a recorder. False: the arguments are not usual. `mail()` is asked for if they
  /// are long.
  template <class Usual, class Mail>
  [[gnu::always_inline]] bool of_two(engine::Team& team, engine::Call call, const Usual& sends,
                                     const Usual& receives, int root, const Mail& mail) const {
    const engine::PairArguments arguments(call, team, sends, receives, root);
    if (!arguments.are_usual()) return false;
    require(team, arguments.are_long() ? engine::move_long_at_once(team, arguments, mail())
                                       : engine::move_at_once(team, arguments));
    return true;
  }
  /// A leaf of a gather(v) or scatter(v), without a recorder. False: it does as others.
  bool as_leaf(engine::Team& team, engine::Call call, const engine::UserBuffer& block, int root) const {
    if (!engine::is_leaf_call(team, call, block.bytes)) return false;
    require(team, engine::perform_as_leaf(team, call, block, root));
    return true;
  }
  /// Of more than two, and without a recorder.
  void shown_at_once(engine::Team& team, engine::Call call, const engine::UserBuffer& given,
                     const engine::UserBuffer& taken) const {
    const engine::RowMove move(team.size(), team.rank(),
                               engine::equal_row(given, engine::gives_block_for_each(call)),
                               engine::equal_row(taken, true), given.bytes);
    require(team, engine::perform(team, {.call = call, .movement = &move.movement()}));
  }
  /// The same of lists that lines announce.
  void lists_at_once(engine::Team& team, engine::Call call, const engine::Movement& movement) const {
    require(team, engine::perform_announced_lists(team, call, movement));
  }

  /// Without a recorder.
  void among_neighbours(engine::Team& team, engine::Call call, const engine::NeighbourRows& rows) const {
    require(team, engine::perform_among_neighbours(team, call, rows));
  }

 private:
  template <class Perform>
  /// In place: called by reference, its arguments would lie in memory also where there is no recorder.
  [[gnu::always_inline]] void record(engine::Team& team, const Perform& perform,
                                     const engine::Collective& call) const {
    RecordedCall recorded(team, call);
    require(team, perform());
    recorded.leave();
  }

  SoleCall sole_;
};

/// Nonblocking or persistent.
template <Lifetime kLifetime>
class Requested {
 public:
  static constexpr bool kBlocks = false;

  /// The null handle is in the program's request until the call is checked.
  Requested(Call call, MPI_Comm comm, MPI_Request* request)
      : call_(call), comm_(comm), request_(check_output(request, "request")) {
    *request_ = MPI_REQUEST_NULL;
  }

  template <class Perform, class Describe, class Keep>
  [[gnu::always_inline]] void operator()(engine::Team& team, const Perform&, const Describe& describe,
                                         const Keep& keep) const {
    const SoleCall sole(call_, comm_);
    if (recorder != nullptr) [[unlikely]]
      return make_recorded_request(*request_, comm_, kLifetime, team, describe(), keep());
    make_collective_request(*request_, comm_, kLifetime, team, describe(), keep());
  }
  /// For calls without a way of their own.
  template <class Keep>
  void operator()(engine::Team& team, const engine::Collective& call, const Keep& keep) const {
    const SoleCall sole(call_, comm_);
    if (recorder != nullptr) [[unlikely]]
      return make_recorded_request(*request_, comm_, kLifetime, team, call, keep());
    make_long_request(*request_, comm_, kLifetime, team, call, keep());
  }
  /// Of two ranks, and without a recorder. False: the arguments are not usual.
  template <class Usual, class Mail>
  [[gnu::always_inline]] bool of_two(engine::Team& team, engine::Call call, const Usual& sends,
                                     const Usual& receives, int root, const Mail&) const {
    const SoleCall sole(call_, comm_);
    return make_pair_request(*request_, comm_, kLifetime, team, call, sends, receives, root);
  }
  static bool as_leaf(engine::Team&, engine::Call, const engine::UserBuffer&, int) { return false; }

 private:
  Call call_;
  MPI_Comm comm_;
  MPI_Request* request_;
};

/// The boundary of a nonblocking call. `body` gets the form.
template <class Body>
int run_nonblocking(Call call, MPI_Comm comm, MPI_Request* request, const Body& body) {
  return run(call, comm, [&] { body(Requested<Lifetime::once>(call, comm, request)); });
}
/// The boundary of a call that makes a persistent request. It has hints, of which none is known.
template <class Body>
int run_init(Call call, MPI_Comm comm, MPI_Info info, MPI_Request* request, const Body& body) {
  return run(call, comm, [&] {
    const Requested<Lifetime::persistent> form(call, comm, request);
    if (info != MPI_INFO_NULL && info != nullptr) check_info(info);
    body(form);
  });
}

}  // namespace foldlane::api
