// Cells of text in aligned columns.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace foldlane::bench {

enum class Paint : std::uint8_t { none, bold, dim, good, bad, caution };

/// `text` as it is if `colour` is false.
std::string painted(const std::string& text, Paint paint, bool colour);

struct Cell {
  std::string text;
  Paint paint = Paint::none;
  bool spans = false;  // starts where its column starts and may reach over the empty cells behind it
};

struct Column {
  int gap = 0;  // blanks before it
  bool right = true;
};

using Row = std::vector<Cell>;

/// Every column as wide as its widest cell; no blanks at the ends of lines. Rows are as long as `columns`.
std::string aligned(const std::vector<Column>& columns, const std::vector<Row>& rows, bool colour);

/// What a terminal needs to show UTF-8 text of narrow characters.
std::size_t width_of(const std::string& text);

/// Words of `text` in lines of at most `width`; lines after the first begin with `indent`.
std::string wrapped(const std::string& text, std::size_t width, const std::string& indent);

}  // namespace foldlane::bench
