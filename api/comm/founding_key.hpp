// What tells apart the foundings of communicators that happen at the same time without a common communicator.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "api/objects/communicator.hpp"

namespace foldlane::api {

/// Within `parent`, by the members and the tag.
std::uint64_t founding_key(const Communicator& parent, const std::vector<int>& members, int tag);

/// By the members and the text.
std::uint64_t founding_key(std::string_view text, const std::vector<int>& members);

}  // namespace foldlane::api
