// Long blocks that one of two ranks passes the other one, out of and into memory of which only one rank's
// lies in a heap of the segment: the root's decides whether they go straight. The leaf of a gather asks for
// that, and not in every call if it was in vain.
#include <mpi.h>

#include <vector>

#include "support/direct_calls.hpp"
#include "support/expect.h"

namespace {

using foldlane::tests::direct_calls;
using foldlane::tests::expect_direct;

constexpr int kCount = 20'000, kBetweenQuestions = 63;

int rank_;

class Memory {
 public:
  explicit Memory(bool in_heap) : in_heap_(in_heap), private_(in_heap ? 0 : 2 * kCount) {
    if (in_heap_) MPI_Alloc_mem(2 * kCount * sizeof(int), MPI_INFO_NULL, &heap_);
  }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  ~Memory() {
    if (in_heap_) MPI_Free_mem(heap_);
  }
  int* operator*() { return in_heap_ ? heap_ : private_.data(); }

 private:
  bool in_heap_;
  int* heap_ = nullptr;
  std::vector<int> private_;
};

void gather(MPI_Comm comm, bool root_in_heap, bool leaf_in_heap) {
  Memory in(rank_ == 0 ? root_in_heap : leaf_in_heap), out(root_in_heap);
  for (int i = 0; i < kCount; ++i) (*in)[i] = rank_ * kCount + i;
  MPI_Gather(*in, kCount, MPI_INT, *out, kCount, MPI_INT, 0, comm);
  for (int i = 0; rank_ == 0 && i < 2 * kCount; ++i) expect_that((*out)[i] == i, "a gathered number");
}

void scatter(MPI_Comm comm, bool root_in_heap, bool leaf_in_heap) {
  Memory in(root_in_heap), out(rank_ == 0 ? root_in_heap : leaf_in_heap);
  for (int i = 0; i < 2 * kCount; ++i) (*in)[i] = i;
  MPI_Scatter(*in, kCount, MPI_INT, *out, kCount, MPI_INT, 0, comm);
  for (int i = 0; i < kCount; ++i) expect_that((*out)[i] == rank_ * kCount + i, "a scattered number");
}

void gather_in_place(MPI_Comm comm) {
  Memory in(true), out(true);
  for (int i = 0; i < kCount; ++i) (rank_ == 0 ? *out : *in)[i] = rank_ * kCount + i;
  MPI_Gather(rank_ == 0 ? MPI_IN_PLACE : *in, kCount, MPI_INT, *out, kCount, MPI_INT, 0, comm);
  for (int i = 0; rank_ == 0 && i < 2 * kCount; ++i)
    expect_that((*out)[i] == i, "a number gathered in place");
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);  // that nobody has asked on
  for (const bool leaf_in_heap : {false, true}) {
    for (int i = 0; i < 3; ++i) {
      expect_direct([&] { gather(comm, true, leaf_in_heap); }, true, "a gather into the root's heap");
      expect_direct([&] { scatter(comm, true, leaf_in_heap); }, true, "a scatter out of the root's heap");
    }
    expect_direct([&] { scatter(comm, false, leaf_in_heap); }, false, "a scatter out of private memory");
  }
  expect_direct([&] { gather(comm, false, true); }, false, "a gather into private memory");
  const unsigned long before = direct_calls();
  for (int i = 0; i < kBetweenQuestions; ++i) gather(comm, true, i % 2 == 0);
  expect_that(direct_calls() == before, "who has asked in vain does not ask for a while");
  expect_direct([&] { gather(comm, true, false); }, true, "and then again");
  expect_direct([&] { gather_in_place(comm); }, false, "a root in place helps to copy");
  MPI_Comm_free(&comm);
  MPI_Finalize();
  return 0;
}
