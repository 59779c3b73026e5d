// What ranks decide by timing while they work, because no topology tells it: on a virtual machine cores move,
// and only the program knows how it uses its buffers. A decision is between two ways of doing the same thing,
// its arms. The wrong one costs time, never a bit of the result.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "shm/base/result.hpp"
#include "shm/sync/atoms.hpp"

namespace foldlane::engine {

enum class Arm : std::uint8_t { first, second };
constexpr Arm other_than(Arm arm) noexcept { return arm == Arm::first ? Arm::second : Arm::first; }

enum class Decision : std::uint8_t {
  slot_stores,
  long_copies,
  result_stores,
  message_stores,
  hand_back,
  message_lines,
  message_blocks,
  message_boxes,
  message_way,
  message_copy,
  exchange_way,
  pass_way,
  block_way,
};
inline constexpr std::size_t kDecisions = 13;

struct Habits {
  double dearer;   // the first arm is given up if it takes so many times as long as the second
  int warm_ups;    // uses of an arm before its time is taken, in each trial
  int timed;       // uses whose time is taken, after those
  int interval;    // most uses between trials; at first they come sooner,
  int sooner = 2;  // after twice so many
  // They begin with the arm in use, end early if the other one is clearly worse, and come when the last one
  // has paid for itself, or soon if it has shown something new. Only of what one rank decides by itself:
  // others hold their trials at the same time because they make as many uses.
  bool decides_alone = false;
  // Every use is timed, and there is a trial when several take another time than in the last one. Of long
  // uses.
  bool watches = false;
};

struct DecisionRow {
  const char* name;
  std::array<const char*, 2> arms;
  std::size_t from_bytes;  // below, it is always the first arm
  Habits habits;
};
using DecisionRows = std::array<DecisionRow, kDecisions>;

/// Slots. Between cores that share a cache, plain stores are right: the reader takes the lines from the
/// writer's cache. Where they do not, taking back lines that the reader holds runs at 2-8 GB/s, and streaming
/// stores, which bypass the caches, are 4 times faster for the whole call. Plain against streaming, as timed:
/// near, 0.9 at 256 KiB and 3.2 (at most 4.4) at 4 KiB, where the reader gains more than that; far, 7.4 at
/// 256 KiB and 11 at 4 KiB. What smaller ones could gain is less than what a streaming copy's fence costs.
///
/// Long copies into boxes and slots, and to oneself, whose stores do not stream. Zen 5, near, vectors against
/// the string instruction: half a round trip of 128 KiB 3.8 and 3.3 us, 2 MiB 59 and 48, a broadcast of 32
/// KiB 1.40 and 1.18, in no cache 2.2 and 1.64; far, 8 ranks on 2 CPUs, a reduce_scatter of 128 KiB 1.7 x as
/// long. Cut in pieces of 4 KiB, which is less than is timed, half a round trip of 16 KiB takes 0.71 and 0.77
/// (by it at both ends). Out of messages' boxes, whole ones only: half a round trip of 128 KiB 3.02 and 2.55
/// us, 256 KiB 5.46 and 4.75. Trials begin when those of how boxes come back are over: each would disturb the
/// other.
///
/// Results. Buffers that are in a cache take twice as long by streaming stores, those that are not up to
/// three times as long by plain ones. A result that was streamed is in no cache any more: the first plain
/// call after it would pay for that. Near, plain against streaming is 0.5 in the caches and 1.2 (16 KiB)
/// to 1.6 (1 MiB) outside; a limit of 1.25 left half of the latter plain. Both kinds of a trial cost twice
/// their time in the wrong state, and programs change their ways less often than hypervisors: 64 calls
/// between trials cost 5 % of a reduce. What is only copied, plain against streaming, near: 16 KiB from
/// memory to memory 2.0 and 1.2 us, out of a cache 1.3 and 0.8, into one 1.1 and 1.2; allgathers of 16
/// KiB 5.3 and 4.2, in the caches 1.9 and 2.9.
///
/// Results of messages. The same, for each piece that comes out of a box (store_choices.hpp), and for blocks
/// of more than 4 KiB. Plain against streaming, half a round trip of 64 KiB: 10.3 and 8.6 us, in the caches
/// 5.4 and 7.2; an exchange of 8 KiB 3.62 and 3.24, 2.36 and 3.41.
///
/// Boxes and slots that go back empty (engine/team/one_way.hpp). Near, 64 KiB and 1 MiB broadcast in 1.8 and
/// 28 us dirty, 1.5 and 24 clean; far, dirty saves up to five times. The eight boxes of a ring come back in
/// the other state one after the other, which is what a trial first waits for: with fewer warm-ups both arms
/// would be timed with boxes of both states, and a wrong arm never left again (far, 128 KiB reduced in 60 us
/// instead of 13). With a wrong arm that costs five times as much, 8,192 uses between trials make that 1 %.
/// To places of up to 2 KiB their sender holds on (kFetchedBytes), and a clean one would be taken from it:
/// 2 KiB reduced in 70 ns dirty, 97 clean.
///
/// Lines of short messages (demotion.hpp), where the CPU can demote them. Far, kept against demoted: half a
/// round trip of 64 B 0.38 and 0.33 us, of 1 KiB 0.67 and 0.61; both ways at once 64 B 0.51 and 0.42. In a
/// stretch that was near, demoted lines took twice as long as kept ones. What demoting costs the sender (1
/// KiB 0.1 us) is not timed: so reading must gain a tenth, and only the first of several messages is demoted.
///
/// Blocks of messages (engine/p2p). The same as of slots, but more of them go around: as many as a lane has
/// cells, up to 32, and the half of them that comes back at once. With 8 warm-ups both arms were timed with
/// blocks of both states, and were one as likely as the other: far, in no cache, 8 KiB both ways 3.32 us
/// clean, 3.79 dirty, 3.5 as chosen. A trial is long, so the first ones are far from each other. Still mixed
/// are trials of a sender that sends to several, or sizes, in turns: it has one pool for all.
///
/// Boxes of messages (engine/p2p). The same as of teams, decided by their receiver alone. Any number of
/// messages may be filled before one is matched, so no count of uses tells when the boxes have come back in
/// the other state: their sender says so, and what filling them took. They begin dirty: what that can cost,
/// near, is a quarter.
///
/// The way of long messages from private memory. Through boxes they cross from core to core twice, pulled by
/// the receiver with the kernel's help once, but the kernel takes its time for each page. Boxes against
/// pulling, half a round trip: on one host 1.5 us against 5.8 (64 KiB, near, one end pulling), on another,
/// far, 8.7 against 2.4 (64 KiB) and 91 against 17 (1 MiB, both ends copying), on a third 3.6 against 6.7
/// (64 KiB, near) and 116 against 67 (1 MiB, far). Each page is slow to pull for the first three times, and
/// one of several messages under way waits for the others, so all of two windows go one way before they are
/// timed (run_chooser.hpp). Where two ranks answer each other, one of them decides for both
/// (mutual_choices.hpp): of 512 KiB in no cache, far, one direction in boxes and the other one pulled takes
/// 133 us, boxes both ways 124, pulled both ways 134.
///
/// The copy of long messages between heaps of the segment. Alone the receiver takes all of it from the
/// sender's buffer; together the sender, if it has nothing else to do, copies pieces from the back. Far,
/// alone and together: half a round trip of 1 MiB 22 to 28 and 14 us, a gather of two 45 to 64 and 36; but an
/// alltoall of 256 KiB 12 and 17, a scatter of 1 MiB 23 and 35, in which both ends have enough to copy. On
/// another host these are equal, and half a round trip of 4 MiB takes 300 and 115: together is the better one
/// to begin with.
///
/// The way of long blocks that two members exchange. Boxes against pulling, far, an allgather: 64 KiB of
/// buffers that are in the caches 9.2 us and 8 to 9.5, 256 KiB 37 and 28 to 31, 1 MiB 150 and 104; of buffers
/// that are not 18 and 28, 70 and 95, 280 and 340: one choice for each (by_reuse.hpp). Blocks of 4 MiB take a
/// millisecond, so trials are short; what is gained by less than a twentieth is lost to them.
///
/// The way of data that one of two members passes the other in a rooted call, an exscan or a short exchange
/// (pass_choices.hpp). Boxes (the build before) and as chosen since, far, of what its giver has not written
/// since the last call: exscan of 64 KiB 12.8 and 5.1 us, reduce 11.4 and 7.5, 37 and 28, alltoall of 32 KiB
/// 5.3 and 3.8. Of what comes from memory boxes are the better arm, by a fifth where one choice served both.
///
/// The way of long blocks of lists of more than two members. Slots against pulling, 8 ranks on 2 CPUs, near,
/// alltoallv: 64 KiB 60 us and 165, 256 KiB 480 and 810, 1 MiB 2,600 and 4,000; far, slots against messages
/// that are pulled, alltoall of 256 KiB 2,170 and 1,530. The first trial decides for a while: with more of
/// them a quarter of the first calls took twice as long. Each page is slow to pull for the first three times
/// (32 KiB, far, 300 to 370 us a call, then 200; slots 250): with one warm-up half of the launches chose
/// slots.
inline constexpr DecisionRows kDecisionRows{
    DecisionRow{"slot-stores", {"plain", "streaming"}, 4 << 10, {5, 0, 1, 64}},
    DecisionRow{"long-copies", {"vectors", "string"}, 8 << 10, {1.0, 1, 8, 1024, 20, true}},
    DecisionRow{"result-stores", {"plain", "streaming"}, 4 << 10, {1.0, 1, 1, 256}},
    DecisionRow{"message-stores", {"plain", "streaming"}, 4 << 10, {1.0, 0, 4, 1024, 16, true}},
    DecisionRow{"hand-back", {"dirty", "clean"}, (2 << 10) + 1, {1.0, 8, 8, 8192}},
    DecisionRow{"message-lines", {"kept", "demoted"}, 32 + 1, {1.1, 2, 8, 4096}},
    DecisionRow{"message-blocks", {"dirty", "clean"}, (2 << 10) + 1, {1.0, 48, 8, 8192, 128}},
    DecisionRow{"message-boxes", {"dirty", "clean"}, (8 << 10) + 1, {1.0, 0, 8, 4096, 2, true}},
    DecisionRow{"message-way", {"boxes", "pull"}, (8 << 10) + 1, {1.0, 2, 3, 1024, 2, true}},
    DecisionRow{"message-copy", {"together", "alone"}, (32 << 10) + 1, {1.0, 2, 4, 1024, 2, true}},
    DecisionRow{"exchange-way", {"boxes", "pull"}, (32 << 10) + 1, {1.05, 1, 4, 1024, 2, true, true}},
    DecisionRow{"pass-way", {"boxes", "pull"}, (8 << 10) + 1, {1.0, 2, 4, 1024, 2, true}},
    DecisionRow{"block-way", {"slots", "pull"}, (8 << 10) + 1, {1.0, 3, 2, 1024, 32}}};
constexpr const DecisionRow& row_of(Decision decision) noexcept {
  return kDecisionRows[static_cast<std::size_t>(decision)];
}

inline constexpr bool is_streaming(Arm arm) noexcept { return arm == Arm::second; }
inline constexpr Arm streaming_if(bool is_right) noexcept { return is_right ? Arm::second : Arm::first; }

/// What of this a user may settle beforehand: "slot-stores=plain,result-stores=streaming".
inline constexpr char kArmsVariable[] = "FOLDLANE_ARMS";

/// The arms that the user wants, whatever they cost; of other decisions none.
using ForcedArms = std::array<std::optional<Arm>, kDecisions>;

/// Reads what kArmsVariable holds; "" forces none. Errors: invalid, with what is known.
shm::Result<ForcedArms> parse_forced_arms(const std::string& text);

/// The decisions of a process: what is forced, and how trials have ended.
class Decisions {
 public:
  struct Entry {
    const DecisionRow* row = nullptr;  // which outlives the process
    std::optional<Arm> forced{};
    std::array<shm::RealAtoms::Word<std::uint64_t>, 2>
        kept{};  // trials after which this arm was the one in use
  };

  explicit Decisions(const ForcedArms& forced = {}, const DecisionRows& rows = kDecisionRows) noexcept {
    for (std::size_t i = 0; i < kDecisions; ++i) {
      entries_[i].row = &rows[i];
      entries_[i].forced = forced[i];
    }
  }

  Entry& of(Decision decision) noexcept { return entries_[static_cast<std::size_t>(decision)]; }
  const Entry& of(Decision decision) const noexcept { return entries_[static_cast<std::size_t>(decision)]; }

 private:
  std::array<Entry, kDecisions> entries_{};
};

}  // namespace foldlane::engine
