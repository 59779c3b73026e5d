#include "bench/present/cells.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

namespace foldlane::bench {
namespace {

const char* code_of(Paint paint) {
  switch (paint) {
    case Paint::bold:
      return "\x1b[1m";
    case Paint::dim:
      return "\x1b[2m";
    case Paint::good:
      return "\x1b[32m";
    case Paint::bad:
      return "\x1b[1;31m";
    case Paint::caution:
      return "\x1b[33m";
    case Paint::none:
      break;
  }
  return "";
}

struct Extent {
  std::size_t start;
  std::size_t width;
};

std::vector<Extent> extents_of(const std::vector<Column>& columns, const std::vector<Row>& rows) {
  std::vector<Extent> extents;
  std::size_t start = 0;
  for (std::size_t at = 0; at < columns.size(); ++at) {
    std::size_t width = 0;
    for (const Row& row : rows) {
      if (!row[at].spans) width = std::max(width, width_of(row[at].text));
    }
    start += width == 0 ? 0 : static_cast<std::size_t>(columns[at].gap);
    extents.push_back({start, width});
    start += width;
  }
  return extents;
}

std::string line_of(const std::vector<Column>& columns, const std::vector<Extent>& extents, const Row& row,
                    bool colour) {
  std::string line;
  std::size_t filled = 0;
  for (std::size_t at = 0; at < columns.size(); ++at) {
    const Cell& cell = row[at];
    if (cell.text.empty()) continue;
    const std::size_t width = width_of(cell.text);
    const bool right = columns[at].right && !cell.spans;
    const std::size_t start = extents[at].start + (right ? extents[at].width - width : 0);
    line += std::string(start > filled ? start - filled : 0, ' ') + painted(cell.text, cell.paint, colour);
    filled = std::max(start, filled) + width;
  }
  return line + "\n";
}

}  // namespace

std::string painted(const std::string& text, Paint paint, bool colour) {
  if (!colour || paint == Paint::none || text.empty()) return text;
  return code_of(paint) + text + "\x1b[0m";
}

std::string aligned(const std::vector<Column>& columns, const std::vector<Row>& rows, bool colour) {
  const std::vector<Extent> extents = extents_of(columns, rows);
  std::string text;
  for (const Row& row : rows) text += line_of(columns, extents, row, colour);
  return text;
}

std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U;  // not a continuation byte
  }));
}

std::string wrapped(const std::string& text, std::size_t width, const std::string& indent) {
  std::string lines;
  std::string line;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (line.empty()) {
      line = word;
    } else if (width_of(line) + 1 + width_of(word) <= width) {
      line += " " + word;
    } else {
      lines += line + "\n";
      line = indent + word;
    }
  }
  return lines + line + "\n";
}

}  // namespace foldlane::bench
