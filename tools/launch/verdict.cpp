#include "launch/verdict.hpp"

#include <fmt/format.h>

#include <cstring>

namespace foldlane::tools {
namespace {

using shm::Cause;
using shm::RankState;

// A rank that is killed makes its peers' calls fail, and they abort; so a kill outweighs an exit, and both
// outweigh an abort.
enum Weight { kAborted = 1, kLeft = 2, kExited = 3, kKilled = 4 };

Verdict killed(int rank, int signal, RankState state) {
  return {true,
          state != RankState::finalized,
          128 + signal,
          kKilled,
          {rank, Cause::signal, signal},
          fmt::format("was killed by signal {} ({})", signal, ::strsignal(signal))};
}

Verdict aborted(int rank, int code) {
  // A job must not look successful because it was aborted with code 0, or with a multiple of 256.
  const int exit_code = (code & 0xff) == 0 ? 1 : code & 0xff;
  return {true,
          true,
          exit_code,
          kAborted,
          {rank, Cause::aborted, code & 0xffff},
          fmt::format("aborted the job with code {}", code)};
}

Verdict exited(int rank, int code, RankState state) {
  const bool finalized = state == RankState::finalized;
  const bool joined = state == RankState::attached || state == RankState::joining;
  const char* when = finalized ? " after MPI_Finalize" : joined ? " before MPI_Finalize" : "";
  return {true,
          !finalized,
          code,
          kExited,
          {rank, Cause::exit, code},
          fmt::format("ended with exit code {}{}", code, when)};
}

}  // namespace

Verdict judge(int rank, const ProcessEnd& end, const shm::RankReport& report, bool others_joined) {
  if (report.state == RankState::aborted) return aborted(rank, report.abort_code);
  if (end.by_signal) return killed(rank, end.value, report.state);
  switch (report.state) {
    case RankState::joining:
    case RankState::attached:
      if (end.value != 0) break;
      return {true, true, 1, kLeft, {rank, Cause::unfinalized, 0}, "ended without calling MPI_Finalize"};
    case RankState::absent:
      if (end.value != 0 || !others_joined) break;
      return {true,
              true,
              1,
              kLeft,
              {rank, Cause::never_joined, 0},
              "ended without calling MPI_Init, which other ranks have called"};
    case RankState::finalized:
    case RankState::aborted:
      break;
  }
  if (end.value != 0) return exited(rank, end.value, report.state);
  return {};
}

}  // namespace foldlane::tools
