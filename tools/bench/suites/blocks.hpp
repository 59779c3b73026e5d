// The summary of a suite as blocks of lines, which become text or Markdown.
#pragma once

#include <string>
#include <vector>

#include "bench/report/report.hpp"

namespace foldlane::bench {

struct Block {
  std::string heading;
  std::vector<std::vector<std::string>> lines;  // the first one has the titles
};

/// For a terminal; those without lines but the titles are left out.
std::string text_of(const std::vector<Block>& blocks, bool colour);
std::string markdown_of(const std::vector<Block>& blocks);

/// "1.234 [1.200 .. 1.260]"
std::string ratio_text(const Estimate& ratio);

}  // namespace foldlane::bench
