// What is under way while its caller does other things: a nonblocking or persistent collective, the creation
// or the end of a team. An operation owns everything that must outlive the call that started it, and can be
// started again once it is done.
#pragma once

#include <algorithm>
#include <cstdint>
#include <exception>
#include <memory>
#include <utility>
#include <vector>

#include "engine/progress/long_wait.hpp"
#include "engine/progress/procedure.hpp"
#include "shm/sync/atoms.hpp"

namespace foldlane::engine {

class Operation {
 public:
  Operation() = default;
  Operation(const Operation&) = delete;
  Operation& operator=(const Operation&) = delete;
  virtual ~Operation() = default;

  /// For operations that nobody waits for: it keeps itself until its end.
  static Operation& owned_by_itself(std::unique_ptr<Operation> operation) noexcept {
    Operation& owner = *operation;
    owner.self_ = std::move(operation);
    return owner;
  }
  /// After its end; null if somebody else owns it.
  std::unique_ptr<Operation> give_itself_up() noexcept { return std::move(self_); }

  /// Any thread may ask. Also true before the first start.
  bool done() const noexcept { return state_.observe() == kDone; }
  /// Once it is done: whether the team or the job has failed meanwhile.
  bool failed() const noexcept { return failed_; }
  /// Once it is done: passes on what a function of the caller has thrown.
  void rethrow() {
    if (error_ != nullptr) std::rethrow_exception(std::exchange(error_, nullptr));
  }

 protected:
  /// Goes on as far as it can without blocking; from the beginning after each start.
  virtual Progress advance(Patience patience) = 0;
  /// Goes on to the end, blocking.
  virtual Progress run() = 0;
  /// A function of the caller has thrown: peers must not wait for this member any more.
  virtual void give_up() noexcept = 0;
  /// After it was waiting: the rank whose next publication may end that, or kNoRank if it only starts.
  virtual int awaited_rank() const noexcept = 0;
  /// After it was waiting: another number whenever it has gone on.
  virtual std::uint64_t steps() const noexcept = 0;

 private:
  friend class OperationQueue;
  static constexpr std::uint32_t kDone = 0, kUnderWay = 1;

  /// `go` is advance() or run().
  template <class Go>
  Progress guarded(const Go& go) noexcept {
    try {
      return go();
    } catch (...) {
      error_ = std::current_exception();
      give_up();
      return Progress::failed;
    }
  }

  Operation* next_ = nullptr;
  std::unique_ptr<Operation> self_;
  shm::RealAtoms::Word<std::uint32_t> state_{};
  bool failed_ = false;
  std::exception_ptr error_{};
};

/// The operations of one team. They take place one after the other, in the order of their starts, because
/// the team's epochs do. Used under the lock of BasicProgress, but for is_empty().
class OperationQueue {
 public:
  /// Any thread may ask.
  bool is_empty() const noexcept { return length_.observe() == 0; }

  void append(Operation& operation) noexcept {
    operation.failed_ = false;
    operation.next_ = nullptr;
    operation.state_.publish(Operation::kUnderWay);
    (is_empty() ? front_ : back_->next_) = &operation;
    back_ = &operation;
    length_.publish(length_.peek() + 1);
  }

  /// Goes on with the first one, and with the next ones as far as they end. Returns how many have ended;
  /// those that owned themselves are handed to `forgotten`.
  template <class Forgotten>
  int step(Patience patience, const Forgotten& forgotten) {
    int count = 0;
    while (!is_empty() && go_on([&] { return front_->advance(patience); }, forgotten)) ++count;
    return count;
  }

  /// The first step of the only one. True if it has ended. Where `Known` is its final class, the step is
  /// compiled into the caller.
  template <class Known, class Forgotten>
  bool begin(Known& operation, const Forgotten& forgotten) {
    return go_on([&] { return operation.advance(Patience::starts); }, forgotten);
  }

  /// Whether there is this operation and no other one.
  bool consists_of(const Operation& operation) const noexcept {
    return front_ == &operation && length_.peek() == 1;
  }
  /// Goes on with the first one to its end, blocking. `Known` as above.
  template <class Known>
  void finish_first(Known& first) {
    end_first(first.guarded([&] { return first.run(); }));
  }

  /// Of a queue that is not empty, after a step.
  int awaited_rank() const noexcept { return front_->awaited_rank(); }
  /// The same: whether the first one has gone on since this was asked last.
  bool has_gone_on() noexcept {
    const std::uint64_t before = std::exchange(steps_, front_->steps());
    return steps_ != before;
  }

  /// Of a wait for any of them: the first one has to end before.
  void describe(WaitNote& note) const { note.awaits(awaited); }

  // ---- for BasicProgress: the queues that are not empty make a list
  OperationQueue* next_busy = nullptr;
  int awaited = kNoRank;  // the rank that its first operation waited for, when it was asked last

 private:
  /// True if the first one has ended.
  template <class Step, class Forgotten>
  bool go_on(const Step& step, const Forgotten& forgotten) {
    const Progress progress = front_->guarded(step);
    if (progress == Progress::waiting) return false;
    // Once it is done it is its owner's: another thread may destroy it.
    auto self = front_->give_itself_up();
    end_first(progress);
    if (self) forgotten(std::move(self));
    return true;
  }
  void end_first(Progress progress) noexcept {
    Operation& first = *front_;
    front_ = first.next_;
    length_.publish(length_.peek() - 1);
    first.failed_ = progress == Progress::failed;
    first.state_.publish(Operation::kDone);
  }

  Operation* front_ = nullptr;
  Operation* back_ = nullptr;
  shm::RealAtoms::Word<std::uint32_t> length_{};
  std::uint64_t steps_ = 0;  // of the first one, when it was asked last
};

/// This rank, if it is one, and those that the queues from this one on wait for. In order, each once.
inline std::vector<int> awaited_ranks(int rank, const OperationQueue* busy) {
  std::vector<int> awaited{rank};
  for (; busy != nullptr; busy = busy->next_busy) awaited.push_back(busy->awaited);
  std::sort(awaited.begin(), awaited.end());
  awaited.erase(std::unique(awaited.begin(), awaited.end()), awaited.end());
  std::erase(awaited, kNoRank);
  return awaited;
}

}  // namespace foldlane::engine
