// Of two ranks, arguments that are as usual take a short way. What means nothing at a rank is not looked at
// there, and numbers that make no sense are refused as on the long way.
#include <mpi.h>

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "support/expect.h"

namespace {

constexpr int kRanks = 2;
using Ints = std::array<int, kRanks>;
constexpr Ints kOnes{1, 1}, kPlaces{0, 1};

int rank_;

int class_of(int code) {
  int error_class = MPI_SUCCESS;
  MPI_Error_class(code, &error_class);
  return error_class;
}

/// What no rank may touch.
void* const kNowhere = reinterpret_cast<void*>(std::uintptr_t{64});
const int* const kNoNumbers = nullptr;
const auto kNoType = reinterpret_cast<MPI_Datatype>(std::uintptr_t{0x7ff1});

enum class Form { blocking, nonblocking, persistent };

/// call(request), by its form; MPI_REQUEST_NULL: it has ended.
template <class Call>
void carry_out(Form form, const Call& call) {
  MPI_Request request = MPI_REQUEST_NULL;
  expect_that(call(&request) == MPI_SUCCESS, "a call whose insignificant arguments are garbage");
  if (form == Form::blocking) return;
  for (int start = 0; start < (form == Form::persistent ? 2 : 1); ++start) {
    if (form == Form::persistent) MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  if (form == Form::persistent) MPI_Request_free(&request);
}

void expect_gathers(Form form, int root) {
  const int own = 10 + rank_;
  const bool is_root = rank_ == root;
  Ints all{};
  void* const to = is_root ? all.data() : kNowhere;
  const int count = is_root ? 1 : -7;
  const MPI_Datatype type = is_root ? MPI_INT : kNoType;
  const int* const counts = is_root ? kOnes.data() : kNoNumbers;
  const int* const places = is_root ? kPlaces.data() : kNoNumbers;
  const MPI_Comm world = MPI_COMM_WORLD;
  carry_out(form, [&](MPI_Request* request) {
    if (form == Form::blocking) return MPI_Gather(&own, 1, MPI_INT, to, count, type, root, world);
    if (form == Form::nonblocking)
      return MPI_Igather(&own, 1, MPI_INT, to, count, type, root, world, request);
    return MPI_Gather_init(&own, 1, MPI_INT, to, count, type, root, world, MPI_INFO_NULL, request);
  });
  expect_that(!is_root || (all == Ints{10, 11}), "the gathered numbers");
  all = {};
  carry_out(form, [&](MPI_Request* request) {
    if (form == Form::blocking) return MPI_Gatherv(&own, 1, MPI_INT, to, counts, places, type, root, world);
    if (form == Form::nonblocking)
      return MPI_Igatherv(&own, 1, MPI_INT, to, counts, places, type, root, world, request);
    return MPI_Gatherv_init(&own, 1, MPI_INT, to, counts, places, type, root, world, MPI_INFO_NULL, request);
  });
  expect_that(!is_root || (all == Ints{10, 11}), "the gathered numbers of a list");
}

void expect_scatters(Form form, int root) {
  const Ints all{20, 21};
  const bool is_root = rank_ == root;
  int own = 0;
  const void* const from = is_root ? all.data() : kNowhere;
  const int count = is_root ? 1 : -7;
  const MPI_Datatype type = is_root ? MPI_INT : kNoType;
  const int* const counts = is_root ? kOnes.data() : kNoNumbers;
  const int* const places = is_root ? kPlaces.data() : kNoNumbers;
  const MPI_Comm world = MPI_COMM_WORLD;
  carry_out(form, [&](MPI_Request* request) {
    if (form == Form::blocking) return MPI_Scatter(from, count, type, &own, 1, MPI_INT, root, world);
    if (form == Form::nonblocking)
      return MPI_Iscatter(from, count, type, &own, 1, MPI_INT, root, world, request);
    return MPI_Scatter_init(from, count, type, &own, 1, MPI_INT, root, world, MPI_INFO_NULL, request);
  });
  expect_that(own == 20 + rank_, "the scattered number");
  own = 0;
  carry_out(form, [&](MPI_Request* request) {
    if (form == Form::blocking)
      return MPI_Scatterv(from, counts, places, type, &own, 1, MPI_INT, root, world);
    if (form == Form::nonblocking)
      return MPI_Iscatterv(from, counts, places, type, &own, 1, MPI_INT, root, world, request);
    return MPI_Scatterv_init(from, counts, places, type, &own, 1, MPI_INT, root, world, MPI_INFO_NULL,
                             request);
  });
  expect_that(own == 20 + rank_, "the scattered number of a list");
}

/// Nothing is there, so it may lie in what others get.
void expect_nothing_within_a_result() {
  const int root = 0;
  Ints all{};
  const int own = 5;
  const std::array counts{0, 1};
  if (rank_ == root) {
    MPI_Gatherv(all.data(), 0, MPI_INT, all.data(), counts.data(), kPlaces.data(), MPI_INT, root,
                MPI_COMM_WORLD);
    expect_that((all == Ints{0, 5}), "a gatherv to where an empty input is");
  } else {
    MPI_Gatherv(&own, 1, MPI_INT, nullptr, nullptr, nullptr, MPI_INT, root, MPI_COMM_WORLD);
  }
}

int exchange(const std::array<MPI_Count, kRanks>& counts, const std::array<MPI_Aint, kRanks>& places) {
  const Ints in{1, 2};
  Ints out{};
  const std::array<MPI_Count, kRanks> ones{1, 1};
  const std::array<MPI_Aint, kRanks> usual{0, 1};
  return MPI_Alltoallv_c(in.data(), ones.data(), usual.data(), MPI_INT, out.data(), counts.data(),
                         places.data(), MPI_INT, MPI_COMM_WORLD);
}

void expect_refused_numbers() {
  constexpr auto kMost = std::numeric_limits<MPI_Count>::max(),
                 kLeast = std::numeric_limits<MPI_Count>::min();
  expect_that((exchange({1, kMost}, {0, 1}) != MPI_SUCCESS), "a count whose bytes cannot be counted");
  expect_that((class_of(exchange({1, kLeast}, {0, 1})) == MPI_ERR_COUNT), "the least count");
  expect_that((class_of(exchange({-1, 1}, {0, 1})) == MPI_ERR_COUNT), "a negative count");
  expect_that((class_of(exchange({1, 1}, {0, MPI_Aint{1} << 62})) == MPI_ERR_ARG),
              "a displacement that no address space has");
  expect_that((exchange({1, 1}, {0, 1}) == MPI_SUCCESS), "an exchange behind mistakes");
}

/// By the call itself, not by the next one. The first exchange of blocks of this size tells both where their
/// boxes are.
void expect_wrong_lengths_are_told(int count, const char* what) {
  static std::array<int, 4096> in, out;
  const std::array right{count, count}, wrong{count, count + 1}, places{0, 2048};
  const auto gather = [&](MPI_Comm comm, const std::array<int, kRanks>& counts, int own) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Iallgatherv(in.data(), own, MPI_INT, out.data(), counts.data(), places.data(), MPI_INT, comm,
                    &request);
    return MPI_Wait(&request, MPI_STATUS_IGNORE);
  };
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  for (int i = 0; i < 2; ++i) expect_that((gather(comm, right, count) == MPI_SUCCESS), what);
  const int code = rank_ == 0 ? gather(comm, right, count) : gather(comm, wrong, count + 1);
  if (rank_ == 0) expect_that((class_of(code) == MPI_ERR_TRUNCATE), what);  // what the other gets is right
  MPI_Comm_free(&comm);
}

/// What one rank finds usual the other one need not: both must cut alike. Longer than boxes, of memory that
/// the other one cannot reach and that it can.
void expect_long_blocks_beside_gaps(bool in_heap) {
  constexpr int kCount = 20'000, kEach = kRanks * kCount;
  int *in = nullptr, *out = nullptr;
  std::vector<int> private_in(kEach), private_out(2 * kEach);
  if (in_heap) {
    MPI_Alloc_mem(kEach * sizeof(int), MPI_INFO_NULL, &in);
    MPI_Alloc_mem(2 * kEach * sizeof(int), MPI_INFO_NULL, &out);
  } else {
    in = private_in.data();
    out = private_out.data();
  }
  MPI_Datatype gapped = MPI_DATATYPE_NULL;
  MPI_Type_vector(kCount, 1, 2, MPI_INT, &gapped);
  MPI_Type_commit(&gapped);
  for (int odd = 0; odd < kRanks; ++odd)
    for (int root = 0; root < kRanks; ++root) {
      for (int i = 0; i < kEach; ++i) in[i] = rank_ * kEach + i;
      const bool has_gaps = rank_ == odd;
      const int count = has_gaps ? 1 : kCount, stride = has_gaps ? 2 : 1;
      const MPI_Datatype type = has_gaps ? gapped : MPI_INT;
      // The blocks of a type with gaps overlap nothing: its extent ends with its last element.
      const int next = has_gaps ? 2 * kCount - 1 : kCount;
      const auto is_block = [&](int place, int from, int first) {
        for (int i = 0; i < kCount; ++i)
          if (out[place * next + i * stride] != from * kEach + first + i) return false;
        return true;
      };
      MPI_Alltoall(in, kCount, MPI_INT, out, count, type, MPI_COMM_WORLD);
      expect_that(is_block(0, 0, rank_ * kCount) && is_block(1, 1, rank_ * kCount),
                  "long blocks of an alltoall, one side with gaps");
      MPI_Gather(in, kCount, MPI_INT, out, count, type, root, MPI_COMM_WORLD);
      expect_that(rank_ != root || (is_block(0, 0, 0) && is_block(1, 1, 0)),
                  "long blocks of a gather, one side with gaps");
      MPI_Scatter(in, kCount, MPI_INT, out, count, type, root, MPI_COMM_WORLD);
      expect_that(is_block(0, root, rank_ * kCount), "long blocks of a scatter, one side with gaps");
    }
  MPI_Type_free(&gapped);
  if (!in_heap) return;
  MPI_Free_mem(in);
  MPI_Free_mem(out);
}

/// A handle has the number of its slot in its lowest 20 bits, and free slots are used first.
std::uintptr_t slot_of(MPI_Request request) {
  return reinterpret_cast<std::uintptr_t>(request) & ((std::uintptr_t{1} << 20) - 1);
}

/// What is not as usual, and what goes through boxes, is looked at in a slot and then makes a request in
/// another one: none may be lost.
void expect_slots_come_back(MPI_Datatype type, int count, const char* what) {
  constexpr int kRounds = 1000;
  static std::array<int, 1024> in, out;
  for (int round = 0; round < kRounds; ++round) {
    MPI_Request once = MPI_REQUEST_NULL, persistent = MPI_REQUEST_NULL;
    int code = MPI_Ialltoall(in.data(), count, type, out.data(), count, type, MPI_COMM_WORLD, &once);
    expect_that(code == MPI_SUCCESS && once != MPI_REQUEST_NULL, what);
    code = MPI_Alltoall_init(in.data(), count, type, out.data(), count, type, MPI_COMM_WORLD, MPI_INFO_NULL,
                             &persistent);
    expect_that(code == MPI_SUCCESS && persistent != MPI_REQUEST_NULL, what);
    expect_that(slot_of(once) < kRounds / 2 && slot_of(persistent) < kRounds / 2, what);
    MPI_Wait(&once, MPI_STATUS_IGNORE);
    MPI_Request_free(&persistent);
  }
}

void expect_slots_come_back() {
  MPI_Datatype gapped = MPI_DATATYPE_NULL;
  MPI_Type_vector(2, 1, 2, MPI_INT, &gapped);
  MPI_Type_commit(&gapped);
  expect_slots_come_back(gapped, 1, "slots of requests for a type with gaps");
  MPI_Type_free(&gapped);
  expect_slots_come_back(MPI_INT, 100, "slots of requests for what goes through boxes");
  expect_slots_come_back(MPI_INT, 1, "slots of requests for what goes in lines");
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  for (const Form form : {Form::blocking, Form::nonblocking, Form::persistent}) {
    for (int root = 0; root < kRanks; ++root) {
      expect_gathers(form, root);
      expect_scatters(form, root);
    }
  }
  expect_nothing_within_a_result();
  expect_refused_numbers();
  expect_wrong_lengths_are_told(1, "MPI_Iallgatherv, a line");
  expect_wrong_lengths_are_told(1000, "MPI_Iallgatherv, a box");
  expect_slots_come_back();
  expect_long_blocks_beside_gaps(false);
  expect_long_blocks_beside_gaps(true);
  MPI_Finalize();
  return 0;
}
