// Matching, compared with the plain rule: of receives that accept a message the first that was posted, of
// messages that a receive accepts the first that came.
#include "engine/p2p/channel.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <list>
#include <random>
#include <vector>

namespace foldlane::testing {
namespace {

using engine::Channel, engine::Receive, engine::Unexpected;
using engine::kAnySource, engine::kAnyTag;

bool accepts(int source, int tag, const engine::Envelope& envelope) {
  return (source == kAnySource || source == static_cast<int>(envelope.source)) &&
         (tag == kAnyTag || tag == envelope.tag);
}

/// A channel beside the lists that say what it should do.
class Pair {
 public:
  explicit Pair(std::uint32_t seed, int sources, int tags) : random_(seed), sources_(sources), tags_(tags) {}

  void message_comes() {
    engine::Envelope envelope{};
    envelope.source = static_cast<std::uint32_t>(below(sources_));
    envelope.tag = below(tags_);
    const auto wanted = std::find_if(posted_.begin(), posted_.end(), [&](const Receive* receive) {
      return accepts(receive->source, receive->tag, envelope);
    });
    Receive* const expected = wanted == posted_.end() ? nullptr : *wanted;
    ASSERT_EQ(channel_.match(envelope), expected);
    if (expected != nullptr) {
      ASSERT_EQ(expected->waits, engine::Waits::nowhere);
      return static_cast<void>(posted_.erase(wanted));
    }
    Unexpected& message = messages_.emplace_back();
    message.envelope = envelope;
    channel_.keep(message);
    kept_.push_back(&message);
  }
  void receive_comes() {
    const int source = below(sources_ + 1) + kAnySource, tag = below(tags_ + 1) + kAnyTag;
    const auto fitting = std::find_if(kept_.begin(), kept_.end(), [&](const Unexpected* message) {
      return accepts(source, tag, message->envelope);
    });
    Unexpected* const expected = fitting == kept_.end() ? nullptr : *fitting;
    ASSERT_EQ(channel_.find(source, tag), expected);
    if (expected != nullptr) {
      channel_.take_out(*expected);
      return static_cast<void>(kept_.erase(fitting));
    }
    Receive& receive = receives_.emplace_back();
    receive.source = source;
    receive.tag = tag;
    channel_.post(receive);
    posted_.push_back(&receive);
  }
  void receive_goes() {
    if (posted_.empty()) return;
    const auto place = posted_.begin() + below(static_cast<int>(posted_.size()));
    ASSERT_NE((*place)->waits, engine::Waits::nowhere);
    channel_.withdraw(**place);
    posted_.erase(place);
  }
  void check_what_waits() {
    std::vector<const Receive*> seen;
    channel_.for_each_posted([&](const Receive& receive) { seen.push_back(&receive); });
    std::vector<const Receive*> expected(posted_.begin(), posted_.end());
    std::sort(seen.begin(), seen.end());
    std::sort(expected.begin(), expected.end());
    ASSERT_EQ(seen, expected);
    ASSERT_EQ(channel_.first_unexpected(), kept_.empty() ? nullptr : kept_.front());
  }
  int below(int end) { return std::uniform_int_distribution<int>(0, end - 1)(random_); }

 private:
  std::mt19937 random_;
  int sources_;
  int tags_;
  Channel channel_{0};
  std::deque<Receive> receives_;
  std::deque<Unexpected> messages_;
  std::vector<Receive*> posted_;
  std::vector<Unexpected*> kept_;
};

struct Shape {
  int sources;
  int tags;
  int messages_in_ten;  // the others are receives, and now and then one is cancelled
};

class MatchingOfAChannel : public ::testing::TestWithParam<Shape> {};

TEST_P(MatchingOfAChannel, FollowsTheRule) {
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    Pair pair(seed, GetParam().sources, GetParam().tags);
    for (int step = 0; step < 2000 && !HasFatalFailure(); ++step) {
      if (pair.below(10) < GetParam().messages_in_ten) {
        pair.message_comes();
      } else if (pair.below(10) > 0) {
        pair.receive_comes();
      } else {
        pair.receive_goes();
      }
    }
    pair.check_what_waits();
    ASSERT_FALSE(HasFatalFailure()) << "seed " << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, MatchingOfAChannel,
                         ::testing::Values(Shape{1, 1, 5}, Shape{2, 3, 5}, Shape{3, 2, 6}, Shape{40, 300, 5},
                                           Shape{3, 5000, 7}, Shape{300, 1, 4}, Shape{1, 100'000, 3}));

}  // namespace
}  // namespace foldlane::testing
