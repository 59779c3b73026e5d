#include "api/request/wait_text.hpp"

#include <fmt/format.h>

namespace foldlane::api {

/// One that is known is enough: if that never ends, the call does not either.
void WaitText::needs(const engine::WaitNote& request) {
  name(request);
  const bool is_first_known = request.is_known && note_.awaited.empty();
  if (!is_first_known) return;
  note_.awaited = request.awaited;
  note_.hints = request.hints;
}

void WaitText::accepts(const engine::WaitNote& request) {
  name(request);
  note_.is_known = note_.is_known && request.is_known && !request.awaited.empty();
  note_.awaited.insert(note_.awaited.end(), request.awaited.begin(), request.awaited.end());
  note_.hints += request.hints;
}

void WaitText::name(const engine::WaitNote& request) {
  constexpr std::size_t kMostNamed = 3;
  if (note_.is_brief) return;
  if (++incomplete_ > kMostNamed) return;
  named_ += (named_.empty() ? "" : "; ") + request.call;
}

void WaitText::finish(int count) {
  if (note_.is_brief) return;
  if (count == 1) {
    note_.call = fmt::format("{}({})", call_.name, named_);
  } else {
    note_.call = fmt::format("{}({} requests, {} not complete: {}{})", call_.name, count, incomplete_, named_,
                             incomplete_ > 3 ? "; ..." : "");
  }
}

}  // namespace foldlane::api
