// PROTOCOLS T "transfer" (engine/p2p/transfers/transfer_lines.hpp) and P "pieces" (engine/data/pieces.hpp):
// what the receiver has is what was sent, whichever way it took; nobody touches a box or a buffer that is
// another's; lines that serve one message after the other mix up none of them, nor what both ends say of the
// boxes. Driven are the shipped ends of a transfer, in every interleaving. What is around them
// (engine/p2p/outbox.cpp, intake.cpp) is repeated here without its lists.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "engine/p2p/transfers/transfer_lines.hpp"
#include "model_atoms.hpp"
#include "report.hpp"

namespace foldlane::model {
namespace {

using engine::Chunks;
using engine::HandedBack;
using engine::kNoPlace;
using engine::Sent;
using Lines = engine::BasicTransferLines<LadderAtoms>;

constexpr std::size_t kMostChunks = 6;
constexpr std::size_t kMostMessages = 3;
constexpr std::size_t kReceivers = 2;
constexpr std::uint64_t kTarget = 7;  // where a receiver that can be reached wants its data

enum class Way : std::uint8_t { boxes, direct, straight, pieces };

struct Message {
  int receiver;  // thread 1 or 2
  std::uint64_t chunks;
  Way way;
  bool synchronous = false;
};

using Script = std::vector<Message>;

/// Steps that are wrong on purpose.
enum class Broken : std::uint8_t {
  none,
  taken_twice,  // the end of a message is published once more when it is over
  no_place,     // the receiver matches before it says where it wants the data
  refused,      // not wrong: the system does not let the sender push
  withdrawn,    // nor this: the sender does not wait for the receiver
  not_claimed,  // the receiver pulls whether the sender has withdrawn it or not
  not_awaited,  // the receiver does not wait for what the sender pushes
  heard_late,   // the receiver reads what the sender says of its boxes after the end
  unasked,      // not wrong: the sender does not ask how boxes come back
  said_late,    // the receiver says how it hands them back after the end
};

using Data = std::array<std::uint32_t, kMostChunks>;

class TransferProgram final : public Program {
 public:
  TransferProgram(const Script& script, Broken broken) : script_(script), broken_(broken) {}

  std::size_t threads() const override { return kReceivers + 1; }

  void run(int thread) override {
    if (thread == 0) return send_all();
    for (std::size_t number = 0; number < script_.size(); ++number) {
      if (script_[number].receiver == thread) receive(number);
      if (Execution::current().is_draining()) return;
      Execution::current().checkpoint(number + 1);
    }
  }

  Kind kind_of(const void* word) const override {
    if (word == &lines_.sender.filled) return Kind::filled;
    if (word == &lines_.sender.boxed) return Kind::boxed;
    if (word == &lines_.receiver.taken) return Kind::taken;
    if (word == &lines_.receiver.place) return Kind::place;
    if (word == &lines_.pieces.pushed) return Kind::pushed;
    return Kind::state;
  }

  std::string name_of(const void* address) const override {
    if (address == &lines_.sender.filled) return "'filled'";
    if (address == &lines_.sender.boxed) return "'boxed'";
    if (address == &lines_.receiver.taken) return "'taken'";
    if (address == &lines_.receiver.place) return "'place'";
    if (address == &lines_.receiver.handed_back) return "'handed back'";
    if (address == &lines_.sender.state) return "'state'";
    if (address == &lines_.sender.took) return "'took'";
    if (address == &lines_.pieces.claims) return "'claims'";
    if (address == &lines_.pieces.pushed) return "'pushed'";
    for (std::size_t i = 0; i < kMostMessages; ++i) {
      if (address == &posted_[i]) return fmt::format("message {}'s envelope", i);
    }
    for (std::size_t i = 0; i < boxes_.size(); ++i) {
      if (address == &boxes_[i]) return fmt::format("box {}", i);
    }
    for (std::size_t i = 0; i < kMostChunks; ++i) {
      if (address == &source_[i]) return fmt::format("the sender's chunk {}", i);
      for (const Data& target : targets_) {
        if (address == &target[i]) return fmt::format("a receiver's chunk {}", i);
      }
    }
    return "where the boxes are";
  }

  std::string thread_name(int thread) const override {
    return thread == 0 ? "sender" : fmt::format("receiver {}", thread);
  }

  void add_places(Memory& memory) const override {
    memory.add_place(&boxes_, sizeof boxes_);
    memory.add_place(&source_, sizeof source_);
    for (const Data& target : targets_) memory.add_place(&target, sizeof target);
  }

 private:
  static std::uint32_t value(std::size_t number, std::uint64_t chunk) {
    return static_cast<std::uint32_t>(100 * (number + 1) + chunk);
  }
  static HandedBack state_of(std::size_t number) {
    return number % 2 == 0 ? HandedBack::clean : HandedBack::dirty;
  }
  static Sent sent_of(std::size_t number) { return {state_of(number), static_cast<double>(number) + 1}; }
  /// All that a side knows where it begins to look again, but for its first checkpoints.
  static std::uint64_t place_in_code(std::size_t number, std::uint64_t copied, unsigned matched = 0,
                                     unsigned sent = 0) {
    return 1000 + ((number * 16 + copied) * 2 + matched) * 2 + sent;
  }
  static void write(std::uint32_t& place, std::uint32_t value) {
    LadderAtoms::writes(&place, sizeof place);
    place = value;
  }
  static std::uint32_t read(const std::uint32_t& place) {
    LadderAtoms::reads(&place, sizeof place);
    return place;
  }
  Data& target_of(const Message& message) { return targets_[static_cast<std::size_t>(message.receiver - 1)]; }

  // ---- as Outbox

  void send_all() {
    engine::BasicTransferSender<LadderAtoms> transfer(&lines_);
    for (std::size_t number = 0; number < script_.size(); ++number) {
      send(transfer, number);
      if (Execution::current().is_draining()) return;
      Execution::current().checkpoint(number + 1);
    }
  }

  void send(engine::BasicTransferSender<LadderAtoms>& transfer, std::size_t number) {
    const Message& message = script_[number];
    for (std::uint64_t c = 0; c < message.chunks; ++c) write(source_[c], value(number, c));
    const bool is_direct = message.way == Way::direct;
    const bool is_in_pieces = message.way == Way::pieces;
    if (is_in_pieces) claims(message).begin();
    const std::uint64_t first = transfer.begin(is_direct ? 1 : message.chunks);
    is_sent_ = is_matched_ = false;
    copied_ = 0;
    if (!is_direct && !is_in_pieces) fill(transfer, number);
    posted_[number].publish(first);
    is_withdrawn_ = is_in_pieces && (broken_ == Broken::withdrawn || broken_ == Broken::not_claimed) &&
                    claims(message).withdraw();
    while (!Execution::current().is_draining()) {
      Execution::current().checkpoint(place_in_code(number, copied_, is_matched_ ? 1 : 0, is_sent_ ? 1 : 0));
      const std::uint64_t seen = lines_.receiver.taken.observe();
      const bool moved = step(transfer, number);
      if (transfer.is_over()) break;
      if (!moved) Execution::current().await(lines_.receiver.taken.number(), seen + 1, -1);
    }
    if (!is_sent_) end_send(message);
    if (message.way == Way::boxes && broken_ != Broken::unasked && !Execution::current().is_draining() &&
        transfer.handed_back() != state_of(number))
      Execution::current().fail("another state");
  }

  bool step(engine::BasicTransferSender<LadderAtoms>& transfer, std::size_t number) {
    const Message& message = script_[number];
    bool moved = false;
    if (!is_matched_ && transfer.is_matched()) {
      is_matched_ = moved = true;
      if (!is_sent_ && message.way != Way::direct) write_straight(transfer, message);
    }
    if (message.way == Way::pieces && !is_withdrawn_)
      return is_matched_ && !transfer.is_over() && push(number);
    if (!is_sent_ && message.way != Way::direct) moved |= fill(transfer, number);
    return moved;
  }

  engine::BasicPieceClaims<LadderAtoms> claims(const Message& message) {
    return {lines_.pieces, message.chunks};
  }
  bool push(std::size_t number) {
    const Message& message = script_[number];
    return claims(message).push_one([&](std::uint64_t piece) {
      if (broken_ == Broken::refused || Execution::current().is_draining()) return false;
      write(target_of(message)[piece], read(source_[piece]));
      return true;
    });
  }

  bool fill(engine::BasicTransferSender<LadderAtoms>& transfer, std::size_t number) {
    const Message& message = script_[number];
    const auto copy = [&](std::uint64_t chunk) {
      write(boxes_[chunk % Chunks::kBoxes], read(source_[chunk]));
      if (chunk + 1 == message.chunks) transfer.say(sent_of(number));
    };
    const bool moved = transfer.fill(copy, [] {});
    const bool is_over = transfer.is_filled() && (is_matched_ || !message.synchronous);
    if (is_over) end_send(message);
    return is_over || moved;
  }

  void write_straight(engine::BasicTransferSender<LadderAtoms>& transfer, const Message& message) {
    const std::uint64_t place = transfer.place();
    if (place >= engine::kInPieces || transfer.is_filled() || Execution::current().is_draining()) return;
    if (place != kTarget) return Execution::current().fail("wrong place");
    transfer.write_straight([&](std::uint64_t chunk) {
      for (; chunk < message.chunks; ++chunk) write(target_of(message)[chunk], read(source_[chunk]));
    });
  }

  /// The buffer is the program's again.
  void end_send(const Message& message) {
    is_sent_ = true;
    for (std::uint64_t c = 0; c < message.chunks; ++c) write(source_[c], 0);
  }

  // ---- as Intake

  void receive(std::size_t number) {
    const Message& message = script_[number];
    Execution::current().await(posted_[number].number(), 1, -1);
    engine::BasicTransferReceiver<LadderAtoms> transfer(&lines_, posted_[number].observe(),
                                                        message.way == Way::direct ? 1 : message.chunks);
    if (message.way == Way::pieces) return receive_in_pieces(transfer, number);
    match(transfer, number);
    if (message.way == Way::direct) {
      for (std::uint64_t c = 0; c < message.chunks; ++c) write(target_of(message)[c], read(source_[c]));
      transfer.take_rest();
    }
    take_from_boxes(transfer, number);
  }

  void take_from_boxes(engine::BasicTransferReceiver<LadderAtoms>& transfer, std::size_t number) {
    const Message& message = script_[number];
    std::uint64_t copied = 0;
    const auto copy = [&](std::uint64_t chunk) {
      copied = chunk + 1;
      write(target_of(message)[chunk], read(boxes_[chunk % Chunks::kBoxes]));
      if (broken_ != Broken::heard_late && copied == message.chunks) hear(transfer, number);
    };
    while (!transfer.is_over() && !Execution::current().is_draining()) {
      Execution::current().checkpoint(place_in_code(number, copied));
      if (!transfer.take(copy, [] {})) Execution::current().await_news();
    }
    if (broken_ == Broken::taken_twice) transfer.take_rest();
    if (broken_ == Broken::heard_late) hear(transfer, number);
    if (broken_ == Broken::said_late)
      lines_.receiver.handed_back.publish(static_cast<std::uint64_t>(state_of(number)));
    check_received(number);
  }

  void hear(const engine::BasicTransferReceiver<LadderAtoms>& transfer, std::size_t number) {
    if (broken_ == Broken::unasked) return;
    const Sent heard = transfer.said(), expected = sent_of(number);
    if (heard.state != expected.state || heard.nanoseconds != expected.nanoseconds)
      Execution::current().fail("another message's time");
  }

  void check_received(std::size_t number) {
    const Message& message = script_[number];
    for (std::uint64_t c = 0; c < message.chunks; ++c) {
      if (read(target_of(message)[c]) != value(number, c)) Execution::current().fail("wrong data");
    }
  }

  void receive_in_pieces(engine::BasicTransferReceiver<LadderAtoms>& transfer, std::size_t number) {
    const Message& message = script_[number];
    engine::BasicPieceClaims<LadderAtoms> mine = claims(message);
    const auto pull = [&](std::uint64_t piece) {
      if (!Execution::current().is_draining()) write(target_of(message)[piece], read(source_[piece]));
    };
    if (!mine.begin_pulling(1, kTarget, 1) && broken_ != Broken::not_claimed) {
      transfer.match(kNoPlace);
      return take_from_boxes(transfer, number);
    }
    transfer.match(engine::kInPieces);
    pull(0);
    std::uint64_t copied = 1;
    while (!Execution::current().is_draining()) {
      Execution::current().checkpoint(place_in_code(number, copied));
      const std::uint64_t seen = lines_.pieces.pushed.observe();
      if (mine.is_over()) break;
      const bool moved = mine.pull_one(pull);
      copied += moved ? 1 : 0;
      if (!moved && broken_ == Broken::not_awaited) break;
      if (!moved) Execution::current().await(lines_.pieces.pushed.number(), seen + 1, -1);
    }
    transfer.take_rest();
    check_received(number);
  }

  void match(engine::BasicTransferReceiver<LadderAtoms>& transfer, std::size_t number) {
    const std::uint64_t place = script_[number].way == Way::straight ? kTarget : kNoPlace;
    if (broken_ == Broken::no_place) lines_.receiver.taken.publish(posted_[0].observe());
    transfer.match(place, broken_ == Broken::said_late ? HandedBack::unsaid : state_of(number));
  }

  const Script& script_;
  Broken broken_;
  Lines lines_{};
  std::array<LadderAtoms::Word<std::uint64_t>, kMostMessages> posted_{};  // stands for a lane
  std::array<std::uint32_t, Chunks::kBoxes> boxes_{};
  Data source_{};
  std::array<Data, kReceivers> targets_{};
  std::uint64_t copied_ = 0;  // into boxes, of the sender's message
  bool is_sent_ = false;
  bool is_matched_ = false;
  bool is_withdrawn_ = false;
};

Verdict check(const Script& script, Broken broken = Broken::none, Settings settings = {}) {
  settings.search = Search::interleavings;
  return explore([&] { return std::make_unique<TransferProgram>(script, broken); }, settings);
}

std::string name(const Script& script, const std::string& what = "intact") {
  std::string text;
  for (const Message& each : script) {
    const char* const way = each.way == Way::boxes    ? "boxes"
                            : each.way == Way::direct ? "direct"
                            : each.way == Way::pieces ? "pieces"
                                                      : "straight";
    text += fmt::format("{} {}{} to {}; ", each.chunks, way, each.synchronous ? " synchronous" : "",
                        each.receiver);
  }
  return text + what;
}

TEST(Transfer, OneMessage) {
  for (const Way way : {Way::boxes, Way::straight, Way::direct}) {
    for (const bool synchronous : {false, true}) {
      for (const std::uint64_t chunks : {1U, 4U, way == Way::boxes ? 5U : 6U}) {
        const Script script{{1, chunks, way, synchronous}};
        expect_pass(name(script), check(script));
      }
    }
  }
}

TEST(Transfer, InPieces) {
  struct Case {
    const char* name;
    Broken what;
  };
  for (const auto& [what, how] :
       {Case{"intact", Broken::none}, Case{"the sender may not push", Broken::refused},
        Case{"the sender withdraws", Broken::withdrawn}}) {
    for (const std::uint64_t pieces : {1U, 2U, 3U}) {
      const Script script{{1, pieces, Way::pieces}};
      expect_pass(name(script, what), check(script, how));
    }
  }
  for (const Way second : {Way::pieces, Way::boxes}) {
    const Script script{{1, 2, Way::pieces}, {2, 2, second}};
    expect_pass(name(script), check(script));
  }
}

/// Every pair of ways, to the same and to another receiver.
TEST(Transfer, LinesServeOneMessageAfterTheOther) {
  constexpr std::array kWays = {Way::boxes, Way::straight, Way::direct};
  for (const Way first : kWays) {
    for (const Way second : kWays) {
      for (const int receiver : {1, 2}) {
        const Script script{{1, 2, first}, {receiver, 5, second}};
        expect_pass(name(script), check(script));
      }
    }
  }
}

Settings mutated(const Mutation& mutation) {
  Settings settings;
  settings.mutation = mutation;
  return settings;
}

TEST(TransferMutants, Orders) {
  struct Relaxed {
    const char* name;
    Script script;
    Mutation mutation;
    const char* expected;
  };
  const Script straight{{1, 6, Way::straight}};
  const Script boxes{{1, 5, Way::boxes}};
  const Script direct{{1, 1, Way::direct}};
  const Script two{{1, 4, Way::boxes}, {1, 1, Way::boxes}};
  const Mutation rel{.relaxed_publish = mask(Kind::taken)};
  const Mutation acq{.relaxed_observe = mask(Kind::taken)};
  for (const auto& [what, script, mutation, expected] :
       {Relaxed{"[T1.rel] matched relaxed", straight, rel, "wrong place"},
        Relaxed{"[T1.acq] matched observed relaxed", straight, acq, "wrong place"},
        Relaxed{"[T2.rel] filled relaxed", boxes, {.relaxed_publish = mask(Kind::filled)}, "race at"},
        Relaxed{
            "[T2.acq] filled observed relaxed", boxes, {.relaxed_observe = mask(Kind::filled)}, "race at"},
        Relaxed{"[T3.rel] taken relaxed, a box", two, rel, "race at box 0"},
        Relaxed{"[T3.acq] taken observed relaxed, a box", two, acq, "race at box 0"},
        Relaxed{"[T3.rel] taken relaxed, the buffer", direct, rel, "race at the sender's chunk 0"},
        Relaxed{"[T3.acq] taken observed relaxed, the buffer", direct, acq, "race at the sender's chunk 0"}})
    expect_caught(name(script, what), check(script, Broken::unasked, mutated(mutation)), expected);
  for (const Mutation& mutation : {rel, acq})
    expect_caught(name(two, "[T3] taken relaxed, the state"), check(two, Broken::none, mutated(mutation)),
                  "another state");
}

TEST(TransferMutants, Pieces) {
  const Script pieces{{1, 3, Way::pieces}};
  const auto relaxed = [&](const char* what, const Mutation& mutation) {
    expect_caught(name(pieces, what), check(pieces, Broken::unasked, mutated(mutation)),
                  "race at a receiver's chunk");
  };
  relaxed("[P2.rel] pushed relaxed", {.relaxed_publish = mask(Kind::pushed)});
  relaxed("[P2.acq] pushed observed relaxed", {.relaxed_observe = mask(Kind::pushed)});
  expect_caught(name(pieces, "pulled though withdrawn"), check(pieces, Broken::not_claimed),
                "race at the sender's chunk");
  expect_caught(name(pieces, "what is pushed is not awaited"), check(pieces, Broken::not_awaited),
                "race at a receiver's chunk");
}

TEST(TransferMutants, Steps) {
  const Script boxes{{1, 5, Way::boxes}};
  const Script two{{1, 4, Way::boxes}, {1, 1, Way::boxes}};
  const Script straight{{1, 6, Way::straight}};
  const Script in_turns{{1, 1, Way::boxes}, {2, 1, Way::boxes}};
  expect_caught(name(two, "full boxes are written"),
                check(two, Broken::none, mutated({.satisfied = mask(Kind::taken)})), "wrong place");
  expect_caught(name(boxes, "empty boxes are read"),
                check(boxes, Broken::none, mutated({.satisfied = mask(Kind::filled)})), "race at box 0");
  expect_caught(name(straight, "what is in boxes is not asked"),
                check(straight, Broken::none, mutated({.zero = mask(Kind::boxed)})), "unpublished place");
  expect_caught(name(straight, "matched before the place is said"), check(straight, Broken::no_place),
                "wrong place");
  expect_caught(name(two, "how boxes come back is said late"), check(two, Broken::said_late),
                "another state");
  expect_caught(name(two, "what is said of boxes is heard late"), check(two, Broken::heard_late),
                "another message's time");
  expect_caught(name(in_turns, "an end is published twice"), check(in_turns, Broken::taken_twice), "hang");
}

}  // namespace
}  // namespace foldlane::model
