// The product of a vector and a matrix whose rows are shared out among the ranks of an MPI job: what
// vector_matrix.c does, with the C++ bindings of MPI-2.2, and with a product that all ranks get, by
// Allreduce.
//
// New programs call C's functions, as vector_matrix.cpp does: MPI-3.0 removed these bindings. Old ones
// compile with this header and run.
//
//   mpicxx vector_matrix_classes.cpp -o vector_matrix && mpiexec -n 4 ./vector_matrix [rows [columns]]
#include <cstdio>
#include <cstdlib>
#include <mpi_cxx.hpp>
#include <vector>

namespace {

// Small multiples of 1/4: sums of their products are exact, in whatever order they are added, so that the
// comparison at the end needs no tolerance.
double vector_element(long row) { return static_cast<double>(row * 7 % 23 - 11) / 4; }
double matrix_element(long row, long column) {
  return static_cast<double>((row * 5 + column * 3 + row * column) % 31 - 15) / 4;
}

// What the rows from `first` up to `last` add to the product.
std::vector<double> product_of(int first, int last, int columns) {
  std::vector<double> sums(static_cast<std::size_t>(columns));
  for (int row = first; row < last; ++row) {
    for (int column = 0; column < columns; ++column) {
      sums[static_cast<std::size_t>(column)] += vector_element(row) * matrix_element(row, column);
    }
  }
  return sums;
}

// Collective over comm.
std::vector<double> multiply_together(int rows, int columns, const MPI::Intracomm& comm) {
  const auto first = [&](int rank) {
    return static_cast<int>(static_cast<long long>(rows) * rank / comm.Get_size());
  };
  const std::vector<double> part = product_of(first(comm.Get_rank()), first(comm.Get_rank() + 1), columns);
  std::vector<double> product(part.size());
  comm.Allreduce(part.data(), product.data(), columns, MPI::DOUBLE, MPI::SUM);
  return product;
}

bool run(int rows, int columns, const MPI::Intracomm& comm) {
  const std::vector<double> product = multiply_together(rows, columns, comm);
  bool all_ok = product == product_of(0, rows, columns);
  comm.Allreduce(MPI::IN_PLACE, &all_ok, 1, MPI::BOOL, MPI::LAND);
  if (comm.Get_rank() == 0) {
    std::printf("product %d rows on %d ranks, %d columns: %.4f, ..., %.4f\n", rows, comm.Get_size(), columns,
                product.front(), product.back());
    std::printf("check   %-4s every element equals the serial product, on all ranks\n",
                all_ok ? "ok" : "FAIL");
  }
  return all_ok;
}

}  // namespace

int main(int argc, char** argv) {
  MPI::Init(argc, argv);
  MPI::COMM_WORLD.Set_errhandler(MPI::ERRORS_THROW_EXCEPTIONS);
  bool ok = false;
  try {
    const int rows = argc > 1 ? std::atoi(argv[1]) : 1000;
    const int columns = argc > 2 ? std::atoi(argv[2]) : 700;
    ok = rows > 0 && columns > 0 && run(rows, columns, MPI::COMM_WORLD);
  } catch (const MPI::Exception& error) {
    std::fprintf(stderr, "vector_matrix: %s\n", error.Get_error_string());
  }
  MPI::Finalize();
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
