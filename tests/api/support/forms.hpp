// The forms of a collective call behind one name, so that a program can make all of its calls in each of
// them.
#pragma once

#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <type_traits>

#include "which_calls.hpp"

namespace foldlane::testing {

/// restarted: one persistent request, started several times.
enum class Form { blocking, nonblocking, persistent, restarted };

inline constexpr Form kForms[] = {Form::blocking, Form::nonblocking, Form::persistent, Form::restarted};
inline constexpr int kRestarts = 3;

/// In which form perform() makes calls, in the whole program.
inline Form form_of_calls = Form::blocking;

inline const char* form_name() {
  static constexpr const char* kNames[] = {"blocking", "nonblocking", "persistent", "restarted"};
  return kNames[static_cast<int>(form_of_calls)];
}

/// What forms share does not depend on how many ranks there are, and many ranks on few cores take long: every
/// day they make blocking calls only, and the others with FOLDLANE_TEST_FORMS=all. With "blocking" nobody
/// makes others.
inline bool is_for_today(Form form) {
  constexpr int kMostRanks = 3;
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  return form == Form::blocking || (ranks <= kMostRanks && !are_all_blocking()) || wished_forms() == "all";
}

/// Once in a program: a run that passes says what it has not made.
inline void say_what_is_left_out() {
  static bool said = false;
  int rank = 0, ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (!said && rank == 0)
    std::printf("%d ranks: nonblocking, persistent and restarted calls are left out\n", ranks);
  said = true;
}

template <class Body>
void in_all_forms(const Body& body) {
  for (const Form form : kForms) {
    if (!is_for_today(form)) {
      say_what_is_left_out();
      continue;
    }
    form_of_calls = form;
    body();
  }
  form_of_calls = Form::blocking;
}

/// The calls of one collective.
template <class... Args>
struct Calls {
  int (*blocking)(Args...);
  int (*nonblocking)(Args..., MPI_Request*);
  int (*init)(Args..., MPI_Info, MPI_Request*);
};
template <class... Args, class Nonblocking, class Init>
Calls(int (*)(Args...), Nonblocking, Init) -> Calls<Args...>;

inline constexpr Calls kBarrier{MPI_Barrier, MPI_Ibarrier, MPI_Barrier_init};
inline constexpr Calls kBcast{MPI_Bcast, MPI_Ibcast, MPI_Bcast_init};
inline constexpr Calls kBcastC{MPI_Bcast_c, MPI_Ibcast_c, MPI_Bcast_init_c};
inline constexpr Calls kReduce{MPI_Reduce, MPI_Ireduce, MPI_Reduce_init};
inline constexpr Calls kReduceC{MPI_Reduce_c, MPI_Ireduce_c, MPI_Reduce_init_c};
inline constexpr Calls kAllreduce{MPI_Allreduce, MPI_Iallreduce, MPI_Allreduce_init};
inline constexpr Calls kAllreduceC{MPI_Allreduce_c, MPI_Iallreduce_c, MPI_Allreduce_init_c};
inline constexpr Calls kReduceScatter{MPI_Reduce_scatter, MPI_Ireduce_scatter, MPI_Reduce_scatter_init};
inline constexpr Calls kReduceScatterC{MPI_Reduce_scatter_c, MPI_Ireduce_scatter_c,
                                       MPI_Reduce_scatter_init_c};
inline constexpr Calls kReduceScatterBlock{MPI_Reduce_scatter_block, MPI_Ireduce_scatter_block,
                                           MPI_Reduce_scatter_block_init};
inline constexpr Calls kReduceScatterBlockC{MPI_Reduce_scatter_block_c, MPI_Ireduce_scatter_block_c,
                                            MPI_Reduce_scatter_block_init_c};
inline constexpr Calls kScan{MPI_Scan, MPI_Iscan, MPI_Scan_init};
inline constexpr Calls kScanC{MPI_Scan_c, MPI_Iscan_c, MPI_Scan_init_c};
inline constexpr Calls kExscan{MPI_Exscan, MPI_Iexscan, MPI_Exscan_init};
inline constexpr Calls kExscanC{MPI_Exscan_c, MPI_Iexscan_c, MPI_Exscan_init_c};

[[noreturn]] inline void report_start(int start) {
  std::fprintf(stderr, "start %d of a persistent request has another result than the first\n", start);
  MPI_Abort(MPI_COMM_WORLD, 1);
  std::abort();
}

/// Every start finds the same content in `written`, and must leave the same there: so whoever looks at the
/// last result has seen all of them. Returns the first code that is no success.
template <class Memory, class... Args>
int perform_persistent(int starts, Memory& written, const Calls<Args...>& calls, Args... args) {
  const auto before = written.bytes();
  auto first = before;
  MPI_Request request = MPI_REQUEST_NULL;
  int code = calls.init(args..., MPI_INFO_NULL, &request);
  for (int start = 0; start < starts && code == MPI_SUCCESS; ++start) {
    written.bytes() = before;
    code = MPI_Start(&request);
    if (code == MPI_SUCCESS) code = MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (start == 0) first = written.bytes();
    if (code == MPI_SUCCESS && written.bytes() != first) report_start(start);
  }
  if (request != MPI_REQUEST_NULL) MPI_Request_free(&request);
  return code;
}

/// Makes a call that writes into `written.bytes()`.
template <class Memory, class... Args>
int perform(Memory& written, const Calls<Args...>& calls, std::type_identity_t<Args>... args) {
  if (form_of_calls == Form::blocking) return calls.blocking(args...);
  if (form_of_calls == Form::nonblocking) {
    MPI_Request request = MPI_REQUEST_NULL;
    const int code = calls.nonblocking(args..., &request);
    return code == MPI_SUCCESS ? MPI_Wait(&request, MPI_STATUS_IGNORE) : code;
  }
  return perform_persistent<>(form_of_calls == Form::restarted ? kRestarts : 1, written, calls, args...);
}

/// What calls write that write nothing here.
struct Nothing {
  int nothing = 0;
  int& bytes() { return nothing; }
};

template <class... Args>
int perform_idle(const Calls<Args...>& calls, std::type_identity_t<Args>... args) {
  Nothing nothing;
  return perform(nothing, calls, args...);
}

}  // namespace foldlane::testing
