// How heat spreads in a plate whose upper edge is kept hot: the grid is cut into blocks, one for each rank.
//
// In each step a point takes the mean of its four neighbours, so a rank needs the outermost points of the
// blocks beside its own. They are sent and received while the points inside are computed already: once by
// messages, and once by a persistent neighbourhood collective. The points are computed by the same function
// whatever the blocks are, so every bit must be as in a serial run, which rank 0 makes.
//
//   mpicxx -std=c++17 -O2 heat.cpp -o heat && mpiexec -n 4 ./heat [points per side] [steps]
#include <mpi.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

namespace {

// ---- A block of the grid, with a rim of one point that belongs to others ----

struct Block {
  int rows, columns;
  std::vector<double> points;

  Block(int rows_inside, int columns_inside)
      : rows(rows_inside),
        columns(columns_inside),
        points(static_cast<std::size_t>(rows + 2) * static_cast<std::size_t>(columns + 2)) {}
  // Those inside are numbered from 1.
  double* at(int row, int column) {
    return &points[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns + 2) +
                   static_cast<std::size_t>(column)];
  }
};

void step_row(Block& from, Block& to, int row, int first, int last) {
  const double *up = from.at(row - 1, 0), *here = from.at(row, 0), *down = from.at(row + 1, 0);
  double* out = to.at(row, 0);
  for (int i = first; i <= last; ++i) out[i] = 0.25 * ((up[i] + down[i]) + (here[i - 1] + here[i + 1]));
}

void heat_upper_edge(Block& block) {
  for (int column = 0; column < block.columns + 2; ++column) *block.at(0, column) = 100;
}

Block solve_alone(int side, int steps) {
  Block now(side, side), next(side, side);
  heat_upper_edge(now);
  heat_upper_edge(next);
  for (int step = 0; step < steps; ++step) {
    for (int row = 1; row <= side; ++row) step_row(now, next, row, 1, side);
    std::swap(now, next);
  }
  return now;
}

// ---- Which rank has which block ----

struct Range {
  int first, count;
};

Range share(int points, int part, int parts) {
  const int first = static_cast<int>(static_cast<long>(points) * part / parts);
  return {first, static_cast<int>(static_cast<long>(points) * (part + 1) / parts) - first};
}

// The ranks in rows and columns, as square as their number allows.
struct Arrangement {
  int down, across;

  explicit Arrangement(int ranks) : down(1), across(ranks) {
    for (int i = 2; i * i <= ranks; ++i)
      if (ranks % i == 0) down = i;
    across = ranks / down;
  }
  // Beyond the edges of the plate there is nobody to send to or to receive from.
  int rank_at(int row, int column) const {
    const bool inside = row >= 0 && row < down && column >= 0 && column < across;
    return inside ? row * across + column : MPI_PROC_NULL;
  }
  Range rows_of(int rank, int side) const { return share(side, rank / across, down); }
  Range columns_of(int rank, int side) const { return share(side, rank % across, across); }
};

// ---- The exchange of rims, by messages ----

enum Direction { kUp, kDown, kLeft, kRight };  // where a message goes to; its tag

// The points of a column are a whole row apart.
MPI_Datatype make_column_type(const Block& block) {
  MPI_Datatype type;
  MPI_Type_vector(block.rows, 1, block.columns + 2, MPI_DOUBLE, &type);
  MPI_Type_commit(&type);
  return type;
}

class Messages {
 public:
  Messages(const Arrangement& arrangement, int rank, Block& block, Block&)
      : column_(make_column_type(block)) {
    const int row = rank / arrangement.across, column = rank % arrangement.across;
    up_ = arrangement.rank_at(row - 1, column);
    down_ = arrangement.rank_at(row + 1, column);
    left_ = arrangement.rank_at(row, column - 1);
    right_ = arrangement.rank_at(row, column + 1);
  }
  Messages(const Messages&) = delete;
  Messages& operator=(const Messages&) = delete;
  ~Messages() { MPI_Type_free(&column_); }

  void start(Block& b) {
    const int rows = b.rows, columns = b.columns;
    MPI_Irecv(b.at(0, 1), columns, MPI_DOUBLE, up_, kDown, MPI_COMM_WORLD, &requests_[0]);
    MPI_Irecv(b.at(rows + 1, 1), columns, MPI_DOUBLE, down_, kUp, MPI_COMM_WORLD, &requests_[1]);
    MPI_Irecv(b.at(1, 0), 1, column_, left_, kRight, MPI_COMM_WORLD, &requests_[2]);
    MPI_Irecv(b.at(1, columns + 1), 1, column_, right_, kLeft, MPI_COMM_WORLD, &requests_[3]);
    MPI_Isend(b.at(1, 1), columns, MPI_DOUBLE, up_, kUp, MPI_COMM_WORLD, &requests_[4]);
    MPI_Isend(b.at(rows, 1), columns, MPI_DOUBLE, down_, kDown, MPI_COMM_WORLD, &requests_[5]);
    MPI_Isend(b.at(1, 1), 1, column_, left_, kLeft, MPI_COMM_WORLD, &requests_[6]);
    MPI_Isend(b.at(1, columns), 1, column_, right_, kRight, MPI_COMM_WORLD, &requests_[7]);
  }
  void finish() { MPI_Waitall(8, requests_, MPI_STATUSES_IGNORE); }

 private:
  int up_, down_, left_, right_;
  MPI_Datatype column_;
  MPI_Request requests_[8];
};

// ---- The same by a neighbourhood collective ----

// One call for each of the two blocks, which the steps use in turn.
class Neighbours {
 public:
  Neighbours(const Arrangement& arrangement, int, Block& now, Block& next)
      : column_(make_column_type(now)), first_(now.points.data()) {
    const int dims[] = {arrangement.down, arrangement.across}, periods[] = {0, 0};
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid_);
    prepare(now, &calls_[0]);
    prepare(next, &calls_[1]);
  }
  Neighbours(const Neighbours&) = delete;
  Neighbours& operator=(const Neighbours&) = delete;
  ~Neighbours() {
    for (MPI_Request& call : calls_) MPI_Request_free(&call);
    MPI_Comm_free(&grid_);
    MPI_Type_free(&column_);
  }

  void start(Block& b) {
    under_way_ = b.points.data() == first_ ? &calls_[0] : &calls_[1];
    MPI_Start(under_way_);
  }
  void finish() { MPI_Wait(under_way_, MPI_STATUS_IGNORE); }

 private:
  // MPI's order: up, down, left, right.
  void prepare(Block& b, MPI_Request* call) {
    const int rows = b.rows, columns = b.columns, counts[] = {columns, columns, 1, 1};
    const MPI_Datatype types[] = {MPI_DOUBLE, MPI_DOUBLE, column_, column_};
    double* const start = b.points.data();
    const auto place = [&](int row, int column) {
      return static_cast<MPI_Aint>(sizeof(double)) * (b.at(row, column) - start);
    };
    const MPI_Aint sent[] = {place(1, 1), place(rows, 1), place(1, 1), place(1, columns)};
    const MPI_Aint received[] = {place(0, 1), place(rows + 1, 1), place(1, 0), place(1, columns + 1)};
    MPI_Neighbor_alltoallw_init(start, counts, sent, types, start, counts, received, types, grid_,
                                MPI_INFO_NULL, call);
  }

  MPI_Comm grid_;
  MPI_Datatype column_;
  const double* first_;
  MPI_Request calls_[2];
  MPI_Request* under_way_ = nullptr;
};

// ---- The steps ----

template <class Exchange>
void step(Exchange& exchange, Block& now, Block& next) {
  exchange.start(now);
  for (int row = 2; row < now.rows; ++row) step_row(now, next, row, 2, now.columns - 1);
  exchange.finish();
  for (int row = 2; row < now.rows; ++row) {
    step_row(now, next, row, 1, 1);
    step_row(now, next, row, now.columns, now.columns);
  }
  step_row(now, next, 1, 1, now.columns);
  step_row(now, next, now.rows, 1, now.columns);
}

struct Solution {
  Block block;
  double seconds;
};

template <class Exchange>
Solution solve(const Arrangement& arrangement, int rank, int side, int steps) {
  Block now(arrangement.rows_of(rank, side).count, arrangement.columns_of(rank, side).count);
  Block next = now;
  if (rank < arrangement.across) {
    heat_upper_edge(now);
    heat_upper_edge(next);
  }
  Exchange exchange(arrangement, rank, now, next);
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  for (int i = 0; i < steps; ++i) {
    step(exchange, now, next);
    std::swap(now, next);
  }
  const double seconds = MPI_Wtime() - start;
  return {std::move(now), seconds};
}

// ---- The whole plate on rank 0 ----

// The points inside a block that is part of `whole` columns.
MPI_Datatype make_block_type(int rows, int columns, int whole) {
  MPI_Datatype type;
  MPI_Type_vector(rows, columns, whole, MPI_DOUBLE, &type);
  MPI_Type_commit(&type);
  return type;
}

Block collect(const Arrangement& arrangement, int rank, int ranks, int side, Block& own) {
  constexpr int kBlock = 9;
  MPI_Request sent;
  MPI_Datatype inside = make_block_type(own.rows, own.columns, own.columns + 2);
  MPI_Isend(own.at(1, 1), 1, inside, 0, kBlock, MPI_COMM_WORLD, &sent);
  Block whole(rank == 0 ? side : 0, rank == 0 ? side : 0);
  for (int from = 0; from < ranks && rank == 0; ++from) {
    const Range rows = arrangement.rows_of(from, side), columns = arrangement.columns_of(from, side);
    MPI_Datatype part = make_block_type(rows.count, columns.count, side + 2);
    MPI_Recv(whole.at(rows.first + 1, columns.first + 1), 1, part, from, kBlock, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    MPI_Type_free(&part);
  }
  MPI_Wait(&sent, MPI_STATUS_IGNORE);
  MPI_Type_free(&inside);
  return whole;
}

bool compare(Block& whole, Block& serial, const char* how) {
  bool same = true;
  for (int row = 1; row <= serial.rows; ++row) {
    same = same && std::memcmp(whole.at(row, 1), serial.at(row, 1),
                               sizeof(double) * static_cast<std::size_t>(serial.columns)) == 0;
  }
  std::printf("check   %-4s by %s every bit is as in the serial run\n", same ? "ok" : "FAIL", how);
  return same;
}

double mean_of(Block& whole) {
  double sum = 0;
  for (int row = 1; row <= whole.rows; ++row)
    for (int column = 1; column <= whole.columns; ++column) sum += *whole.at(row, column);
  return sum / whole.rows / whole.columns;
}

bool run(int side, int steps) {
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const Arrangement arrangement(ranks);
  if (side < ranks || steps < 0) {
    if (rank == 0) std::fprintf(stderr, "usage: heat [points per side, at least the ranks] [steps]\n");
    return false;
  }
  if (rank == 0)
    std::printf("plate   %d x %d points on %d x %d ranks\n", side, side, arrangement.down,
                arrangement.across);
  Solution first = solve<Messages>(arrangement, rank, side, steps);
  Solution second = solve<Neighbours>(arrangement, rank, side, steps);
  Block by_messages = collect(arrangement, rank, ranks, side, first.block);
  Block by_neighbours = collect(arrangement, rank, ranks, side, second.block);
  int ok = 1;
  if (rank == 0) {
    Block serial = solve_alone(side, steps);
    std::printf("result  mean temperature after %d steps %.12f\n", steps, mean_of(by_messages));
    std::printf("time    %.4f s by messages, %.4f s by a neighbourhood collective\n", first.seconds,
                second.seconds);
    ok = compare(by_messages, serial, "messages") ? 1 : 0;
    ok = compare(by_neighbours, serial, "the collective") ? ok : 0;
  }
  MPI_Bcast(&ok, 1, MPI_INT, 0, MPI_COMM_WORLD);
  return ok != 0;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const bool ok = run(argc > 1 ? std::atoi(argv[1]) : 256, argc > 2 ? std::atoi(argv[2]) : 500);
  MPI_Finalize();
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
