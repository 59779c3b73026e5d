// Programs whose ranks wait for each other for ever, one for each call that they may wait in, are told so by
// that call's name (tests/api/deadlock/stuck_calls.cpp). deadlock_test.cpp has those that differ otherwise.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <regex>
#include <string>
#include <vector>

#include "subprocess.hpp"

namespace foldlane::tests {
namespace {

struct Wrong {
  const char* kind;
  const char* line;  // expression for what is said of rank 1
};

const std::vector<Wrong> kSome{
    {"Comm_split", "MPI_Comm_split\\(MPI_COMM_WORLD\\), waits for rank 0"},
    {"Isend", "MPI_Wait\\(MPI_Isend\\(dest 0, tag 5, 1048576 bytes, MPI_COMM_WORLD\\)\\)"},
    {"crossed-barriers", "MPI_Barrier\\(b\\), waits for rank 0"},
    {"Neighbor_alltoall", "MPI_Neighbor_alltoall\\(ring\\), waits for rank 0"},
    {"inter-barrier", "MPI_Barrier\\(inter\\), waits for rank 0"},
    {"Alltoallv", "MPI_Alltoallv\\(MPI_COMM_WORLD\\), waits for rank 0"},
};

const std::vector<Wrong> kOthers{
    {"Bcast", "MPI_Bcast\\(4 bytes of MPI_INT, root 0, MPI_COMM_WORLD\\), waits for rank 0"},
    {"Reduce", "MPI_Reduce\\(count 1, MPI_INT, MPI_SUM, root 1, MPI_COMM_WORLD\\), waits for rank 0"},
    {"Reduce_scatter",
     "MPI_Reduce_scatter\\(counts .*, MPI_INT, MPI_SUM, MPI_COMM_WORLD\\), waits for rank 0"},
    {"Reduce_scatter_block",
     "MPI_Reduce_scatter_block\\(count 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD\\), waits for rank 0"},
    {"Scan", "MPI_Scan\\(count 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD\\), waits for rank 0"},
    {"Exscan", "MPI_Exscan\\(count 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD\\), waits for rank 0"},
    {"Iallreduce", ".*MPI_I?[Aa]llreduce\\(count 1, .*"},
    {"Ibcast", ".*MPI_I?[Bb]cast\\(4 bytes .*"},
    {"Allreduce_init", ".*MPI_Allreduce(_init)?\\(.*"},
    {"Barrier_init", ".*MPI_Barrier(_init)?\\(.*"},
    {"Gather", "MPI_Gather\\(blocks of 4 bytes, root 1, MPI_COMM_WORLD\\), waits for rank 0"},
    {"Gatherv", "MPI_Gatherv\\(root 1, MPI_COMM_WORLD\\), waits for rank 0"},
    {"Scatter", "MPI_Scatter\\(blocks of 4 bytes, root 0, MPI_COMM_WORLD\\), waits for rank 0"},
    {"Scatterv", "MPI_Scatterv\\(root 0, MPI_COMM_WORLD\\), waits for rank 0"},
    {"Allgather", "MPI_Allgather\\(blocks of 4 bytes, MPI_COMM_WORLD\\), waits for rank 0"},
    {"Allgatherv", "MPI_Allgatherv\\(MPI_COMM_WORLD\\), waits for rank 0"},
    {"Alltoall", "MPI_Alltoall\\(blocks of 4 bytes, MPI_COMM_WORLD\\), waits for rank 0"},
    {"Alltoallw", "MPI_Alltoallw\\(MPI_COMM_WORLD\\), waits for rank 0"},
    {"Alltoall-long", "MPI_Alltoall\\(blocks of 524288 bytes, MPI_COMM_WORLD\\), waits for rank 0"},
    {"Ialltoallv", ".*MPI_I?[Aa]lltoallv\\(.*"},
    {"Allgather_init", ".*MPI_Allgather(_init)?\\(.*"},
    {"Comm_split_type", "MPI_Comm_split.*"},
    {"Comm_create", "MPI_Comm_create\\(MPI_COMM_WORLD\\), waits for rank 0"},
    {"Comm_create_group", "MPI_Comm_create_group, waits for rank 0"},
    {"Comm_idup", "MPI_Wait\\(MPI_Comm_idup\\(MPI_COMM_WORLD\\)\\)"},
    {"Sendrecv_replace", "MPI_Sendrecv_replace\\(source 0, tag 2, 4 bytes, MPI_COMM_WORLD\\)"},
    {"Isendrecv", "MPI_Wait\\(MPI_Isendrecv\\(source 0, tag 2, 4 bytes, MPI_COMM_WORLD\\)\\)"},
    {"Issend", "MPI_Wait\\(MPI_Issend\\(dest 0, tag 5, 4 bytes, MPI_COMM_WORLD\\)\\)"},
    {"Ssend_init", "MPI_Wait\\(MPI_Ssend_init\\(dest 0, tag 5, 4 bytes, MPI_COMM_WORLD\\)\\)"},
    {"Send_init", "MPI_Wait\\(MPI_Send_init\\(dest 0, tag 5, 1048576 bytes, MPI_COMM_WORLD\\)\\)"},
    {"Psend_init", "MPI_Wait\\(MPI_Psend_init\\(tag 5, 1 partitions, MPI_COMM_WORLD\\)\\)"},
    {"Precv_init", "MPI_Wait\\(MPI_Precv_init\\(source 0, tag 5, 4 bytes, MPI_COMM_WORLD\\)\\)"},
    {"Startall", "MPI_Waitall\\(2 requests, 2 not complete: MPI_Recv_init.*; MPI_Ssend_init.*\\)"},
    {"Probe-any", "MPI_Probe\\(source MPI_ANY_SOURCE, tag MPI_ANY_TAG, MPI_COMM_WORLD\\)"},
    {"Mprobe-any", "MPI_Mprobe\\(source MPI_ANY_SOURCE, tag 5, MPI_COMM_WORLD\\)"},
    {"twice", "MPI_Recv\\(source 0, tag 5, 8 bytes, MPI_COMM_WORLD\\)"},
    {"tag", "MPI_Recv\\(source 0, tag 6, 8 bytes, MPI_COMM_WORLD\\)"},
    {"duplicate", "MPI_Recv\\(source 0, tag 5, 8 bytes, copy\\)"},
    {"crossed-reductions", "MPI_Allreduce\\(count 2, MPI_INT, MPI_SUM, b\\), waits for rank 0"},
    {"crossed-exchanges", "MPI_Alltoall\\(blocks of 4 bytes, b\\), waits for rank 0"},
    {"inter-allgather", "MPI_Allgather\\(inter\\), waits for rank 0"},
    {"Ineighbor_allgather", ".*MPI_I?[Nn]eighbor_allgather\\(ring\\).*"},
    {"inter-merge", "MPI_Intercomm_merge\\(inter\\), waits for rank 0"},
    {"inter-synchronous", "MPI_Ssend\\(dest 0, tag 5, 4 bytes, inter\\)"},
    {"Intercomm_create", "MPI_Intercomm_create, waits for rank 0"},
    {"Comm_flush_buffer",
     "the buffer attached to the communicator, .* tag 5 \\(1048576 bytes\\) .* rank 0 .*"},
    {"Buffer_detach", "the buffer attached to the process, .* tag 5 \\(1048576 bytes\\) .* rank 0 .*"},
};

void expect_told(const std::vector<Wrong>& all) {
  std::vector<std::unique_ptr<Subprocess>> jobs;
  for (const Wrong& each : all) {
    jobs.push_back(std::make_unique<Subprocess>(
        mpiexec_command({"--timeout", "60", "-n", "2", FOLDLANE_STUCK_CALLS, each.kind})));
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    const CommandResult result = jobs[i]->wait();
    SCOPED_TRACE(std::string(all[i].kind) + "\n" + result.err);
    EXPECT_EQ(result.code, 1);
    EXPECT_EQ(result.out, "");
    EXPECT_NE(result.err.find("foldlane: deadlock: 2 ranks can only be released by each other\n"),
              std::string::npos);
    const std::regex line("foldlane:   rank 1: " + std::string(all[i].line) + ", for [0-9.]+ s");
    const auto lines = lines_of(result.err);
    EXPECT_TRUE(std::any_of(lines.begin(), lines.end(), [&](const std::string& each) {
      return std::regex_match(each, line);
    })) << all[i].line;
  }
}

TEST(WrongPrograms, AreToldWhatTheyWaitFor) { expect_told(kSome); }
TEST(WrongProgramsLong, AreToldWhatTheyWaitForWhateverTheyCall) { expect_told(kOthers); }

}  // namespace
}  // namespace foldlane::tests
