#include "api/tool/tool_pvar_table.hpp"

#include <algorithm>
#include <vector>

#include "api/core/world.hpp"
#include "api/group/group.hpp"
#include "api/info/info.hpp"
#include "api/objects/communicator.hpp"
#include "api/op/op.hpp"
#include "engine/choice/decision.hpp"
#include "kernels/isa.hpp"

namespace foldlane::api {
namespace {

struct Level {
  const char* name;
  const char* description;
  std::uint64_t (*value)();
};

std::uint64_t live_communicators() {
  return static_cast<std::uint64_t>(
             std::count_if(predefined_communicators.begin(), predefined_communicators.end(),
                           [](const Communicator& communicator) { return communicator.team != nullptr; })) +
         communicators.live();
}

// One row for each kind of object that users create.
constexpr Level kLevels[] = {
    {"foldlane_communicators", "communicators that exist, the predefined ones included", live_communicators},
    {"foldlane_groups", "groups that the program has made and not freed", live_groups},
    {"foldlane_infos", "infos that the program has made and not freed", live_infos},
    {"foldlane_ops", "operations that the program has made and not freed", live_ops},
};

/// Of messages.
struct Count {
  const char* name;
  const char* description;
  int var_class;
  std::uint64_t (*value)(const engine::MessageCounts& counts);
};

#define WAY(way, how)                                                                        \
  {"foldlane_messages_" #way, "messages sent " how, MPI_T_PVAR_CLASS_COUNTER,                \
   [](const engine::MessageCounts& counts) { return counts.sent.way.messages; }},            \
  {                                                                                          \
    "foldlane_message_bytes_" #way, "bytes of messages sent " how, MPI_T_PVAR_CLASS_COUNTER, \
        [](const engine::MessageCounts& counts) { return counts.sent.way.bytes; }            \
  }
#define RECEIVED(name, description, kind, field)                                  \
  {                                                                               \
    name, description, MPI_T_PVAR_CLASS_##kind,                                   \
        [](const engine::MessageCounts& counts) { return counts.received.field; } \
  }

constexpr Count kCounts[] = {
    WAY(cells, "beside their envelopes"),
    WAY(blocks, "in blocks of the sender's heap"),
    WAY(boxes, "through boxes, both copies overlapped"),
    WAY(direct, "by the receiver reading them where they lie"),
    WAY(straight, "by the sender writing them where the receiver wants them"),
    WAY(pulled, "by the receiver reading them in the sender's memory, with the kernel's help"),
    WAY(agreed, "through boxes or pulled (which count them, too), as this rank decided for both ways"),
    RECEIVED("foldlane_unexpected_messages", "messages that have come and that no receive has asked for",
             LEVEL, unexpected_messages.now),
    RECEIVED("foldlane_unexpected_messages_peak", "the most of them there ever were", HIGHWATERMARK,
             unexpected_messages.peak),
    RECEIVED("foldlane_unexpected_bytes", "memory that unexpected messages take", LEVEL,
             unexpected_bytes.now),
    RECEIVED("foldlane_unexpected_bytes_peak", "the most memory they ever took", HIGHWATERMARK,
             unexpected_bytes.peak),
    RECEIVED("foldlane_posted_receives", "receives that wait for their message", LEVEL, posted),
    RECEIVED("foldlane_posted_receives_peak",
             "the most that ever waited at a time on a communicator that exists", HIGHWATERMARK, most_posted),
    RECEIVED("foldlane_sleeps", "how often a wait has gone to sleep because no message had come", COUNTER,
             sleeps),
    RECEIVED("foldlane_limit_lifts", "how often the limit for unexpected messages was doubled", COUNTER,
             lifts),
};
#undef WAY
#undef RECEIVED

void add_counts(std::vector<PerformanceVariable>& variables) {
  for (const Count& count : kCounts) {
    variables.push_back({count.name, count.description, count.var_class, MPI_UNSIGNED_LONG,
                         MPI_T_VERBOSITY_USER_DETAIL, [value = count.value] {
                           return world.job == nullptr ? 0 : value(world.job->messenger().counts());
                         }});
  }
}

std::uint64_t direct_calls() { return world.job == nullptr ? 0 : world.job->process().direct_calls(); }

std::uint64_t pulled_calls() { return world.job == nullptr ? 0 : world.job->process().pulled_calls(); }

/// How often a trial has ended with this arm in use.
std::uint64_t kept(engine::Decision decision, std::size_t arm) {
  return world.job == nullptr ? 0 : world.job->process().decisions().of(decision).kept[arm].peek();
}

std::string underscored(std::string text) {
  std::replace(text.begin(), text.end(), '-', '_');
  return text;
}

void add_decisions(std::vector<PerformanceVariable>& variables) {
  for (std::size_t number = 0; number < engine::kDecisions; ++number) {
    const auto decision = static_cast<engine::Decision>(number);
    const engine::DecisionRow& row = engine::row_of(decision);
    for (std::size_t arm = 0; arm < row.arms.size(); ++arm) {
      variables.push_back({underscored(std::string("foldlane_kept_") + row.name + "_" + row.arms[arm]),
                           std::string("trials of ") + row.name + " after which the arm '" + row.arms[arm] +
                               "' was the one in use",
                           MPI_T_PVAR_CLASS_COUNTER, MPI_UNSIGNED_LONG, MPI_T_VERBOSITY_TUNER_DETAIL,
                           [decision, arm] { return kept(decision, arm); }});
    }
  }
}

std::uint64_t isa_level() {
  const auto& levels = kernels::isa_levels();
  const auto chosen =
      std::find_if(levels.begin(), levels.end(), [](const kernels::IsaLevel& level) { return level.chosen; });
  return static_cast<std::uint64_t>(chosen - levels.begin());
}

std::string describe_isa_levels() {
  std::string text = "instruction set level of the kernels:";
  int number = 0;
  for (const kernels::IsaLevel& level : kernels::isa_levels()) {
    text += (number == 0 ? " " : ", ") + std::to_string(number) + " " + level.name;
    ++number;
  }
  return text;
}

std::vector<PerformanceVariable> build() {
  std::vector<PerformanceVariable> variables{{"foldlane_isa_level", describe_isa_levels(),
                                              MPI_T_PVAR_CLASS_STATE, MPI_INT, MPI_T_VERBOSITY_TUNER_BASIC,
                                              isa_level}};
  for (const Level& level : kLevels) {
    variables.push_back({level.name, level.description, MPI_T_PVAR_CLASS_LEVEL, MPI_UNSIGNED_LONG,
                         MPI_T_VERBOSITY_USER_BASIC, level.value});
  }
  variables.push_back(
      {"foldlane_direct_calls", "collectives that have gone straight between buffers from MPI_Alloc_mem",
       MPI_T_PVAR_CLASS_COUNTER, MPI_UNSIGNED_LONG, MPI_T_VERBOSITY_TUNER_BASIC, direct_calls});
  variables.push_back(
      {"foldlane_pulled_calls",
       "collectives in which this rank has pulled what the other one of two ranks passed it (pass-way)",
       MPI_T_PVAR_CLASS_COUNTER, MPI_UNSIGNED_LONG, MPI_T_VERBOSITY_TUNER_BASIC, pulled_calls});
  add_decisions(variables);
  add_counts(variables);
  return variables;
}

}  // namespace

std::span<const PerformanceVariable> performance_variables() {
  static const std::vector<PerformanceVariable> variables = build();
  return variables;
}

}  // namespace foldlane::api
