// Calls that are started and waited for, of an MPI that has them by the means of its blocking calls, and of
// one that has none.
#include <gtest/gtest.h>

#include "support/bench_run.hpp"
#include "support/fake_peer.hpp"

namespace foldlane::bench {
namespace {

using nlohmann::json;

/// Complete when it has started: nothing is hidden behind anything. As with functions, an argument of a call
/// takes place: the probe counts in one. What is kept is weak, so that all files of the probe share it.
constexpr char kEmulating[] = R"(#define _GNU_SOURCE
#include <mpi.h>
#define SHARED __attribute__((weak))
SHARED const void* from; SHARED void* to; SHARED int many; SHARED MPI_Datatype kind; SHARED MPI_Op how;
static int keep(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op, MPI_Request* request) {
  from = in, to = out, many = count, kind = type, how = op, *request = MPI_REQUEST_NULL;
  return MPI_SUCCESS;
}
static int start(void) { return MPI_Allreduce(from, to, many, kind, how, MPI_COMM_WORLD); }
#define MPI_Iallreduce(in, out, count, type, op, comm, request) (keep(in, out, count, type, op, request), start())
#define MPI_Allreduce_init(in, out, count, type, op, comm, info, request) keep(in, out, count, type, op, request)
#define MPI_Start(request) ((void)(request), start())
#define MPI_Test(request, done, status) (*(done) = 1, MPI_SUCCESS)
#define MPI_Wait(request, status) ((void)(request), MPI_SUCCESS)
#define MPI_Request_free(request) ((void)(request), MPI_SUCCESS)
)";

/// The one says so when it is called, the other is told by the compiler.
constexpr char kRefusing[] = R"(#define _GNU_SOURCE
#include <mpi.h>
#define MPI_Iallreduce(...) MPI_ERR_UNSUPPORTED_OPERATION
#undef MPI_VERSION
#define MPI_VERSION 3
)";

/// Each of the two does what the other should; who gathers gets a wrong byte, as does who is given a block.
constexpr char kMixingBlocksUp[] = R"(#define _GNU_SOURCE
#include <mpi.h>
#define SHARED __attribute__((weak))
SHARED int spoilt(int code, void* buffer) { return *(char*)buffer ^= 1, code; }
#define MPI_Alltoall(...) (MPI_Allgather)(__VA_ARGS__)
#define MPI_Allgather(...) (MPI_Alltoall)(__VA_ARGS__)
#define MPI_Neighbor_alltoall(...) (MPI_Neighbor_allgather)(__VA_ARGS__)
#define MPI_Neighbor_allgather(...) (MPI_Neighbor_alltoall)(__VA_ARGS__)
#define MPI_Gatherv(in, n, type, out, ns, at, kind, root, comm) \
  spoilt((MPI_Gatherv)(in, n, type, out, ns, at, kind, root, comm), out)
#define MPI_Scatterv(in, ns, at, type, out, n, kind, root, comm) \
  spoilt((MPI_Scatterv)(in, ns, at, type, out, n, kind, root, comm), out)
)";

/// Our library with other calls than it has.
class Other {
 public:
  explicit Other(const char* header) { tree_.write("calls.h", header); }
  std::string path() const { return peer_.path(); }

 private:
  FakeTree tree_;
  FakePeer peer_{"echo HYDRA build details:; echo '    Version:   4.2.1'",
                 "exec " FOLDLANE_BIN "/mpicc -include " + std::string(tree_.root() / "calls.h") + " \"$@\"",
                 "exec " FOLDLANE_BIN "/mpiexec \"$@\""};
};

json cases_against(const std::string& peer, Words arguments) {
  arguments.insert(arguments.end(), {"--vs", peer, "--json", "-"});
  const auto result = bench(arguments);
  EXPECT_EQ(result.code, 0) << result.err;
  return report_of(result).at("cases");
}

TEST(BenchForms, AreMeasuredAndVerified) {
  const Other other(kEmulating);
  const json cases =
      cases_against(other.path(), {"iallreduce", "allreduce_init", "-b", "8", "-e", "512K", "-f", "65536"});
  ASSERT_EQ(cases.size(), 2u * 2);
  for (const json& entry : cases) {
    const json figure = figure_of(entry, other.path());
    EXPECT_GT(figure.at("time").at("value"), 0);
    EXPECT_EQ(figure.at("check").at("done"), true);
    EXPECT_EQ(figure.at("check").at("wrong_elements"), 0) << entry.dump();
    EXPECT_EQ(figure.at("check").at("canonical"), true) << entry.dump();
  }
}

/// Of 2 blocks of 2 elements in each of 2 ranks, those of the first rank are right by chance; among
/// neighbours the second block of each.
TEST(BenchBlocks, OfOtherRanksOrWithAWrongByteAreCaught) {
  const Other other(kMixingBlocksUp);
  const json cases =
      cases_against(other.path(), {"alltoall", "allgather", "neighbor_alltoall", "neighbor_allgather",
                                   "gatherv", "scatterv", "alltoallw", "ialltoall", "-b", "16", "-e", "16"});
  const std::vector<int> wrong{4, 4, 4, 4, 1, 2, 0, 0};
  ASSERT_EQ(cases.size(), wrong.size());
  for (std::size_t i = 0; i < wrong.size(); ++i)
    EXPECT_EQ(figure_of(cases[i], other.path()).at("check").at("wrong_elements"), wrong[i])
        << cases[i].dump();
}

TEST(BenchForms, ThatAreNotThereAreNamedAndTheRunGoesOn) {
  const Other other(kRefusing);
  const json cases =
      cases_against(other.path(), {"iallreduce", "allreduce_init", "allreduce", "-b", "8", "-e", "8"});
  ASSERT_EQ(cases.size(), 3u);
  for (const std::size_t i : {0U, 1U}) EXPECT_TRUE(is_lacked_by(cases[i], other.path())) << cases[i].dump();
  EXPECT_GT(figure_of(cases[2], other.path()).at("time").at("value"), 0);
}

TEST(BenchForms, ThatCompleteInTheirStartHideNothing) {
  const Other other(kEmulating);
  const json cases = cases_against(other.path(), {"--overlap", "-b", "1M", "-e", "1M"});
  ASSERT_EQ(cases.size(), 3u);
  for (const json& entry : cases) {
    const json overlap = figure_of(entry, other.path()).at("overlap");
    // Beside other programs the interval is 0 to 100, with 50 in the middle: then it says nothing.
    EXPECT_LT(overlap.at("hidden_percent").at("low"), 50) << entry.dump();
    EXPECT_GT(overlap.at("computing"), 0);
  }
  const json late = figure_of(cases[2], other.path());
  EXPECT_GT(late.at("overlap").at("alone"), 1500);  // of 2 ms, if the machine slowed down after calibration
  EXPECT_GT(late.at("time").at("value"), 3000);
}

}  // namespace
}  // namespace foldlane::bench
