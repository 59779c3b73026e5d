#include "api/process/leftovers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "api/core/checks.hpp"
#include "api/core/object_table.hpp"
#include "api/core/world.hpp"
#include "api/errors/raise.hpp"
#include "api/objects/session.hpp"
#include "api/request/request_slots.hpp"

namespace foldlane::api {
namespace {

constexpr std::size_t kMostNamed = 10;

/// What to say about each object, by kind.
using Leaks = std::map<std::string, std::vector<std::string>>;

std::string plural(std::string_view kind, std::size_t count) {
  return fmt::format("{} {}{}", count, kind, count == 1 ? "" : "s");
}

std::string sentence(std::string_view kind, const ObjectTable::Live& object) {
  const bool has_vowel = std::string_view("aeiou").find(kind.front()) != std::string_view::npos;
  return fmt::format("{} made {} {}{} that was not freed",
                     object.made_by == nullptr ? "a call" : object.made_by, has_vowel ? "an" : "a", kind,
                     object.what.empty() ? "" : " (" + object.what + ")");
}

Leaks find_leaks() {
  Leaks leaks;
  ObjectTable::for_each_table([&](ObjectTable& table) {
    for (const ObjectTable::Live& object : table.not_freed())
      leaks[table.kind()].push_back(sentence(table.kind(), object));
  });
  for_each_request([&](const Request& request) {
    leaks["request"].push_back(request.title() + " made a request that was not freed");
  });
  return leaks;
}

std::string report(const Leaks& leaks) {
  std::string lines;
  std::vector<std::string> counts;
  for (const auto& [kind, objects] : leaks) {
    for (std::size_t i = 0; i < std::min(objects.size(), kMostNamed); ++i)
      lines += fmt::format("{}leak: {}\n", line_prefix(), objects[i]);
    if (objects.size() > kMostNamed)
      lines +=
          fmt::format("{}leak: and {}\n", line_prefix(), plural("more " + kind, objects.size() - kMostNamed));
    counts.push_back(plural(kind, objects.size()));
  }
  return lines + fmt::format("{}leaks: {}\n", line_prefix(), fmt::join(counts, ", "));
}

}  // namespace

void report_leaks() {
  if (!checks.has(Check::leaks)) return;
  const Leaks leaks = find_leaks();
  if (!leaks.empty()) print_line(report(leaks));
}

void report_leaks_at_exit() {
  if (!checks.has(Check::leaks)) return;
  std::atexit([] {
    if (world.library == Phase::active && sessions.live() != 0) report_leaks();
  });
}

void report_active_requests() {
  std::size_t active = 0;
  std::string named;
  for_each_request([&](Request& request) {
    if (!request.is_active() || ++active > kMostNamed) return;
    named += fmt::format("{} {}{}", active == 1 ? "" : ";", request.title(),
                         request.poll() ? ", done, but no call has completed it" : "");
  });
  if (active == 0) return;
  if (active > kMostNamed) named += fmt::format("; and {} more", active - kMostNamed);
  print_line(fmt::format("{}MPI_Finalize: {} still active:{}\n", line_prefix(),
                         active == 1 ? "1 request is" : fmt::format("{} requests are", active), named));
}

}  // namespace foldlane::api
