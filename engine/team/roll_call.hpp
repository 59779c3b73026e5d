// How mismatched calls are noticed.
//
// Every call of a team extends a chain, a hash of all calls so far, whose top bits travel in the mark beside
// the epoch: whoever awaits a place sees at once, for free, that its writer is in another call, or was in one
// before. Where the two calls do not even use the same places, nobody's wait would end; so members record
// their calls, and peers who wait long read that. Recording costs 5 ns of 90 at 8 bytes, so it is left to
// those whose calls may be others than their peers': a member that leaves a call without having seen
// everybody's mark (a leaf of a reduction, the root of a broadcast), and one whose own wait has become long.
//
// A record is written without any order of its words, and needs none: its seal is all of them together with
// the call's number, so whoever reads a mixture of two records finds a number that is no call's (but for an
// accident of 2^-40, as later calls are 2^24 numbers; that is why the seal scrambles them).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <optional>

#include "engine/team/call_info.hpp"
#include "engine/team/team_lines.hpp"

namespace foldlane::engine {

/// Why a member gave its team up.
enum class Broken : std::uint64_t { no, mismatch, operation, memory, death, length, unreadable };

/// Two members that disagree, as the patient one found out; or a member that gave up for a reason of its own.
/// Of a length: the first has sent the second other than that one expects. Unreadable: the first could not
/// read what the second has shown.
struct Trouble {
  Broken why = Broken::no;
  std::array<int, 2> members{-1, -1};
  std::array<CallInfo, 2> calls{};
  bool known = false;                    // whether `calls` are the two that differ; if not, they say nothing
  std::array<std::uint64_t, 2> bytes{};  // of a length: sent, expected
};

template <class Atoms>
class RollCall {
 public:
  using Lines = BasicTeamLines<Atoms>;
  struct Entry {
    std::uint64_t number;
    std::uint64_t chain;
    CallInfo info;
  };

  /// Numbers start above those that an earlier team with the same lines has used.
  explicit RollCall(std::uint64_t before) : before_(before), number_(before), chain_(before + 1) {}

  /// Begins the next call of this member and returns its signature.
  std::uint64_t begin(const CallInfo& info) noexcept {
    what_ = info.packed();
    count_ = info.count;
    // Any odd multipliers do; a difference in one call changes the top bits of all later chains.
    chain_ = (chain_ + what_) * 0x9e3779b97f4a7c15U + count_ * 0xd1342543de82ef95U;
    ++number_;
    needs_record_ = true;
    return chain_ >> 48;
  }

  /// All members are in this call, as their marks say.
  void agree() noexcept { needs_record_ = false; }

  /// Writes the record of the call, once, if it is needed. Not before the first step of the call that peers
  /// wait for: they would wait for these stores too.
  void record(Lines& own) noexcept {
    if (!needs_record_) return;
    needs_record_ = false;
    auto& record = own.calls.records[number_ % Lines::kRecords];
    set(record.what, what_);
    set(record.count, count_);
    record.chain.publish(chain_);
    record.seal.publish(sealed(number_, chain_, what_, count_));
  }

  bool has_begun() const noexcept { return number_ != before_; }
  CallInfo latest() const noexcept { return CallInfo::unpacked(what_, count_); }
  std::uint64_t number() const noexcept { return number_; }
  std::uint64_t chain() const noexcept { return chain_; }

  /// A member's record of call `number`, unless it has not got there or has overwritten it.
  static std::optional<Entry> entry(const Lines& lines, std::uint64_t number) noexcept {
    const Entry entry = read(lines.calls.records[number % Lines::kRecords]);
    return entry.number == number ? std::optional(entry) : std::nullopt;
  }

  /// Whether the member has recorded a call with this signature lately. An earlier team with the same lines
  /// may have left the same one: all chains start alike.
  bool has_recorded(const Lines& lines, std::uint64_t signature) const noexcept {
    return std::any_of(
        std::begin(lines.calls.records), std::end(lines.calls.records), [&](const Record& record) {
          const Entry entry = read(record);
          return entry.number > before_ && is_possible(entry.number) && entry.chain >> 48 == signature;
        });
  }

  /// Whether the member has announced a call after this member's latest.
  bool is_left_behind_by(const Lines& lines) const noexcept {
    return std::any_of(std::begin(lines.calls.records), std::end(lines.calls.records),
                       [&](const Record& record) {
                         const std::uint64_t number = read(record).number;
                         return number > number_ && is_possible(number);
                       });
  }

  /// The first recorded call that this member (with lines `a`) and another one announced differently.
  std::optional<Trouble> difference(const Lines& a, const Lines& b) const noexcept {
    const std::uint64_t kept = std::min<std::uint64_t>(number_ - before_, Lines::kRecords);
    for (std::uint64_t number = number_ - kept + 1; number <= number_; ++number) {
      const auto left = entry(a, number);
      const auto right = entry(b, number);
      if (!left || !right || left->chain == right->chain) continue;
      return Trouble{Broken::mismatch, {-1, -1}, {left->info, right->info}, left->info != right->info};
    }
    return {};
  }

 private:
  using Record = BasicCallRecord<Atoms>;
  /// No member is further ahead of another one: a larger number is a mixture of records.
  static constexpr std::uint64_t kAhead = std::uint64_t{1} << 24;
  bool is_possible(std::uint64_t number) const noexcept { return number < number_ + kAhead; }

  /// The other words are scrambled: a mixture of a record and of fresh lines, which are zero, would else have
  /// a small number, such as that of a later call.
  static constexpr std::uint64_t sealed(std::uint64_t number, std::uint64_t chain, std::uint64_t what,
                                        std::uint64_t count) noexcept {
    std::uint64_t hash = (chain + 0x9e3779b97f4a7c15U) * 0xbf58476d1ce4e5b9U;
    hash = (hash ^ hash >> 31 ^ what) * 0x94d049bb133111ebU;
    hash = (hash ^ hash >> 30 ^ count) * 0xbf58476d1ce4e5b9U;
    return number ^ hash ^ hash >> 29;
  }
  static Entry read(const Record& record) noexcept {
    const std::uint64_t chain = record.chain.observe();
    const std::uint64_t what = record.what.observe();
    const std::uint64_t count = record.count.observe();
    return {sealed(record.seal.observe(), chain, what, count), chain, CallInfo::unpacked(what, count)};
  }
  static void set(typename Record::Word& word, std::uint64_t value) noexcept {
    if (word.peek() != value) word.publish(value);
  }

  std::uint64_t before_;
  std::uint64_t what_ = 0;
  std::uint64_t number_;
  std::uint64_t count_ = 0;
  std::uint64_t chain_;  // not 0 at first: barriers, whose words are 0, would leave it there
  bool needs_record_ = false;
};

}  // namespace foldlane::engine
