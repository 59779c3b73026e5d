// What waits for requests say of themselves, once they have become long.
#pragma once

#include <cstddef>
#include <string>

#include "api/core/call.hpp"
#include "engine/progress/long_wait.hpp"

namespace foldlane::api {

/// Adds up what the requests say that a call waits for.
class WaitText {
 public:
  WaitText(engine::WaitNote& note, Call call) : note_(note), call_(call) {}

  /// What a request is to say of itself in.
  engine::WaitNote blank() const {
    engine::WaitNote request;
    request.is_brief = note_.is_brief;
    return request;
  }
  /// Nothing is wanted that more of what the call needs could say.
  bool is_enough() const noexcept { return note_.is_brief && !note_.awaited.empty(); }
  /// The call ends only after this one.
  void needs(const engine::WaitNote& request);
  /// The call may end after this one.
  void accepts(const engine::WaitNote& request);

  /// After all of them; `count` are given to the call.
  void finish(int count);

 private:
  void name(const engine::WaitNote& request);

  engine::WaitNote& note_;
  Call call_;
  std::string named_;
  std::size_t incomplete_ = 0;
};

}  // namespace foldlane::api
