// The message about members that disagree, in the words of MPI.
#include <fmt/format.h>

#include <string>

#include "api/op.hpp"
#include "api/raise.hpp"

namespace foldlane::api {
namespace {

using engine::Broken;
using engine::CallInfo;

bool is_reduction(engine::Call call) {
  return call == engine::Call::reduce || call == engine::Call::allreduce ||
         call == engine::Call::reduce_scatter || call == engine::Call::scan || call == engine::Call::exscan;
}

std::string name_of_call(const CallInfo& info) {
  switch (info.call) {
    case engine::Call::barrier:
      return "MPI_Barrier";
    case engine::Call::bcast:
      return "MPI_Bcast";
    case engine::Call::reduce:
      return "MPI_Reduce";
    case engine::Call::allreduce:
      return "MPI_Allreduce";
    case engine::Call::reduce_scatter:
      return info.variant == engine::kEqualBlocks ? "MPI_Reduce_scatter_block" : "MPI_Reduce_scatter";
    case engine::Call::scan:
      return "MPI_Scan";
    case engine::Call::exscan:
      return "MPI_Exscan";
    case engine::Call::duplicate:
      return "MPI_Comm_dup";
    case engine::Call::split:
      return "MPI_Comm_split";
    case engine::Call::select:
      return "MPI_Comm_create";
    case engine::Call::bridge:
      return "MPI_Intercomm_create";
    case engine::Call::merge:
      return "MPI_Intercomm_merge";
    case engine::Call::dissolve:
      return "MPI_Comm_free";
    case engine::Call::finalize:
      return "MPI_Finalize";
  }
  return "an unknown call";
}

std::string describe_root(const CallInfo& info) {
  if (info.variant != engine::kBetween) return fmt::format("root {}", info.root);
  if (info.root == engine::kNoRoot) return "root MPI_PROC_NULL";
  return fmt::format("root {} of both groups", info.root);
}

std::string describe(const CallInfo& info) {
  std::string text = name_of_call(info) + "(";
  if (info.call == engine::Call::bcast) {
    text += fmt::format("{} bytes of {}, {}", info.count, name_of_type_code(info.type), describe_root(info));
  } else if (info.call == engine::Call::bridge) {
    text += fmt::format("local_leader {}", info.root);
  } else if (info.variant == engine::kWithMembers) {
    text += fmt::format("members with hash {:x}", info.count & 0xffffff);
  } else if (info.call == engine::Call::reduce_scatter && info.variant != engine::kEqualBlocks) {
    text += fmt::format("counts with hash {:x}, {}, {}", info.count & 0xffffff, name_of_type_code(info.type),
                        name_of_operation(info.operation));
  } else if (is_reduction(info.call)) {
    text += fmt::format("count {}, {}, {}", info.count, name_of_type_code(info.type),
                        name_of_operation(info.operation));
    if (info.call == engine::Call::reduce) text += ", " + describe_root(info);
  }
  return text + ")";
}

std::string describe(const engine::Trouble& trouble) {
  const auto& [one, other] = trouble.members;
  switch (trouble.why) {
    case Broken::operation:
      return fmt::format("rank {} gave up: a function of the program failed there", one);
    case Broken::memory:
      return fmt::format("rank {} gave up: it ran out of memory", one);
    case Broken::no:
    case Broken::mismatch:
      break;
  }
  if (!trouble.known) {
    // They differed too long ago, or in what only their members have seen.
    return fmt::format("the calls of rank {} and of others do not match; which ones is not known here",
                       other);
  }
  return fmt::format("the calls of the ranks do not match: rank {} called {}, rank {} called {}", one,
                     describe(trouble.calls[0]), other, describe(trouble.calls[1]));
}

}  // namespace

void fail(const engine::Team& team, const shm::Error& error) {
  if (error.code != shm::Errc::disagreement) fail(error);
  const int code = team.trouble().why == Broken::mismatch ? MPI_ERR_NOT_SAME : MPI_ERR_OTHER;
  fail(code, describe(team.trouble()) + "; the communicator cannot be used any more");
}

}  // namespace foldlane::api
