// What this rank notes of its calls on one communicator (engine/statistics/records.hpp).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/statistics/comparison.hpp"
#include "engine/statistics/lateness.hpp"
#include "engine/statistics/records.hpp"
#include "engine/team/team.hpp"

namespace foldlane::api {

/// What there is to note of a call besides its times.
struct CallFacts {
  engine::CallKind kind;
  engine::Needs needs;
  std::uint64_t bytes;
  engine::Outlook outlook;
};

/// Of a call that is over. Times are in ticks.
struct CallTimes {
  std::uint64_t waits_from;
  std::uint64_t left;
  std::uint64_t inside;
};

class CommunicatorLog {
 public:
  /// Of a team on which no call has been made.
  CommunicatorLog(engine::Team& team, std::string name);
  CommunicatorLog(const CommunicatorLog&) = delete;
  CommunicatorLog& operator=(const CommunicatorLog&) = delete;

  bool has_record() const noexcept { return record_ != nullptr; }
  /// Before the first call.
  void use(engine::CommunicatorRecord& record) noexcept;
  void rename(std::string name);

  CallFacts facts_of(engine::Team& team, const engine::Collective& call, engine::Form form);
  /// A call begins. Returns its number.
  std::uint64_t enter(std::uint64_t now) noexcept;
  /// It has gone the way.
  void leave(std::uint64_t number, const CallFacts& facts, const CallTimes& times, engine::Route route);

 private:
  void note_stay(std::uint64_t number, const CallFacts& facts, const CallTimes& times) noexcept;
  void compare(std::uint64_t end);
  /// Null as long as a member has made no call.
  const engine::CommunicatorRecord* record_of(std::size_t member) const noexcept;

  void write_name() noexcept;

  std::uint64_t team_;
  std::uint32_t member_;
  std::vector<int> ranks_;  // of the members
  std::string name_;
  engine::CommunicatorRecord* record_ = nullptr;
  engine::Outlooks outlooks_;
  std::optional<engine::Comparison> comparison_;
};

}  // namespace foldlane::api
