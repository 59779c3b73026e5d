// How a member of a team waits, and what it finds out when a wait does not end. The end of team.hpp.
#pragma once

#include "engine/team/team.hpp"

namespace foldlane::engine {

/// A wait for `member` failed while the job has not.
template <class Atoms>
void BasicTeam<Atoms>::give_up_over(int member) noexcept {
  record_call();
  if (!signals().failed()) give_up(find_trouble(member));
}

/// A member records a call that others are not in when it leaves it, or when a wait in it becomes long.
template <class Atoms>
bool BasicTeam<Atoms>::has_recorded(int member, std::uint64_t mark) noexcept {
  record_call();  // the member may be here too, waiting for this one's
  const Lines& theirs = lines(member);
  return theirs.finished.broken.observe() != 0 ||
         roll_call_.has_recorded(theirs, mark & ((1U << kSignatureBits) - 1));
}

template <class Atoms>
void BasicTeam<Atoms>::await_record(int member, std::uint64_t mark) noexcept {
  signals().await_patiently([&] { return has_recorded(member, mark); }, *peer(member).doorbell,
                            [] { return false; }, while_waiting_for(member));
}

template <class Atoms>
Trouble BasicTeam<Atoms>::find_trouble(int member) const noexcept {
  const std::uint64_t broken = lines(member).finished.broken.observe();
  const auto why = static_cast<Broken>(broken & 0xff);
  if (why == Broken::operation || why == Broken::memory) {
    return {why, {static_cast<int>(broken >> 8) - 1, -1}, {}, true};
  }
  // The awaited member first: it may be innocent, waiting for another one.
  for (int i = 0; i < size(); ++i) {
    const int other = (member + i) % size();
    auto found = roll_call_.difference(lines(rank_), lines(other));
    if (!found) continue;
    found->members[0] = rank_;
    found->members[1] = other;
    return *found;
  }
  return {Broken::mismatch, {rank_, member}, {}, false};
}

/// Waits until one word of some members has reached an epoch.
template <class Atoms>
class BasicTeam<Atoms>::Await final : public Wait {
 public:
  Await(BasicTeam& team, WordPlace word, std::uint64_t epoch, Range members, std::uint64_t proves)
      : team_(team),
        word_(word.offset),
        value_(word.marked ? team.mark(epoch) : epoch),
        least_(word.marked ? epoch << kSignatureBits : epoch),
        members_(members),
        proves_(proves),
        marked_(word.marked) {}

  void set_blocking(bool blocking) noexcept override { blocking_ = blocking; }
  void accept_hopeless() noexcept {
    accepts_hopeless_ = true;
    proves_ = 0;
  }

  Progress poll(Patience patience) override {
    patience_ = patience;
    return poll_members();
  }
  int writer() const noexcept override { return team_.members_[static_cast<std::size_t>(members_.next)]; }

  [[gnu::always_inline]] bool await_ready() { return poll_members() == Progress::done; }
  void await_suspend(Procedure::Handle handle) { Procedure::suspend(handle, *this); }
  void await_resume() const noexcept {
    if (proves_ == 0) return;
    if (marked_) return team_.learn(proves_);
    team_.finished_by_all_ = std::max(team_.finished_by_all_, proves_);
  }

 private:
  [[gnu::always_inline]] Progress poll_members() {
    while (members_.next < members_.end) {
      const Progress state = await_member(members_.next);
      if (state != Progress::done) return state;
      ++members_.next;
    }
    return Progress::done;
  }

  Progress await_member(int member) {
    const Word& word = word_of(member);
    const std::uint64_t seen = blocking_ ? await(word, member) : word.observe();
    if (seen == value_ || (seen > least_ && !marked_)) [[likely]]
      return Progress::done;
    if (accepts_hopeless_ && team_.is_hopeless(member)) return Progress::done;
    return seen >= least_ ? await_record(member, seen) : not_yet(member);
  }
  /// The member is in another call than this one.
  Progress await_record(int member, std::uint64_t seen) {
    if (blocking_) {
      team_.await_record(member, seen);
    } else if (!team_.has_recorded(member, seen) && !team_.signals().failed()) {
      return Progress::waiting;
    }
    return give_up(member);
  }
  Progress not_yet(int member) {
    if (blocking_) return give_up(member);
    if (patience_ == Patience::asks && team_.is_hopeless(member)) {
      // It may have published the word meanwhile, and only then have left this call behind.
      return word_of(member).observe() < least_ ? give_up(member) : Progress::waiting;
    }
    return team_.signals().failed() ? Progress::failed : Progress::waiting;
  }
  std::uint64_t await(const Word& word, int member) const {
    return team_.signals().await(
        word, least_, *team_.peer(member).doorbell, [this, member] { return team_.is_hopeless(member); },
        [this] { return missing(); }, team_.while_waiting_for(member));
  }
  /// How many are still to come. Not known of a wait for one of those who are awaited one after the other.
  std::uint32_t missing() const noexcept {
    if (proves_ == 0) return shm::kManyMissing;
    std::uint32_t count = 0;
    for (int member = members_.next; member < members_.end; ++member)
      count += word_of(member).observe() < least_ ? 1u : 0u;
    return count;
  }
  const Word& word_of(int member) const noexcept {
    return *reinterpret_cast<const Word*>(reinterpret_cast<const std::byte*>(&team_.lines(member)) + word_);
  }
  Progress give_up(int member) {
    team_.give_up_over(member);
    return Progress::failed;
  }

  BasicTeam& team_;
  std::size_t word_;
  std::uint64_t value_;
  std::uint64_t least_;
  Range members_;
  std::uint64_t proves_;
  bool marked_;
  bool blocking_ = false;
  bool accepts_hopeless_ = false;
  Patience patience_ = Patience::none;
};

/// Two waits, one after the other.
template <class Atoms>
class BasicTeam<Atoms>::SlotAwait final : public Wait {
 public:
  SlotAwait(Await words, Await others) : words_(words), others_(others) {}

  void set_blocking(bool blocking) noexcept override {
    words_.set_blocking(blocking);
    others_.set_blocking(blocking);
  }
  Progress poll(Patience patience) override {
    if (!first_done_) {
      if (const Progress state = words_.poll(patience); state != Progress::done) return state;
      words_.await_resume();
      first_done_ = true;
    }
    return others_.poll(patience);
  }
  int writer() const noexcept override { return (first_done_ ? others_ : words_).writer(); }

  bool await_ready() { return poll(Patience::none) == Progress::done; }
  void await_suspend(Procedure::Handle handle) { Procedure::suspend(handle, *this); }
  void await_resume() const noexcept { others_.await_resume(); }

 private:
  Await words_;
  Await others_;
  bool first_done_ = false;
};

}  // namespace foldlane::engine
