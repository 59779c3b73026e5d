// `mpiexec --record DIR` and `--replay DIR`: a run whose order is that of the moment has it again.
#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <fstream>

#include "subprocess.hpp"

namespace foldlane::tests {
namespace {

/// A directory that goes with the test.
class Replay : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::remove_all(directory_); }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  CommandResult run(const std::string& option, const std::string& ranks = "4") const {
    return mpiexec({"-n", ranks, option, directory_, FOLDLANE_REPLAY_RANK});
  }
  CommandResult run_farm(const std::string& option) const {
    return mpiexec({"-n", "4", option, directory_, FOLDLANE_FARM, std::to_string(kTasks), "100"});
  }
  std::string record_of(int rank) const {
    std::ifstream file(directory_ + "/rank-" + std::to_string(rank));
    return {std::istreambuf_iterator<char>(file), {}};
  }
  void set_record_of(int rank, const std::string& text) const {
    std::ofstream(directory_ + "/rank-" + std::to_string(rank)) << text;
  }

  static constexpr int kTasks = 60;
  std::string directory_ = testing::TempDir() + "foldlane-replay-" + std::to_string(getpid());
};

TEST_F(Replay, HasTheOutcomesOfTheRecordedRun) {
  const CommandResult recorded = run("--record");
  ASSERT_EQ(recorded.code, 0) << recorded.err;
  ASSERT_NE(recorded.out, "");
  for (int again = 0; again < 3; ++again) {
    const CommandResult replayed = run("--replay");
    ASSERT_EQ(replayed.code, 0) << replayed.err;
    ASSERT_EQ(replayed.out, recorded.out);
    ASSERT_EQ(replayed.err, "");
  }
}

/// As a user may do who wonders what another order would give.
TEST_F(Replay, FollowsARecordThatWasWritten) {
  std::filesystem::create_directory(directory_);
  std::string record = "foldlane record 1, rank 0 of 4\n";
  std::string expected;
  for (int i = 0; i < 15; ++i) {  // the last rank's messages first, and of each rank in their order
    const int source = 3 - i / 5, number = i % 5, tag = 3 + number % 2;
    record +=
        "receive " + std::to_string(i + 1) + " " + std::to_string(source) + " " + std::to_string(tag) + "\n";
    expected +=
        "recv " + std::to_string(source) + " " + std::to_string(tag) + " " + std::to_string(number) + "\n";
  }
  set_record_of(0, record);
  for (int rank = 1; rank < 4; ++rank)
    set_record_of(rank, "foldlane record 1, rank " + std::to_string(rank) + " of 4\n");
  const CommandResult replayed = run("--replay");
  EXPECT_EQ(replayed.code, 0) << replayed.err;
  EXPECT_EQ(replayed.out.substr(0, expected.size()), expected);
  EXPECT_NE(replayed.err.find("rank-0 ends here; the program goes on by itself"), std::string::npos)
      << replayed.err;
}

TEST_F(Replay, HandsOutTheTasksOfAFarmAsInTheRecordedRun) {
  const CommandResult recorded = run_farm("--record");
  ASSERT_EQ(recorded.code, 0) << recorded.err;
  ASSERT_NE(recorded.out.find("tasks   done by each worker:"), std::string::npos) << recorded.out;
  for (int again = 0; again < 3; ++again) {
    const CommandResult replayed = run_farm("--replay");
    ASSERT_EQ(replayed.code, 0) << replayed.err;
    ASSERT_EQ(replayed.out, recorded.out);
    ASSERT_EQ(replayed.err, "");
  }
}

/// The last worker does all there is, and only then do the others get to know that there is nothing.
TEST_F(Replay, HandsOutTheTasksOfAFarmAsARecordSaysThatWasWritten) {
  constexpr int kAsks = 1, kResult = 2, kTask = 3, kNoMore = 4;  // as in farm.cpp
  std::filesystem::create_directory(directory_);
  std::array<std::string, 4> records;
  std::array<int, 4> received{};
  for (std::size_t rank = 0; rank < records.size(); ++rank)
    records[rank] = "foldlane record 1, rank " + std::to_string(rank) + " of 4\n";
  const auto receive = [&](std::size_t rank, std::size_t source, int tag) {
    records[rank] += "receive " + std::to_string(++received[rank]) + " " + std::to_string(source) + " " +
                     std::to_string(tag) + "\n";
  };
  receive(0, 3, kAsks);
  for (int task = 0; task < kTasks; ++task) {
    receive(3, 0, kTask);
    receive(0, 3, kResult);
  }
  receive(3, 0, kNoMore);
  for (const std::size_t idle : {2U, 1U}) {
    receive(0, idle, kAsks);
    receive(idle, 0, kNoMore);
  }
  for (int rank = 0; rank < 4; ++rank) set_record_of(rank, records[static_cast<std::size_t>(rank)]);
  const CommandResult replayed = run_farm("--replay");
  EXPECT_EQ(replayed.code, 0) << replayed.err;
  EXPECT_NE(replayed.out.find("tasks   done by each worker: 0 0 60\n"), std::string::npos) << replayed.out;
  EXPECT_EQ(replayed.err, "");
}

TEST_F(Replay, NamesWhatDoesNotFit) {
  ASSERT_EQ(run("--record").code, 0);
  const CommandResult fewer = run("--replay", "3");
  EXPECT_NE(fewer.code, 0);
  // Every rank finds that; the first one to say so ends the others.
  bool is_named = false;
  for (const char* rank : {"rank 0", "rank 1", "rank 2"})
    is_named |= fewer.err.find("begins with \"foldlane record 1, " + std::string(rank) +
                               " of 4\" instead of") != std::string::npos;
  EXPECT_TRUE(is_named) << fewer.err;
  std::string record = record_of(0);
  record.replace(record.find("MPI_Waitany"), 11, "MPI_Testany");
  set_record_of(0, record);
  const CommandResult other = run("--replay");
  EXPECT_NE(other.code, 0);
  EXPECT_NE(other.err.find("the recorded run called MPI_Testany here"), std::string::npos) << other.err;
  EXPECT_NE(other.err.find("MPI_Waitany"), std::string::npos) << other.err;
  set_record_of(0, "foldlane record 1, rank 0 of 4\nreceive one\n");
  const CommandResult broken = run("--replay");
  EXPECT_NE(broken.code, 0);
  EXPECT_NE(broken.err.find("line 2 is \"receive one\""), std::string::npos) << broken.err;
}

TEST_F(Replay, SaysWhereItCannotReadOrWrite) {
  const CommandResult nothing = run("--replay");
  EXPECT_NE(nothing.code, 0);
  EXPECT_NE(nothing.err.find("No such file or directory"), std::string::npos) << nothing.err;
  std::ofstream(directory_) << "a file";
  const CommandResult file = run("--record");
  EXPECT_NE(file.code, 0);
  EXPECT_NE(file.err.find("Not a directory"), std::string::npos) << file.err;
  EXPECT_NE(mpiexec({"-n", "1", "--record", "a", "--replay", "b", FOLDLANE_REPLAY_RANK}).code, 0);
}

}  // namespace
}  // namespace foldlane::tests
