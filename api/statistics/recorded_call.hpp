// A collective call of which a note is taken. A blocking call is over when it returns. A request is started,
// goes on, and is over in the call that completes it.
#pragma once

#include <cstdint>
#include <memory>

#include "api/statistics/recorder.hpp"

namespace foldlane::api {

class RecordedCall {
 public:
  /// Begins now. With a recorder.
  RecordedCall(engine::Team& team, const engine::Collective& call);
  /// The call has succeeded.
  void leave();

 private:
  engine::Route route(const CallFacts& facts) const;

  engine::Team& team_;
  const engine::Collective& call_;
  CommunicatorLog& log_;
  std::uint64_t direct_calls_;  // of this process, before
  bool is_only_call_;           // of this process
  std::uint64_t entered_;
  std::uint64_t number_;
};

class RecordedRequestCall {
 public:
  RecordedRequestCall(engine::Team& team, const engine::Collective& call, engine::Form form);

  void enter();
  /// It goes on by itself.
  void started();
  /// The program completes it.
  void leave();

 private:
  std::shared_ptr<CommunicatorLog> log_;
  CallFacts facts_;
  engine::Route route_;
  std::uint64_t entered_ = 0;
  std::uint64_t started_ = 0;
  std::uint64_t number_ = 0;
};

/// This thread begins a call that may complete requests. With a recorder.
void begin_completing() noexcept;

}  // namespace foldlane::api
