// Random messages among a few ranks, compared with what a sequential program would have received: of one
// source (and tag, where it is named) the n-th receive gets the n-th message.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <random>
#include <tuple>

#include "engine/collectives/collectives.hpp"
#include "p2p/mail.hpp"

namespace foldlane::testing {
namespace {

using engine::Channel;
using engine::Delivery;
using engine::kAnySource;
using engine::kAnyTag;
using engine::SendMode;

constexpr int kTags = 3;
constexpr int kOfNobody = 99;  // a tag

struct Message {
  int from;
  int to;
  int tag;
  std::size_t bytes;
  SendMode mode;
  Lying lying;
  std::uint64_t seed;
};

/// What a rank's receives name. All of a phase name the same, so that none takes a message that another one
/// cannot do without.
struct Wish {
  bool source;
  bool tag;
};

struct Phase {
  std::vector<Message> messages;
  std::vector<Wish> wishes;  // by rank
};

/// The same on all ranks.
Phase make_phase(std::mt19937& random, int ranks) {
  const auto below = [&](std::size_t end) { return random() % end; };
  Phase phase;
  const std::size_t count = 1 + below(40);
  for (std::size_t i = 0; i < count; ++i) {
    phase.messages.push_back({.from = static_cast<int>(below(static_cast<std::size_t>(ranks))),
                              .to = static_cast<int>(below(static_cast<std::size_t>(ranks))),
                              .tag = static_cast<int>(below(kTags)),
                              .bytes = kSizes[below(std::size(kSizes))],
                              .mode = below(3) == 0 ? SendMode::synchronous : SendMode::standard,
                              .lying = kLyings[below(3)],
                              .seed = random()});
  }
  for (int rank = 0; rank < ranks; ++rank) phase.wishes.push_back({below(2) == 0, below(2) == 0});
  return phase;
}

/// What one rank does in a phase.
class Part {
 public:
  Part(RankContext& context, Channel& channel, const Phase& phase, std::mt19937& random)
      : context_(context), channel_(channel), phase_(phase), random_(random) {}

  std::string play() {
    std::vector<const Message*> to_send, to_receive;
    for (const Message& each : phase_.messages) {
      if (each.from == context_.rank) to_send.push_back(&each);
      if (each.to == context_.rank) to_receive.push_back(&each);
    }
    std::shuffle(to_receive.begin(), to_receive.end(), random_);
    std::size_t s = 0, r = 0;
    while (s + r < to_send.size() + to_receive.size()) {
      if (r == to_receive.size() || (s < to_send.size() && below(2) == 0)) {
        const Message& each = *to_send[s++];
        sent_.push_back(
            send(context_, channel_, each.to, each.tag, each.bytes, each.seed, each.lying, each.mode));
      } else {
        receive_one(*to_receive[r++]);
      }
      if (below(8) == 0) post_in_vain();
    }
    return compare();
  }

 private:
  std::size_t below(std::size_t end) { return random_() % end; }

  std::size_t longest() const {
    std::size_t most = 0;
    for (const Message& each : phase_.messages) most = std::max(most, each.bytes);
    return most;
  }

  void receive_one(const Message& like) {
    const Wish& wish = phase_.wishes[static_cast<std::size_t>(context_.rank)];
    const int source = wish.source ? like.from : kAnySource;
    const int tag = wish.tag ? like.tag : kAnyTag;
    const std::size_t room = below(6) == 0 ? below(9000) : longest() + below(2);
    const Lying lying = kLyings[below(3)];
    if (below(4) == 0) {
      if (engine::Unexpected* const claimed = context_.messenger.claim(channel_, source, tag)) {
        received_.push_back(std::make_unique<Received>(context_, channel_, room, lying));
        context_.messenger.start(*received_.back(), *claimed);
        return;
      }
    }
    received_.push_back(receive(context_, channel_, source, tag, room, lying));
    if (below(6) != 0) return;
    if (!context_.messenger.cancel(*received_.back())) return;
    problems_ += expect_end(context_, *received_.back(), Delivery::cancelled);
    received_.back() = receive(context_, channel_, source, tag, room, lying);
  }

  void post_in_vain() {
    const auto vain = receive(context_, channel_, kAnySource, kOfNobody, 8);
    engine::Envelope envelope{};
    if (context_.messenger.probe(channel_, kAnySource, kOfNobody, envelope)) problems_ += "found nothing; ";
    if (!context_.messenger.cancel(*vain)) problems_ += "not to be cancelled; ";
  }

  std::string compare() {
    const Wish& wish = phase_.wishes[static_cast<std::size_t>(context_.rank)];
    std::map<std::pair<int, int>, std::vector<const Message*>> expected;
    for (const Message& each : phase_.messages) {
      if (each.to == context_.rank) expected[{each.from, wish.tag ? each.tag : kAnyTag}].push_back(&each);
    }
    std::map<std::pair<int, int>, std::size_t> came;
    for (const auto& each : received_) {
      wait_for(context_.messenger, *each);
      const std::pair key{static_cast<int>(each->envelope.source), wish.tag ? each->envelope.tag : kAnyTag};
      const std::size_t number = came[key]++;
      if (number >= expected[key].size()) return problems_ + "a message that nobody sent; ";
      const Message& message = *expected[key][number];
      problems_ += expect_message(context_, *each, message.from, message.tag, message.bytes, message.seed);
    }
    for (const auto& each : sent_) problems_ += expect_end(context_, *each, Delivery::done);
    return problems_;
  }

  RankContext& context_;
  Channel& channel_;
  const Phase& phase_;
  std::mt19937& random_;
  std::vector<std::unique_ptr<Sent>> sent_;
  std::vector<std::unique_ptr<Received>> received_;  // in the order of matching
  std::string problems_;
};

std::string play(RankContext& context, std::uint32_t seed, int phases) {
  Channel& channel = context.messenger.open(context.world);
  std::mt19937 common(seed);
  std::mt19937 own(seed * 64 + static_cast<std::uint32_t>(context.rank));
  for (int number = 0; number < phases; ++number) {
    const Phase phase = make_phase(common, context.size);
    std::string problems = Part(context, channel, phase, own).play();
    if (!problems.empty()) return fmt::format("seed {}, phase {}: {}", seed, number, problems);
    if (auto met = engine::barrier(context.world); !met.ok()) return met.error().message;
  }
  return "";
}

using Case = std::tuple<Transport, bool, int>;
class RandomMessages : public ::testing::TestWithParam<Case> {
 protected:
  void play_all(std::uint32_t seeds, int phases) {
    const auto [transport, asleep, ranks] = GetParam();
    for (std::uint32_t seed = 1; seed <= seeds; ++seed) {
      const auto problems = run_ranks(transport, mail_options(ranks, asleep),
                                      [&](RankContext& context) { return play(context, seed, phases); });
      ASSERT_TRUE(problems.empty()) << problems.front();
    }
  }
};

TEST_P(RandomMessages, ArriveAsASequentialProgramSays) { play_all(1, 12); }

/// Minutes.
TEST_P(RandomMessages, LongManyOfThem) { play_all(10, 100); }

INSTANTIATE_TEST_SUITE_P(Ranks, RandomMessages,
                         ::testing::Combine(::testing::ValuesIn(transports()), ::testing::Bool(),
                                            ::testing::Range(2, 6)),
                         [](const auto& test) {
                           return fmt::format("{}_{}{}", name(std::get<0>(test.param)),
                                              std::get<2>(test.param),
                                              std::get<1>(test.param) ? "_asleep" : "");
                         });

}  // namespace
}  // namespace foldlane::testing
