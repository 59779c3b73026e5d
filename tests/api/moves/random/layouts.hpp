// Datatypes of the same elements that lie differently.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <vector>

namespace foldlane::moves {

/// Ranks and counts are ints.
template <class List>
auto& at(List& list, int i) {
  return list[static_cast<std::size_t>(i)];
}

/// A datatype, and where its elements lie: all in bytes.
struct Layout {
  MPI_Datatype type;
  std::size_t element;
  std::size_t extent;
  std::vector<std::size_t> places;  // of the elements of one

  int per_type() const { return static_cast<int>(places.size()); }
  bool is_dense() const { return extent == element; }
  std::size_t place_of(int i) const {
    return static_cast<std::size_t>(i / per_type()) * extent + at(places, i % per_type());
  }
  std::size_t span_of(int elements) const { return static_cast<std::size_t>(elements / per_type()) * extent; }
};

/// Of bytes, ints and doubles, each in the same ways.
class Layouts {
 public:
  static constexpr int kBases = 3, kWays = 5;
  static constexpr int kSingles = 3;  // the first ones have one element; others 2 and 4

  Layouts();
  Layouts(const Layouts&) = delete;
  Layouts& operator=(const Layouts&) = delete;
  ~Layouts();

  const Layout& of(int base, int way) const { return all_[static_cast<std::size_t>(base * kWays + way)]; }

 private:
  std::vector<Layout> all_;
};

}  // namespace foldlane::moves
