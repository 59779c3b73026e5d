// The product of a vector and a matrix whose rows are shared out among the ranks of an MPI job: what
// vector_matrix.c does, as a C++ program writes it.
//
//   mpicxx -std=c++17 vector_matrix.cpp -o vector_matrix && mpiexec -n 4 ./vector_matrix [rows [columns]]
#include <mpi.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

// Small multiples of 1/4: sums of their products are exact, in whatever order they are added, so that the
// comparison at the end needs no tolerance.
double vector_element(long row) { return static_cast<double>(row * 7 % 23 - 11) / 4; }
double matrix_element(long row, long column) {
  return static_cast<double>((row * 5 + column * 3 + row * column) % 31 - 15) / 4;
}

// Some rows of the whole, and the elements of the vector that belong to them.
class Slice {
 public:
  Slice(int first_row, int last_row, int columns) : columns_(columns) {
    for (int row = first_row; row < last_row; ++row) {
      vector_.push_back(vector_element(row));
      for (int column = 0; column < columns; ++column) matrix_.push_back(matrix_element(row, column));
    }
  }

  std::vector<double> product() const {
    std::vector<double> sums(static_cast<std::size_t>(columns_));
    const double* element = matrix_.data();
    for (const double factor : vector_) {
      for (double& sum : sums) sum += factor * *element++;
    }
    return sums;
  }

 private:
  int columns_;
  std::vector<double> vector_;
  std::vector<double> matrix_;  // row by row
};

Slice slice_of(int rank, int ranks, int rows, int columns) {
  const auto first = [&](int of) { return static_cast<int>(static_cast<long long>(rows) * of / ranks); };
  return {first(rank), first(rank + 1), columns};
}

// Collective over comm. The product is on rank 0; the others get an empty vector.
std::vector<double> multiply_together(const Slice& slice, MPI_Comm comm) {
  int rank;
  MPI_Comm_rank(comm, &rank);
  const std::vector<double> part = slice.product();
  std::vector<double> product(rank == 0 ? part.size() : 0);
  MPI_Reduce(part.data(), product.data(), static_cast<int>(part.size()), MPI_DOUBLE, MPI_SUM, 0, comm);
  return product;
}

bool run(int rows, int columns) {
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const std::vector<double> product = multiply_together(slice_of(rank, ranks, rows, columns), MPI_COMM_WORLD);
  if (rank != 0) return true;
  std::printf("product %d rows on %d ranks, %d columns: %.4f, ..., %.4f\n", rows, ranks, columns,
              product.front(), product.back());
  const bool ok = product == Slice(0, rows, columns).product();
  std::printf("check   %-4s every element equals the serial product\n", ok ? "ok" : "FAIL");
  return ok;
}

int count_of(const std::string& text) {
  std::size_t end = 0;
  const int count = std::stoi(text, &end);
  if (end != text.size() || count < 1 || count > 100000) throw std::out_of_range(text);
  return count;
}

void say_usage() {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) std::fprintf(stderr, "usage: vector_matrix [rows [columns]], each from 1 to 100000\n");
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  bool ok = false;
  try {
    const int rows = argc > 1 ? count_of(argv[1]) : 1000;
    const int columns = argc > 2 ? count_of(argv[2]) : 700;
    ok = run(rows, columns);
  } catch (const std::logic_error&) {
    say_usage();
  }
  MPI_Finalize();
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
