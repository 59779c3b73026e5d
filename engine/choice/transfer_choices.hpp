// What a receiver decides by timing about long messages from one sender: whether they come through boxes or
// are pulled (the decision "message-way"), whether it dirties the boxes ("message-boxes"), and whether it
// copies alone what both can reach ("message-copy"). Used under the
// messenger's lock.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

#include "engine/choice/by_size.hpp"
#include "engine/choice/chooser.hpp"
#include "engine/choice/permission.hpp"

namespace foldlane::engine {

class TransferChoices {
  struct Way;

 public:
  /// Of one message, from the match to the end.
  struct Use {
    std::size_t bytes = 0;
    Way* way = nullptr;  // null: it could come in one way only
    bool dirties = false;
    Chooser* chooser = nullptr;  // that wants to know how long it takes
    std::chrono::steady_clock::time_point since{};
  };

  explicit TransferChoices(Decisions& decisions)
      : from_bytes_(decisions.of(Decision::message_way).row->from_bytes),
        ways_(Way{Chooser(decisions.of(Decision::message_way)), {Arm::first, false}, nullptr}),
        boxes_(Chooser(decisions.of(Decision::message_boxes))),
        copies_(Chooser(decisions.of(Decision::message_copy))) {}

  /// A message that is pulled.
  void begin_pull(Use& use, std::size_t bytes) noexcept {
    use = {.bytes = bytes};
    choose_way(use, Arm::second);
    start_clock(use);
  }
  /// One that comes through boxes. `could_be_pulled`: as far as the receiver is concerned. `is_filled`: the
  /// sender has begun to fill them. What that took belongs to the cost of clean and dirty boxes, but not to
  /// what the receiver waits, which is what pulling is compared with.
  void begin_boxes(Use& use, std::size_t bytes, bool could_be_pulled, bool is_filled) noexcept {
    use = {.bytes = bytes};
    if (could_be_pulled && permission_ != Permission::refused) choose_way(use, Arm::first);
    Chooser& chooser = boxes_.of(bytes);
    const Chooser::Choice choice = chooser.next();
    use.dirties = choice.arm == Arm::second;
    if (choice.timed && !is_filled && use.chooser == nullptr) use.chooser = &chooser;
    start_clock(use);
  }

  /// One that lies where both ends can reach it. True: they copy it together.
  bool begin_copy(Use& use, std::size_t bytes) noexcept {
    use = {.bytes = bytes};
    Chooser& chooser = copies_.of(bytes);
    const Chooser::Choice choice = chooser.next();
    if (choice.timed) use.chooser = &chooser;
    start_clock(use);
    return choice.arm == Arm::second;
  }

  /// Of one that is over. Returns of which sizes the next messages are to be pulled (Credits::pulls).
  std::uint32_t end(Use& use) noexcept {
    if (use.chooser != nullptr) {
      const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - use.since;
      use.chooser->report(use.bytes, took.count());
    }
    if (use.way == nullptr) return pulls_;
    if (use.way->timed == &use) use.way->timed = nullptr;
    // What is timed belongs to the arm on trial.
    if (use.way->timed == nullptr && permission_ != Permission::refused) plan_next(*use.way, use.bytes);
    return pulls_;
  }

  /// It is not carried out.
  static void forget(Use& use) noexcept {
    if (use.way != nullptr && use.way->timed == &use) use.way->timed = nullptr;
    use = {};
  }

  Permission may_pull() const noexcept { return permission_; }
  /// What the first attempt has shown, which holds from then on. Returns as end().
  std::uint32_t learn(bool granted) noexcept {
    permission_ = granted ? Permission::granted : Permission::refused;
    return granted ? pulls_ : pulls_ = 0;
  }

 private:
  struct Way {
    Chooser chooser;
    Chooser::Choice next;  // how the next message should come, which its sender learns late
    const Use* timed;      // one at a time
  };

  void choose_way(Use& use, Arm taken) noexcept {
    if (use.bytes < from_bytes_) return;
    use.way = &ways_.of(use.bytes);
    if (!use.way->next.timed || use.way->timed != nullptr || use.way->next.arm != taken) return;
    use.way->timed = &use;
    use.chooser = &use.way->chooser;
  }
  static void start_clock(Use& use) noexcept {
    if (use.chooser != nullptr) use.since = std::chrono::steady_clock::now();
  }
  void plan_next(Way& way, std::size_t bytes) noexcept {
    way.next = way.chooser.next();
    const std::uint32_t bit = std::uint32_t{1} << size_class(bytes);
    pulls_ = way.next.arm == Arm::second ? pulls_ | bit : pulls_ & ~bit;
  }

  std::size_t from_bytes_;
  BySize<Way> ways_;
  BySize<Chooser> boxes_;
  BySize<Chooser> copies_;
  std::uint32_t pulls_ = 0;
  Permission permission_ = Permission::unknown;
};

}  // namespace foldlane::engine
