// The neighbourhood collectives, in every form and on every kind of topology, against what must lie in each
// byte of the receive buffer afterwards: blocks of neighbours that are not there stay as they were.
//
// usage: oracle_neighbours [all | reordered]: the long walk, or where some communicator must be reordered
#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "moves/neighbourhoods.hpp"

namespace {

using namespace foldlane::testing;

enum Call { allgather, allgatherv, alltoall, alltoallv, alltoallw, kCalls };
constexpr const char* kNames[] = {"allgather", "allgatherv", "alltoall", "alltoallv", "alltoallw"};

bool gives_one(Call call) { return call <= allgatherv; }
bool is_list(Call call) { return call == allgatherv || call >= alltoallv; }

struct Case {
  Call call;
  Form form;
  int ints;
  int send_kind, recv_kind;
};

int failures = 0;
long compared = 0;

/// Of what a rank gives in a block.
int ints_of(const Case& c, int from, int block) {
  if (!is_list(c.call)) return c.ints;
  const int mixed = 3 * from + (gives_one(c.call) ? 0 : 5 * block);
  const int n = c.ints + 2 * (mixed % 4) - 2;
  return mixed % 5 == 1 || n < 0 ? 0 : n;
}
int word(const Case& c, int from, int block, int i) {
  return (from + 1) * 40'000'000 + (gives_one(c.call) ? 0 : block) * 1'000'000 + i * 7;
}

MPI_Request start(const Case& c, MPI_Comm comm, const void* send, const Side& s, void* recv, const Side& r) {
  MPI_Request request = MPI_REQUEST_NULL;
  const int sc = s.count(), rc = r.count();
  const MPI_Datatype st = s.type(), rt = r.type();
  const int *scs = s.counts.data(), *sps = s.places.data(), *rcs = r.counts.data(), *rps = r.places.data();
  const MPI_Count *scs_c = s.counts_c.data(), *rcs_c = r.counts_c.data();
  const MPI_Aint *sps_c = s.places_c.data(), *rps_c = r.places_c.data();
  const MPI_Datatype *sts = s.blocks_types.data(), *rts = r.blocks_types.data();
  switch (c.call) {
    case allgather:
      CALL(Neighbor_allgather, neighbor_allgather, LIST(send, sc, st, recv, rc, rt),
           LIST(send, sc, st, recv, rc, rt))
      break;
    case allgatherv:
      CALL(Neighbor_allgatherv, neighbor_allgatherv, LIST(send, sc, st, recv, rcs, rps, rt),
           LIST(send, sc, st, recv, rcs_c, rps_c, rt))
      break;
    case alltoall:
      CALL(Neighbor_alltoall, neighbor_alltoall, LIST(send, sc, st, recv, rc, rt),
           LIST(send, sc, st, recv, rc, rt))
      break;
    case alltoallv:
      CALL(Neighbor_alltoallv, neighbor_alltoallv, LIST(send, scs, sps, st, recv, rcs, rps, rt),
           LIST(send, scs_c, sps_c, st, recv, rcs_c, rps_c, rt))
      break;
    default:
      CALL(Neighbor_alltoallw, neighbor_alltoallw, LIST(send, scs, sps_c, sts, recv, rcs, rps_c, rts),
           LIST(send, scs_c, sps_c, sts, recv, rcs_c, rps_c, rts))
  }
  return request;
}

/// One call of this rank, which may be under way while others are.
class Exchange {
 public:
  Exchange(const Case& c, const Neighbourhood& on) : case_(c), on_(on) {
    const auto goes = [&](int block) { return ints_of(c, on.rank, block); };
    const Layout layout{c.send_kind, is_list(c.call), c.call == alltoallw};
    sends_ =
        gives_one(c.call) ? one_block(goes(0), c.send_kind) : side_of_blocks(layout, on.destinations, goes);
    Ints comes(static_cast<std::size_t>(on.sources), c.ints);
    for (const Edge& edge : on.edges)
      if (edge.to == on.rank) at(comes, edge.to_block) = ints_of(c, edge.from, edge.from_block);
    receives_ = side_of_blocks({c.recv_kind, layout.is_list, layout.is_typed}, on.sources,
                               [&](int block) { return at(comes, block); });
    in_ = sends_.memory();
    out_ = receives_.memory();
  }
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;
  ~Exchange() {
    if (is_persistent()) MPI_Request_free(&request_);
  }

  bool is_persistent() const { return case_.form == persistent || case_.form == persistent_c; }

  /// In each round there are other words.
  void begin(int round) {
    given_ = written(sends_,
                     in_round([this](int block, int i) { return word(case_, on_.rank, block, i); }, round));
    std::copy(given_.begin(), given_.end(), in_.begin());
    std::fill(out_.begin(), out_.end(), kCanary);
    expected_ = receives_.memory();
    for (const Edge& edge : on_.edges) {
      if (edge.to != on_.rank) continue;
      const Value value = [&](int, int i) { return word(case_, edge.from, edge.from_block, i); };
      write_block(expected_, receives_, edge.to_block, in_round(value, round));
    }
    if (round == 0) request_ = start(case_, on_.comm, in_.data(), sends_, out_.data(), receives_);
    if (is_persistent()) MPI_Start(&request_);
  }
  void finish() {
    if (case_.form % 3 != blocking) MPI_Wait(&request_, MPI_STATUS_IGNORE);
    compare("the result", out_, expected_);
    compare("the input", in_, given_);
  }

 private:
  using Bytes = std::vector<unsigned char>;

  void compare(const char* what, const Bytes& got, const Bytes& expected) const {
    ++compared;
    if (got == expected || ++failures > 20) return;
    std::size_t byte = 0;
    while (got[byte] == expected[byte]) ++byte;
    std::printf("rank %d, %s: %s form %d, %d ints, types %d %d: %s differs at byte %zu\n", on_.rank,
                on_.name.c_str(), kNames[case_.call], case_.form, case_.ints, case_.send_kind,
                case_.recv_kind, what, byte);
    std::fflush(stdout);
  }

  Case case_;
  const Neighbourhood& on_;
  Side sends_, receives_;
  Bytes in_, out_, given_, expected_;
  MPI_Request request_ = MPI_REQUEST_NULL;
};

void run(const Case& c, const Neighbourhood& on) {
  Exchange exchange(c, on);
  for (int round = 0; round < (exchange.is_persistent() ? 3 : 1); ++round) {
    exchange.begin(round);
    exchange.finish();
  }
}

/// A sample, which is another one for each `number`.
void walk(const Neighbourhood& on, int number, bool all) {
  // What lines carry goes a way of its own if it is dense and the call blocks.
  for (const Call call : {allgather, alltoall})
    for (const int ints : {2, 14}) run({call, Form::blocking, ints, 0, 0}, on);
  // 8, 96, 104 bytes, 8 KiB and a little more, 300 KiB
  const int sizes[] = {0, 2, 14, 16, 26, 28, 30, 2048, 2050, 8192, 8194, 76800};
  const int step = all ? 5 : 29 * size_of(MPI_COMM_WORLD);  // the more ranks, the more communicators
  for (int call = 0; call < kCalls; ++call)
    for (int form = 0; form < kForms; ++form)
      for (const int ints : sizes)
        for (int kinds = 0; kinds < kKinds * kKinds; ++kinds) {
          if (++number % (ints > 3000 ? 41 * step : step) != 0) continue;
          run({static_cast<Call>(call), static_cast<Form>(form), ints, kinds / kKinds, kinds % kKinds}, on);
        }
}

/// Several calls under way at a time, on one communicator and on others, with reductions between. All ranks
/// make the calls of a communicator in the same order, and end them in any.
void mix(const std::vector<Neighbourhood>& all, int steps) {
  Draw draw(99);
  for (int step = 0; step < steps; ++step) {
    std::vector<std::unique_ptr<Exchange>> under_way;
    for (int i = draw(6); i >= 0; --i) {
      constexpr int kSizes[] = {0, 2, 26, 700, 3000, 40'000};
      const Neighbourhood& on = at(all, draw(static_cast<int>(all.size())));
      const Case c{static_cast<Call>(draw(kCalls)), static_cast<Form>(draw(kForms)), kSizes[draw(6)],
                   draw(kKinds), draw(kKinds)};
      if (on.comm == MPI_COMM_NULL) continue;
      under_way.push_back(std::make_unique<Exchange>(c, on));
      under_way.back()->begin(0);
    }
    int one = 1, sum = 0;
    if (draw(2) == 0) MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    for (auto each = under_way.rbegin(); each != under_way.rend(); ++each) (*each)->finish();
  }
}

void expect_reordered(const std::vector<Neighbourhood>& all) {
  int rank = 0, moved = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (const Neighbourhood& each : all)
    if (each.comm != MPI_COMM_NULL && each.rank != rank) moved = 1;
  MPI_Allreduce(MPI_IN_PLACE, &moved, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (moved != 0) return;
  ++failures;
  std::printf("no communicator is reordered\n");
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const bool all = argc > 1 && std::strcmp(argv[1], "all") == 0;
  make_types();
  std::vector<Neighbourhood> made = make_carts();
  for (Neighbourhood& each : make_graphs()) made.push_back(std::move(each));
  if (argc > 1 && std::strcmp(argv[1], "reordered") == 0) expect_reordered(made);
  for (int i = 0; i < static_cast<int>(made.size()); ++i)
    if (at(made, i).comm != MPI_COMM_NULL) walk(at(made, i), 17 * i, all);
  mix(made, all ? 1000 : 60);
  for (Neighbourhood& each : made)
    if (each.comm != MPI_COMM_NULL) MPI_Comm_free(&each.comm);
  free_types();
  int rank, total = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Allreduce(&failures, &total, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0 && argc > 1) std::printf("%ld compared by rank 0\n", compared);
  MPI_Finalize();
  return total == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
