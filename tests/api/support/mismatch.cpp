// Every kind of mismatched call, on communicators of all ranks and of some: every rank concerned knows at
// once, with both sides' calls, and nothing else is disturbed.
#include "support/mismatch_kinds.hpp"

using namespace foldlane::testing;

namespace {

/// What must go on working.
struct Others {
  MPI_Comm before;

  void check() const {
    expect_works(before);
    expect_works(MPI_COMM_WORLD);
  }
};

void test_on(MPI_Comm comm, const Mismatch& mismatch, int odd_rank, const Others& others) {
  for (int call = 0; call < 3; ++call) expect(small_allreduce(comm) == MPI_SUCCESS, "a call that matches");
  expect_mismatch(mismatch, comm, odd_rank);
  others.check();  // before it is freed: nothing of it may be in the way
  free_in_time(comm);
}

/// The halves are in different trouble at the same time, or in none.
MPI_Comm half() {
  MPI_Comm made = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, rank_in(MPI_COMM_WORLD) % 2, 0, &made);
  return made;
}

void test_halves(const Mismatch& mismatch, const Others& others) {
  begin_case("on a half: " + mismatch.name);
  MPI_Comm comm = half();
  if (size_of(comm) > 1 && rank_in(MPI_COMM_WORLD) % 2 == 0) {
    expect_mismatch(mismatch, comm, 1);
  } else {
    expect_works(comm);
  }
  others.check();
  free_in_time(comm);
}

/// One rank is a call ahead: its second call meets the others' next one.
void test_twice() {
  begin_case("one rank calls twice");
  MPI_Comm comm = duplicate(MPI_COMM_WORLD);
  const Side barrier = barrier_side();
  const Side allreduce{"MPI_Allreduce(count 1, MPI_INT, MPI_SUM)", small_allreduce};
  const Side both{barrier.text, [&](MPI_Comm& on) {
                    const int code = barrier.call(on);
                    return code == MPI_SUCCESS ? small_allreduce(on) : code;
                  }};
  Side most = both;
  most.text = allreduce.text;
  Side odd = twice_side(barrier);
  expect_mismatch({"twice", most, odd}, comm, 0);
  free_in_time(comm);
}

/// A root goes on with short broadcasts until it needs a line back, and still knows which of them the others
/// were not in.
void test_far_ahead() {
  begin_case("a root is many broadcasts ahead");
  MPI_Comm comm = duplicate(MPI_COMM_WORLD);
  const Side small = bcast_side(4, MPI_INT, 0, "MPI_Bcast(16 bytes of ");
  const Side large = bcast_side(500'000, MPI_INT, 0, "MPI_Bcast(2000000 bytes of ");
  const Side many{small.text, [&](MPI_Comm& on) {
                    int code = MPI_SUCCESS;
                    for (int call = 0; call < 100 && code == MPI_SUCCESS; ++call) code = small.call(on);
                    return code;
                  }};
  expect_mismatch({"far ahead", large, many}, comm, 0);
  free_in_time(comm);
}

void keep_left(void* in, void* inout, int* count, MPI_Datatype*) {
  std::memcpy(inout, in, static_cast<std::size_t>(*count) * sizeof(int));
}
void keep_left_too(void* in, void* inout, int* count, MPI_Datatype* type) {
  keep_left(in, inout, count, type);
}

/// Programs may pass different functions: that is no mismatch.
void test_user_operations() {
  begin_case("a user operation of one's own");
  MPI_Op op = MPI_OP_NULL;
  const int rank = rank_in(MPI_COMM_WORLD);
  MPI_Op_create(rank == 0 ? keep_left : keep_left_too, 0, &op);
  const int in[] = {rank, rank};
  int out[] = {-1, -1};
  for (int call = 0; call < 10; ++call) {
    const int code = MPI_Allreduce(in, out, 2, MPI_INT, op, MPI_COMM_WORLD);
    expect(code == MPI_SUCCESS, message_of(code));
    expect(out[0] == 0 && out[1] == 0, "a wrong result");
  }
  MPI_Op_free(&op);
}

/// One type here and its elements there: the signatures are the same.
void test_equal_signatures() {
  begin_case("equal signatures");
  MPI_Datatype four = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(4, MPI_INT, &four);
  MPI_Type_commit(&four);
  int data[12] = {};
  const bool root = rank_in(MPI_COMM_WORLD) == 0;
  for (int i = 0; i < 12; ++i) data[i] = root ? i : -1;
  const int code =
      root ? MPI_Bcast(data, 3, four, 0, MPI_COMM_WORLD) : MPI_Bcast(data, 12, MPI_INT, 0, MPI_COMM_WORLD);
  expect(code == MPI_SUCCESS, message_of(code));
  for (int i = 0; i < 12; ++i) expect(data[i] == i, "a wrong element");
  MPI_Type_free(&four);
}

}  // namespace

int main(int argc, char** argv) {
  start(&argc, &argv);
  const int size = size_of(MPI_COMM_WORLD);
  const Others others{duplicate(MPI_COMM_WORLD)};
  const std::vector<Mismatch> kinds = all_mismatches(size);
  // Every day, in other forms than the usual one and in a crowd, the first and the last rank are odd in turn.
  const bool is_thorough = argc != 2;
  for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
    const Mismatch& mismatch = kinds[kind];
    for (const int odd_rank : {0, size - 1}) {
      if (!is_thorough && (odd_rank == 0) != (kind % 2 == 0)) continue;
      begin_case(mismatch.name + ", odd rank " + std::to_string(odd_rank));
      test_on(duplicate(MPI_COMM_WORLD), mismatch, odd_rank, others);
    }
  }
  for (const Mismatch& mismatch : some_mismatches()) test_halves(mismatch, others);
  test_twice();
  test_far_ahead();
  test_user_operations();
  test_equal_signatures();
  MPI_Comm before = others.before;
  free_in_time(before);
  begin_case("MPI_Finalize");
  expect(MPI_Finalize() == MPI_SUCCESS, "MPI_Finalize failed");
  if (argc > 1) std::printf("%zu kinds\n", kinds.size());
  return 0;
}
