// One buffer of a call: its blocks, its arguments, and what must lie in each byte of it.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <vector>

#include "layouts.hpp"
#include "move.hpp"

namespace foldlane::moves {

/// Bytes with no pattern, in which what passes between two ranks begins somewhere.
class Noise {
 public:
  Noise();
  const unsigned char* from(std::uint64_t number) const { return bytes_.data() + number % kBeginnings; }

 private:
  static constexpr std::size_t kBeginnings = 1'000'003, kLongest = 1 << 19;
  std::vector<unsigned char> bytes_;
};

class Side {
 public:
  static constexpr std::size_t kGuard = 64;  // bytes before and behind

  /// The next block of the arguments, which lies at `offset`. Displacements count bytes or extents of its
  /// type.
  void add(const Layout& layout, int elements, Passage passage, std::size_t offset, bool places_in_bytes);

  bool is_empty() const { return counts_.empty(); }
  std::size_t bytes() const { return bytes_; }  // without guards

  /// What must lie in all bytes, guards included: blocks of this round, canaries elsewhere. `mine` is the
  /// rank whose blocks alone are there (kAll: those of all); `turned`: those that go the other way.
  std::vector<unsigned char> image(const Noise& noise, const Move& move, int round, int mine = kAll,
                                   bool turned = false) const;

  int count() const { return is_empty() ? 0 : counts_[0]; }
  MPI_Datatype type() const { return is_empty() ? MPI_BYTE : types_[0]; }
  const int* counts() const { return counts_.data(); }
  const int* places() const { return places_.data(); }
  const MPI_Datatype* types() const { return types_.data(); }
  const MPI_Count* large_counts() const { return large_counts_.data(); }
  const MPI_Aint* large_places() const { return large_places_.data(); }

 private:
  struct Block {
    const Layout* layout;
    int elements;
    std::size_t offset;
    Passage passage;
  };

  std::vector<Block> blocks_;
  std::size_t bytes_ = 0;
  std::vector<int> counts_, places_;
  std::vector<MPI_Count> large_counts_;
  std::vector<MPI_Aint> large_places_;
  std::vector<MPI_Datatype> types_;
};

}  // namespace foldlane::moves
