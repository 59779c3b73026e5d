// Gather, scatter, allgather, alltoall and their kin, in every form, against what must lie in each byte of
// the receive buffer afterwards: gaps of datatypes, gaps between blocks and what lies behind them are
// compared, too.
//
// usage: oracle_moves [all | today | few]: the long walk, the usual one, or a short one, for many ranks; with
// any it says what it has compared
#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "moves/sides.hpp"
#include "support/which_calls.hpp"

namespace {

using namespace foldlane::testing;

enum Call {
  gather,
  gatherv,
  scatter,
  scatterv,
  allgather,
  allgatherv,
  alltoall,
  alltoallv,
  alltoallw,
  kCalls
};
constexpr const char* kNames[] = {"gather",     "gatherv",  "scatter",   "scatterv", "allgather",
                                  "allgatherv", "alltoall", "alltoallv", "alltoallw"};
bool has_root(Call call) { return call <= scatterv; }
bool is_list(Call call) {
  return call == gatherv || call == scatterv || call == allgatherv || call >= alltoallv;
}

/// A communicator, and which of its groups this rank is in.
struct Comm {
  MPI_Comm comm;
  bool inter;
  int side = 0;
  int rank = 0, size = 0, partners = 0;

  explicit Comm(MPI_Comm which, int group = -1) : comm(which), inter(group >= 0), side(inter ? group : 0) {
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    partners = size;
    if (inter) MPI_Comm_remote_size(comm, &partners);
  }
  int id() const { return 100 * side + rank; }
  int id_of(int partner) const { return 100 * (inter ? 1 - side : side) + partner; }
};

struct Case {
  Call call;
  Form form;
  int ints;
  int send_kind, recv_kind;
  bool in_place;
  int root;  // a rank of the group of side 0, where there are two
};

int failures = 0;
long compared = 0;

/// Of a block from one to another; the same in both directions where it is replaced.
int ints_between(const Case& c, int from, int to) {
  if (!is_list(c.call)) return c.ints;
  const int mixed = c.in_place && c.call >= alltoallv ? from + to : 3 * from + 7 * to;
  const int n = c.ints + 2 * (mixed % 4) - 2;
  return mixed % 5 == 1 || n < 0 ? 0 : n;
}

int word(int from, int to, int i, int round) {
  return (from + 1) * 40'000'000 + to * 1'000'000 + i * 7 + round;
}

/// Blocks for all partners, apart where displacements say so.
Side blocks_side(const Case& c, int kind, int partners, const std::function<int(int)>& ints) {
  return side_of_blocks({kind, is_list(c.call), c.call == alltoallw}, partners, ints);
}

MPI_Request start(const Case& c, MPI_Comm comm, int root, const void* send, const Side& s, void* recv,
                  const Side& r) {
  MPI_Request request = MPI_REQUEST_NULL;
  const int sc = s.count(), rc = r.count();
  const MPI_Datatype st = s.type(), rt = r.type();
  const int *scs = s.counts.data(), *sps = s.places.data(), *rcs = r.counts.data(), *rps = r.places.data();
  const MPI_Count *scs_c = s.counts_c.data(), *rcs_c = r.counts_c.data();
  const MPI_Aint *sps_c = s.places_c.data(), *rps_c = r.places_c.data();
  const MPI_Datatype *sts = s.blocks_types.data(), *rts = r.blocks_types.data();
  switch (c.call) {
    case gather:
      CALL(Gather, gather, LIST(send, sc, st, recv, rc, rt, root), LIST(send, sc, st, recv, rc, rt, root))
      break;
    case gatherv:
      CALL(Gatherv, gatherv, LIST(send, sc, st, recv, rcs, rps, rt, root),
           LIST(send, sc, st, recv, rcs_c, rps_c, rt, root))
      break;
    case scatter:
      CALL(Scatter, scatter, LIST(send, sc, st, recv, rc, rt, root), LIST(send, sc, st, recv, rc, rt, root))
      break;
    case scatterv:
      CALL(Scatterv, scatterv, LIST(send, scs, sps, st, recv, rc, rt, root),
           LIST(send, scs_c, sps_c, st, recv, rc, rt, root))
      break;
    case allgather:
      CALL(Allgather, allgather, LIST(send, sc, st, recv, rc, rt), LIST(send, sc, st, recv, rc, rt)) break;
    case allgatherv:
      CALL(Allgatherv, allgatherv, LIST(send, sc, st, recv, rcs, rps, rt),
           LIST(send, sc, st, recv, rcs_c, rps_c, rt))
      break;
    case alltoall:
      CALL(Alltoall, alltoall, LIST(send, sc, st, recv, rc, rt), LIST(send, sc, st, recv, rc, rt)) break;
    case alltoallv:
      CALL(Alltoallv, alltoallv, LIST(send, scs, sps, st, recv, rcs, rps, rt),
           LIST(send, scs_c, sps_c, st, recv, rcs_c, rps_c, rt))
      break;
    default:
      CALL(Alltoallw, alltoallw, LIST(send, scs, sps, sts, recv, rcs, rps, rts),
           LIST(send, scs_c, sps_c, sts, recv, rcs_c, rps_c, rts))
  }
  return request;
}

/// What a member gives and gets.
struct Part {
  Side send, recv;
  bool sends = false, receives = false;
  bool in_place = false;
  int root = 0;          // as its call names it
  Value sent, received;  // without the rounds
};

Part part_of(const Case& c, const Comm& on) {
  Part part;
  const bool roots_group = !on.inter || on.side == 0;
  const bool is_root = has_root(c.call) && roots_group && on.rank == c.root;
  const bool has_block = has_root(c.call) && (!on.inter || on.side == 1);
  const int root_id = c.root;  // side 0
  part.root = !on.inter ? c.root : on.side == 1 ? c.root : is_root ? MPI_ROOT : MPI_PROC_NULL;
  const bool gathers = c.call == gather || c.call == gatherv;
  const auto from_all = [&, root_id](int j) { return ints_between(c, on.id_of(j), root_id); };
  const auto to_all = [&, root_id](int j) { return ints_between(c, root_id, on.id_of(j)); };
  if (gathers) {
    part.receives = is_root;
    part.sends = has_block;
    part.in_place = is_root && c.in_place;
    if (is_root) part.recv = blocks_side(c, c.recv_kind, on.partners, from_all);
    if (has_block) part.send = one_block(ints_between(c, on.id(), root_id), c.send_kind);
    part.sent = [&, root_id](int, int i) { return word(on.id(), root_id, i, 0); };
    part.received = [&, root_id](int j, int i) { return word(on.id_of(j), root_id, i, 0); };
  } else if (has_root(c.call)) {
    part.sends = is_root;
    part.receives = has_block;
    part.in_place = is_root && c.in_place;
    if (is_root) part.send = blocks_side(c, c.send_kind, on.partners, to_all);
    if (has_block) part.recv = one_block(ints_between(c, root_id, on.id()), c.recv_kind);
    part.sent = [&, root_id](int j, int i) { return word(root_id, on.id_of(j), i, 0); };
    part.received = [&, root_id](int, int i) { return word(root_id, on.id(), i, 0); };
  } else {
    part.sends = part.receives = true;
    part.in_place = c.in_place;
    const bool one_for_all = c.call == allgather || c.call == allgatherv;
    const auto comes = [&](int j) { return ints_between(c, on.id_of(j), one_for_all ? 0 : on.id()); };
    const auto goes = [&](int j) { return ints_between(c, on.id(), on.id_of(j)); };
    part.recv = blocks_side(c, c.recv_kind, on.partners, comes);
    part.send = one_for_all ? one_block(ints_between(c, on.id(), 0), c.send_kind)
                            : blocks_side(c, c.send_kind, on.partners, goes);
    part.sent = [&, one_for_all](int j, int i) { return word(on.id(), one_for_all ? 0 : on.id_of(j), i, 0); };
    part.received = [&, one_for_all](int j, int i) {
      return word(on.id_of(j), one_for_all ? 0 : on.id(), i, 0);
    };
  }
  return part;
}

void complain(const Case& c, const Comm& on, const char* what, std::size_t byte) {
  if (++failures > 20) return;
  std::printf(
      "rank %d side %d of %d: %s form %d, %d ints, types %d %d, in place %d, root %d: %s differs at byte "
      "%zu\n",
      on.rank, on.side, on.size, kNames[c.call], c.form, c.ints, c.send_kind, c.recv_kind, c.in_place, c.root,
      what, byte);
  std::fflush(stdout);
}
void compare(const Case& c, const Comm& on, const char* what, const std::vector<unsigned char>& got,
             const std::vector<unsigned char>& expected) {
  ++compared;
  for (std::size_t i = 0; i < got.size(); ++i)
    if (got[i] != expected[i]) return complain(c, on, what, i);
}

void run(const Case& c, const Comm& on) {
  const Part part = part_of(c, on);
  std::vector<unsigned char> send = part.send.memory(), recv = part.recv.memory();
  const bool scatters = c.call == scatter || c.call == scatterv;
  const bool repeats = c.form == persistent || c.form == persistent_c;
  const void* const send_buffer = part.in_place && !scatters ? MPI_IN_PLACE : static_cast<void*>(send.data());
  void* const recv_buffer = part.in_place && scatters ? MPI_IN_PLACE : static_cast<void*>(recv.data());
  MPI_Request request = MPI_REQUEST_NULL;
  for (int round = 0; round < (repeats ? 2 : 1); ++round) {
    const Value sent = in_round(part.sent, round), received = in_round(part.received, round);
    const std::vector<unsigned char> given = part.sends ? written(part.send, sent) : part.send.memory();
    std::vector<unsigned char> before = part.recv.memory(), after = before;
    if (part.receives) after = written(part.recv, received);
    if (part.in_place && scatters) {
      after = before;
    } else if (part.in_place && c.call < alltoall) {  // its own block is there
      write_block(before, part.recv, on.rank, received);
    } else if (part.in_place) {
      before = written(part.recv, sent);
    }
    std::copy(given.begin(), given.end(), send.begin());
    std::copy(before.begin(), before.end(), recv.begin());
    if (round == 0) request = start(c, on.comm, part.root, send_buffer, part.send, recv_buffer, part.recv);
    if (repeats) MPI_Start(&request);
    if (c.form % 3 != 0) MPI_Wait(&request, MPI_STATUS_IGNORE);
    compare(c, on, "the result", recv, after);
    compare(c, on, "the input", send, given);
  }
  if (repeats) MPI_Request_free(&request);
}

bool may_be_in_place(const Comm& on) { return !on.inter; }

/// How many of the cases.
enum class Extent { few, today, all };

/// One in so many is made.
int stride_of(Extent extent, int ints) {
  const bool is_long = ints > 3000;
  if (extent == Extent::all) return is_long ? 5 : 1;
  if (extent == Extent::today) return is_long ? 83 : 7;
  return is_long ? 997 : 211;
}

/// All of them may be the root, or the first and the last.
std::vector<int> roots_of(Extent extent, const Comm& on) {
  if (on.inter) return {0};
  if (extent == Extent::few) return {0, on.size - 1};
  std::vector<int> roots(static_cast<std::size_t>(on.size));
  std::iota(roots.begin(), roots.end(), 0);
  return roots;
}

void walk(const Comm& on, Extent extent) {
  // 8, 16, 32, 96, 104, 112, 120, 128 bytes, 8 KiB, 16 KiB, 32 KiB and a slot and a little more each, 300 KiB
  const std::vector<int> sizes =
      extent == Extent::all
          ? std::vector<int>{0,    2,    4,    8,    24,   26,   28,    30,    32,
                             2048, 2050, 4096, 4098, 8192, 8194, 65536, 65538, 76800}
          : std::vector<int>{0, 2, 8, 24, 26, 28, 30, 32, 2048, 2050, 4096, 4098, 8192, 8194, 76800};
  const std::vector<int> roots = roots_of(extent, on);
  int number = 0;
  for (int call = 0; call < kCalls; ++call)
    for (int form = 0; form < kForms; ++form) {
      if (are_all_blocking() && form % 3 != blocking) continue;
      for (const int ints : sizes)
        for (int kinds = 0; kinds < kKinds * kKinds; ++kinds)
          for (int in_place = 0; in_place < 2; ++in_place) {
            const std::size_t number_of_roots = has_root(static_cast<Call>(call)) ? roots.size() : 1;
            for (std::size_t i = 0; i < number_of_roots; ++i) {
              Case c{static_cast<Call>(call), static_cast<Form>(form), ints,    kinds / kKinds,
                     kinds % kKinds,          in_place == 1,           roots[i]};
              if (c.in_place && !may_be_in_place(on)) continue;
              // In place there is one datatype.
              if (c.in_place && c.send_kind != c.recv_kind) continue;
              if (++number % stride_of(extent, ints) == 0) run(c, on);
            }
          }
    }
}

/// Two groups of the world, of different sizes if they can be.
void walk_inter(Extent extent) {
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size < 2 || !kScattersBetweenGroups) return;
  const int first = size / 3 + 1, side = rank < first ? 0 : 1;
  MPI_Comm local, inter;
  MPI_Comm_split(MPI_COMM_WORLD, side, rank, &local);
  MPI_Intercomm_create(local, 0, MPI_COMM_WORLD, side == 0 ? first : 0, 1, &inter);
  walk(Comm(inter, side), extent);
  MPI_Comm_free(&inter);
  MPI_Comm_free(&local);
}

/// Several calls on two communicators under way at a time, with a reduction and messages of the program
/// between.
void mix(int steps) {
  int rank, size;
  MPI_Comm other;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &other);
  std::uint32_t random = 12345;
  const auto next = [&](std::uint32_t n) { return (random = random * 1664525 + 1013904223) / 65536 % n; };
  constexpr int kLanes = 6;
  std::vector<std::vector<int>> in(kLanes), out(kLanes);
  for (int step = 0; step < steps; ++step) {
    std::vector<MPI_Request> requests;
    std::vector<int> lengths, kinds;
    for (int lane = 0; lane < kLanes; ++lane) {
      constexpr int kLengths[] = {1, 3, 30, 700, 3000, 40'000};
      const int n = kLengths[next(6)], kind = static_cast<int>(next(5));
      const MPI_Comm comm = next(2) == 0 ? MPI_COMM_WORLD : other;
      lengths.push_back(n);
      kinds.push_back(kind + (comm == other ? 10 : 0));
      const int me = comm == other ? size - 1 - rank : rank;
      at(in, lane).resize(static_cast<std::size_t>(n * size));
      at(out, lane).assign(static_cast<std::size_t>(n * size), -1);
      for (int i = 0; i < n * size; ++i) at(at(in, lane), i) = me * 1'000'000 + i + step;
      MPI_Request request = MPI_REQUEST_NULL;
      const int to = (rank + 1) % size, from = (rank + size - 1) % size;
      if (kind == 0)
        MPI_Ialltoall(at(in, lane).data(), n, MPI_INT, at(out, lane).data(), n, MPI_INT, comm, &request);
      if (kind == 1)
        MPI_Iallgather(at(in, lane).data(), n, MPI_INT, at(out, lane).data(), n, MPI_INT, comm, &request);
      if (kind == 2)
        MPI_Iallreduce(at(in, lane).data(), at(out, lane).data(), n, MPI_INT, MPI_MAX, comm, &request);
      if (kind == 3) MPI_Alltoall(at(in, lane).data(), n, MPI_INT, at(out, lane).data(), n, MPI_INT, comm);
      if (kind == 4) {
        MPI_Request send;
        MPI_Isend(at(in, lane).data(), n, MPI_INT, to, lane, MPI_COMM_WORLD, &send);
        MPI_Irecv(at(out, lane).data(), n, MPI_INT, from, lane, MPI_COMM_WORLD, &request);
        requests.push_back(send);
      }
      requests.push_back(request);
    }
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
    for (int lane = 0; lane < kLanes; ++lane) {
      const int n = at(lengths, lane), kind = at(kinds, lane) % 10;
      const int me = at(kinds, lane) >= 10 ? size - 1 - rank : rank;
      for (int j = 0; j < size; ++j)
        for (int i = 0; i < n; ++i) {
          const int place = j * n + i;
          int expected = j * 1'000'000 + step + (kind == 1 ? i : me * n + i);
          if (kind == 2) expected = j > 0 ? -1 : (size - 1) * 1'000'000 + i + step;
          if (kind == 4) {
            const int from = (rank + size - 1) % size;
            expected = j > 0 ? -1 : (at(kinds, lane) >= 10 ? size - 1 - from : from) * 1'000'000 + i + step;
          }
          if (at(at(out, lane), place) == expected) continue;
          if (++failures < 20)
            std::printf("rank %d, step %d, lane %d (kind %d, %d ints): %d instead of %d at %d\n", rank, step,
                        lane, at(kinds, lane), n, at(at(out, lane), place), expected, place);
          j = size;
          break;
        }
      ++compared;
    }
  }
  MPI_Comm_free(&other);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const std::string wish = argc > 1 ? argv[1] : "";
  const Extent extent = wish == "all" ? Extent::all : wish == "few" ? Extent::few : Extent::today;
  make_types();
  walk(Comm(MPI_COMM_WORLD), extent);
  if (extent != Extent::few) walk(Comm(MPI_COMM_SELF), Extent::today);
  walk_inter(extent);
  mix(extent == Extent::all ? 400 : extent == Extent::today ? 40 : 1);
  free_types();
  int rank, total = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Allreduce(&failures, &total, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0 && argc > 1) std::printf("%ld compared by rank 0, %d differ\n", compared, total);
  MPI_Finalize();
  return total == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
