// Of fft.cpp: which part of the cube a rank has, and how that changes.
#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>
#include <vector>

#include "fft_box.hpp"

// ---- From pencils along one axis to pencils along another ----

// A part of a box: all of it but for one axis, of which it has a range.
inline MPI_Datatype part_of(const Box& box, Axis axis, Range range) {
  int sizes[3], parts[3], starts[3] = {};
  for (const Axis each : {kX, kY, kZ}) sizes[each] = parts[each] = box.count(each);
  parts[axis] = range.count;
  starts[axis] = range.first;
  MPI_Datatype type;
  MPI_Type_create_subarray(3, sizes, parts, starts, MPI_ORDER_C, MPI_C_DOUBLE_COMPLEX, &type);
  MPI_Type_commit(&type);
  return type;
}

// Among ranks of which each has the whole of one axis and a share of the other, and shall have it the other
// way round.
class Exchange {
 public:
  Exchange(MPI_Comm comm, const Box& from, Axis whole, const Box& to, Axis shared, int side) : comm_(comm) {
    int ranks;
    MPI_Comm_size(comm, &ranks);
    for (int other = 0; other < ranks; ++other) {
      const Range theirs = share(side, other, ranks);
      sent_.push_back(part_of(from, whole, theirs));
      received_.push_back(part_of(to, shared, theirs));
    }
    ones_.assign(sent_.size(), 1);
    zeros_.assign(sent_.size(), 0);
  }
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;
  ~Exchange() {
    for (MPI_Datatype& type : sent_) MPI_Type_free(&type);
    for (MPI_Datatype& type : received_) MPI_Type_free(&type);
  }

  void forward(const Box& from, Box& to) const {
    MPI_Alltoallw(from.points.data(), ones_.data(), zeros_.data(), sent_.data(), to.points.data(),
                  ones_.data(), zeros_.data(), received_.data(), comm_);
  }

  void back(const Box& from, Box& to) const {
    const Packed out(received_, comm_), in(sent_, comm_);
    std::vector<char> outgoing(static_cast<std::size_t>(out.bytes)),
        incoming(static_cast<std::size_t>(in.bytes));
    int position = 0;
    for (std::size_t i = 0; i < received_.size(); ++i) {
      position = out.places[i];
      MPI_Pack(from.points.data(), 1, received_[i], outgoing.data(), out.bytes, &position, comm_);
    }
    MPI_Alltoallv(outgoing.data(), out.counts.data(), out.places.data(), MPI_PACKED, incoming.data(),
                  in.counts.data(), in.places.data(), MPI_PACKED, comm_);
    for (std::size_t i = 0; i < sent_.size(); ++i) {
      position = in.places[i];
      MPI_Unpack(incoming.data(), in.bytes, &position, to.points.data(), 1, sent_[i], comm_);
    }
  }

 private:
  // How much each part is when it is packed, and where it then lies.
  struct Packed {
    std::vector<int> counts, places;
    int bytes = 0;

    Packed(const std::vector<MPI_Datatype>& types, MPI_Comm comm) {
      for (const MPI_Datatype type : types) {
        int count;
        MPI_Pack_size(1, type, comm, &count);
        counts.push_back(count);
        places.push_back(bytes);
        bytes += count;
      }
    }
  };

  MPI_Comm comm_;
  std::vector<MPI_Datatype> sent_, received_;  // by rank
  std::vector<int> ones_, zeros_;
};

// ---- Ranks in rows and columns, and their pencils ----

class Pencils {
 public:
  explicit Pencils(int side) : side_(side) {
    int ranks, dims[2] = {}, here[2];
    const int periods[2] = {}, in_row[2] = {0, 1}, in_column[2] = {1, 0};
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Dims_create(ranks, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid_);
    MPI_Comm_rank(grid_, &rank_);
    MPI_Cart_coords(grid_, rank_, 2, here);
    MPI_Cart_sub(grid_, in_row, &row_);
    MPI_Cart_sub(grid_, in_column, &column_);
    rows_ = dims[0];
    columns_ = dims[1];
    own_[0] = share(side, here[0], rows_);
    own_[1] = share(side, here[1], columns_);
  }
  Pencils(const Pencils&) = delete;
  Pencils& operator=(const Pencils&) = delete;
  ~Pencils() {
    for (MPI_Comm* comm : {&row_, &column_, &grid_}) MPI_Comm_free(comm);
  }

  bool fit() const { return rows_ <= side_ && columns_ <= side_; }
  int rank() const { return rank_; }
  int rows() const { return rows_; }
  int columns() const { return columns_; }

  Box along_z() const { return Box(own_[0], own_[1], {0, side_}); }

  Box forward(Box z) const {
    Transform transform(side_, kForward);
    Box y = along_y(), x = along_x();
    transform.apply(z, kZ);
    Exchange(row_, z, kZ, y, kY, side_).forward(z, y);
    transform.apply(y, kY);
    Exchange(column_, y, kY, x, kX, side_).forward(y, x);
    transform.apply(x, kX);
    return x;
  }

  Box back(Box x) const {
    Transform transform(side_, kBack);
    Box y = along_y(), z = along_z();
    transform.apply(x, kX);
    Exchange(column_, y, kY, x, kX, side_).back(x, y);
    transform.apply(y, kY);
    Exchange(row_, z, kZ, y, kY, side_).back(y, z);
    transform.apply(z, kZ);
    return z;
  }

  // The whole cube on rank 0, of pencils along x; nothing elsewhere.
  Box collect(const Box& own) const {
    std::vector<int> counts, places;
    std::vector<Box> boxes;
    for (int row = 0; rank_ == 0 && row < rows_; ++row)
      for (int column = 0; column < columns_; ++column) {
        boxes.push_back(Box({0, side_}, share(side_, row, rows_), share(side_, column, columns_)));
        places.push_back(counts.empty() ? 0 : places.back() + counts.back());
        counts.push_back(boxes.back().size());
      }
    const Range all{0, rank_ == 0 ? side_ : 0};
    Box whole(all, all, all);
    std::vector<Point> gathered(whole.points.size());
    MPI_Gatherv(own.points.data(), own.size(), MPI_C_DOUBLE_COMPLEX, gathered.data(), counts.data(),
                places.data(), MPI_C_DOUBLE_COMPLEX, 0, grid_);
    auto next = gathered.begin();
    for (Box& box : boxes)
      for_each_point(box, [&](int x, int y, int z, Point&) { whole.points[whole.index(x, y, z)] = *next++; });
    return whole;
  }

 private:
  Box along_y() const { return Box(own_[0], {0, side_}, own_[1]); }
  Box along_x() const { return Box({0, side_}, own_[0], own_[1]); }

  int side_, rank_, rows_, columns_;
  MPI_Comm grid_, row_, column_;
  std::array<Range, 2> own_;  // of the two axes of which a rank does not have all
};
