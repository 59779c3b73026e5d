#include "engine/choice/transfer_choices.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <deque>
#include <utility>

namespace foldlane::engine {
namespace {

constexpr std::size_t kBytes = 64 << 10;
constexpr int kMessages = 20'000;
constexpr double kFast = 1e9, kSlow = 4e9;
constexpr double kNear = 200, kFar = 900;  // nanoseconds, as time_of_lines() says

/// It goes on when it is told to.
struct TestClock {
  using time_point = std::chrono::steady_clock::time_point;
  static inline time_point time{};
  static time_point now() noexcept { return time; }
  static void advance(double nanoseconds) {
    time += std::chrono::nanoseconds(static_cast<std::int64_t>(nanoseconds));
  }
};
using TimedChoices = BasicTransferChoices<TestClock>;

/// Messages of which so many are filled before one is received. Returns how many of the last 1000 were
/// dirtied.
int dirtied(std::size_t filled_ahead, double clean_ns, double dirty_ns) {
  Decisions decisions;
  TimedChoices choices(decisions, true, false);
  std::deque<HandedBack> boxes(filled_ahead, HandedBack::unsaid);
  int dirtied = 0;
  for (int message = 0; message < 10'000; ++message) {
    TimedChoices::Use use;
    choices.begin_boxes(use, kBytes, {true, false});
    const HandedBack state = boxes.front();
    boxes.pop_front();
    if (state != HandedBack::unsaid) use.sent = {state, state == HandedBack::clean ? clean_ns : dirty_ns};
    boxes.push_back(use.hands_back);
    dirtied += message >= 9'000 && use.dirties ? 1 : 0;
    choices.end(use);
  }
  return dirtied;
}

TEST(BoxesOfMessages, AreDirtiedWhereThatMakesFillingThemCheaper) {
  for (const std::size_t filled_ahead : {1U, 16U, 100U})
    EXPECT_GT(dirtied(filled_ahead, kSlow, kFast), 500) << filled_ahead;
}

TEST(BoxesOfMessages, StayCleanWhereThatIsCheaper) {
  for (const std::size_t filled_ahead : {1U, 16U, 100U})
    EXPECT_LT(dirtied(filled_ahead, kFast, kSlow), 500) << filled_ahead;
}

/// What has few messages ends before a trial would have paid.
TEST(BoxesOfMessages, AreDirtiedAtFirst) {
  Decisions decisions;
  TimedChoices choices(decisions, true, false);
  int messages = 0;
  for (TimedChoices::Use use; messages < kMessages; ++messages) {
    choices.begin_boxes(use, kBytes, {true, false});
    if (use.is_timed()) break;
    EXPECT_TRUE(use.dirties);
    choices.end(use);
  }
  EXPECT_GE(messages, 128);
  EXPECT_LT(messages, 256);
}

/// Other messages may take all boxes that come back.
TEST(BoxesOfMessages, ATrialEndsThoughNoneComesBack) {
  Decisions decisions;
  TimedChoices choices(decisions, true, false);
  int in_trials = 0;
  for (int message = 0; message < kMessages; ++message) {
    TimedChoices::Use use;
    choices.begin_boxes(use, kBytes, {true, false});
    in_trials += use.hands_back != HandedBack::unsaid ? 1 : 0;
    choices.end(use);
  }
  EXPECT_GT(in_trials, 0);
  EXPECT_LT(in_trials, 10'000);
}

/// A sender of which so many messages are under way at a time, and how long each of them takes.
class Sender {
 public:
  Sender(std::size_t under_way, double boxes_ns, double pull_ns, bool shares_cpus = false)
      : choices_(decisions_, true, shares_cpus),
        under_way_(under_way),
        costs_{{{boxes_ns, pull_ns}, {boxes_ns, pull_ns}}} {
    choices_.learn(true);
  }
  void set_costs(bool is_again, double boxes_ns, double pull_ns) {
    costs_[is_again ? 1 : 0] = {boxes_ns, pull_ns};
  }

  double boxed_before_ns = 0;  // that it takes to fill boxes, before their receiver looks at them
  double lines_ns = kNear;     // as time_of_lines() says

  /// Sends so many messages from where it has just sent, or from elsewhere. Returns how many of those that
  /// came meanwhile were pulled.
  int pulled(int messages, bool is_again = true) {
    int pulled = 0;
    for (int message = 0; message < messages; ++message) {
      while (sent_.size() < under_way_) send(is_again);
      pulled += receive() ? 1 : 0;
    }
    return pulled;
  }

 private:
  struct Message {
    bool is_again, is_pulled, is_trial;
  };

  void send(bool is_again) {
    const Pulls::Wanted wanted = choices_.pulls(is_again).of(kBytes);
    const bool is_trying =
        std::any_of(sent_.begin(), sent_.end(), [](const Message& each) { return each.is_trial; });
    const bool is_trial = wanted.tries_other && !is_trying;
    sent_.push_back({is_again, wanted.usual != is_trial, is_trial});
  }
  bool receive() {
    const Message message = sent_.front();
    sent_.pop_front();
    TimedChoices::Use use;
    if (!message.is_pulled) TestClock::advance(boxed_before_ns);
    const TransferNote note{message.is_again, true, static_cast<std::uint32_t>(sent_.size())};
    message.is_pulled ? choices_.begin_pull(use, kBytes, note) : choices_.begin_boxes(use, kBytes, note);
    TestClock::advance(costs_[message.is_again ? 1 : 0][message.is_pulled ? 1 : 0]);
    if (use.looks) use.look = lines_ns;
    choices_.end(use);
    return message.is_pulled;
  }

  Decisions decisions_;
  TimedChoices choices_;
  std::size_t under_way_;
  std::array<std::array<double, 2>, 2> costs_;  // by is_again, and by whether it is pulled
  std::deque<Message> sent_;
};

/// Those of a window have left before their receiver tries another way: it waits until one comes in that.
TEST(WaysOfMessages, ArePulledWhereThatIsCheaper) {
  for (const std::size_t under_way : {1U, 16U, 100U}) {
    Sender sender(under_way, kSlow, kFast);
    sender.pulled(kMessages);
    EXPECT_GT(sender.pulled(kMessages), kMessages * 9 / 10) << under_way;
  }
}

/// Too soon after each other for one choice to follow.
TEST(WaysOfMessages, AreOthersForBuffersThatAreUsedAgain) {
  constexpr int kTurns = 100, kInATurn = 200;
  Sender sender(1, kFast, kSlow);
  sender.set_costs(true, kSlow, kFast);
  int again = 0, elsewhere = 0;
  for (int turn = 0; turn < kTurns; ++turn) {
    again += sender.pulled(kInATurn, true);
    elsewhere += sender.pulled(kInATurn, false);
  }
  EXPECT_GT(again, kTurns * kInATurn * 9 / 10);
  EXPECT_LT(elsewhere, kTurns * kInATurn / 10);
}

/// However many are under way, trials are rare.
TEST(WaysOfMessages, ComeThroughBoxesWhereThatIsCheaper) {
  constexpr int kMany = 10 * kMessages;
  for (const std::size_t under_way : {1U, 16U, 100U})
    EXPECT_LT(Sender(under_way, kFast, kSlow).pulled(kMany), kMany / 50) << under_way;
}

/// Others could have run while its sender copies.
TEST(WaysOfMessages, CostBothEndsWhereRanksShareCpus) {
  const auto mostly_pulled = [](bool shares_cpus, double boxed_before_ns) {
    Sender sender(1, kFast, 1.5 * kFast, shares_cpus);
    sender.boxed_before_ns = boxed_before_ns;
    sender.pulled(kMessages);
    return sender.pulled(kMessages) > kMessages * 9 / 10;
  };
  EXPECT_TRUE(mostly_pulled(true, kFast));
  EXPECT_FALSE(mostly_pulled(true, 0.3 * kFast)) << "only as long as it takes";
  EXPECT_FALSE(mostly_pulled(false, kFast)) << "it copies while its receiver waits";
}

/// What one end copies the other one need not.
TEST(CopiesBetweenHeaps, AreSharedUntilThatIsTimed) {
  Decisions decisions;
  TimedChoices choices(decisions, true, false);
  TimedChoices::Use use;
  EXPECT_TRUE(choices.begin_copy(use, kBytes));
  EXPECT_EQ(use.copy, nullptr);
}

/// Every message comes as is wanted.
class Messages {
 public:
  void receive(double boxes_ns, double pull_ns, double part_ns) {
    const bool is_timed = chooser.wanted().timed;
    in_trials += chooser.is_on_trial() ? 1 : 0;
    if (is_timed) chooser.report(1, chooser.wanted().arm == Arm::first ? boxes_ns : pull_ns);
    if (!is_timed && !chooser.is_on_trial()) chooser.watch(part_ns);
    chooser.pass(true);
  }
  /// Parts take as long as the whole, per byte.
  int receive_until(Arm wanted, double boxes_ns, double pull_ns) {
    int messages = 0;
    for (; chooser.settled() != wanted && messages < kMessages; ++messages)
      receive(boxes_ns, pull_ns, chooser.settled() == Arm::first ? boxes_ns : pull_ns);
    return messages;
  }

 private:
  Decisions decisions_;

 public:
  LateChooser chooser{decisions_.of(Decision::message_way)};
  int in_trials = 0;
};

/// 2 MiB both ways, us: near 190 through boxes and 250 pulled, far 415 and 280.
TEST(LateChooser, FollowsAMoveThatPartsOfMessagesShow) {
  Messages messages;
  for (int message = 0; message < 500; ++message) messages.receive(190, 250, 190);
  EXPECT_EQ(messages.chooser.settled(), Arm::first);
  EXPECT_LE(messages.receive_until(Arm::second, 415, 280), 64);
}

TEST(LateChooser, FollowsFewFalseAlarms) {
  Messages messages;
  for (int message = 0; message < kMessages; ++message)
    messages.receive(190, 250, message % 20 < 10 ? 100 : 400);
  EXPECT_EQ(messages.chooser.settled(), Arm::first);
  EXPECT_LT(messages.in_trials, kMessages / 20);
}

/// What a trial waits for never comes: that must not end by giving the trial up, and the arm.
TEST(LateChooser, KeepsAForcedArm) {
  ForcedArms forced;
  forced[static_cast<std::size_t>(Decision::message_boxes)] = Arm::second;
  Decisions decisions(forced);
  LateChooser chooser(decisions.of(Decision::message_boxes));
  chooser.begin_with(Arm::first);
  for (int message = 0; message < 10'000; ++message) {
    EXPECT_EQ(chooser.wanted().arm, Arm::second);
    EXPECT_FALSE(chooser.wanted().timed);
    chooser.pass(false);
  }
}

TEST(LateChooser, TrialsAreOneInSixteenHoweverLongTheyLast) {
  Decisions decisions;
  LateChooser chooser(decisions.of(Decision::message_way));
  int in_trials = 0;
  for (int message = 0; message < 10 * kMessages; ++message) {
    const bool has_come_round = message % 100 == 0;
    in_trials += chooser.is_on_trial() ? 1 : 0;
    if (chooser.wanted().timed && has_come_round) chooser.report(1, 1.0);
    chooser.pass(has_come_round);
  }
  EXPECT_GT(in_trials, 10 * kMessages / 32);
  constexpr int kOneTrial = 12 * 100;  // the last one may be under way
  EXPECT_LT(in_trials, 10 * kMessages / 15 + kOneTrial);
}

/// By the pair's messages of another size.
TEST(TransferChoices, ASizeBeginsAsTheNearestThatHasDecided) {
  Decisions decisions;
  TimedChoices choices(decisions, true, false);
  choices.learn(true);
  const auto receive = [&](std::size_t bytes) {
    TimedChoices::Use use;
    const bool pulls = choices.pulls(true).of(bytes).usual != choices.pulls(true).of(bytes).tries_other;
    pulls ? choices.begin_pull(use, bytes, {true, true}) : choices.begin_boxes(use, bytes, {true, true});
    TestClock::advance(pulls ? kFast : kSlow);
    if (use.looks) use.look = kNear;
    choices.end(use);
  };
  for (int message = 0; message < 2'000; ++message) receive(kBytes);
  EXPECT_TRUE(choices.pulls(true).of(kBytes).usual);
  for (const std::size_t bytes : {kBytes / 4, 16 * kBytes}) {
    receive(bytes);
    EXPECT_TRUE(choices.pulls(true).of(bytes).usual) << bytes;
    EXPECT_FALSE(choices.pulls(true).of(bytes).tries_other) << bytes;
  }
  receive(kBytes / 2);
  EXPECT_FALSE(choices.pulls(false).of(kBytes / 2).usual) << "others do not begin like them";
}

/// In boxes, whose lines have taken so long.
Pulls receive_in_boxes(TimedChoices& choices, std::size_t bytes, double lines, bool is_again = true) {
  TimedChoices::Use use;
  choices.begin_boxes(use, bytes, {is_again, true});
  if (use.looks) use.look = lines;
  return choices.end(use);
}

TEST(TransferChoices, WhetherAReceiverMayPullShowsAfterItsFirstLooks) {
  Decisions decisions;
  for (const auto& [may, is_lower] : {std::pair{true, true}, {false, true}, {true, false}, {false, false}}) {
    TimedChoices choices(decisions, is_lower, false);
    int messages = 1;
    while (!receive_in_boxes(choices, kBytes, kFar).of(kBytes).tries_other && messages < 100) ++messages;
    EXPECT_EQ(messages, 4);
    EXPECT_FALSE(choices.pulls(true).of(kBytes).tries_other) << "what is kept for other sizes";
    choices.learn(may);
    EXPECT_FALSE(receive_in_boxes(choices, kBytes, kFar).of(kBytes).tries_other) << "once is enough";
  }
}

/// Whether messages of that size are to be pulled once the first ones have shown where the cores are.
bool is_pulled_one_way(double lines, bool is_again, std::size_t bytes, bool shares_cpus = false) {
  Decisions decisions;
  TimedChoices choices(decisions, false, shares_cpus);
  choices.learn(true);
  for (int look = 0; look < 4; ++look)
    EXPECT_FALSE(receive_in_boxes(choices, bytes, lines, is_again).of(bytes).usual) << "not before";
  return receive_in_boxes(choices, bytes, lines, is_again).of(bytes).usual;
}

TEST(WaysOfMessages, BeginAsIsLikelyWhereTheCoresAre) {
  EXPECT_TRUE(is_pulled_one_way(kFar, true, kBytes));
  EXPECT_FALSE(is_pulled_one_way(kNear, true, kBytes));
  EXPECT_FALSE(is_pulled_one_way(kNear, true, 1 << 20)) << "however long";
  EXPECT_FALSE(is_pulled_one_way(kFar, false, kBytes)) << "what comes from memory";
  EXPECT_FALSE(is_pulled_one_way(kFar, false, 1 << 20)) << "however long";
  EXPECT_TRUE(is_pulled_one_way(kNear, true, 512 << 10, true)) << "there is one copy instead of two";
  EXPECT_FALSE(is_pulled_one_way(kNear, true, (512 << 10) - 1, true)) << "shorter ones as the look says";
  EXPECT_TRUE(is_pulled_one_way(kFar, true, kBytes / 2, true));
  EXPECT_FALSE(is_pulled_one_way(kNear, false, kBytes, true));
}

/// All of a window are matched before the first one is over.
TEST(WaysOfMessages, BeginAsIsLikelyAfterAWindow) {
  constexpr std::size_t kWindow = 64;
  Decisions decisions;
  TimedChoices choices(decisions, false, false);
  choices.learn(true);
  std::array<TimedChoices::Use, kWindow> uses;
  for (TimedChoices::Use& use : uses) choices.begin_boxes(use, kBytes, {true, true, kWindow - 1});
  for (TimedChoices::Use& use : uses) {
    use.look = kFar;
    EXPECT_FALSE(choices.end(use).of(kBytes).usual) << "nothing has begun as is likely";
  }
  EXPECT_TRUE(receive_in_boxes(choices, kBytes, kNear).of(kBytes).usual);
}

/// If nobody looks nothing is likely.
TEST(WaysOfMessages, StayInBoxesWithoutALook) {
  Decisions decisions;
  TimedChoices choices(decisions, false, false);
  choices.learn(true);
  for (int message = 0; message < kMessages; ++message) {
    TimedChoices::Use use;
    choices.begin_boxes(use, kBytes, {true, true});
    EXPECT_TRUE(use.looks);
    EXPECT_FALSE(choices.end(use).of(kBytes).usual);
  }
}

/// The first guess is as often wrong as right.
TEST(WaysOfMessages, AreTriedSoonWhereRanksShareCpus) {
  const auto pulled_at_first = [](int messages) {
    Sender sender(1, kFast, kSlow, true);
    sender.lines_ns = kFar;
    return sender.pulled(messages);
  };
  constexpr int kLikely = 100, kFew = 300;
  EXPECT_GT(pulled_at_first(kLikely), kLikely - 10) << "but for the looks";
  EXPECT_LT(pulled_at_first(kFew), kFew - 50);
}

/// Messages of other sizes do not count for theirs.
TEST(WaysOfMessages, CountFromTheLastEndOfAnySize) {
  Decisions decisions;
  TimedChoices choices(decisions, false, true);
  choices.learn(true);
  int pulled = 0;
  for (int message = 0; message < kMessages; ++message) {
    TimedChoices::Use use;
    const bool is_pulled = choices.pulls(true).of(kBytes).usual;
    is_pulled ? choices.begin_pull(use, kBytes, {true, true})
              : choices.begin_boxes(use, kBytes, {true, true});
    TestClock::advance(is_pulled ? kFast : kSlow);
    if (use.looks) use.look = kNear;
    choices.end(use);
    pulled += is_pulled && message >= kMessages / 2 ? 1 : 0;
    constexpr std::size_t kOther = 16 << 10;
    choices.begin_boxes(use, kOther, {false, true});
    TestClock::advance(is_pulled ? 100 * kSlow : 0);
    choices.end(use);
  }
  EXPECT_GT(pulled, kMessages * 9 / 20);
}

TEST(Pulls, EachSizeHasItsOwn) {
  Pulls pulls;
  pulls.set(64 << 10, {.usual = true, .tries_other = false, .for_both = true});
  pulls.set(std::size_t{1} << 40, {.usual = false, .tries_other = true, .for_both = false});
  const Pulls read(pulls.word());
  EXPECT_TRUE(read.of(64 << 10).usual && !read.of(64 << 10).tries_other && read.of(64 << 10).for_both);
  EXPECT_TRUE(!read.of(1 << 30).usual && read.of(1 << 30).tries_other && !read.of(1 << 30).for_both);
  EXPECT_FALSE(read.of(32 << 10).usual);
  pulls.set(64 << 10, {});
  EXPECT_FALSE(pulls.of(64 << 10).usual || pulls.of(64 << 10).for_both);
  EXPECT_TRUE(pulls.of(1 << 30).tries_other);
}

/// One that meets another one.
Pulls receive(TimedChoices& choices, TimedChoices::Use& use) {
  choices.begin_boxes(use, kBytes, {true, true});
  use.meanwhile.in_boxes = true;
  return choices.end(use);
}

TEST(DirectionsOfMessages, AreDecidedByTheLowerRankWhereItCanPull) {
  Decisions decisions;
  TimedChoices lower(decisions, true, false), higher(decisions, false, false);
  TimedChoices::Use use;
  EXPECT_FALSE(receive(lower, use).of(kBytes).for_both) << "before it is known whether it can";
  lower.learn(true);
  EXPECT_TRUE(receive(lower, use).of(kBytes).for_both);
  EXPECT_TRUE(use.agreed.has_value());
  higher.learn(true);
  EXPECT_FALSE(receive(higher, use).of(kBytes).for_both);
  EXPECT_FALSE(use.agreed.has_value());
}

/// Messages that go both ways, of the first one of which lines have taken so long. Whether the next one is to
/// be pulled.
bool are_pulled_after(double lines, bool is_again, std::size_t bytes, bool shares_cpus = false) {
  Decisions decisions;
  TimedChoices choices(decisions, true, shares_cpus);
  choices.learn(true);
  TimedChoices::Use use;
  choices.begin_boxes(use, bytes, {is_again, true});
  EXPECT_TRUE(use.looks) << "the first one does";
  use.look = lines;
  use.meanwhile.in_boxes = 1;
  return choices.end(use).of(bytes).usual;
}

TEST(DirectionsOfMessages, BeginAsIsLikelyWhereTheCoresAre) {
  EXPECT_TRUE(are_pulled_after(kFar, true, kBytes));
  EXPECT_FALSE(are_pulled_after(kNear, true, kBytes));
  EXPECT_FALSE(are_pulled_after(kFar, false, kBytes)) << "what comes from memory";
  EXPECT_TRUE(are_pulled_after(kFar, false, 1 << 20)) << "unless it is long";
  EXPECT_FALSE(are_pulled_after(kNear, false, 1 << 20));
  EXPECT_FALSE(are_pulled_after(kNear, true, 1 << 20)) << "however long";
  EXPECT_TRUE(are_pulled_after(kNear, true, 512 << 10, true)) << "there is one copy instead of two";
  EXPECT_FALSE(are_pulled_after(kNear, true, (512 << 10) - 1, true)) << "shorter ones as the look says";
  EXPECT_FALSE(are_pulled_after(kNear, false, kBytes, true));
}

/// A trial that has begun would not go on, and time every message.
TEST(DirectionsOfMessages, AreNotTimedByTheHigherRankWhileTheLowerOneDecides) {
  Decisions decisions;
  TimedChoices higher(decisions, false, false);
  higher.learn(true);
  TimedChoices::Use use;
  const auto receive = [&] {
    higher.begin_boxes(use, kBytes, {true, true});
    if (use.looks) use.look = kNear;
    return use.since != BasicPace<TestClock>::kNever;
  };
  int messages = 0;
  for (; !receive() && messages < kMessages; ++messages) higher.end(use);
  ASSERT_LT(messages, kMessages) << "a trial begins";
  higher.leave_way(use);
  higher.end(use);
  EXPECT_FALSE(receive());
}

}  // namespace
}  // namespace foldlane::engine
