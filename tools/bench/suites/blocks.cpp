#include "bench/suites/blocks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bench/present/cells.hpp"
#include "bench/present/text_output.hpp"

namespace foldlane::bench {
namespace {

bool says_anything(const Block& block) { return block.lines.size() > 1; }

std::string text_of(const Block& block, bool colour) {
  std::vector<Column> columns(block.lines.front().size(), Column{2, false});
  columns.front().gap = 0;
  std::vector<Row> rows;
  for (const auto& line : block.lines) {
    Row& row = rows.emplace_back();
    for (const std::string& text : line) row.push_back({text, rows.size() == 1 ? Paint::dim : Paint::none});
  }
  return fmt::format("\n{}\n{}", painted(block.heading, Paint::bold, colour), aligned(columns, rows, colour));
}

std::string markdown_of(const Block& block) {
  std::string text = fmt::format("\n### {}\n\n", markdown_text(block.heading));
  for (std::size_t i = 0; i < block.lines.size(); ++i) {
    std::vector<std::string> line = block.lines[i];
    for (std::string& cell : line) cell = markdown_text(cell);
    text += fmt::format("| {} |\n", fmt::join(line, " | "));
    if (i == 0)
      text += fmt::format("| {} |\n", fmt::join(std::vector<std::string>(line.size(), "---"), " | "));
  }
  return text;
}

}  // namespace

std::string text_of(const std::vector<Block>& blocks, bool colour) {
  std::string text;
  for (const Block& block : blocks)
    if (says_anything(block)) text += text_of(block, colour);
  return text;
}

std::string markdown_of(const std::vector<Block>& blocks) {
  std::string text;
  for (const Block& block : blocks)
    if (says_anything(block)) text += markdown_of(block);
  return text;
}

std::string ratio_text(const Estimate& ratio) {
  return fmt::format("{:.3f} [{:.3f} .. {:.3f}]", ratio.value, ratio.low, ratio.high);
}

}  // namespace foldlane::bench
