#include "bench/present/markup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace foldlane::bench {
namespace {

constexpr std::string_view kThinSpace = "\u2009";

std::string_view escaped(char c) {
  switch (c) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\'':
      return "&#39;";
    default:
      return {};
  }
}

bool has_spelling(char c) {
  const auto code = static_cast<unsigned char>(c);
  return (code >= 0x20 && code != 0x7f) || c == '\n' || c == '\t';
}

std::string with_thousands_apart(const std::string& digits) {
  if (digits.size() < 5) {
    return digits;
  }
  std::string apart;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) {
      apart += kThinSpace;
    }
    apart += digits[i];
  }
  return apart;
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    if (const std::string_view entity = escaped(c); !entity.empty()) {
      safe += entity;
    } else if (has_spelling(c)) {
      safe += c;
    }
  }
  return safe;
}

std::string bytes_text(double bytes) {
  static constexpr std::array<std::string_view, 5> kUnits = {"B", "KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0;
  while (bytes >= 1024 && unit + 1 < kUnits.size()) {
    bytes /= 1024;
    ++unit;
  }
  return fmt::format("{:.4g} {}", bytes, kUnits[unit]);
}

std::string figure_text(double value) {
  if (!std::isfinite(value)) {
    return "–";
  }
  if (value == 0) {
    return "0";
  }
  // The power of ten is taken after rounding to three digits: 9.996 is shown as 10.0, not as 10.00.
  const std::string rounded = fmt::format("{:.2e}", value);
  const int power = std::stoi(rounded.substr(rounded.find('e') + 1));
  if (power >= 3) {
    return with_thousands_apart(fmt::format("{:.0f}", std::stod(rounded)));
  }
  return fmt::format("{:.{}f}", value, std::min(2 - power, 6));
}

std::string tick_text(double value) {
  if (value >= 1) {
    return with_thousands_apart(fmt::format("{:.0f}", value));
  }
  constexpr double kRounding = 1e-9;
  return fmt::format("{:.{}f}", value, static_cast<int>(std::ceil(-std::log10(value) - kRounding)));
}

}  // namespace foldlane::bench
