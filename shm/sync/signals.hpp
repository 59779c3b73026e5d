// Publishing and awaiting epochs: the waiting ladder, and the abort word that ends every wait.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "shm/sync/doorbell.hpp"
#include "shm/sync/inbox.hpp"
#include "shm/sync/near_polls.hpp"
#include "shm/sync/pause.hpp"
#include "shm/sync/ticks.hpp"
#include "shm/sync/yield_rung.hpp"

namespace foldlane::shm {

/// How long a wait stays on each rung. A rung of zero is skipped.
struct Ladder {
  std::uint32_t polls;   // with a pause each: a poll takes the line from its writer, who is about to write
  std::uint32_t yields;  // polls with sched_yield at most: lets another process of this core run
  std::int64_t first_sleep_ns;
  std::int64_t longest_sleep_ns;  // bounds how late a death is noticed if the launcher dies before it rings
  std::uint32_t others_running =
      0;                         // how many peers can run at the same time as this rank, if CPUs are shared
  std::int64_t near_ns = 0;      // polls for so few peers so long, once before a yield
  std::uint32_t ranks_here = 1;  // how many share this rank's CPU
  std::uint32_t kept = 0;        // rounds before the yields, with other work, that keep this CPU
  Ticks ticks{};                 // by which yields and polls before them are timed

  static constexpr std::int64_t kLongestSleepNs = 50'000'000;
  /// A switch to the last rank of another CPU, and what that does before it publishes (8 ranks on 2 CPUs,
  /// gather of 8 B: 0.7 us of polls found one of two, 2 us find nearly all, 11.7 and 6.3 us per call). A
  /// yield in vain costs as much with four ranks on a CPU.
  static constexpr std::int64_t kNearNs = 2'000;

  /// About 50 µs of polls: far beyond any collective among ranks that all run.
  static constexpr Ladder own_cpu() { return {3'000, 200, 1'000'000, 50'000'000}; }
  /// Somebody who could make progress needs this CPU: never spin. But when no more peers are awaited than
  /// other CPUs can run just now, the last of this CPU's ranks need not switch to find out (near_polls.hpp).
  /// Of n ranks on a CPU, n-1 switches per call are left of n (8 bytes, 8 ranks on 2 CPUs: 5.4 instead of
  /// 6.6 us).
  /// The more ranks a CPU has, the more turns the others need, and the longer a wait is that is not long: who
  /// sleeps too early makes the others yield in vain, until all sleep in each call (256 ranks on 2 CPUs: 8
  /// instead of 0.6 ms; with 8 turns instead of 32 a third of them slept in most runs: 2.1 instead of 1 ms).
  static constexpr Ladder shared_cpu(std::uint32_t cpus, std::uint32_t ranks) {
    const std::uint32_t here = ranks / std::max(1u, cpus) + 1;
    return {.polls = 0,
            .yields = 100 + 32 * here,
            .first_sleep_ns = std::min<std::int64_t>(1'000'000 + 100'000 * here, kLongestSleepNs),
            .longest_sleep_ns = kLongestSleepNs,
            .others_running = std::max(1u, cpus) - 1,
            .near_ns = kNearNs,
            .ranks_here = here};
  }
  /// Where waits have work besides that nobody rings for: they soon look after it, and often. Who awaits a
  /// peer that is on time still only polls. For the first millisecond they keep their own CPU, as an MPI that
  /// only spins does: beside other programs each yield may hand over their time slices.
  constexpr Ladder attentive() const {
    Ladder ladder = *this;
    ladder.polls = std::min(polls, 50U);
    if (others_running == 0) {
      ladder.kept = 10'000;
      ladder.yields = std::max(yields, 1'000U);
    }
    ladder.first_sleep_ns = ladder.longest_sleep_ns = 100'000;
    return ladder;
  }
};

/// Whether a rank waits for so few peers, where it does not know: maybe for many.
struct ManyMissing {
  bool operator()(std::uint32_t) const noexcept { return false; }
};

/// Is told before each nap that the wait still goes on; `OtherWork` makes one for each wait that sleeps.
struct NobodyTold {
  void goes_on() const noexcept {}
};

/// Nothing else to do while waiting.
struct NoOtherWork {
  NobodyTold long_wait() const noexcept { return {}; }
  bool is_there() const noexcept { return false; }
  bool is_urgent() const noexcept { return false; }
  void drive() const noexcept {}
  template <class Over>
  void nap(const Over&, std::int64_t) const noexcept {}
};

/// One rank's means of signalling. `abort_word` is zero until the job has failed; `deaths`, if there is
/// somebody who counts them, is the number of ranks that have died.
template <class Atoms>
class Signals {
 public:
  using Epoch = typename Atoms::template Word<std::uint64_t>;

  Signals(Doorbell<Atoms>& own_bell, const Epoch& abort_word, Ladder ladder, Wake wake,
          const Epoch* deaths = nullptr)
      : own_bell_(own_bell),
        abort_word_(abort_word),
        ladder_(ladder),
        wake_(wake),
        deaths_(deaths),
        yield_memory_(ladder.ticks) {}

  /// From now on also rings for those who watch this rank, which must not move.
  void connect(const Neighbours<Atoms>& neighbours) noexcept { neighbours_ = &neighbours; }

  void publish(Epoch& word, std::uint64_t epoch) const noexcept {
    word.publish(epoch);
    if (own_bell_.is_awaited(wake_)) [[unlikely]]
      ring();
  }

  const Ladder& ladder() const noexcept { return ladder_; }
  YieldRung yield_rung() const noexcept {
    return {ladder_.kept, ladder_.yields, ladder_.ranks_here, yield_memory_};
  }
  Wake wake() const noexcept { return wake_; }

  /// Polls as long as a peer that is on time may take. True if the word is `value`; if not, await it.
  bool comes_soon(const Epoch& word, std::uint64_t value) const noexcept {
    for (std::uint32_t i = 0;; ++i) {
      if (word.observe() == value) [[likely]]
        return true;
      if (i == ladder_.polls) return false;
      pause();
    }
  }

  /// Blocks until word >= value and returns what was seen; something smaller if the job has failed, or if
  /// `hopeless` says that the word will not get there. `bell` is that of the word's writer. `hopeless` is
  /// asked now and then, only when the wait has become long. `few_missing` says whether this rank waits for
  /// at most so many peers. `other_work` is done meanwhile.
  template <class Bell, class Hopeless, class FewMissing, class OtherWork>
  std::uint64_t await(const Epoch& word, std::uint64_t value, Bell& bell, const Hopeless& hopeless,
                      const FewMissing& few_missing, const OtherWork& other_work) const noexcept {
    for (std::uint32_t i = 0;; ++i) {
      const std::uint64_t seen = word.observe();
      if (seen >= value) [[likely]]
        return seen;
      if (i == ladder_.polls) break;
      pause();
    }
    const auto arrived = [&] { return word.observe() >= value; };
    return climb(arrived, bell, hopeless, few_missing, other_work) ? word.observe() : 0;
  }

  /// Waits for anything that the rank with this bell publishes. Not for the data path. False if the job has
  /// failed or the wait is hopeless.
  template <class Arrived, class Hopeless, class OtherWork = NoOtherWork, class FewMissing = ManyMissing>
  bool await_patiently(const Arrived& arrived, Doorbell<Atoms>& bell, const Hopeless& hopeless,
                       const OtherWork& other_work = {}, const FewMissing& few_missing = {}) const noexcept {
    if (poll(arrived, ladder_.polls)) return true;
    return climb(arrived, bell, hopeless, few_missing, other_work);
  }

  /// The same for what takes long: where ranks share CPUs it leaves this one to the others at once.
  template <class Arrived, class Hopeless, class OtherWork = NoOtherWork>
  bool await_asleep(const Arrived& arrived, Doorbell<Atoms>& bell, const Hopeless& hopeless,
                    const OtherWork& other_work = {}) const noexcept {
    if (ladder_.ranks_here == 1) return await_patiently(arrived, bell, hopeless, other_work);
    return nap_until(arrived, bell, hopeless, other_work);
  }

  bool failed() const noexcept { return abort_word_.observe() != 0; }
  std::uint64_t abort_word() const noexcept { return abort_word_.observe(); }
  /// How many ranks have died. That ends only the waits that can depend on one of them, as `hopeless` says.
  std::uint64_t deaths() const noexcept { return deaths_ == nullptr ? 0 : deaths_->observe(); }

 private:
  template <class Arrived>
  static bool poll(const Arrived& arrived, std::uint32_t times) noexcept {
    for (std::uint32_t i = 0; i < times; ++i) {
      if (arrived()) return true;
      pause();
    }
    return false;
  }

  /// The ladder above its polls.
  template <class Arrived, class Bell, class Hopeless, class FewMissing, class OtherWork>
  bool climb(const Arrived& arrived, Bell& bell, const Hopeless& hopeless, const FewMissing& few_missing,
             const OtherWork& other_work) const noexcept;
  /// Its naps.
  template <class Arrived, class Bell, class Hopeless, class OtherWork>
  bool nap_until(const Arrived& arrived, Bell& bell, const Hopeless& hopeless,
                 const OtherWork& other_work) const noexcept;

  [[gnu::cold, gnu::noinline]] void ring() const noexcept {
    own_bell_.ring();
    if (neighbours_ != nullptr) neighbours_->ring();
  }

  Doorbell<Atoms>& own_bell_;
  const Epoch& abort_word_;
  Ladder ladder_;
  Wake wake_;
  const Epoch* deaths_;
  const Neighbours<Atoms>* neighbours_ = nullptr;
  mutable YieldMemory yield_memory_;
  mutable NearPolls near_polls_;
};

template <class Atoms>
template <class Arrived, class Bell, class Hopeless, class FewMissing, class OtherWork>
bool Signals<Atoms>::climb(const Arrived& arrived, Bell& bell, const Hopeless& hopeless,
                           const FewMissing& few_missing, const OtherWork& other_work) const noexcept {
  // Most waits among ranks that share a CPU end at their first yield. A CPU keeps the address translations of
  // a few processes: among more of them each look at another page is a walk through the page tables.
  YieldRung rung = yield_rung();
  bool may_poll = ladder_.near_ns > 0;
  for (bool looks_around = rung.looks_around() || other_work.is_urgent(); !rung.is_over(); rung.yield()) {
    if (arrived()) return true;
    if (looks_around) {
      if (failed()) return false;
      other_work.drive();
    }
    looks_around = true;
    if (may_poll && few_missing(ladder_.others_running)) {
      may_poll = false;  // who is late is not found by a second time
      if (near_polls_.poll(arrived, yield_memory_.ticks(), std::chrono::nanoseconds(ladder_.near_ns)))
        return true;
    }
  }
  return nap_until(arrived, bell, hopeless, other_work);
}

template <class Atoms>
template <class Arrived, class Bell, class Hopeless, class OtherWork>
bool Signals<Atoms>::nap_until(const Arrived& arrived, Bell& bell, const Hopeless& hopeless,
                               const OtherWork& other_work) const noexcept {
  const auto over = [&] { return arrived() || failed() || hopeless(); };
  auto long_wait = other_work.long_wait();
  for (std::int64_t nap_ns = ladder_.first_sleep_ns; !over();
       nap_ns = std::min(2 * nap_ns, ladder_.longest_sleep_ns)) {
    long_wait.goes_on();
    if (other_work.is_there()) {
      other_work.nap(over, nap_ns);
    } else {
      other_work.drive();
      bell.sleep_unless(over, wake_, nap_ns);
    }
  }
  return arrived();
}

}  // namespace foldlane::shm
