// Tests of calls that do not match between ranks: one rank, the odd one, makes another call than all others.
#pragma once

#include <mpi.h>
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "support/forms.hpp"

namespace foldlane::testing {

/// A rank must know within this time; the promise of ARCHITECTURE.md.
inline constexpr double kBoundS = 1.0;
/// A hang is a failure that names its case, long before the timeout of the suite.
inline constexpr unsigned kHangS = 20;

/// What a rank calls, and how messages describe it.
struct Side {
  std::string text;
  std::function<int(MPI_Comm&)> call;
};

struct Mismatch {
  std::string name;
  Side most;
  Side odd;
};

inline std::string current_case = "start";

inline int rank_in(MPI_Comm comm) {
  int rank = -1;
  MPI_Comm_rank(comm, &rank);
  return rank;
}

inline int size_of(MPI_Comm comm) {
  int size = -1;
  MPI_Comm_size(comm, &size);
  return size;
}

[[noreturn]] inline void give_up(const std::string& what) {
  std::fprintf(stderr, "rank %d of %d, %s: %s\n", rank_in(MPI_COMM_WORLD), size_of(MPI_COMM_WORLD),
               current_case.c_str(), what.c_str());
  MPI_Abort(MPI_COMM_WORLD, 1);
  std::abort();
}

inline void expect(bool holds, const std::string& what) {
  if (!holds) give_up(what);
}

/// Async-signal-safe: says which case hangs and ends the process.
inline void report_hang(int) {
  const char text[] = ": hangs\n";
  if (write(STDERR_FILENO, current_case.data(), current_case.size()) < 0) _exit(3);
  if (write(STDERR_FILENO, text, sizeof text - 1) < 0) _exit(3);
  _exit(2);
}

inline void begin_case(const std::string& name) {
  current_case = name;
  signal(SIGALRM, report_hang);
  alarm(kHangS);
}

inline std::string message_of(int code) {
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  MPI_Error_string(code, text, &length);
  return text;
}

inline int class_of(int code) {
  int error_class = -1;
  MPI_Error_class(code, &error_class);
  return error_class;
}

/// Makes a call, which must end within the bound.
inline int timed(MPI_Comm& comm, const std::function<int(MPI_Comm&)>& call) {
  const double start = MPI_Wtime();
  const int code = call(comm);
  const double seconds = MPI_Wtime() - start;
  expect(seconds < kBoundS, "the call took " + std::to_string(seconds) + " s");
  return code;
}

inline void expect_contains(const std::string& message, const std::string& part) {
  expect(message.find(part) != std::string::npos, "'" + message + "' does not contain '" + part + "'");
}

inline int small_allreduce(MPI_Comm& comm) {
  int one = 1, sum = 0;
  return MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
}

/// Sums of all size classes, so that every slot is used: right, and in time.
inline void expect_works(MPI_Comm comm) {
  const int size = size_of(comm);
  for (const int count : {1, 100, 100, 100, 100, 3000, 40'000, 300'000}) {
    std::vector<int> in(static_cast<std::size_t>(count), rank_in(comm) + 1), out(in.size());
    const int code = timed(comm, [&](MPI_Comm& on) {
      return MPI_Allreduce(in.data(), out.data(), count, MPI_INT, MPI_SUM, on);
    });
    expect(code == MPI_SUCCESS, "another communicator: " + message_of(code));
    for (const int sum : out) expect(sum == size * (size + 1) / 2, "another communicator: a wrong sum");
  }
}

/// All ranks of `comm`: the odd one makes its call, and every rank learns that both calls do not match, now
/// or in its next call.
inline void expect_mismatch(const Mismatch& mismatch, MPI_Comm& comm, int odd_rank) {
  const bool is_odd = rank_in(comm) == odd_rank;
  int code = timed(comm, is_odd ? mismatch.odd.call : mismatch.most.call);
  if (code == MPI_SUCCESS && comm == MPI_COMM_NULL) return;  // freeing is local: the others learn of it
  if (code == MPI_SUCCESS) code = timed(comm, small_allreduce);
  expect(class_of(code) == MPI_ERR_NOT_SAME,
         "the class is " + std::to_string(class_of(code)) + ": " + message_of(code));
  expect_contains(message_of(code), mismatch.most.text);
  expect_contains(message_of(code), mismatch.odd.text);
  if (comm == MPI_COMM_NULL) return;
  const int again = timed(comm, small_allreduce);
  expect(class_of(again) == MPI_ERR_NOT_SAME, "a broken communicator was used again");
}

inline void free_in_time(MPI_Comm& comm) {
  if (comm == MPI_COMM_NULL) return;
  const int code = timed(comm, [](MPI_Comm& on) { return MPI_Comm_free(&on); });
  expect(code == MPI_SUCCESS, "freeing a broken communicator: " + message_of(code));
  expect(comm == MPI_COMM_NULL, "a freed communicator has its handle yet");
}

inline MPI_Comm duplicate(MPI_Comm comm) {
  MPI_Comm made = MPI_COMM_NULL;
  const int code = MPI_Comm_dup(comm, &made);
  expect(code == MPI_SUCCESS, "MPI_Comm_dup: " + message_of(code));
  return made;
}

/// With the argument "threads", slots are leased for each call; with "nonblocking" or "persistent", calls are
/// made in that form.
inline void start(int* argc, char*** argv) {
  const std::string how = *argc > 1 ? (*argv)[1] : "";
  const bool threads = how == "threads";
  if (how == "nonblocking") form_of_calls = Form::nonblocking;
  if (how == "persistent") form_of_calls = Form::persistent;
  int provided = MPI_THREAD_SINGLE;
  MPI_Init_thread(argc, argv, threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
}

}  // namespace foldlane::testing
