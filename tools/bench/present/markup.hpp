// Text as it stands in the pictures and pages: escaped, and figures short enough to be read.
#pragma once

#include <string>
#include <string_view>

namespace foldlane::bench {

/// Safe as content and as an attribute's value, in HTML and in XML. Control characters, which XML has no
/// spelling for, are left out.
std::string escaped(std::string_view text);

/// "8 B", "1.5 KiB", "64 MiB"
std::string bytes_text(double bytes);

/// Three significant digits, thousands apart: "0.0312", "1.24", "12 400".
std::string figure_text(double value);

/// A mark on an axis: as many digits as it needs.
std::string tick_text(double value);

}  // namespace foldlane::bench
