#include "api/core/checks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "api/core/failure.hpp"

namespace foldlane::api {

Checks checks;

shm::Result<Checks> Checks::parse(std::string_view names) {
  Checks parsed;
  while (!names.empty()) {
    const std::string_view name = names.substr(0, names.find(','));
    names.remove_prefix(std::min(names.size(), name.size() + 1));
    const auto found = std::find(kCheckNames.begin(), kCheckNames.end(), name);
    if (found == kCheckNames.end()) {
      return shm::Error{shm::Errc::invalid, fmt::format("there is no check '{}'; known are {}", name,
                                                        fmt::join(kCheckNames, ", "))};
    }
    parsed.bits_ |= 1U << static_cast<unsigned>(found - kCheckNames.begin());
  }
  return parsed;
}

void read_checks() {
  const char* const names = std::getenv(kCheckVariable);
  auto parsed = Checks::parse(names == nullptr ? "" : names);
  if (!parsed.ok()) {
    fail({parsed.error().code, fmt::format("reading {}: {}", kCheckVariable, parsed.error().message)});
  }
  checks = parsed.value();
}

}  // namespace foldlane::api
