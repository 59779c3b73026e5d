// A death that the launcher does not make the end of the job: it ends the waits that can depend on the dead
// rank, and no other one.
#include <gtest/gtest.h>

#include <string>

#include "engine/collectives/collectives.hpp"
#include "engine/job/founding.hpp"
#include "shm/job/job.hpp"
#include "support/operations.hpp"
#include "support/ranks.hpp"

namespace foldlane::testing {
namespace {

using engine::Call;
using engine::Team;
using shm::Errc;

constexpr int kRanks = 4;
constexpr int kDead = 3;
constexpr shm::Ladder kOnlyNaps{0, 0, 3'600'000'000'000, 3'600'000'000'000};

/// The launcher's part, after which the rank does nothing any more.
void die(RankContext& context) {
  shm::JobMonitor(context.segment).declare_dead({kDead, shm::Cause::signal, 9});
}

std::string expect_death(const shm::Result<void>& result) {
  if (result.ok()) return "the call ended well; ";
  if (result.error().code != Errc::peer_failed)
    return "another kind of error: " + result.error().message + "; ";
  const bool named = result.error().message.find("rank 3 was killed by signal 9") != std::string::npos;
  return named ? "" : "without the dead rank: " + result.error().message + "; ";
}

/// Two ranks each: the first ones, and the last ones.
std::unique_ptr<Team> half_of(RankContext& context, engine::Founding& founding) {
  std::vector<int> members = context.rank < 2 ? std::vector{0, 1} : std::vector{2, 3};
  auto half = founding.found(context.world, std::move(members), Call::split);
  if (!half.ok()) throw std::runtime_error(half.error().message);
  return std::move(half.value());
}

std::string expect_half_works(Team& half) {
  for (int call = 0; call < 200; ++call)
    if (auto done = engine::barrier(half); !done.ok())
      return "of another team: " + done.error().message + "; ";
  return "";
}

std::string start_and_wait(RankContext& context, Team& team) {
  const auto operation = make_operation(team, {.call = Call::barrier});
  operation->start();
  context.process.progress().wait_until([&] { return operation->done(); });
  return operation->failed() ? expect_death(operation->error()) : "the operation ended well; ";
}

using Case = std::tuple<Transport, bool>;

class Deaths : public ::testing::TestWithParam<Case> {
 protected:
  void expect_all_well(const RankBody& body) {
    RunOptions options{.shape = tiny_shape(kRanks), .watchdog_s = 30};
    if (std::get<1>(GetParam())) options.ladder = kOnlyNaps;
    const auto problems = run_ranks(std::get<0>(GetParam()), options, body);
    EXPECT_TRUE(problems.empty()) << problems.front();
  }
};

TEST_P(Deaths, EndTheWaitsOfTheirTeamsOnly) {
  expect_all_well([](RankContext& context) -> std::string {
    engine::Founding founding(context.segment, context.process, context.messenger, context.rank);
    const auto half = half_of(context, founding);
    if (context.rank == kDead) {
      die(context);
      return "";
    }
    if (context.rank == 2)
      return expect_death(engine::barrier(*half)) + expect_death(engine::barrier(context.world));
    std::string problems = expect_half_works(*half) + expect_death(engine::barrier(context.world));
    return problems + expect_half_works(*half);
  });
}

TEST_P(Deaths, EndOperationsOfTheirTeams) {
  expect_all_well([](RankContext& context) -> std::string {
    engine::Founding founding(context.segment, context.process, context.messenger, context.rank);
    const auto half = half_of(context, founding);
    if (context.rank == kDead) {
      die(context);
      return "";
    }
    std::string problems = start_and_wait(context, context.world);
    return context.rank < 2 ? problems + expect_half_works(*half) : problems;
  });
}

/// The members of a group meet without a team.
TEST_P(Deaths, EndTheCreationOfTeamsWithThem) {
  expect_all_well([](RankContext& context) -> std::string {
    engine::Founding founding(context.segment, context.process, context.messenger, context.rank);
    if (context.rank == kDead) {
      die(context);
      return "";
    }
    auto pair = context.rank < 2 ? founding.found({0, 1}, 8) : founding.found({2, 3}, 16);
    if (context.rank == 2) return pair.ok() ? "founded with a dead rank" : expect_death(pair.error());
    return pair.ok() ? expect_half_works(*pair.value()) : pair.error().message;
  });
}

std::vector<Transport> transports() {
#if defined(__SANITIZE_THREAD__)  // it sees one process only
  return {Transport::threads};
#else
  return {Transport::threads, Transport::processes};
#endif
}

INSTANTIATE_TEST_SUITE_P(Ranks, Deaths,
                         ::testing::Combine(::testing::ValuesIn(transports()), ::testing::Bool()),
                         [](const auto& test) {
                           return std::string(name(std::get<0>(test.param))) +
                                  (std::get<1>(test.param) ? "_asleep" : "");
                         });

}  // namespace
}  // namespace foldlane::testing
