// The message about members that disagree, in the words of MPI.
#include "api/op/mismatch.hpp"

#include <fmt/format.h>

#include <cctype>
#include <string>

#include "api/core/failure.hpp"
#include "api/op/op.hpp"
#include "engine/team/call_names.hpp"

namespace foldlane::api {
namespace {

using engine::Broken;
using engine::CallInfo;

bool is_reduction(engine::Call call) {
  return call == engine::Call::reduce || call == engine::Call::allreduce ||
         call == engine::Call::reduce_scatter || call == engine::Call::scan || call == engine::Call::exscan;
}

/// "comm_dup" of the engine is MPI_Comm_dup.
std::string name_of_call(const CallInfo& info) {
  std::string name(engine::name_of(info));
  if (name == engine::kUnknownCall) return name;
  name.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(name.front())));
  return "MPI_" + name;
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
    case Broken::death:
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

void fail(const engine::Trouble& trouble, const shm::Error& error) {
  if (error.code != shm::Errc::disagreement) fail(error);
  const int code = trouble.why == Broken::mismatch ? MPI_ERR_NOT_SAME : MPI_ERR_OTHER;
  fail(code, describe(trouble) + "; the communicator cannot be used any more");
}

void fail(const engine::Team& team, const shm::Error& error) { fail(team.agreement().trouble(), error); }

}  // namespace foldlane::api
