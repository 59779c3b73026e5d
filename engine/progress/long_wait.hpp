// What is known of waits that have become long: what a wait says of itself, and to whom. A wait that ends
// before costs nothing for this. One that lasts says it at a bounded rate, whatever moves meanwhile.
#pragma once

#include <chrono>
#include <cstdint>
#include <exception>
#include <string>
#include <vector>

#include "engine/progress/traffic.hpp"
#include "shm/sync/atoms.hpp"

namespace foldlane::engine {

/// In the place of the rank that is awaited: it is not known, because nothing was looked at yet, or what was
/// awaited has come since.
inline constexpr int kNoRank = -1;

/// What a wait says of itself.
struct WaitNote {
  void awaits(int rank) {
    if (rank == kNoRank)
      is_known = false;
    else
      awaited.push_back(rank);
  }

  std::string call;          // with its arguments, as the program knows it
  std::string hints;         // lines about what is nearly what it waits for
  std::vector<int> awaited;  // ranks of the job: it ends only after one of them has done something
  bool is_known = true;      // else that is not all that may end it
  bool is_brief = false;     // asked for without hints, which take a look at all that has come
  // Of a call on a team, instead of `call`: which, and its CallInfo.
  const void* team = nullptr;
  std::uint64_t what = 0;
  std::uint64_t count = 0;
};

/// Makes the note of a wait, when it is wanted. Refers to a function that must live longer.
class WaitDescriber {
 public:
  /// Of a wait that nobody is to know of.
  WaitDescriber() noexcept = default;
  template <class Describe>
  WaitDescriber(const Describe& describe) noexcept
      : object_(&describe),
        call_([](const void* object, WaitNote& note) { (*static_cast<const Describe*>(object))(note); }) {}

  explicit operator bool() const noexcept { return call_ != nullptr; }
  void operator()(WaitNote& note) const { call_(object_, note); }

 private:
  const void* object_ = nullptr;
  void (*call_)(const void*, WaitNote&) = nullptr;
};

/// What a wait waits for. Refers to a function that must live longer.
class Condition {
 public:
  template <class IsTrue>
  Condition(const IsTrue& is_true) noexcept
      : object_(&is_true),
        call_([](const void* object) { return static_cast<bool>((*static_cast<const IsTrue*>(object))()); }) {
  }

  bool operator()() const { return call_(object_); }

 private:
  const void* object_;
  bool (*call_)(const void*);
};

/// In ns.
inline std::int64_t steady_now() noexcept {
  return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// How often this process has gone on with anything: only grows.
using Moves = shm::RealAtoms::Word<std::uint64_t>;

/// Is told of waits that have become long, by any thread.
class LongWaits {
 public:
  /// Of waits whose naps have begun so long ago, and each time so much later.
  explicit LongWaits(std::int64_t ns) noexcept : ns_(ns) {}
  virtual ~LongWaits() = default;

  std::int64_t ns() const noexcept { return ns_; }

  /// A whole look has found nothing since the last time, unless `moves` has changed.
  virtual void goes_on(const void* wait, std::uint64_t moves, const WaitDescriber& describe) noexcept = 0;
  virtual void is_over(const void* wait) noexcept = 0;

  /// This process looks for something again and again, in vain, without a wait that naps; or does so no more.
  virtual void looks_in_vain(bool does) noexcept = 0;
  /// Whether one of `others` may have to go on before one of `awaited` can: it is awaited itself, or waits at
  /// the end of a chain of waits that begins there. True, too, if somebody there waits for nobody knows whom.
  virtual bool may_depend_on(const std::vector<int>& awaited, const std::vector<int>& others) noexcept = 0;

 private:
  std::int64_t ns_;
};

/// A wait that sleeps.
class LongWait {
 public:
  /// `told` and `traffic` may be null.
  LongWait(LongWaits* told, Traffic* traffic, const Moves& moves, const WaitDescriber& describe) noexcept
      : told_(describe ? told : nullptr), traffic_(traffic), moves_(moves), describe_(describe) {}
  LongWait(const LongWait&) = delete;
  LongWait& operator=(const LongWait&) = delete;
  ~LongWait() {
    if (is_long_) told_->is_over(this);
  }

  /// Before each nap: all that it waits for has been looked at since the one before.
  void goes_on() noexcept {
    const std::int64_t now = steady_now();
    if (traffic_ != nullptr && traffic_->holds_back() && now >= weighs_at_) {
      weighs_at_ = now + kBetweenWeighings;
      if (may_need_held_back()) traffic_->let_go_on();
    }
    if (told_ == nullptr) return;
    if (tells_at_ == 0) tells_at_ = now + told_->ns();
    if (now < tells_at_) return;
    tells_at_ = now + told_->ns();
    is_long_ = true;
    told_->goes_on(this, moves_.observe(), describe_);
  }

 private:
  /// To see whom it awaits takes a while, of many requests, and each message that comes wakes it.
  static constexpr std::int64_t kBetweenWeighings = 1'000'000;

  [[gnu::cold]] bool may_need_held_back() const noexcept {
    if (told_ == nullptr) return true;  // nobody knows of waits
    try {
      WaitNote note;
      note.is_brief = true;
      describe_(note);
      const bool is_known = note.is_known && !note.awaited.empty();
      return !is_known || told_->may_depend_on(note.awaited, traffic_->held_back());
    } catch (const std::exception&) {
      return true;  // out of memory: it is not known
    }
  }

  LongWaits* told_;
  Traffic* traffic_;
  const Moves& moves_;
  const WaitDescriber describe_;
  bool is_long_ = false;
  std::int64_t tells_at_ = 0;
  std::int64_t weighs_at_ = 0;
};

}  // namespace foldlane::engine
