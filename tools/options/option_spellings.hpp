// The spellings of launcher options in the wild, and the one name each has here.
#pragma once

#include <string>
#include <string_view>

namespace foldlane::tools {

/// The option's name here; the spelling itself if it is not in the table.
std::string canonical_option(std::string_view spelling);

}  // namespace foldlane::tools
