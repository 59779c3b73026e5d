// How a member of a team waits: what the waits of waits.hpp are made of.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/progress/procedure.hpp"
#include "engine/team/agreement.hpp"
#include "engine/team/membership.hpp"
#include "shm/segment/layout.hpp"

namespace foldlane::engine {

template <class Atoms>
class BasicTeam;

/// Waits until one word of some members has reached an epoch.
template <class Atoms>
class BasicAwait final : public Wait {
 public:
  using Team = BasicTeam<Atoms>;
  /// Members [next, end).
  struct Range {
    int next;
    int end;
  };
  /// Where in a member's lines a word stands, and whether it is a mark.
  struct WordPlace {
    std::size_t offset;
    bool marked;
  };

  BasicAwait(Team& team, WordPlace word, std::uint64_t epoch, Range members, std::uint64_t proves)
      : team_(team),
        word_(word.offset),
        value_(word.marked ? team.agreement().mark(epoch) : epoch),
        least_(word.marked ? Agreement::least_mark(epoch) : epoch),
        members_(members),
        proves_(proves),
        marked_(word.marked) {}

  void set_blocking(bool blocking) noexcept override { blocking_ = blocking; }
  void accept_hopeless() noexcept {
    accepts_hopeless_ = true;
    proves_ = 0;
  }

  /// The word is member 0's, and whoever arrives last publishes it (central_counter.hpp).
  void accept_any_writer() noexcept { by_last_ = true; }

  Progress poll(Patience patience) override {
    patience_ = patience;
    return poll_members();
  }
  int writer() const noexcept override { return membership().rank_in_job(awaited()); }

  [[gnu::always_inline]] bool await_ready() { return poll_members() == Progress::done; }
  void await_suspend(Procedure::Handle handle) { Procedure::suspend(handle, *this); }
  void await_resume() const noexcept {
    if (proves_ == 0) return;
    if (marked_) return team_.epochs().learn(proves_);
    team_.epochs().prove(proves_);
  }

 private:
  using Membership = BasicMembership<Atoms>;
  using Agreement = BasicAgreement<Atoms>;
  using Word = typename Membership::Lines::Epoch;

  const Membership& membership() const noexcept { return team_.membership(); }
  Agreement& agreement() const noexcept { return team_.agreement(); }

  [[gnu::always_inline]] Progress poll_members() {
    while (members_.next < members_.end) {
      const Progress state = await_next();
      if (state != Progress::done) return state;
      ++members_.next;
    }
    return Progress::done;
  }

  /// Who is to publish the next word, as far as that is known.
  int awaited() const noexcept { return by_last_ ? team_.central_counter().find_missing() : members_.next; }
  Progress await_next() {
    const Word& word = word_of(members_.next);
    const std::uint64_t seen = !blocking_ ? word.observe() : by_last_ ? await_last(word) : await(word);
    if (seen == value_ || (seen > least_ && !marked_)) [[likely]]
      return Progress::done;
    if (accepts_hopeless_ && agreement().is_hopeless(awaited())) return Progress::done;
    return seen >= least_ ? await_record(awaited(), seen) : not_yet();
  }
  /// The member is in another call than this one.
  Progress await_record(int member, std::uint64_t seen) {
    if (blocking_) {
      agreement().await_record(member, seen);
    } else if (!agreement().has_recorded(member, seen) && !membership().signals().failed()) {
      return Progress::waiting;
    }
    return give_up(member);
  }
  Progress not_yet() {
    if (blocking_) return give_up(awaited());
    if (patience_ == Patience::asks) {
      const int member = awaited();
      // It may have published the word meanwhile, and only then have left this call behind.
      if (agreement().is_hopeless(member))
        return word_of(members_.next).observe() < least_ ? give_up(member) : Progress::waiting;
    }
    return membership().signals().failed() ? Progress::failed : Progress::waiting;
  }
  std::uint64_t await(const Word& word) const {
    const int member = members_.next;
    return membership().signals().await(
        word, least_, *membership().peer(member).doorbell,
        [this, member] { return agreement().is_hopeless(member); },
        [this](std::uint32_t most) { return are_few_missing(most); }, WhileAwaiting{*this});
  }
  std::uint64_t await_last(const Word& word) const {
    auto& counter = team_.central_counter();
    return membership().signals().await(
        word, least_, counter.bell(), HopelessLater{*this},
        [&counter](std::uint32_t most) { return counter.missing() <= most; }, WhileAwaiting{*this});
  }
  /// To ask takes a look at every member: not before the first nap, which is short.
  struct HopelessLater {
    const BasicAwait& wait;
    mutable int asked = 0;

    bool operator()() const noexcept {
      constexpr int kBeforeFirstNap = 2;  // once to climb there, once on the way to bed (doorbell.hpp)
      return ++asked > kBeforeFirstNap && wait.agreement().is_hopeless(wait.awaited());
    }
  };
  /// Whom it waits for may change as members arrive.
  struct WhileAwaiting {
    const BasicAwait& wait;

    bool is_there() const noexcept { return work(0).is_there(); }
    bool is_urgent() const noexcept { return work(0).is_urgent(); }
    void drive() const { work(0).drive(); }
    template <class Over>
    void nap(const Over& over, std::int64_t nap_ns) const {
      const int member = wait.awaited();
      work(member).nap([&] { return over() || wait.awaited() != member; }, nap_ns);
    }
    auto work(int member) const noexcept { return wait.membership().while_waiting_for(member); }
    LongWait long_wait() const noexcept { return wait.membership().process().progress().long_wait(*this); }
    void operator()(WaitNote& note) const {
      const CallInfo call = wait.agreement().latest_call();
      note.awaits(wait.writer());
      note.team = &wait.team_;
      note.what = call.packed();
      note.count = call.count;
    }
  };
  /// Whether at most so many are still to come. Not known of a wait for one of those who are awaited one
  /// after the other. It looks no further than it must: who looked at all before each yield would read a
  /// thousand lines a thousand times.
  bool are_few_missing(std::uint32_t most) const noexcept {
    if (proves_ == 0) return false;
    std::uint32_t count = 0;
    for (int member = members_.next; member < members_.end && count <= most; ++member)
      count += word_of(member).observe() < least_ ? 1u : 0u;
    return count <= most;
  }
  const Word& word_of(int member) const noexcept {
    return *reinterpret_cast<const Word*>(reinterpret_cast<const std::byte*>(&membership().lines(member)) +
                                          word_);
  }
  Progress give_up(int member) {
    agreement().give_up_over(member);
    return Progress::failed;
  }

  Team& team_;
  std::size_t word_;
  std::uint64_t value_;
  std::uint64_t least_;
  Range members_;
  std::uint64_t proves_;
  bool marked_;
  bool blocking_ = false;
  bool accepts_hopeless_ = false;
  bool by_last_ = false;
  Patience patience_ = Patience::none;
};

/// Two waits, one after the other.
template <class Atoms>
class BasicSlotAwait final : public Wait {
 public:
  using Await = BasicAwait<Atoms>;

  BasicSlotAwait(Await words, Await others) : words_(words), others_(others) {}

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
