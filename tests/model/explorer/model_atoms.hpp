// The atoms policy of the models: every operation of the shipped templates goes through the explorer.
#pragma once

#include <cstddef>
#include <cstdint>

#include "execution.hpp"
#include "shm/sync/signals.hpp"

namespace foldlane::model {

/// kWholeWaits: Signals<> blocks in one step instead of going down the waiting ladder (see below).
template <bool kWholeWaits>
struct ModelAtoms {
  /// Of a team's member (engine/team/team_lines.hpp): so few that short scripts use each again.
  static constexpr std::uint64_t kInlineLines = 2;
  static constexpr std::uint64_t kSharedPieceBytes = 8;

  /// As large as the real word, for the layout depends on it. It holds the number of the word's history in
  /// the explorer's memory; zero until first used.
  template <class T>
  class Word {
   public:
    void publish(T value) noexcept { Execution::current().store(number(), value); }
    T observe() const noexcept { return static_cast<T>(Execution::current().load(number(), true)); }
    T peek() const noexcept { return static_cast<T>(Execution::current().load(number(), false)); }

    T add(T amount) noexcept {
      const auto before = static_cast<T>(Execution::current().begin_rmw(number()));
      Execution::current().replace(number(), static_cast<T>(before + amount));
      return before;
    }
    void set(T bits) noexcept {
      const auto before = static_cast<T>(Execution::current().begin_rmw(number()));
      Execution::current().replace(number(), static_cast<T>(before | bits));
    }
    T take() noexcept {
      const auto before = static_cast<T>(Execution::current().begin_rmw(number()));
      Execution::current().replace(number(), 0);
      return before;
    }
    bool claim(T expected, T desired) noexcept {
      if (Execution::current().begin_rmw(number()) != expected) {
        Execution::current().learn_latest(number());
        return Execution::current().is_draining();  // who tries again must end then
      }
      Execution::current().replace(number(), desired);
      return true;
    }

    int number() const {
      if (number_ == 0) number_ = static_cast<T>(Execution::current().word(this) + 1);
      return static_cast<int>(number_) - 1;
    }

   private:
    mutable T number_;
  };

  static void drain_stores() noexcept {}  // nobody relies on it
  static void light_barrier() noexcept { Execution::current().light_barrier(); }
  static void heavy_barrier() noexcept { Execution::current().heavy_barrier(); }
  static void sleep_while(const Word<std::uint32_t>& bell, std::uint32_t seen, std::int64_t) noexcept {
    Execution::current().sleep_while(bell.number(), seen);
  }
  static void wake_all(const Word<std::uint32_t>& bell) noexcept {
    Execution::current().wake_all(bell.number());
  }
  static void reads(const void* start, std::size_t bytes) noexcept {
    Execution::current().access(start, bytes, false);
  }
  static void writes(const void* start, std::size_t bytes) noexcept {
    Execution::current().access(start, bytes, true);
  }
};

/// The whole ladder, as shipped.
using LadderAtoms = ModelAtoms<false>;
/// Waiting as specified. That the ladder meets the specification is the business of doorbell_model_test.cpp.
using WholeWaitAtoms = ModelAtoms<true>;

}  // namespace foldlane::model

namespace foldlane::shm {

/// The specification of Signals: await returns true when the word has reached the epoch, false when the job
/// has failed and the word was not seen to have reached it.
template <>
class Signals<model::WholeWaitAtoms> {
 public:
  using Epoch = model::WholeWaitAtoms::Word<std::uint64_t>;

  explicit Signals(const Epoch& abort_word) : abort_word_(abort_word) {}

  void publish(Epoch& word, std::uint64_t epoch) const noexcept { word.publish(epoch); }
  bool comes_soon(const Epoch& word, std::uint64_t value) const noexcept { return word.observe() == value; }
  template <class Bell, class Hopeless, class FewMissing, class OtherWork>
  std::uint64_t await(const Epoch& word, std::uint64_t value, Bell&, const Hopeless&, const FewMissing&,
                      const OtherWork&) const noexcept {
    return model::Execution::current().await(word.number(), value, abort_word_.number()) ? value : 0;
  }
  template <class Arrived, class Hopeless, class OtherWork>
  bool await_patiently(const Arrived& arrived, Doorbell<model::WholeWaitAtoms>&, const Hopeless&,
                       const OtherWork&) const noexcept {
    return arrived();  // for calls that do not match, which no model makes
  }
  bool failed() const noexcept { return abort_word_.observe() != 0; }
  /// Those who die here end the job: the abort word is what models of deaths have.
  std::uint64_t deaths() const noexcept { return 0; }
  // Of waits for operations, which no model makes.
  void connect(const Neighbours<model::WholeWaitAtoms>&) noexcept {}
  Ladder ladder() const noexcept { return Ladder::own_cpu(); }
  Wake wake() const noexcept { return Wake::locked; }

 private:
  const Epoch& abort_word_;
};

}  // namespace foldlane::shm
