// Ranks that can only be released by each other are named, with their calls, and the job is over; ranks that
// are released late are not.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <regex>
#include <string>
#include <vector>

#include "subprocess.hpp"

namespace foldlane::tests {
namespace {

using Words = std::vector<std::string>;

struct Case {
  const char* kind;
  int ranks;
  int stuck;
  Words lines;  // expressions for some of the lines about them
};

const std::vector<Case>& everyday_cases() {
  static const std::vector<Case> cases{
      {"receives", 2, 2, {"rank 0: MPI_Recv\\(source 1, tag 5, 8 bytes, MPI_COMM_WORLD\\), for [0-9.]+ s"}},
      {"ring", 3, 3, {"rank 2: MPI_Recv\\(source 1, tag 5, 8 bytes, MPI_COMM_WORLD\\), for .*"}},
      {"synchronous", 2, 2, {"rank 1: MPI_Ssend\\(dest 0, tag 5, 8 bytes, MPI_COMM_WORLD\\), for .*"}},
      {"large", 2, 2, {"rank 1: MPI_Send\\(dest 0, tag 5, 1048576 bytes, MPI_COMM_WORLD\\), for .*"}},
      {"tag",
       2,
       2,
       {"rank 0: MPI_Recv\\(source 1, tag 5, 8 bytes, MPI_COMM_WORLD\\), for .*",
        "        rank 1 has sent it a message with tag 6 \\(8 bytes\\) on MPI_COMM_WORLD that nobody has "
        "received"}},
      {"communicator",
       2,
       2,
       {"        rank 1 has sent it a message with tag 5 \\(8 bytes\\) on another communicator that nobody "
        "has received",
        "rank 1: MPI_Recv\\(source 0, tag 5, 8 bytes, copy\\), for .*"}},
      {"waitany",
       2,
       2,
       {"rank 0: MPI_Waitany\\(2 requests, 2 not complete: MPI_Irecv\\(source 1, tag 5, .*\\); "
        "MPI_Irecv\\(source 0, tag 6, .*\\)\\), for .*"}},
      {"waitall",
       2,
       2,
       {"rank 0: MPI_Waitall\\(2 requests, 1 not complete: MPI_Irecv\\(source 1, tag 5, 8 bytes, "
        "MPI_COMM_WORLD\\)\\), for .*"}},
      {"barrier", 2, 2, {"rank 1: MPI_Barrier\\(MPI_COMM_WORLD\\), waits for rank 0, for .*"}},
      {"others", 6, 6, {"rank 5: MPI_Barrier\\(MPI_COMM_WORLD\\), waits for rank [01], for .*"}},
  };
  return cases;
}

const std::vector<Case>& other_cases() {
  static const std::vector<Case> cases{
      {"synchronous-ring", 3, 3, {"rank 0: MPI_Ssend\\(dest 1, .*"}},
      {"source",
       3,
       3,
       {"rank 0: MPI_Recv\\(source 2, tag 5, .*",
        "        rank 1 has sent it a message with tag 5 \\(8 bytes\\) on MPI_COMM_WORLD that nobody has "
        "received"}},
      {"any-source",
       3,
       3,
       {"rank 1: MPI_Recv\\(source MPI_ANY_SOURCE, tag 5, 8 bytes, MPI_COMM_WORLD\\), .*"}},
      {"waitsome",
       2,
       2,
       {"rank 0: MPI_Waitsome\\(2 requests, 2 not complete: MPI_Irecv\\(source 1, tag 5, .*"}},
      {"wait", 2, 2, {"rank 0: MPI_Wait\\(MPI_Irecv\\(source 1, tag 5, 8 bytes, MPI_COMM_WORLD\\)\\), .*"}},
      {"probe", 2, 2, {"rank 0: MPI_Probe\\(source 1, tag MPI_ANY_TAG, MPI_COMM_WORLD\\), .*"}},
      {"mprobe", 2, 2, {"rank 0: MPI_Mprobe\\(source 1, tag 5, MPI_COMM_WORLD\\), .*"}},
      {"sendrecv",
       3,
       3,
       {"rank 1: MPI_Sendrecv\\(source 0, tag 5, 4 bytes, MPI_COMM_WORLD\\), .*",
        "        rank 0 has sent it a message with tag 0 \\(4 bytes\\) .*"}},
      {"persistent", 2, 2, {"rank 0: MPI_Wait\\(MPI_Recv_init\\(source 1, tag 5, .*"}},
      {"allreduce",
       2,
       2,
       {"rank 1: MPI_Allreduce\\(count 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD\\), waits for rank 0, .*"}},
      {"root",
       2,
       2,
       {"rank 1: MPI_Bcast\\(8 bytes of MPI_INT, root 0, MPI_COMM_WORLD\\), waits for rank 0, .*"}},
      {"finalize", 2, 2, {"rank 1: MPI_Finalize\\(MPI_COMM_WORLD\\), waits for rank 0, .*"}},
      {"self", 2, 2, {"rank 0: MPI_Recv\\(source 0, .*", "rank 1: MPI_Finalize.*"}},
      {"synchronous-self", 1, 1, {"rank 0: MPI_Ssend\\(dest 0, tag 5, 4 bytes, MPI_COMM_SELF\\), .*"}},
      {"inter", 2, 2, {"rank 1: MPI_Recv\\(source 0, tag 5, 8 bytes, intercommunicator .*\\), .*"}},
      {"inter-any", 2, 2, {"rank 1: MPI_Recv\\(source MPI_ANY_SOURCE, tag MPI_ANY_TAG, .*"}},
      {"partitioned",
       2,
       2,
       {"rank 0: MPI_Wait\\(MPI_Psend_init\\(tag 5, 2 partitions, MPI_COMM_WORLD\\)\\), .*",
        "        partition 1 is not ready: MPI_Pready has not been called for it",
        "rank 1: MPI_Wait\\(MPI_Precv_init\\(source 0, tag 5, 8 bytes, MPI_COMM_WORLD\\)\\), .*"}},
      {"flush",
       2,
       2,
       {"rank 0: the buffer attached to the process, .* tag 5 \\(1048576 bytes\\) .* rank 1 .*"}},
      {"ibarrier", 2, 2, {"rank 1: .*MPI_Barrier\\(MPI_COMM_WORLD\\), waits for rank 0.*"}},
      {"second-barrier", 2, 2, {"rank 1: .*"}},
      {"dup", 2, 2, {"rank 1: MPI_Comm_dup\\(MPI_COMM_WORLD\\), waits for rank 0, .*"}},
      {"ring", 20, 20, {"and 4 more"}},
  };
  return cases;
}

std::vector<std::string> without_prefix(const std::string& text) {
  std::vector<std::string> lines;
  const std::string prefix = "foldlane:   ";
  for (const std::string& line : lines_of(text))
    if (line.rfind(prefix, 0) == 0) lines.push_back(line.substr(prefix.size()));
  return lines;
}

void expect_report(const Case& expected, const CommandResult& result) {
  SCOPED_TRACE(std::string(expected.kind) + "\n" + result.err);
  EXPECT_EQ(result.code, 1);
  EXPECT_EQ(result.out, "");
  const std::string head = "foldlane: deadlock: " + std::to_string(expected.stuck) + " rank";
  EXPECT_NE(result.err.find(head), std::string::npos);
  EXPECT_EQ(result.err.find("foldlane: deadlock:", result.err.find(head) + 1), std::string::npos) << "once";
  const std::vector<std::string> lines = without_prefix(result.err);
  for (const std::string& line : expected.lines) {
    EXPECT_TRUE(std::any_of(lines.begin(), lines.end(), [&](const std::string& each) {
      return std::regex_match(each, std::regex(line));
    })) << line;
  }
}

Words words_of(const char* program, const Case& each) {
  return mpiexec_command({"--timeout", "60", "-n", std::to_string(each.ranks), program, each.kind});
}

/// All at once: they wait most of the time.
void expect_reports(const std::vector<Case>& cases) {
  std::vector<std::unique_ptr<Subprocess>> jobs;
  for (const Case& each : cases) jobs.push_back(std::make_unique<Subprocess>(words_of(FOLDLANE_STUCK, each)));
  for (std::size_t i = 0; i < cases.size(); ++i) expect_report(cases[i], jobs[i]->wait());
}

TEST(Deadlock, IsNamed) { expect_reports(everyday_cases()); }
TEST(DeadlockLong, IsNamedWhateverItIsMadeOf) { expect_reports(other_cases()); }

TEST(Deadlock, MayOnlyBeReported) {
  Subprocess job(
      mpiexec_command({"--deadlock", "report", "--timeout", "4", "-n", "2", FOLDLANE_STUCK, "receives"}));
  const CommandResult result = job.wait();
  EXPECT_EQ(result.code, 124) << result.err;
  const std::string head = "foldlane: deadlock: 2 ranks can only be released by each other\n";
  const std::size_t first = result.err.find(head);
  ASSERT_NE(first, std::string::npos) << result.err;
  EXPECT_EQ(result.err.find("deadlock", first + head.size()), std::string::npos) << result.err;
}

/// Sessions allow threads, so nothing is certain.
TEST(DeadlockLong, MayBeToWaitForARankThatHasEnded) {
  const auto result = mpiexec({"--timeout", "15", "-n", "2", FOLDLANE_STUCK, "ended"});
  EXPECT_EQ(result.code, 124) << result.err;
  EXPECT_TRUE(std::regex_search(
      result.err,
      std::regex("foldlane: probably a deadlock: 1 rank can only be released by itself, or by ranks "
                 "that have ended, or by other threads\n"
                 "foldlane:   rank 0: MPI_Recv\\(source 1, tag 5, 8 bytes, .*\\), for 1[0-9.]+ s\n"
                 "foldlane:   rank 1: has ended\n")))
      << result.err;
}

TEST(Deadlock, NeedNotBeLookedFor) {
  Subprocess job(
      mpiexec_command({"--deadlock", "off", "--timeout", "2", "-n", "2", FOLDLANE_STUCK, "receives"}));
  const CommandResult result = job.wait();
  EXPECT_EQ(result.code, 124) << result.err;
  EXPECT_EQ(result.err.find("deadlock"), std::string::npos) << result.err;
}

TEST(Deadlock, IsTreatedAsThereIsOnlyWhatIsKnown) {
  const auto option = mpiexec({"--deadlock", "no", "-n", "1", FOLDLANE_STUCK, "receives"});
  EXPECT_EQ(option.code, 2);
  EXPECT_NE(option.err.find("--deadlock"), std::string::npos) << option.err;
  const auto variable = mpiexec({"-x", "FOLDLANE_DEADLOCK=no", "-n", "1", FOLDLANE_STUCK, "receives"});
  EXPECT_NE(variable.err.find(
                "MPI_Init: reading FOLDLANE_DEADLOCK: there is no 'no'; known are abort, report, off"),
            std::string::npos)
      << variable.err;
}

void expect_silence(const Words& kinds, int ranks) {
  std::vector<std::unique_ptr<Subprocess>> jobs;
  for (const std::string& kind : kinds) {
    jobs.push_back(std::make_unique<Subprocess>(
        mpiexec_command({"-n", std::to_string(ranks), FOLDLANE_RELEASED, kind})));
  }
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    const CommandResult result = jobs[i]->wait();
    EXPECT_EQ(result.code, 0) << kinds[i];
    EXPECT_EQ(result.err, "") << kinds[i];
  }
}

TEST(Deadlock, IsNoneWhereSomebodyIsLate) { expect_silence({"row", "stopped", "stopped-while-waiting"}, 4); }
/// Of the requests of an MPI_Waitall, which has looked at the first only when it says what it waits for.
TEST(Deadlock, IsNoneInWhatHasCome) {
  const CommandResult result =
      mpiexec({"-x", "FOLDLANE_DEADLOCK_HASTE=1000", "-n", "3", FOLDLANE_RELEASED, "waitall"});
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(result.err, "");
}
TEST(DeadlockLong, IsNoneWhereSomebodyIsLateWhateverTheOthersDo) {
  const Words kinds{"row",
                    "row-downwards",
                    "barrier",
                    "bcast",
                    "any",
                    "waitany",
                    "waitall",
                    "late-receiver",
                    "probe",
                    "test",
                    "slow-ring",
                    "stopped",
                    "stopped-while-waiting"};
  expect_silence(kinds, 4);
  expect_silence(kinds, 16);
}

}  // namespace
}  // namespace foldlane::tests
