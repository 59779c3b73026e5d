// The product of a vector and a matrix whose rows are shared out among the ranks of an MPI job.
//
// Every rank has some elements of the vector and the rows of the matrix that they are multiplied with. It
// multiplies them on its own; one MPI_Reduce adds up what the ranks have found, and rank 0 has the product.
// At the end rank 0 computes the product alone and compares.
//
//   mpicc vector_matrix.c -o vector_matrix && mpiexec -n 4 ./vector_matrix [rows [columns]]
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

// Some rows of the whole, and the elements of the vector that belong to them.
typedef struct {
  int rows, columns;
  double* vector;  // rows elements
  double* matrix;  // row by row
} Slice;

static void* allocate(size_t count, size_t element_bytes) {
  void* memory = calloc(count > 0 ? count : 1, element_bytes);
  if (memory == NULL) {
    fprintf(stderr, "vector_matrix: out of memory for %zu elements of %zu bytes\n", count, element_bytes);
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
  }
  return memory;
}

// ---- The data ----
//
// Small multiples of 1/4: sums of their products are exact, in whatever order they are added, so that the
// comparison at the end needs no tolerance.

static double vector_element(long row) { return (double)(row * 7 % 23 - 11) / 4; }
static double matrix_element(long row, long column) {
  return (double)((row * 5 + column * 3 + row * column) % 31 - 15) / 4;
}

static Slice make_slice(int first_row, int last_row, int columns) {
  int rows = last_row - first_row;
  Slice slice = {rows, columns, allocate((size_t)rows, sizeof(double)),
                 allocate((size_t)rows * (size_t)columns, sizeof(double))};
  for (int i = 0; i < rows; ++i) {
    slice.vector[i] = vector_element(first_row + i);
    double* row = slice.matrix + (size_t)i * (size_t)columns;
    for (int j = 0; j < columns; ++j) row[j] = matrix_element(first_row + i, j);
  }
  return slice;
}

static void free_slice(Slice* slice) {
  free(slice->vector);
  free(slice->matrix);
}

// Where the rows of a rank begin; those of the next rank begin where they end.
static int first_row_of(int rank, int ranks, int rows) { return (int)((long long)rows * rank / ranks); }

// ---- The computation ----

static void multiply(const Slice* slice, double* product) {
  for (int j = 0; j < slice->columns; ++j) product[j] = 0;
  for (int i = 0; i < slice->rows; ++i) {
    const double* row = slice->matrix + (size_t)i * (size_t)slice->columns;
    for (int j = 0; j < slice->columns; ++j) product[j] += slice->vector[i] * row[j];
  }
}

// Collective over comm. The product is needed on rank 0 only; on others it may be NULL.
static void multiply_together(const Slice* slice, double* product, MPI_Comm comm) {
  double* part = allocate((size_t)slice->columns, sizeof *part);
  multiply(slice, part);
  MPI_Reduce(part, product, slice->columns, MPI_DOUBLE, MPI_SUM, 0, comm);
  free(part);
}

// ---- The check ----

static bool agrees_with_one_rank(const double* product, int rows, int columns) {
  Slice whole = make_slice(0, rows, columns);
  double* alone = allocate((size_t)columns, sizeof *alone);
  int differing = 0;
  multiply(&whole, alone);
  for (int j = 0; j < columns; ++j) differing += product[j] != alone[j];
  if (differing == 0) {
    printf("check   ok   all %d elements equal the serial product\n", columns);
  } else {
    printf("check   FAIL %d of %d elements differ from the serial product\n", differing, columns);
  }
  free(alone);
  free_slice(&whole);
  return differing == 0;
}

static bool run(int rows, int columns, int rank, int ranks) {
  Slice slice = make_slice(first_row_of(rank, ranks, rows), first_row_of(rank + 1, ranks, rows), columns);
  double* product = rank == 0 ? allocate((size_t)columns, sizeof *product) : NULL;
  multiply_together(&slice, product, MPI_COMM_WORLD);
  bool ok = true;
  if (rank == 0) {
    printf("product %d rows on %d ranks, %d columns: %.4f, ..., %.4f\n", rows, ranks, columns, product[0],
           product[columns - 1]);
    ok = agrees_with_one_rank(product, rows, columns);
  }
  free(product);
  free_slice(&slice);
  return ok;
}

static bool parse_count(const char* text, int* count) {
  char* end;
  long value = strtol(text, &end, 10);
  *count = (int)value;
  return value >= 1 && value <= 100000 && *end == '\0';
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);

  int rows = 1000, columns = 700;
  bool ok =
      argc <= 3 && (argc < 2 || parse_count(argv[1], &rows)) && (argc < 3 || parse_count(argv[2], &columns));
  if (!ok && rank == 0) fprintf(stderr, "usage: vector_matrix [rows [columns]], each from 1 to 100000\n");
  if (ok) ok = run(rows, columns, rank, ranks);
  MPI_Finalize();
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
