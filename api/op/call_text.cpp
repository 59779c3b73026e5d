#include "api/op/call_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cctype>

#include "api/core/maker.hpp"
#include "api/core/world.hpp"
#include "api/objects/communicator.hpp"
#include "api/op/op.hpp"
#include "engine/team/call_names.hpp"

namespace foldlane::api {
namespace {

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

/// Where blocks are of different sizes, or groups differ, nothing is the same for all but the root.
std::string arguments_of_move(const CallInfo& info) {
  if (info.variant == engine::kBetween) return {};
  const bool rooted = engine::moves_from_or_to_root(info.call);
  if (!engine::moves_equal_blocks(info.call)) return rooted ? describe_root(info) : std::string();
  const std::string blocks = fmt::format("blocks of {} bytes", info.count);
  return rooted ? blocks + ", " + describe_root(info) : blocks;
}

std::string arguments_of(const CallInfo& info) {
  if (engine::only_moves(info.call)) return arguments_of_move(info);
  if (info.call == engine::Call::bcast)
    return fmt::format("{} bytes of {}, {}", info.count, name_of_type_code(info.type), describe_root(info));
  if (info.call == engine::Call::bridge) return fmt::format("local_leader {}", info.root);
  if (info.variant == engine::kWithMembers)
    return fmt::format("members with hash {:x}", info.count & 0xffffff);
  if (info.variant == engine::kWithArguments)
    return fmt::format("arguments with hash {:x}", info.count & 0xffffff);
  if (info.call == engine::Call::reduce_scatter && info.variant != engine::kEqualBlocks) {
    return fmt::format("counts with hash {:x}, {}, {}", info.count & 0xffffff, name_of_type_code(info.type),
                       name_of_operation(info.operation));
  }
  if (!is_reduction(info.call)) return {};
  std::string text = fmt::format("count {}, {}, {}", info.count, name_of_type_code(info.type),
                                 name_of_operation(info.operation));
  if (info.call == engine::Call::reduce) text += ", " + describe_root(info);
  return text;
}

/// Of a team that no communicator has, or where other threads may make some: nothing.
std::string communicator_of(const void* team) {
  if (team == predefined_communicators[0].team) return describe(predefined_communicators[0], MPI_COMM_WORLD);
  if (world.has_threads) return {};
  const MPI_Comm comm = communicators.handle_of([&](const Communicator& each) { return each.team == team; });
  return comm == nullptr ? std::string() : describe(*communicators.find(comm), comm);
}

}  // namespace

std::string describe_call(const CallInfo& info, const std::string& communicator) {
  const std::string arguments = arguments_of(info);
  const char* const comma = arguments.empty() || communicator.empty() ? "" : ", ";
  return fmt::format("{}({}{}{})", name_of_call(info), arguments, comma, communicator);
}

void name_call(engine::WaitNote& note) {
  const CallInfo info = CallInfo::unpacked(note.what, note.count);
  if (note.team != nullptr) note.call = describe_call(info, communicator_of(note.team));
  // Ranks without a common team meet to make a communicator.
  const bool meets = note.call.empty();
  if (meets) note.call = maker != nullptr ? maker : "a call that waits for others on its communicator";
  if ((meets || note.team != nullptr) && !note.awaited.empty())
    note.call += fmt::format(", waits for rank {}", fmt::join(note.awaited, ", "));
  note.team = nullptr;
}

}  // namespace foldlane::api
