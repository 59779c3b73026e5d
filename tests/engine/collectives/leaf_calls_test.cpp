// Gather(v) and scatter(v) whose leaves call them from one block, beside such as call them with lists: with
// the bytes that a serial shuffle gives, in a line, in a slot, and where a leaf must call it with lists.
#include "engine/collectives/leaf_calls.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "engine/collectives/collectives.hpp"
#include "engine/moves/roles.hpp"
#include "engine/team/call_names.hpp"
#include "support/ranks.hpp"
#include "support/vector_blocks.hpp"

namespace foldlane::testing {
namespace {

using engine::Call;

constexpr int kRanks = 4;
constexpr std::size_t kSlotBytes = 4096;
constexpr Call kCalls[] = {Call::gather, Call::gatherv, Call::scatter, Call::scatterv};
/// Around what a line carries, with a length beside it and without, of a vector of four, and a slot.
constexpr std::size_t kSizes[] = {
    0, 1, 27, 28, 30, 31, 112, 113, 120, 121, 2048, kSlotBytes, kSlotBytes + 1, 40'000};

std::byte byte_of(int giver, std::size_t at, int round) {
  return static_cast<std::byte>(static_cast<std::size_t>(37 * giver + 5 * round) + 11 * at + (at >> 8));
}

bool gathers(Call call) { return call == Call::gather || call == Call::gatherv; }

/// A member's part: leaves whose turn it is call it from one block, if they may.
class Part {
 public:
  Part(RankContext& context, engine::Channel& channel, Call call, int root, std::size_t bytes, int round)
      : context_(context),
        call_(call),
        root_(root),
        bytes_(bytes),
        round_(round),
        send_(static_cast<std::size_t>(context.size) * bytes),
        recv_(send_.size()),
        sides_(call, root, context.size, context.rank, bytes, send_.data(), recv_.data()) {
    for (std::size_t i = 0; i < send_.size(); ++i) send_[i] = byte_of(context.rank, i, round);
    sides_.movement.mail = {&context.messenger, &channel};
    if (!engine::moves_equal_blocks(call)) sides_.movement.block_bytes = 0;
  }

  bool may_be_short() const { return context_.rank != root_ && is_leaf_call(context_.world, call_, bytes_); }
  std::string run(bool as_leaf) {
    const auto done =
        as_leaf ? perform_as_leaf(context_.world, call_,
                                  {gathers(call_) ? send_.data() : recv_.data(), bytes_}, root_)
                : perform(context_.world, {.call = call_, .root = root_, .movement = &sides_.movement});
    return done.ok() ? compare() : done.error().message;
  }

 private:
  std::string compare() const {
    const std::size_t from = gathers(call_) ? 0 : static_cast<std::size_t>(context_.rank) * bytes_;
    for (int i = 0; i < sides_.receives.count(); ++i) {
      const engine::Block block = sides_.receives.at(i);
      for (std::size_t at = 0; at < bytes_; ++at)
        if (block.buffer.address[at] != byte_of(block.member, from + at, round_))
          return fmt::format("byte {} from {} differs", at, block.member);
    }
    return "";
  }

  RankContext& context_;
  Call call_;
  int root_;
  std::size_t bytes_;
  int round_;
  std::vector<std::byte> send_;
  std::vector<std::byte> recv_;
  VectorMove sides_;
};

std::string call_all(RankContext& context) {
  engine::Channel& channel = context.messenger.open(context.world, engine::Messages::collective);
  int short_ones = 0;
  for (int round = 0; round < 24; ++round)
    for (const Call call : kCalls)
      for (const std::size_t bytes : kSizes) {
        Part part(context, channel, call, round % context.size, bytes, round);
        const bool as_leaf = (context.rank + round / 4) % 3 != 0 && part.may_be_short();
        short_ones += as_leaf ? 1 : 0;
        if (const std::string problem = part.run(as_leaf); !problem.empty())
          return fmt::format("{} of {} bytes, round {}: {}", engine::name_of(call), bytes, round, problem);
      }
  const int least = context.size == 2 ? 80 : 100;  // of two only gathers are
  return short_ones > least ? "" : fmt::format("only {} calls were such of a leaf", short_ones);
}

TEST(LeafCalls, GiveWhatASerialShuffleGives) {
  for (const int ranks : {2, kRanks})
    for (const Transport transport : {Transport::threads, Transport::processes}) {
      const auto problems = run_ranks(transport, {.shape = tiny_shape(ranks)}, call_all);
      EXPECT_TRUE(problems.empty()) << name(transport) << ": " << problems.front();
    }
}

/// The longest blocks of a gather, a gatherv, a scatter and a scatterv.
std::string longest_of_all(RankContext& context) {
  const auto longest = [&](Call call) {
    std::size_t bytes = 0;
    while (is_leaf_call(context.world, call, bytes + 1)) ++bytes;
    return bytes;
  };
  return fmt::format("{} {} {} {}", longest(Call::gather), longest(Call::gatherv), longest(Call::scatter),
                     longest(Call::scatterv));
}

TEST(LeafCalls, AreThoseWhoseBlockGoesInALineOrInASlotOfWhichALineTells) {
  const auto problems =
      run_ranks(Transport::threads, {.shape = tiny_shape(kRanks)}, [](RankContext& context) {
        const std::string found = longest_of_all(context);
        return found == "120 4096 30 4096" ? std::string() : found;
      });
  EXPECT_TRUE(problems.empty()) << problems.front();
}

TEST(LeafCalls, OfTwoRanksAreThoseThatGiveInALine) {
  const auto problems = run_ranks(Transport::threads, {.shape = tiny_shape(2)}, [](RankContext& context) {
    if (is_leaf_call(context.world, Call::gather, 0)) return std::string("no move is a leaf's");
    if (!is_leaf_call(context.world, Call::gatherv, 0)) return std::string("no bytes are not a leaf's");
    const std::string found = longest_of_all(context);
    return found == "120 112 0 0" ? std::string() : found;
  });
  EXPECT_TRUE(problems.empty()) << problems.front();
}

}  // namespace
}  // namespace foldlane::testing
