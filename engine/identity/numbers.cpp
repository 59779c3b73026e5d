#include "engine/identity/numbers.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>
#include <cstring>

namespace foldlane::engine {

shm::Result<int> number_in(const char* variable) {
  const char* const text = std::getenv(variable);
  if (text == nullptr) return shm::Error{shm::Errc::invalid, fmt::format("{} is missing", variable)};
  const char* const end = text + std::strlen(text);
  int value = -1;
  if (std::from_chars(text, end, value).ptr != end || value < 0)
    return shm::Error{shm::Errc::invalid, fmt::format("{} is '{}', no number of 0 or more", variable, text)};
  return value;
}

}  // namespace foldlane::engine
