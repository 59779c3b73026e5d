// A report as text: for people at a terminal, for spreadsheets, for GitHub and for what reads OSU's output.
#pragma once

#include <string>

#include "bench/report/report.hpp"

namespace foldlane::bench {

/// Fits 100 columns with two peers.
std::string table(const Report& report, bool colour);

/// What a sweep of ranks has cost, part of the table; "" if there was none.
std::string scale_table(const Report& report, bool colour);

/// RFC 4180 but for line ends, which are those of Unix: one line per case and implementation.
std::string csv(const Report& report);

/// GitHub's tables.
std::string markdown(const Report& report);

/// Text in which Markdown finds nothing to interpret.
std::string markdown_text(const std::string& text);

/// Foldlane's figures in the columns of the OSU micro-benchmarks, a block per call.
std::string osu(const Report& report);

}  // namespace foldlane::bench
