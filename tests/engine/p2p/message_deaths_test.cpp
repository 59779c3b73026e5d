// The death of a rank ends what depends on it, whether it was under way or begins later, and nothing else.
#include <gtest/gtest.h>

#include <string>
#include <tuple>

#include "p2p/mail.hpp"
#include "shm/job/job.hpp"

namespace foldlane::testing {
namespace {

using engine::Channel;
using engine::Delivery;
using engine::kAnySource;
using engine::SendMode;

constexpr int kRanks = 3;
constexpr int kDead = 2;
constexpr int kLeft = 1;  // a tag

/// The launcher's part, after which the rank does nothing any more.
std::string die(RankContext& context) {
  shm::JobMonitor(context.segment).declare_dead({kDead, shm::Cause::signal, 9});
  return "";
}

using Case = std::tuple<Transport, bool>;
class MessageDeaths : public ::testing::TestWithParam<Case> {
 protected:
  void expect_all_well(const RankBody& body) {
    RunOptions options = mail_options(kRanks, std::get<1>(GetParam()));
    options.watchdog_s = 60;
    const auto problems = run_ranks(std::get<0>(GetParam()), options, body);
    EXPECT_TRUE(problems.empty()) << problems.front();
  }
};

/// Of two living ranks, which still reach each other.
std::string expect_the_living_work(RankContext& context, Channel& channel) {
  const int peer = 1 - context.rank;
  const auto sent = send(context, channel, peer, 7, 100 << 10, 3);
  const auto received = receive(context, channel, peer, 7, 100 << 10);
  return expect_message(context, *received, peer, 7, 100 << 10, 3) +
         expect_end(context, *sent, Delivery::done);
}

/// Everything that can wait for the dead rank.
std::string expect_peer_failed(RankContext& context, Channel& channel) {
  const auto named = receive(context, channel, kDead, 5, 8);
  const auto anybody = receive(context, channel, kAnySource, 5, 8);
  const auto synchronous = send(context, channel, kDead, 5, 8, 0, Lying::privately, SendMode::synchronous);
  const auto large = send(context, channel, kDead, 5, 300 << 10, 0);
  std::string problems;
  for (const engine::Communication* each :
       {static_cast<engine::Communication*>(named.get()), static_cast<engine::Communication*>(anybody.get()),
        static_cast<engine::Communication*>(synchronous.get()),
        static_cast<engine::Communication*>(large.get())})
    problems += expect_end(context, *each, Delivery::peer_failed);
  engine::Envelope envelope{};
  if (context.messenger.await(channel, kDead, 5, envelope)) problems += "a message of the dead; ";
  if (context.messenger.await(channel, kAnySource, 5, envelope)) problems += "a message of anybody; ";
  return problems;
}

TEST_P(MessageDeaths, EndWhatIsUnderWayAndWhatBeginsLater) {
  expect_all_well([](RankContext& context) -> std::string {
    Channel& channel = context.messenger.open(context.world);
    if (context.rank == kDead) {
      for (const int to : {0, 1}) {
        const auto awaited = receive(context, channel, to, kLeft, 0);
        wait_for(context.messenger, *awaited);
      }
      return die(context);
    }
    std::string problems = expect_end(context, *send(context, channel, kDead, kLeft, 0, 0), Delivery::done);
    for (int i = 0; i < 2; ++i) problems += expect_peer_failed(context, channel);
    return problems + expect_the_living_work(context, channel);
  });
}

/// The lane to the dead rank is full: what is behind it never gets there.
TEST_P(MessageDeaths, EndWhatWaitsForRoomInALane) {
  expect_all_well([](RankContext& context) -> std::string {
    Channel& channel = context.messenger.open(context.world);
    if (context.rank == kDead) return die(context);
    std::vector<std::unique_ptr<Sent>> sent;
    for (int i = 0; i < 200; ++i) sent.push_back(send(context, channel, kDead, 5, 8, 0));
    std::string problems = expect_end(context, *sent.back(), Delivery::peer_failed);
    for (const auto& each : sent) {
      if (!each->over()) problems += "not over; ";
    }
    return problems + expect_the_living_work(context, channel);
  });
}

/// What it has sent before arrives, however much that is.
TEST_P(MessageDeaths, TakeBackNothing) {
  expect_all_well([](RankContext& context) -> std::string {
    constexpr std::size_t kSent = 30;
    Channel& channel = context.messenger.open(context.world);
    if (context.rank == kDead) {
      std::string problems;
      for (const int to : {0, 1}) {
        for (std::size_t i = 0; i < kSent; ++i)
          problems += expect_end(context, *send(context, channel, to, 5, 64 * i * i, i), Delivery::done);
      }
      static_cast<void>(die(context));
      return problems;
    }
    while (!context.process.has_died(kDead)) sched_yield();
    std::string problems;
    std::vector<std::unique_ptr<Received>> received;
    for (std::size_t i = 0; i < kSent; ++i)
      received.push_back(receive(context, channel, i % 2 == 0 ? kAnySource : kDead, 5, 64 * i * i));
    for (std::size_t i = 0; i < kSent; ++i)
      problems += expect_message(context, *received[i], kDead, 5, 64 * i * i, i);
    return problems + expect_peer_failed(context, channel) + expect_the_living_work(context, channel);
  });
}

INSTANTIATE_TEST_SUITE_P(Ranks, MessageDeaths,
                         ::testing::Combine(::testing::ValuesIn(transports()), ::testing::Bool()),
                         [](const auto& test) {
                           return std::string(name(std::get<0>(test.param))) +
                                  (std::get<1>(test.param) ? "_asleep" : "");
                         });

}  // namespace
}  // namespace foldlane::testing
