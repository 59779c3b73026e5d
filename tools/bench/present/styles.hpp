// The style sheets in this folder, as built into the command.
#pragma once

#include <string_view>

namespace foldlane::bench {

extern const std::string_view kChartStyle;  // chart.css: the palette and the charts
extern const std::string_view kPageStyle;   // page.css: the rest of the page, in the same palette

}  // namespace foldlane::bench
