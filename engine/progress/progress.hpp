// The progress of a process: all of its operations that are under way, driven by whoever is inside the
// library. Whoever waits, for anything, drives all of them, and sleeps until the first of the ranks that they
// wait for has published something (shm/sync/inbox.hpp).
//
// One thread at a time drives; a thread that finds another one at it has nothing to do but its own waiting.
// Operations are started and end under the same lock, which costs nothing until allow_threads().
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <mutex>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/progress/driving_lock.hpp"
#include "engine/progress/foreign_progress.hpp"
#include "engine/progress/long_wait.hpp"
#include "engine/progress/operation.hpp"
#include "engine/progress/other_work.hpp"
#include "engine/progress/traffic.hpp"
#include "engine/progress/watched.hpp"
#include "shm/sync/signals.hpp"

namespace foldlane::engine {

template <class Atoms>
class BasicProgress {
 public:
  /// `signals` must outlive it.
  BasicProgress(std::vector<BasicWatched<Atoms>> ranks, int rank, const shm::Signals<Atoms>& signals)
      : ranks_(std::move(ranks)), rank_(rank), signals_(signals), watches_(ranks_.size()) {}
  BasicProgress(const BasicProgress&) = delete;
  BasicProgress& operator=(const BasicProgress&) = delete;

  /// What is to go on in every wait, too, once it is in use or has been called. Before the first call.
  /// Null: it is not to any more.
  void attach(Traffic* traffic) noexcept { traffic_ = traffic; }
  void note_use_of_traffic() noexcept {
    if (uses_traffic_.peek() == 0) uses_traffic_.publish(1);
  }
  void attach(ForeignProgress& foreign) noexcept { foreign_ = &foreign; }
  void tell_long_waits(LongWaits* told) noexcept { told_ = told; }  // null: nobody is
  /// Something has been gone on with, which may release other ranks.
  void count_move() noexcept { moves_.publish(moves_.peek() + 1); }
  std::uint64_t moves() const noexcept { return moves_.observe(); }

  /// Several threads may be inside from now on. Before the second one.
  void allow_threads() noexcept {
    if (!has_threads_) attention_.publish(attention_.peek() + 1);
    has_threads_ = true;
  }
  bool has_threads() const noexcept { return has_threads_; }

  /// Nothing is under way, and no other thread can start anything: the one question of the fast paths.
  bool is_undisturbed() const noexcept { return attention_.peek() == 0; }

  /// Nothing is under way. Any thread may ask, and sees what has ended.
  bool is_idle() const noexcept { return attention_.observe() <= (has_threads_ ? 1U : 0U); }

  /// Takes its place behind the operations of the queue, and goes as far as it can. A caller that knows the
  /// operation's final class names it, and no call of it is virtual.
  template <class Known = Operation>
  void start(OperationQueue& queue, std::type_identity_t<Known>& operation) {
    const Lock lock(*this, Lock::Kind::waits);
    append<Known>(queue, operation);
  }
  /// The same; nobody waits for it, and it is destroyed some time after its end.
  void start_and_forget(OperationQueue& queue, std::unique_ptr<Operation> operation) {
    std::vector<std::unique_ptr<Operation>> over;  // destroyed without the lock
    const Lock lock(*this, Lock::Kind::waits);
    append(queue, Operation::owned_by_itself(std::move(operation)));
    over.swap(ended_);
  }

  /// One round over everything that is under way. True if something has ended or now waits for another rank.
  bool drive(Patience patience = Patience::none) { return drive(patience, Lock::Kind::tries); }

  /// Returns when `done()`, which something that this process drives makes true, or another of its threads.
  /// Whoever looks into it counts what that moves.
  template <class Done>
  void wait_until(const Done& done, const WaitDescriber& describe = {}) {
    if (!poll_until(done)) wait_patiently(done, describe);
  }
  /// As long as a peer that is on time may take, counted from when something last moved: what moves is worth
  /// this CPU, and beside other programs a yield may hand over their time slices. False: it is not done.
  template <class Done>
  bool poll_until(const Done& done) {
    const std::uint32_t polls = signals_.ladder().polls;
    for (std::uint32_t idle = 0; idle < polls; ++idle) {
      if (done()) return true;
      if (drive()) {
        idle = 0;
      } else {
        shm::pause();
      }
    }
    return false;
  }
  /// For who has polled.
  template <class Done>
  void wait_patiently(const Done& done, const WaitDescriber& describe) {
    const shm::Ladder& ladder = signals_.ladder();
    for (shm::YieldRung rung = signals_.yield_rung(); !rung.is_over(); rung.yield()) {
      do {
        if (done()) return;
      } while (drive());  // before a yield, which is a turn of everybody else's, what has moved is looked at
    }
    LongWait wait = long_wait(describe);
    for (std::int64_t nap_ns = ladder.first_sleep_ns; !done();
         nap_ns = std::min(2 * nap_ns, ladder.longest_sleep_ns)) {
      wait.goes_on();
      if (!drive(Patience::asks)) nap(kNoRank, done, nap_ns);
    }
  }

  /// Returns when no operation of the queue is under way. A thread that finds nothing at all takes no lock.
  [[gnu::cold, gnu::noinline]] void finish(const OperationQueue& queue) {
    if (is_idle()) return;
    drive();
    wait_until([&queue] { return queue.is_empty(); }, [&queue](WaitNote& note) { queue.describe(note); });
  }

  /// If nothing else is under way nor can be, goes on with this operation to its end, blocking as if its call
  /// were a blocking one, which is cheaper than wait_until(). Else does nothing.
  template <class Known = Operation>
  void finish_alone(std::type_identity_t<Known>& operation) {
    if (attention_.peek() != 1 || has_threads_ || !busy_->consists_of(operation)) return;
    OperationQueue& queue = *busy_;
    put_away(&busy_);  // its waits are to look at nothing else
    queue.finish_first(operation);
  }

  /// Something has become true that a thread in wait_until() may be waiting for.
  void wake() noexcept {
    const Lock lock(*this, Lock::Kind::waits);
    ring_sleepers();
  }

  /// What a blocking wait for one rank does besides.
  OtherWork<BasicProgress> while_waiting_for(int rank) noexcept { return {*this, rank}; }
  LongWait long_wait(const WaitDescriber& describe) const noexcept {
    return {told_, traffic_, moves_, describe};
  }

 private:
  friend OtherWork<BasicProgress>;
  static std::size_t at(int rank) noexcept { return static_cast<std::size_t>(rank); }

  struct Lock : DrivingLock {
    Lock(BasicProgress& progress, Kind kind) : DrivingLock(progress.mutex_, progress.has_threads_, kind) {}
  };

  bool drive(Patience patience, typename Lock::Kind kind) {
    if (foreign_ != nullptr) foreign_->go_on();
    if (is_undisturbed() && !has_traffic()) return false;
    const bool moved = drive_once(patience, kind);
    if (traffic_ != nullptr && traffic_->bury()) wake();
    return moved;
  }
  bool drive_once(Patience patience, typename Lock::Kind kind) {
    std::vector<std::unique_ptr<Operation>> over;  // destroyed without the lock
    const Lock lock(*this, kind);
    if (!lock) return false;
    const bool moved = step_all(patience);
    over.swap(ended_);
    return moved;
  }

  /// Asking costs a few lines of other members, 1 us if they are far: here one part in a hundred of the
  /// looks.
  static constexpr std::uint32_t kRoundsBeforeAsking = 1000;

  template <class Known>
  void append(OperationQueue& queue, Known& operation) {
    if (!queue.is_empty()) return queue.append(operation);
    // Not after its first step, which publishes: that takes 118 instead of 109 ns (8 bytes, near).
    queue.append(operation);
    queue.awaited = kNoRank;  // the next round asks
    queue.next_busy = busy_;
    busy_ = &queue;
    attention_.publish(attention_.peek() + 1);
    if (queue.begin(operation, keep_forgotten())) put_away(&busy_);
    ring_sleepers();
  }

  bool has_traffic() const noexcept {
    return traffic_ != nullptr && (uses_traffic_.peek() != 0 || traffic_->is_called());
  }

  bool step_all(Patience patience) {
    // A program that only tests never naps, and must still learn that what it tests will never come.
    if (fruitless_rounds_ >= kRoundsBeforeAsking) patience = Patience::asks;
    bool moved = has_traffic() && traffic_->step(patience);
    for (OperationQueue** place = &busy_; OperationQueue* const queue = *place;) {
      moved = step(*queue, patience) || moved;
      if (queue->is_empty()) {
        put_away(place);
      } else {
        place = &queue->next_busy;
      }
    }
    if (moved) ring_sleepers();
    fruitless_rounds_ = moved || patience == Patience::asks ? 0 : fruitless_rounds_ + 1;
    return moved;
  }
  /// True if an operation has ended or the first one waits for another rank now.
  bool step(OperationQueue& queue, Patience patience) {
    const int ended = queue.step(patience, keep_forgotten());
    if (queue.is_empty()) return true;
    if (patience == Patience::asks && queue.has_gone_on()) count_move();
    const int before = std::exchange(queue.awaited, queue.awaited_rank());
    return queue.awaited != before || ended > 0;
  }
  auto keep_forgotten() {
    return [this](std::unique_ptr<Operation> forgotten) { ended_.push_back(std::move(forgotten)); };
  }
  /// Takes a queue out of the list of those that are busy.
  void put_away(OperationQueue** place) noexcept {
    *place = (*place)->next_busy;
    attention_.publish(attention_.peek() - 1);
  }

  // ---- sleeping

  /// What a sleeping thread watches, and its inbox's bell as it was before the thread looked.
  struct Watch {
    std::vector<int> ranks;
    std::uint32_t seen;
  };

  /// Sleeps until `rank`, or one that an operation waits for, publishes something, or an operation ends.
  /// The look must be this thread's own: a round that another one is in may have begun before the barrier. It
  /// asks, since a death that was declared after the last such look has rung already.
  template <class Over>
  void nap(int rank, const Over& over, std::int64_t nap_ns) {
    const Watch watch = start_watching(rank);
    if (signals_.wake() == shm::Wake::membarrier) Atoms::heavy_barrier();
    if (!drive(Patience::asks, Lock::Kind::waits) && !over())  // [W3]
      ranks_[at(rank_)].inbox->sleep_while(watch.seen, nap_ns);
    stop_watching(watch.ranks);
  }

  /// The bell is read under the lock: from here on whoever changes what is to be watched rings it.
  Watch start_watching(int rank) {
    const Lock lock(*this, Lock::Kind::waits);
    Watch watch{awaited_ranks(rank, busy_), ranks_[at(rank_)].inbox->seen()};
    for (const int each : watch.ranks) {
      if (watches_[at(each)]++ > 0) continue;
      ranks_[at(each)].watchers->add(rank_);       // [W1]
      ranks_[at(each)].doorbell->sleepers.add(1);  // [W2]
    }
    ranks_[at(rank_)].inbox->sleepers.add(1);  // who sends to this rank rings it
    ++sleepers_;
    return watch;
  }
  void stop_watching(const std::vector<int>& watched) {
    const Lock lock(*this, Lock::Kind::waits);
    for (const int each : watched) {
      if (--watches_[at(each)] > 0) continue;
      ranks_[at(each)].doorbell->sleepers.add(static_cast<std::uint32_t>(-1));
      ranks_[at(each)].watchers->remove(rank_);
    }
    ranks_[at(rank_)].inbox->sleepers.add(static_cast<std::uint32_t>(-1));
    --sleepers_;
  }
  /// What they are to watch, or what they wait for, has changed.
  void ring_sleepers() noexcept {
    count_move();
    if (sleepers_ > 0) ranks_[at(rank_)].inbox->ring();
  }

  std::vector<BasicWatched<Atoms>> ranks_;
  int rank_;
  const shm::Signals<Atoms>& signals_;
  std::vector<int> watches_;  // by rank: how many threads of this process watch it
  int sleepers_ = 0;
  std::uint32_t fruitless_rounds_ = 0;               // in which nothing has ended
  OperationQueue* busy_ = nullptr;                   // the first of those that are not empty
  std::vector<std::unique_ptr<Operation>> ended_;    // of forgotten ones
  shm::RealAtoms::Word<std::uint32_t> attention_{};  // how many queues are busy, and 1 for threads
  shm::RealAtoms::Word<std::uint32_t> uses_traffic_{};
  std::mutex mutex_;
  bool has_threads_ = false;
  Traffic* traffic_ = nullptr;
  ForeignProgress* foreign_ = nullptr;
  LongWaits* told_ = nullptr;
  Moves moves_{};
};

}  // namespace foldlane::engine
