// Whether this CPU says of itself that its string instruction is fast: else nobody tries it.
#pragma once

#include <fstream>
#include <iterator>
#include <string>

namespace foldlane::tests {

inline bool has_fast_strings() {
  std::ifstream file("/proc/cpuinfo");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  return text.find(" erms") != std::string::npos;
}

}  // namespace foldlane::tests
