// Every function of the standard ABI and whether this library implements it; generated from api/table.
#pragma once

#include <span>
#include <string_view>

namespace foldlane::api {

struct CallInfo {
  std::string_view name;
  bool supported;
};

std::span<const CallInfo> call_table() noexcept;

}  // namespace foldlane::api
