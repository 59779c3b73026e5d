// Long blocks that more than two ranks gather: into a root's buffer in a heap of the segment leaves copy them
// themselves, all at once, if the call blocks; into other memory they go by slots and messages. A leaf asks
// for the place, and not in every call if it was in vain.
#include <mpi.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "support/direct_calls.hpp"
#include "support/expect.h"

namespace {

using foldlane::tests::direct_calls;
using foldlane::tests::expect_direct;

/// 36 kB: more than goes through slots in any case.
constexpr int kLong = 9'000, kBetweenQuestions = 63;

int rank_, size_;

class Memory {
 public:
  Memory(int count, bool in_heap) : private_(in_heap ? 0 : static_cast<std::size_t>(count)) {
    if (in_heap) MPI_Alloc_mem(count * static_cast<MPI_Aint>(sizeof(int)), MPI_INFO_NULL, &heap_);
  }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  ~Memory() {
    if (heap_ != nullptr) MPI_Free_mem(heap_);
  }
  int* operator*() { return heap_ != nullptr ? heap_ : private_.data(); }

 private:
  int* heap_ = nullptr;
  std::vector<int> private_;
};

int number(int rank, int i) { return rank * 1'000'000 + i; }
void fill(int* block, int count) {
  for (int i = 0; i < count; ++i) block[i] = number(rank_, i);
}
void check(const int* block, int rank, int count, int stride = 1) {
  for (int i = 0; i < count; ++i) expect_that(block[i * stride] == number(rank, i), "a gathered number");
}

struct Where {
  bool root_in_heap, leaf_in_heap;
};

void gather(MPI_Comm comm, int root, const Where& where) {
  Memory in(kLong, rank_ == root ? where.root_in_heap : where.leaf_in_heap),
      out(size_ * kLong, where.root_in_heap);
  fill(*in, kLong);
  MPI_Gather(*in, kLong, MPI_INT, *out, kLong, MPI_INT, root, comm);
  for (int r = 0; rank_ == root && r < size_; ++r) check(*out + r * kLong, r, kLong);
}

void gather_in_place(MPI_Comm comm) {
  Memory in(kLong, false), out(size_ * kLong, true);
  fill(rank_ == 1 ? *out + kLong : *in, kLong);
  MPI_Gather(rank_ == 1 ? MPI_IN_PLACE : *in, kLong, MPI_INT, *out, kLong, MPI_INT, 1, comm);
  for (int r = 0; rank_ == 1 && r < size_; ++r) check(*out + r * kLong, r, kLong);
}

void gather_nonblocking(MPI_Comm comm) {
  Memory in(kLong, false), out(size_ * kLong, true);
  fill(*in, kLong);
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Igather(*in, kLong, MPI_INT, *out, kLong, MPI_INT, 0, comm, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  for (int r = 0; rank_ == 0 && r < size_; ++r) check(*out + r * kLong, r, kLong);
}

/// Every second number, of which the root wants the others' blocks without gaps.
void gather_strided(MPI_Comm comm) {
  Memory in(2 * kLong, false), out(size_ * kLong, true);
  for (int i = 0; i < kLong; ++i) (*in)[2 * i] = number(rank_, i);
  MPI_Datatype strided = MPI_DATATYPE_NULL;
  MPI_Type_vector(kLong, 1, 2, MPI_INT, &strided);
  MPI_Type_commit(&strided);
  MPI_Gather(*in, 1, strided, *out, kLong, MPI_INT, 0, comm);
  MPI_Type_free(&strided);
  for (int r = 0; rank_ == 0 && r < size_; ++r) check(*out + r * kLong, r, kLong);
}

/// The same at the root: no leaf knows where that is.
void gather_to_strides(MPI_Comm comm) {
  Memory in(kLong, false), out(size_ * 2 * kLong, true);
  fill(*in, kLong);
  MPI_Datatype strided = MPI_DATATYPE_NULL, spaced = MPI_DATATYPE_NULL;
  MPI_Type_vector(kLong, 1, 2, MPI_INT, &strided);
  MPI_Type_create_resized(strided, 0, 2 * kLong * static_cast<MPI_Aint>(sizeof(int)), &spaced);
  MPI_Type_commit(&spaced);
  MPI_Gather(*in, kLong, MPI_INT, *out, 1, spaced, 0, comm);
  MPI_Type_free(&spaced);
  MPI_Type_free(&strided);
  for (int r = 0; rank_ == 0 && r < size_; ++r) check(*out + r * 2 * kLong, r, kLong, 2);
}

/// Beside a line, none, through a slot, and long, rank by rank from the root on, the last ones backwards.
std::vector<int> various_counts(int root) {
  constexpr int kCounts[] = {kLong, 5, 0, 3'000, kLong + 1, 80'000};
  std::vector<int> counts;
  for (int r = 0; r < size_; ++r) counts.push_back(kCounts[(r + size_ - root) % 6]);
  return counts;
}

void gather_various(MPI_Comm comm, int root, bool root_in_heap) {
  const std::vector<int> counts = various_counts(root);
  std::vector<int> places(counts.size());
  std::exclusive_scan(counts.rbegin(), counts.rend(), places.rbegin(), 0);
  const int own = counts[static_cast<std::size_t>(rank_)];
  Memory in(own, false), out(std::reduce(counts.begin(), counts.end()), root_in_heap);
  fill(*in, own);
  MPI_Gatherv(*in, own, MPI_INT, *out, counts.data(), places.data(), MPI_INT, root, comm);
  for (std::size_t r = 0; rank_ == root && r < counts.size(); ++r)
    check(*out + places[r], static_cast<int>(r), counts[r]);
}

/// Of the root, whether anybody's is.
bool is_straight_of_various(int root) {
  std::vector<int> counts = various_counts(root);
  if (rank_ != root) return counts[static_cast<std::size_t>(rank_)] >= kLong;
  counts[static_cast<std::size_t>(root)] = 0;
  return *std::max_element(counts.begin(), counts.end()) >= kLong;
}

void try_all(MPI_Comm comm) {
  for (const bool leaf_in_heap : {false, true})
    for (int root = 0; root < size_; ++root)
      expect_direct([&] { gather(comm, root, {true, leaf_in_heap}); }, true, "a gather into the root's heap");
  for (int root = 0; root < size_; ++root)
    expect_direct([&] { gather_various(comm, root, true); }, is_straight_of_various(root),
                  "what is long of a gatherv into the root's heap");
  expect_direct([&] { gather_in_place(comm); }, true, "a gather with a root in place");
  expect_direct([&] { gather_strided(comm); }, true, "a gather from strides");
  expect_direct([&] { gather_nonblocking(comm); }, false, "a nonblocking gather");
}

void ask_in_vain(MPI_Comm comm) {
  expect_direct([&] { gather(comm, 0, {false, true}); }, false, "a gather into private memory");
  const unsigned long before = direct_calls();
  for (int i = 0; i < kBetweenQuestions; ++i) gather(comm, 0, {true, i % 2 == 0});
  expect_that(direct_calls() == before, "who has asked in vain does not ask for a while");
  expect_direct([&] { gather(comm, 0, {true, false}); }, true, "and then again");
  expect_direct([&] { gather_to_strides(comm); }, false, "a gather to strides");
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &size_);
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);  // that nobody has asked on
  try_all(comm);
  ask_in_vain(comm);
  for (int root = 0; root < size_; ++root) gather_various(comm, root, false);
  MPI_Comm_free(&comm);
  MPI_Finalize();
  return 0;
}
