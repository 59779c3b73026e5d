#include "api/objects/assertions.hpp"

#include <algorithm>
#include <iterator>

namespace foldlane::api {
namespace {

constexpr struct Row {
  const char* key;
  Assertion assertion;
} kRows[] = {{"mpi_assert_no_any_tag", kNoAnyTag},
             {"mpi_assert_no_any_source", kNoAnySource},
             {"mpi_assert_exact_length", kExactLength},
             {"mpi_assert_allow_overtaking", kAllowOvertaking},
             {"mpi_assert_strict_persistent_collective_ordering", kStrictPersistentOrdering}};

bool is_assertion(const std::string& key) {
  return std::any_of(std::begin(kRows), std::end(kRows), [&](const Row& row) { return key == row.key; });
}

}  // namespace

std::uint32_t take_hints(InfoMap& hints, const InfoMap& given) {
  for (const auto& [key, value] : given.entries())
    if (!is_assertion(key) || value == "true" || value == "false") hints.set(key, value);
  std::uint32_t assertions = 0;
  for (const Row& row : kRows) {
    const std::string* const value = hints.find(row.key);
    if (value != nullptr && *value == "true") assertions |= row.assertion;
  }
  return assertions;
}

InfoMap with_defaults(InfoMap hints) {
  for (const Row& row : kRows)
    if (hints.find(row.key) == nullptr) hints.set(row.key, "false");
  return hints;
}

}  // namespace foldlane::api
