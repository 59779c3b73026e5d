// In how long pieces two nodes swap values. Hosts send short messages at once and agree about long ones
// first; which is faster depends on the host and on the network.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

#include "api/host/explanation.hpp"
#include "api/host/nodes/column.hpp"
#include "engine/choice/by_size.hpp"
#include "engine/choice/chooser.hpp"

namespace foldlane::host {

/// Decided by timing while the two members of a column swap. Both take the slower one's time, and so decide
/// the same without asking.
class PieceLength {
 public:
  using Result = Column::Result;

  PieceLength(Column& column, Explanation& explanation);
  PieceLength(const PieceLength&) = delete;
  PieceLength& operator=(const PieceLength&) = delete;

  /// `swap(piece_bytes)` swaps so many bytes.
  template <class Swap>
  Result perform(std::size_t bytes, const Swap& swap) {
    if (bytes <= kRow.from_bytes) return swap(bytes);
    if (Result agreed = agree(); !agreed.ok()) return agreed;
    engine::Chooser& chooser = choosers_.of(bytes);
    const engine::Chooser::Choice choice = chooser.next();
    explanation_.note_swap(choice.arm == engine::Arm::second);
    const auto start = std::chrono::steady_clock::now();
    Result swapped = swap(choice.arm == engine::Arm::first ? kLongBytes : kShortBytes);
    if (!swapped.ok() || !choice.timed) return swapped;
    return report(chooser, bytes, std::chrono::steady_clock::now() - start);
  }

 private:
  /// Of what a host sends at once: Open MPI's TCP up to 64 KiB, with its header.
  static constexpr std::size_t kShortBytes = 32 << 10;
  /// While one piece is folded the next ones travel; half of this is no faster, and 2 MiB leave nothing to
  /// overlap in most calls.
  static constexpr std::size_t kLongBytes = 1 << 20;
  /// A swap of 64 KiB takes 100 us where one of 8 bytes takes 25, and the short pieces half of the time or
  /// twice of it (Open MPI and MPICH over TCP): a trial costs 4 swaps, and what telling their times takes.
  static constexpr engine::DecisionRow kRow{
      "pieces", {"long", "short"}, kShortBytes, {.dearer = 1.0, .warm_ups = 1, .timed = 4, .interval = 512}};

  Result agree();
  Result report(engine::Chooser& chooser, std::size_t bytes, std::chrono::nanoseconds took);

  Column& column_;
  Explanation& explanation_;
  engine::Decisions::Entry entry_{.row = &kRow};
  engine::BySize<engine::Chooser> choosers_;
  bool has_agreed_ = false;
};

}  // namespace foldlane::host
