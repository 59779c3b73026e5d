// Which call of the program is at work, in calls that make objects: tables of handles note it, for reports of
// what was not freed. The entry points say it (api/generate.py).
#pragma once

#include <utility>

namespace foldlane::api {

/// Of this thread; null outside of such calls.
extern constinit thread_local const char* maker;

class Making {
 public:
  explicit Making(const char* call) noexcept : before_(std::exchange(maker, call)) {}
  Making(const Making&) = delete;
  Making& operator=(const Making&) = delete;
  ~Making() { maker = before_; }  // functions of the program make objects, too

 private:
  const char* before_;
};

}  // namespace foldlane::api
