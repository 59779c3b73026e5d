#include "api/host/nodes/piece_length.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string_view>

namespace foldlane::host {
namespace {

/// What the user wants, whatever it costs: FOLDLANE_ACCEL_PIECES=long or short.
std::optional<engine::Arm> wanted() {
  const char* const text = std::getenv("FOLDLANE_ACCEL_PIECES");
  const std::string_view wish = text == nullptr ? "" : text;
  if (wish == "long") return engine::Arm::first;
  if (wish == "short") return engine::Arm::second;
  return std::nullopt;
}

}  // namespace

PieceLength::PieceLength(Column& column, Explanation& explanation)
    : column_(column), explanation_(explanation), choosers_(engine::Chooser(entry_)) {}

/// Launchers may have told one node alone what the user wants.
PieceLength::Result PieceLength::agree() {
  if (has_agreed_) return {};
  const auto own = wanted();
  auto other = own;
  Result swapped = column_.trade(&own, &other, sizeof own, sizeof own);
  if (own == other) entry_.forced = own;
  has_agreed_ = true;
  return swapped;
}

PieceLength::Result PieceLength::report(engine::Chooser& chooser, std::size_t bytes,
                                        std::chrono::nanoseconds took) {
  const std::int64_t own = took.count();
  std::int64_t other = 0;
  Result swapped = column_.trade(&own, &other, sizeof own, sizeof own);
  chooser.report(bytes, static_cast<double>(std::max(own, other)));
  return swapped;
}

}  // namespace foldlane::host
