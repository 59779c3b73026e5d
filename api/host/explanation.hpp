// What ran where, and why not here: FOLDLANE_ACCEL_EXPLAIN=1.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "accelerated_calls.h"
#include "shm/sync/atoms.hpp"

namespace foldlane::host {

/// Why the host has a call.
enum class Reason : std::uint8_t {
  young,      // its communicator has had too few to be worth a team
  nodes,      // its communicator has members on several nodes
  straight,   // the same, and its blocks go straight to where they belong
  placement,  // they are placed on the nodes in another way than the call wants
  outside,    // its communicator has one member, or two groups, or members that are not in MPI_COMM_WORLD
  no_team,    // no team could be founded
  unknown,    // the operation is not predefined, or not on this datatype
  arguments,  // they are for the host to judge
};
inline constexpr std::size_t kReasons = 8;

const char* name_of(foldlane_call call) noexcept;

class Explanation {
 public:
  static bool is_wanted() noexcept;
  static std::uint64_t now_ns() noexcept;

  void note_here(foldlane_call call, std::uint64_t bytes, std::uint64_t took_ns) noexcept {
    Row& row = rows_[call];
    row.here.add(took_ns);
    row.bytes.add(bytes);
  }
  void note_host(foldlane_call call, Reason reason, std::uint64_t took_ns) noexcept {
    rows_[call].host[static_cast<std::size_t>(reason)].add(took_ns);
  }

  void note_from_other_nodes(std::uint64_t bytes) noexcept { from_other_nodes_.add(bytes); }
  /// A communicator over several nodes has been taken over.
  void note_order(bool is_canonical) noexcept { (is_canonical ? canonical_ : by_nodes_).add(1); }

  /// Two nodes have swapped so much that it went in pieces.
  void note_swap(bool in_short_pieces) noexcept { swaps_[in_short_pieces ? 1 : 0].add(1); }

  /// Lines for people, of this rank alone.
  std::string text() const;

 private:
  using Count = shm::RealAtoms::Word<std::uint64_t>;
  struct Calls {
    Count number{};
    Count ns{};  // in which they waited for other ranks, too
    void add(std::uint64_t took_ns) noexcept {
      number.add(1);
      ns.add(took_ns);
    }
  };
  struct Row {
    Calls here{};
    Count bytes{};
    std::array<Calls, kReasons> host{};
  };
  std::string text_of_nodes() const;

  std::array<Row, FOLDLANE_CALLS> rows_{};
  Count from_other_nodes_{};
  Count canonical_{};
  Count by_nodes_{};
  std::array<Count, 2> swaps_{};  // in long pieces, in short ones
};

}  // namespace foldlane::host
