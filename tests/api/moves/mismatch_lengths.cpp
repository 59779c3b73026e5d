// Lists of blocks whose lengths disagree, of which only two ranks know: every rank learns which two and what
// lengths, in that call or in its next one. Argument: "nonblocking", "persistent" or "threads".
#include "support/mismatch.hpp"

using namespace foldlane::testing;

namespace {

using Ints = std::vector<int>;

constexpr int kApart = 2 << 20;  // bytes from block to block

constexpr Calls kGatherv{MPI_Gatherv, MPI_Igatherv, MPI_Gatherv_init};
constexpr Calls kScatterv{MPI_Scatterv, MPI_Iscatterv, MPI_Scatterv_init};
constexpr Calls kAllgatherv{MPI_Allgatherv, MPI_Iallgatherv, MPI_Allgatherv_init};
constexpr Calls kAlltoallv{MPI_Alltoallv, MPI_Ialltoallv, MPI_Alltoallv_init};
constexpr Calls kAlltoallw{MPI_Alltoallw, MPI_Ialltoallw, MPI_Alltoallw_init};

/// Taken once MPI is there: with --shared-heap they lie where the others can reach them.
std::vector<char> in, out;

/// Ranks are ints.
int& at(Ints& list, int i) { return list[static_cast<std::size_t>(i)]; }

/// Rank `from` sends so many bytes to `to`, which expects others; everybody else `usual` ones to everybody.
struct Lengths {
  int from, to, sent, expected;
  int usual = 1;
};

/// Of each rank's blocks.
struct Lists {
  Ints counts, places;

  Lists(MPI_Comm comm, int usual) : counts(static_cast<std::size_t>(size_of(comm)), usual) {
    for (int j = 0; j < size_of(comm); ++j) places.push_back(j * kApart);
  }
};

/// What a rank sends each, and expects of each.
struct BothSides {
  Lists sends, receives;

  BothSides(MPI_Comm comm, const Lengths& lengths)
      : sends(comm, lengths.usual), receives(comm, lengths.usual) {
    if (rank_in(comm) == lengths.from) at(sends.counts, lengths.to) = lengths.sent;
    if (rank_in(comm) == lengths.to) at(receives.counts, lengths.from) = lengths.expected;
  }
};

int alltoallv(MPI_Comm& comm, const Lengths& lengths) {
  const auto& [sends, receives] = BothSides(comm, lengths);
  return perform_idle(kAlltoallv, in.data(), sends.counts.data(), sends.places.data(), MPI_CHAR, out.data(),
                      receives.counts.data(), receives.places.data(), MPI_CHAR, comm);
}
int alltoallw(MPI_Comm& comm, const Lengths& lengths) {
  const auto& [sends, receives] = BothSides(comm, lengths);
  const std::vector<MPI_Datatype> types(sends.counts.size(), MPI_CHAR);
  return perform_idle(kAlltoallw, in.data(), sends.counts.data(), sends.places.data(), types.data(),
                      out.data(), receives.counts.data(), receives.places.data(), types.data(), comm);
}
/// After some that are right: boxes are known then, and every line has told of long blocks both ways before.
int alltoallv_as_before(MPI_Comm& comm, const Lengths& lengths) {
  constexpr int kMoreThanLines = 40;
  for (int i = 0; i < kMoreThanLines; ++i) {
    const int code = alltoallv(comm, {lengths.from, lengths.to, 2'000, 2'000, i == 0 ? 2'000 : 200'000});
    if (code != MPI_SUCCESS) return code;
  }
  for (int i = 0; i < kMoreThanLines; ++i) {
    const int code = alltoallv(comm, {lengths.from, lengths.to, 200'000, 200'000, 200'000});
    if (code != MPI_SUCCESS) return code;
  }
  return alltoallv(comm, lengths);
}
/// The others expect what is sent.
int allgatherv(MPI_Comm& comm, const Lengths& lengths) {
  const int rank = rank_in(comm);
  Lists receives(comm, 1);
  at(receives.counts, lengths.from) = rank == lengths.to ? lengths.expected : lengths.sent;
  return perform_idle(kAllgatherv, in.data(), rank == lengths.from ? lengths.sent : 1, MPI_CHAR, out.data(),
                      receives.counts.data(), receives.places.data(), MPI_CHAR, comm);
}
int gatherv(MPI_Comm& comm, const Lengths& lengths) {
  Lists receives(comm, 1);
  at(receives.counts, lengths.from) = lengths.expected;
  return perform_idle(kGatherv, in.data(), rank_in(comm) == lengths.from ? lengths.sent : 1, MPI_CHAR,
                      out.data(), receives.counts.data(), receives.places.data(), MPI_CHAR, lengths.to, comm);
}
/// After one that is right: then all know whether they can pull, and leaves call it from one block.
int scatterv(MPI_Comm& comm, const Lengths& lengths) {
  for (const auto& [sent, expected] : {std::pair{1, 1}, {lengths.sent, lengths.expected}}) {
    Lists sends(comm, 1);
    at(sends.counts, lengths.to) = sent;
    const int code =
        perform_idle(kScatterv, in.data(), sends.counts.data(), sends.places.data(), MPI_CHAR, out.data(),
                     rank_in(comm) == lengths.to ? expected : 1, MPI_CHAR, lengths.from, comm);
    if (code != MPI_SUCCESS) return code;
  }
  return MPI_SUCCESS;
}

void expect_lengths(const Lengths& lengths, int (*make)(MPI_Comm&, const Lengths&)) {
  const std::string said = "rank " + std::to_string(lengths.from) + " sent " + std::to_string(lengths.sent) +
                           " bytes, rank " + std::to_string(lengths.to) + " expects " +
                           std::to_string(lengths.expected);
  begin_case(said);
  MPI_Comm comm = duplicate(MPI_COMM_WORLD);
  int code = timed(comm, [&](MPI_Comm& on) { return make(on, lengths); });
  // What has been sent, but not awaited, is found in the next call of that kind.
  if (code == MPI_SUCCESS)
    code = timed(comm, [&](MPI_Comm& on) { return make(on, {lengths.from, lengths.to, 1, 1}); });
  if (code == MPI_SUCCESS) code = timed(comm, small_allreduce);
  expect(class_of(code) == MPI_ERR_TRUNCATE,
         "the class is " + std::to_string(class_of(code)) + ": " + message_of(code));
  expect_contains(message_of(code), said);
  free_in_time(comm);
  expect_works(MPI_COMM_WORLD);
}

/// Of this rank. Not by support/counters.hpp, whose macros have names of support/mismatch.hpp.
unsigned long direct_calls() {
  int provided = 0, index = -1, count = 0;
  unsigned long value = 0;
  MPI_T_pvar_session session = MPI_T_PVAR_SESSION_NULL;
  MPI_T_pvar_handle handle = MPI_T_PVAR_HANDLE_NULL;
  MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
  MPI_T_pvar_session_create(&session);
  MPI_T_pvar_get_index("foldlane_direct_calls", MPI_T_PVAR_CLASS_COUNTER, &index);
  MPI_T_pvar_handle_alloc(session, index, nullptr, &handle, &count);
  MPI_T_pvar_read(session, handle, &value);
  MPI_T_pvar_session_free(&session);
  MPI_T_finalize();
  return value;
}

void expect_few_lengths(int last) {
  for (const auto& [sent, expected] : {std::pair{40, 32}, {1'000, 2'000}, {0, 300'000}, {300'000, 200'000}}) {
    expect_lengths({last, 0, sent, expected}, alltoallw);
    expect_lengths({0, last, sent, expected}, allgatherv);
    if (form_of_calls != Form::persistent) continue;
    expect_lengths({0, last, sent, expected}, alltoallv);
    expect_lengths({last, 0, sent, expected}, gatherv);
    expect_lengths({0, last, sent, expected}, scatterv);
  }
}
void expect_many_lengths(int last) {
  for (const auto& [sent, expected] : {std::pair{40, 32},
                                       {32, 40},
                                       {2'000, 1'000},
                                       {1'000, 2'000},
                                       {300'000, 32},
                                       {32, 300'000},
                                       {0, 40},
                                       {40, 0},
                                       {0, 300'000},
                                       {300'000, 0},
                                       {300'000, 200'000}}) {
    expect_lengths({0, last, sent, expected}, alltoallv);
    expect_lengths({last, 0, sent, expected}, alltoallv);
    expect_lengths({last, 0, sent, expected}, gatherv);
    expect_lengths({0, last, sent, expected}, scatterv);
  }
}
void expect_long_lengths(int last) {
  for (const auto& [sent, expected] :
       {std::pair{300'000, 200'000}, {300'000, 0}, {0, 300'000}, {300'000, 1'000}, {1'000, 300'000}}) {
    for (const auto make : {alltoallv, alltoallv_as_before}) {
      expect_lengths({0, last, sent, expected, 200'000}, make);
      expect_lengths({last, 0, sent, expected, 200'000}, make);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  start(&argc, &argv);
  in.resize(16 << 20);
  out.resize(16 << 20);
  const int last = size_of(MPI_COMM_WORLD) - 1;
  expect_few_lengths(last);
  if (form_of_calls != Form::persistent) {
    expect_many_lengths(last);
    expect_long_lengths(last);
  }
  const bool in_heaps = std::getenv("FOLDLANE_SHARED_HEAP") != nullptr;
  expect((direct_calls() > 0) == in_heaps, "calls that match go straight between heaps, and no others");
  MPI_Finalize();
  return 0;
}
