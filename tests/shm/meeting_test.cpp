// Ranks that nobody has given a segment meet, or all that have come learn why they did not; and see each
// other's deaths.
#include "shm/job/meeting.hpp"

#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "shm/job/job.hpp"
#include "shm/job/life_lines.hpp"
#include "shm/job/packets.hpp"

namespace foldlane::shm {
namespace {

using std::chrono::seconds;

constexpr std::uint64_t kLayout = 17;
constexpr seconds kLong(60);

Result<Segment> make(std::span<const CpuMask> cpus) {
  Placement placement;
  placement.ranks.assign(cpus.size(), {{}, -1, 0, 0});
  return Segment::create(shape_of(static_cast<int>(cpus.size()), kPageBytes, {}), placement, 0);
}
std::uint64_t layout() { return layout_hash({}); }

/// Of no other test that runs at the same time.
std::string job_name() {
  const auto* const test = ::testing::UnitTest::GetInstance()->current_test_info();
  return std::string(test->name()) + " " + std::to_string(getppid()) + " " + std::to_string(getpid());
}

/// Processes that each do something and leave a line about it.
class Processes {
 public:
  Processes() { EXPECT_EQ(pipe(pipe_.data()), 0); }
  ~Processes() {
    for (const pid_t child : children_) kill(child, SIGKILL);
    for (const pid_t child : children_) waitpid(child, nullptr, 0);
    close(pipe_[0]);
    close(pipe_[1]);
  }

  pid_t start(const std::function<std::string()>& what) {
    const pid_t child = fork();
    if (child == 0) {
      const std::string line = what() + "\n";
      _exit(write(pipe_[1], line.data(), line.size()) < 0 ? 1 : 0);
    }
    children_.push_back(child);
    return child;
  }
  pid_t start_rank(const Meeting& meeting, std::uint64_t layout_hash = layout()) {
    return start([=] {
      const auto segment = meet(meeting, layout_hash, make);
      return segment.ok() ? "met " + std::to_string(segment.value().ranks()) : segment.error().message;
    });
  }
  std::string line() {
    std::string text;
    for (char letter = 0; read(pipe_[0], &letter, 1) == 1 && letter != '\n';) text += letter;
    return text;
  }
  std::multiset<std::string> lines(int count) {
    std::multiset<std::string> found;
    while (count-- > 0) found.insert(line());
    return found;
  }

 private:
  std::array<int, 2> pipe_{};
  std::vector<pid_t> children_;
};

using Lines = std::multiset<std::string>;

TEST(Meeting, GivesAllRanksOneSegment) {
  const std::string job = job_name();
  Processes ranks;
  for (const int rank : {2, 0, 3, 1})
    ranks.start([=] {
      auto segment = meet({job, rank, 4, kLong}, layout(), make);
      if (!segment.ok()) return segment.error().message;
      auto& deaths = segment.value().launcher_line().deaths;
      deaths.add(std::uint64_t{1} << 8 * rank);
      while (deaths.observe() != 0x01010101) usleep(1000);
      return std::string("same");
    });
  EXPECT_EQ(ranks.lines(4), (Lines{"same", "same", "same", "same"}));
}

TEST(Meeting, TellsRank0WhereAllAreBound) {
  const std::string job = job_name();
  Processes ranks;
  ranks.start([=] {
    CpuMask here;
    const auto segment = meet({job, 0, 2, kLong}, layout(), [&](std::span<const CpuMask> cpus) {
      here = cpus[1];
      return make(cpus);
    });
    return std::string(here == own_cpus() ? "bound as this one" : "bound elsewhere");
  });
  ranks.start_rank({job, 1, 2, kLong});
  EXPECT_EQ(ranks.lines(2), (Lines{"bound as this one", "met 2"}));
}

TEST(Meeting, NeedsNobodyElseForOneRank) {
  auto segment = meet({job_name(), 0, 1, seconds(0)}, layout(), make);
  EXPECT_TRUE(segment.ok());
}

TEST(Meeting, NamesRanksThatDoNotCome) {
  const std::string job = job_name();
  Processes ranks;
  const auto start = std::chrono::steady_clock::now();
  for (const int rank : {0, 2}) ranks.start_rank({job, rank, 4, seconds(1)});
  const std::string line = "ranks 1, 3 of 4 did not come within 1 s";
  EXPECT_EQ(ranks.lines(2), (Lines{line, line}));
  EXPECT_GE(std::chrono::steady_clock::now() - start, seconds(1));  // the promise
}

TEST(Meeting, SaysThatRank0DoesNotCome) {
  Processes ranks;
  ranks.start_rank({job_name(), 1, 2, seconds(1)});
  EXPECT_EQ(ranks.line(), "rank 0 did not come within 1 s");
}

TEST(Meeting, EndsWithARankThatEnds) {
  const std::string job = job_name();
  Processes ranks;
  ranks.start_rank({job, 0, 3, kLong});
  ranks.start([=] {
    UniqueFd socket;
    while (!socket.open()) socket = std::move(connect_to(meeting_name(job)).value());
    struct {
      std::uint64_t layout_hash;
      std::int32_t rank, size;
      pid_t process;
      CpuMask cpus;
    } const arrival{layout(), 1, 3, getpid(), own_cpus()};
    send_packet(socket, {reinterpret_cast<const char*>(&arrival), sizeof arrival});
    return std::string("ends");
  });
  EXPECT_EQ(ranks.lines(2), (Lines{"ends", "rank 1 ended while the ranks were meeting"}));
}

TEST(Meeting, TellsAllWhoContradictsRank0) {
  const std::string job = job_name();
  const std::string line = "rank 1 was told that the job has 4 ranks, rank 0 that it has 2";
  Processes ranks;
  ranks.start_rank({job, 0, 2, kLong});
  ranks.start_rank({job, 1, 4, kLong});
  EXPECT_EQ(ranks.lines(2), (Lines{line, line}));
}

TEST(Meeting, TellsJobsOfOneNameApart) {
  const std::string job = job_name();
  const std::string line = "two processes were told that they are rank 1: are these two jobs of one name?";
  Processes ranks;
  for (const int rank : {1, 0, 1}) ranks.start_rank({job, rank, 3, kLong});
  EXPECT_EQ(ranks.lines(3), (Lines{line, line, line}));
  const auto other = listen_as(meeting_name(job));
  ranks.start_rank({job, 0, 3, kLong});
  EXPECT_NE(ranks.line().find(": another job is called \"" + job + "\""), std::string::npos);
}

TEST(Meeting, RefusesLibrariesOfAnotherBuild) {
  const std::string job = job_name();
  Processes ranks;
  ranks.start_rank({job, 0, 2, kLong});
  ranks.start_rank({job, 1, 2, kLong}, kLayout);
  for (const std::string& line : ranks.lines(2))
    EXPECT_EQ(line, "the ranks have libraries of different builds of Foldlane; all must be of the same one");
}

TEST(Meeting, RefusesRanksOfOtherPidNamespaces) {
  const std::string job = job_name();
  const std::string line = "rank 1 is in another PID namespace than rank 0: is it in a container of its own?";
  Processes ranks;
  ranks.start([&] {
    if (unshare(CLONE_NEWPID) != 0) return "not allowed";
    ranks.start_rank({job, 1, 2, kLong});
    return "started";
  });
  if (ranks.line() == "not allowed") GTEST_SKIP() << "no PID namespace of one's own here";
  ranks.start_rank({job, 0, 2, kLong});
  EXPECT_EQ(ranks.lines(2), (Lines{line, line}));
}

TEST(Meeting, TellsAllThatThereIsNoSegment) {
  const std::string job = job_name();
  Processes ranks;
  ranks.start([=] {
    const auto segment = meet({job, 0, 2, kLong}, layout(), [](std::span<const CpuMask>) {
      return Result<Segment>(Error{Errc::no_memory, "nothing is left"});
    });
    return segment.error().message;
  });
  ranks.start_rank({job, 1, 2, kLong});
  EXPECT_EQ(ranks.lines(2), (Lines{"nothing is left", "nothing is left"}));
}

constexpr uid_t kStranger = 65534;

TEST(Meeting, DoesNotLetOtherUsersIn) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can become another user";
  const std::string job = job_name();
  const std::string name = meeting_name(job);
  Processes ranks;
  ranks.start_rank({job, 0, 2, kLong});
  ranks.start([=] {
    if (setuid(kStranger) != 0) return std::string("setuid failed");
    UniqueFd socket;
    while (!socket.open()) socket = std::move(connect_to(name).value());
    return std::string(receive_packet(socket).bytes.empty() ? "not let in" : "let in");
  });
  EXPECT_EQ(ranks.line(), "not let in");
  ranks.start_rank({job, 1, 2, kLong});
  EXPECT_EQ(ranks.lines(2), (Lines{"met 2", "met 2"}));
}

TEST(Meeting, DoesNotFollowAnotherUser) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can become another user";
  const std::string job = job_name();
  const std::string name = meeting_name(job);
  Processes ranks;
  ranks.start([=] {
    if (setuid(kStranger) != 0) return std::string("setuid failed");
    const auto listener = listen_as(name);
    pause();
    return std::string();
  });
  ranks.start_rank({job, 1, 2, kLong});
  EXPECT_EQ(ranks.line(), "another user (uid 65534) listens where rank 0 should");
}

// ---- life lines

/// A rank, and the segment that it shares with the test.
class LifeLines : public testing::Test {
 protected:
  /// Returns when it has said that it is in this state. It ends when it is told to.
  pid_t start_rank_1(RankState state, bool forks = false) {
    const pid_t rank = ranks_.start([=, this] {
      const auto taken = take_life_line(segment_, 1);
      RankRecord& record = segment_.rank_lines(1).record;
      record.abort_code.publish(5);
      record.state.publish(static_cast<std::uint64_t>(state));
      if (forks && fork() == 0) {
        while (segment_.ended_line(1).ended.observe() == 0) usleep(1000);
        _exit(0);
      }
      if (!taken.ok()) return taken.error().message;
      while (segment_.ended_line(0).ended.observe() == 0) usleep(1000);
      return std::string("ends");
    });
    while (segment_.rank_lines(1).record.state.observe() != static_cast<std::uint64_t>(state)) usleep(1000);
    return rank;
  }
  void look_until_rank_1_has_ended() {
    while (segment_.ended_line(1).ended.observe() == 0) look_for_deaths(segment_, 0);
  }
  Failure failure() { return unpack(segment_.launcher_line().abort_word.observe()); }

  Segment segment_ = std::move(make(std::vector<CpuMask>(2)).value());
  Processes ranks_;
};

TEST_F(LifeLines, ShowNothingOfRanksThatLive) {
  start_rank_1(RankState::attached);
  for (int look = 0; look < 100; ++look) look_for_deaths(segment_, 0);
  EXPECT_EQ(segment_.ended_line(1).ended.observe(), 0u);
  EXPECT_EQ(segment_.launcher_line().abort_word.observe(), 0u);
}

TEST_F(LifeLines, ShowAKillThoughAChildLives) {
  const pid_t rank = start_rank_1(RankState::attached, true);
  kill(rank, SIGKILL);
  look_until_rank_1_has_ended();
  EXPECT_EQ(describe(failure()), "rank 1 has died: it was killed, or ended without finalizing");
  EXPECT_EQ(segment_.launcher_line().deaths.observe(), 1u);
}

TEST_F(LifeLines, ShowHowARankHasAborted) {
  kill(start_rank_1(RankState::aborted), SIGKILL);
  look_until_rank_1_has_ended();
  EXPECT_EQ(describe(failure()), "rank 1 aborted the job with code 5");
}

TEST_F(LifeLines, LetRanksEndThatHaveFinalized) {
  kill(start_rank_1(RankState::finalized), SIGKILL);
  look_until_rank_1_has_ended();
  EXPECT_EQ(segment_.launcher_line().abort_word.observe(), 0u);
}

TEST_F(LifeLines, BelongToOneProcess) {
  start_rank_1(RankState::attached);
  EXPECT_FALSE(take_life_line(segment_, 1).ok());
}

}  // namespace
}  // namespace foldlane::shm
