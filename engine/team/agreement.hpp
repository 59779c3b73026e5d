// Whether all members are in the same call, and what has become of the team if they are not.
//
// The words that publish a place are marks: the epoch, and below it the signature of the call
// (roll_call.hpp). A place keeps its mark until all have finished with it, so whoever awaits a mark of epoch
// e sees exactly that epoch's, and a signature that is not its own means that the members disagree about the
// call.
#pragma once

#include <cstdint>

#include "engine/team/membership.hpp"
#include "engine/team/roll_call.hpp"

namespace foldlane::engine {

template <class Atoms>
class BasicAgreement {
 public:
  using Membership = BasicMembership<Atoms>;

  /// `before`: the last epoch that an earlier team with the same lines may have used.
  BasicAgreement(const Membership& membership, std::uint64_t before)
      : membership_(membership), roll_call_(before) {}
  BasicAgreement(const BasicAgreement&) = delete;
  BasicAgreement& operator=(const BasicAgreement&) = delete;

  // ---- calls

  /// Announces a call that has its place in the order already. False if the team is broken.
  bool announce(const CallInfo& info) noexcept {
    if (broken()) return false;
    // A team of one has no lines of its own.
    if (membership_.size() > 1) signature_ = roll_call_.begin(info);
    return true;
  }
  /// Leaves a trace of the call, unless it is known that all members are in the same one. Calls that publish
  /// something need not ask for it.
  void record_call() noexcept { roll_call_.record(membership_.own_lines()); }
  /// All members are in this call, as their marks say.
  void agree() noexcept { roll_call_.agree(); }
  /// The one that was announced last.
  CallInfo latest_call() const noexcept { return roll_call_.latest(); }
  /// How many calls there were, with those of earlier teams that had the same lines.
  std::uint64_t calls() const noexcept { return roll_call_.number(); }

  /// Of the call, as it stands in marks.
  std::uint16_t signature() const noexcept { return static_cast<std::uint16_t>(signature_); }
  /// Whether call `number` of this member, of which it keeps a record, had that one.
  bool had_signature(std::uint64_t number, std::uint16_t signature) const noexcept {
    const auto entry = RollCall<Atoms>::entry(membership_.own_lines(), number);
    return entry && entry->chain >> (64 - kSignatureBits) == signature;
  }
  std::uint64_t mark(std::uint64_t epoch) const noexcept { return least_mark(epoch) | signature_; }
  static constexpr std::uint64_t least_mark(std::uint64_t epoch) noexcept { return epoch << kSignatureBits; }

  // ---- trouble

  bool broken() const noexcept { return trouble_.why != Broken::no; }
  const Trouble& trouble() const noexcept { return trouble_; }

  /// Gives the team up, so that peers do not wait for this member.
  void give_up(Broken why) noexcept { give_up(Trouble{why, {membership_.rank(), -1}, {}, false}); }
  void give_up(const Trouble& trouble) noexcept {
    if (broken()) return;
    trouble_ = trouble;
    if (membership_.size() == 1) return;  // it has no lines of its own
    auto& own = membership_.own_lines().finished;
    for (std::size_t i = 0; i < trouble.bytes.size(); ++i) own.lengths[i].publish(trouble.bytes[i]);
    membership_.signals().publish(own.broken, packed(trouble));
  }

  // ---- who waits for a member

  /// The member will not publish what this one awaits: a member has died, or it gave up, or is in a different
  /// call, or has left this one behind (which, if the word has not come by then, it did without doing this
  /// member's call).
  bool is_hopeless(int member) noexcept {
    const Lines& theirs = membership_.lines(member);
    record_call();
    if (find_dead() != kNone || theirs.finished.broken.observe() != 0) return true;
    if (!roll_call_.has_begun()) return false;
    const auto entry = RollCall<Atoms>::entry(theirs, roll_call_.number());
    if (entry && entry->chain != roll_call_.chain()) return true;
    return roll_call_.is_left_behind_by(theirs);
  }

  /// Of one of whom that is true: it has been in this very call, and nothing is wrong with it.
  bool has_done_call(int member) noexcept {
    const Lines& theirs = membership_.lines(member);
    if (find_dead() != kNone || theirs.finished.broken.observe() != 0) return false;
    const auto entry = RollCall<Atoms>::entry(theirs, roll_call_.number());
    return entry && entry->chain == roll_call_.chain();
  }

  /// A member records a call that others are not in when it leaves it, or when a wait in it becomes long.
  bool has_recorded(int member, std::uint64_t mark) noexcept;
  [[gnu::cold]] void await_record(int member, std::uint64_t mark) noexcept;
  /// A wait for `member` failed while the job has not.
  [[gnu::cold]] void give_up_over(int member) noexcept;
  /// This member could not read what `giver` has offered. If that one has ended, this is a death as any
  /// other, though nobody may have told of it yet.
  void give_up_unread(int giver, bool giver_has_ended) noexcept {
    if (giver_has_ended) return give_up({Broken::death, {giver, -1}, {}, true});
    give_up({Broken::unreadable, {membership_.rank(), giver}, {}, true});
  }

 private:
  using Lines = typename Membership::Lines;
  /// 48 bits of epoch last for a year of calls of 100 ns.
  static constexpr unsigned kSignatureBits = 16;

  /// A member that has died. What any member does may depend on it.
  int find_dead() noexcept;
  static constexpr int kNone = -1;
  // Of a trouble, for the others: why, and from these bits on the members, from 1.
  static constexpr unsigned kFirstAt = 8, kSecondAt = 32;
  static std::uint64_t packed(const Trouble& trouble) noexcept {
    const auto place = [&](std::size_t i) { return static_cast<std::uint64_t>(trouble.members[i] + 1); };
    return static_cast<std::uint64_t>(trouble.why) | place(0) << kFirstAt | place(1) << kSecondAt;
  }
  static int member_at(std::uint64_t broken, unsigned bit) noexcept {
    return static_cast<int>(broken >> bit & ((1U << (kSecondAt - kFirstAt)) - 1)) - 1;
  }
  Trouble find_trouble(int member) noexcept;

  const Membership& membership_;
  std::uint64_t signature_ = 0;
  RollCall<Atoms> roll_call_;
  Trouble trouble_;
  std::uint64_t deaths_elsewhere_ = 0;  // so many deaths were of no member
};

template <class Atoms>
void BasicAgreement<Atoms>::give_up_over(int member) noexcept {
  record_call();
  if (!membership_.signals().failed()) give_up(find_trouble(member));
}

template <class Atoms>
bool BasicAgreement<Atoms>::has_recorded(int member, std::uint64_t mark) noexcept {
  record_call();  // the member may be here too, waiting for this one's
  const Lines& theirs = membership_.lines(member);
  return theirs.finished.broken.observe() != 0 ||
         roll_call_.has_recorded(theirs, mark & ((1U << kSignatureBits) - 1));
}

template <class Atoms>
void BasicAgreement<Atoms>::await_record(int member, std::uint64_t mark) noexcept {
  membership_.signals().await_patiently([&] { return has_recorded(member, mark); },
                                        *membership_.peer(member).doorbell, [] { return false; },
                                        membership_.while_waiting_for(member));
}

template <class Atoms>
int BasicAgreement<Atoms>::find_dead() noexcept {
  const std::uint64_t deaths = membership_.signals().deaths();
  if (deaths == deaths_elsewhere_) return kNone;
  for (int member = 0; member < membership_.size(); ++member) {
    if (membership_.process().has_died(membership_.rank_in_job(member))) return member;
  }
  deaths_elsewhere_ = deaths;
  return kNone;
}

template <class Atoms>
Trouble BasicAgreement<Atoms>::find_trouble(int member) noexcept {
  if (const int dead = find_dead(); dead != kNone) return {Broken::death, {dead, -1}, {}, true};
  const auto& theirs = membership_.lines(member).finished;
  const std::uint64_t broken = theirs.broken.observe();
  const auto why = static_cast<Broken>(broken & 0xff);
  if (why == Broken::operation || why == Broken::memory || why == Broken::death) {
    return {why, {member_at(broken, kFirstAt), -1}, {}, true};
  }
  if (why == Broken::length || why == Broken::unreadable) {
    return {why,
            {member_at(broken, kFirstAt), member_at(broken, kSecondAt)},
            {},
            true,
            {theirs.lengths[0].observe(), theirs.lengths[1].observe()}};
  }
  // The awaited member first: it may be innocent, waiting for another one.
  for (int i = 0; i < membership_.size(); ++i) {
    const int other = (member + i) % membership_.size();
    auto found = roll_call_.difference(membership_.own_lines(), membership_.lines(other));
    if (!found) continue;
    found->members[0] = membership_.rank();
    found->members[1] = other;
    return *found;
  }
  return {Broken::mismatch, {membership_.rank(), member}, {}, false};
}

}  // namespace foldlane::engine
