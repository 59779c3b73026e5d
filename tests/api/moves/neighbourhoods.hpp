// Communicators with a topology, and which block of whom goes to which block of whom, as MPI's text says: no
// call of the library is asked.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "moves/sides.hpp"

namespace foldlane::testing {

using Ints = std::vector<int>;

/// Of its blocks in the sender's and in the receiver's buffer.
struct Edge {
  int from, from_block, to, to_block;
};

struct Neighbourhood {
  std::string name;
  MPI_Comm comm = MPI_COMM_NULL;  // none: this rank is not in it
  int rank = 0;
  int sources = 0, destinations = 0;  // blocks of this rank
  std::vector<Edge> edges{};          // of all ranks
};

/// The same on all ranks.
class Draw {
 public:
  explicit Draw(std::uint32_t seed) : state_(seed) {}
  int operator()(int n) {
    state_ = state_ * 1664525 + 1013904223;
    return static_cast<int>((state_ >> 8) % static_cast<std::uint32_t>(n));
  }
  void shuffle(Ints& list) {
    for (std::size_t i = list.size(); i > 1; --i)
      std::swap(list[i - 1], at(list, (*this)(static_cast<int>(i))));
  }

 private:
  std::uint32_t state_;
};

inline int size_of(MPI_Comm comm) {
  int size = 0;
  MPI_Comm_size(comm, &size);
  return size;
}

// ---- Cartesian grids

struct Grid {
  Ints dims, periods;

  int cells() const {
    return std::accumulate(dims.begin(), dims.end(), 1, [](int a, int b) { return a * b; });
  }
  /// MPI_PROC_NULL beyond a border.
  int beside(int rank, int dimension, int distance) const {
    int step = 1;
    for (int d = static_cast<int>(dims.size()) - 1; d > dimension; --d) step *= at(dims, d);
    const int extent = at(dims, dimension), old = rank / step % extent;
    int coordinate = old + distance;
    if (coordinate < 0 || coordinate >= extent) {
      if (at(periods, dimension) == 0) return MPI_PROC_NULL;
      coordinate = (coordinate + extent) % extent;
    }
    return rank + (coordinate - old) * step;
  }
};

/// What leaves a cell in one direction comes in from the opposite one, also where both sides are the same
/// rank. Ranks are those of the new communicator, whichever processes `reorder` gives them to.
inline Neighbourhood make_cart(const Grid& grid, bool reorder) {
  const int dimensions = static_cast<int>(grid.dims.size());
  Neighbourhood made{reorder ? "reordered grid" : "grid"};
  for (int d = 0; d < dimensions; ++d) {
    made.name += ' ';
    made.name += std::to_string(at(grid.dims, d));
    if (at(grid.periods, d) != 0) made.name += " periodic";
  }
  MPI_Cart_create(MPI_COMM_WORLD, dimensions, grid.dims.data(), grid.periods.data(), reorder, &made.comm);
  if (made.comm != MPI_COMM_NULL) MPI_Comm_rank(made.comm, &made.rank);
  made.sources = made.destinations = 2 * dimensions;
  for (int rank = 0; rank < grid.cells(); ++rank) {
    for (int d = 0; d < dimensions; ++d) {
      const int before = grid.beside(rank, d, -1), behind = grid.beside(rank, d, 1);
      if (before != MPI_PROC_NULL) made.edges.push_back({rank, 2 * d, before, 2 * d + 1});
      if (behind != MPI_PROC_NULL) made.edges.push_back({rank, 2 * d + 1, behind, 2 * d});
    }
  }
  return made;
}

/// Every grid of one, two or three dimensions that has a cell for each rank, and some that have fewer. Every
/// other one may be reordered.
inline std::vector<Neighbourhood> make_carts() {
  const int size = size_of(MPI_COMM_WORLD);
  std::vector<Neighbourhood> made{make_cart({{}, {}}, false)};
  if (size > 1) made.push_back(make_cart({{size - 1}, {1}}, true));
  for (int a = 1; a <= size; ++a) {
    for (int b = 1; a * b <= size; ++b) {
      if (size % (a * b) != 0) continue;
      Ints dims{a, b, size / a / b};
      while (dims.size() > 1 && dims.back() == 1 && (a + b) % 2 == 0) dims.pop_back();
      for (int periods = 0; periods < 1 << dims.size(); ++periods) {
        Grid grid{dims, {}};
        for (std::size_t d = 0; d < dims.size(); ++d) grid.periods.push_back(periods >> d & 1);
        made.push_back(make_cart(grid, made.size() % 2 == 0));
      }
    }
  }
  return made;
}

// ---- Graphs

using Lists = std::vector<Ints>;  // by rank

/// Of edges between two ranks the first that leaves is the first that comes in.
inline std::vector<Edge> edges_of(const Lists& out, const Lists& in) {
  std::vector<Edge> edges;
  for (int rank = 0; rank < static_cast<int>(out.size()); ++rank) {
    const Ints& list = at(out, rank);
    for (int block = 0; block < static_cast<int>(list.size()); ++block) {
      const int to = at(list, block);
      auto left = std::count(list.begin(), list.begin() + block, to);
      int to_block = 0;
      while (at(at(in, to), to_block) != rank || left-- > 0) ++to_block;
      edges.push_back({rank, block, to, to_block});
    }
  }
  return edges;
}

inline Neighbourhood describe(std::string name, MPI_Comm comm, const Lists& out, const Lists& in) {
  Neighbourhood made{std::move(name), comm};
  MPI_Comm_rank(comm, &made.rank);
  made.sources = static_cast<int>(at(in, made.rank).size());
  made.destinations = static_cast<int>(at(out, made.rank).size());
  made.edges = edges_of(out, in);
  return made;
}

/// Both directions of each edge, in any order.
inline Neighbourhood make_graph(int edges, bool reorder, Draw& draw) {
  const int size = size_of(MPI_COMM_WORLD);
  Lists lists(static_cast<std::size_t>(size));
  for (int i = 0; i < edges; ++i) {
    const int a = draw(size), b = draw(size);
    at(lists, a).push_back(b);
    if (a != b) at(lists, b).push_back(a);
  }
  Ints index, all;
  for (Ints& list : lists) {
    draw.shuffle(list);
    all.insert(all.end(), list.begin(), list.end());
    index.push_back(static_cast<int>(all.size()));
  }
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Graph_create(MPI_COMM_WORLD, size, index.data(), all.data(), reorder, &comm);
  return describe((reorder ? "reordered graph of " : "graph of ") + std::to_string(edges), comm, lists,
                  lists);
}

inline Neighbourhood make_dist_graph(int edges, bool reorder, Draw& draw) {
  const int size = size_of(MPI_COMM_WORLD);
  Lists out(static_cast<std::size_t>(size)), in = out;
  for (int i = 0; i < edges; ++i) {
    const int a = draw(size), b = draw(size);
    for (int times = draw(3); times >= 0; --times) {
      at(out, a).push_back(b);
      at(in, b).push_back(a);
    }
  }
  for (Ints& list : out) draw.shuffle(list);
  for (Ints& list : in) draw.shuffle(list);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const Ints &from = at(in, rank), &to = at(out, rank);
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, static_cast<int>(from.size()), from.data(), MPI_UNWEIGHTED,
                                 static_cast<int>(to.size()), to.data(), MPI_UNWEIGHTED, MPI_INFO_NULL,
                                 reorder, &comm);
  return describe(
      (reorder ? "reordered distributed graph of " : "distributed graph of ") + std::to_string(edges), comm,
      out, in);
}

inline std::vector<Neighbourhood> make_graphs() {
  const int size = size_of(MPI_COMM_WORLD);
  Draw draw(7);
  std::vector<Neighbourhood> made;
  for (const int edges : {0, 1, size, 4 * size}) {
    made.push_back(make_graph(edges, edges == size, draw));
    for (const bool reorder : {false, true}) made.push_back(make_dist_graph(edges, reorder, draw));
  }
  return made;
}

}  // namespace foldlane::testing
