// A report as a page of its own, and as a single picture.
#pragma once

#include <string>
#include <string_view>

#include "bench/report/report.hpp"

namespace foldlane::bench {

/// One self-contained HTML document: no scripts, nothing to be fetched. It is well-formed XML as well.
std::string html(const Report& report);

/// Time against size as an SVG document: of the first group of cases with several sizes, of this call unless
/// it is empty. Throws std::runtime_error that says so when there is none.
std::string svg_of(const Report& report, std::string_view call);

}  // namespace foldlane::bench
