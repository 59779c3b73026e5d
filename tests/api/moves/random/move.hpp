// One call that moves blocks, as all its members have drawn it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "matching/random.hpp"

namespace foldlane::moves {

enum class Call : std::uint8_t {
  gather,
  gatherv,
  scatter,
  scatterv,
  allgather,
  allgatherv,
  alltoall,
  alltoallv,
  alltoallw
};
constexpr int kCalls = 9;
enum class Form : std::uint8_t { blocking, nonblocking, persistent };
constexpr int kForms = 3;

constexpr bool is_gather(Call call) { return call <= Call::gatherv; }
constexpr bool is_scatter(Call call) { return call == Call::scatter || call == Call::scatterv; }
constexpr bool is_allgather(Call call) { return call == Call::allgather || call == Call::allgatherv; }
constexpr bool is_alltoall(Call call) { return call >= Call::alltoall; }
/// Whether blocks have counts of their own.
constexpr bool is_list(Call call) {
  return call == Call::gatherv || call == Call::scatterv || call == Call::allgatherv || call > Call::alltoall;
}

/// Instead of who gets it: whose block is the same for all.
constexpr int kAll = -1;
/// No rank.
constexpr int kNobody = -2;

/// A block from one to another: ranks of MPI_COMM_WORLD. Among neighbours two may give each other several.
struct Passage {
  int from, to;
  int edge = 0;

  bool leads_nowhere() const { return from == kNobody || to == kNobody; }
};

struct Move {
  std::uint64_t seed = 0;
  int circle = 0;
  Call call = Call::gather;
  Form form = Form::blocking;
  bool among_neighbours = false;  // MPI_Neighbor_X
  bool large_counts = false;      // MPI_X_c
  bool in_place = false;
  bool in_fours = false;        // blocks are so many elements that every layout fits
  int root = 0, root_side = 0;  // modulo the ranks that may be it; between groups: of this one
  int base = 0;                 // of the elements
  std::size_t bytes = 0;        // of a block, about
  int rounds = 1;               // of the persistent form
  bool is_alike = false;        // all ranks have the same datatypes
  bool send_in_segment = false, recv_in_segment = false;  // memory from MPI_Alloc_mem

  int base_of(Passage passage) const;
  int elements_of(Passage passage) const;
  /// What a rank's datatype for a block looks like (layouts.hpp).
  int way_of(bool receives, int rank, int partner) const;
  /// What passes in a round: from this place in the noise on.
  std::uint64_t bytes_of(Passage passage, int round) const;

  std::string text() const;

 private:
  std::uint64_t mixed(std::uint64_t a, std::uint64_t b, std::uint64_t c) const;
  std::uint64_t of_block(Passage passage, std::uint64_t what) const;
};

/// `may_be_in_place` is not so between groups.
Move draw_move(matching::Random& random, int circle, bool may_be_in_place);
Move draw_neighbours_move(matching::Random& random, int circle);

}  // namespace foldlane::moves
