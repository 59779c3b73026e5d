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
#include "engine/choice/handed_back.hpp"
#include "engine/choice/permission.hpp"

namespace foldlane::engine {

class TransferChoices {
  struct Way;
  struct Boxes;

 public:
  /// Of one message, from the match to the end.
  struct Use {
    std::size_t bytes = 0;
    Way* way = nullptr;      // null: it could come in one way only
    Boxes* boxes = nullptr;  // null: it comes through none
    HandedBack hands_back = HandedBack::unsaid;
    double nanoseconds = 0;  // for copying out of the boxes, if it says how it hands them back
    Filled filled{};         // as the sender says
    bool dirties = false;
    Chooser* chooser = nullptr;  // that wants to know how long it takes
    std::chrono::steady_clock::time_point since{};
  };

  explicit TransferChoices(Decisions& decisions)
      : from_bytes_(decisions.of(Decision::message_way).row->from_bytes),
        ways_(Way{Chooser(decisions.of(Decision::message_way)), {Arm::first, false}, nullptr}),
        boxes_(Boxes{Chooser(decisions.of(Decision::message_boxes)), {Arm::first, false}, 0}),
        copies_(Chooser(decisions.of(Decision::message_copy))) {}

  /// A message that is pulled.
  void begin_pull(Use& use, std::size_t bytes) noexcept {
    use = {.bytes = bytes};
    choose_way(use, Arm::second);
    start_clock(use);
  }
  /// One that comes through boxes. `could_be_pulled`: as far as the receiver is concerned. The cost of clean
  /// and dirty boxes is what both ends spend on copying: how long the receiver waits, which is what pulling
  /// is compared with, says little where several messages are under way or have been filled before.
  void begin_boxes(Use& use, std::size_t bytes, bool could_be_pulled) noexcept {
    use = {.bytes = bytes};
    if (could_be_pulled && permission_ != Permission::refused) choose_way(use, Arm::first);
    use.boxes = &boxes_.of(bytes);
    const Chooser::Choice& choice = use.boxes->next;
    use.dirties = choice.arm == Arm::second;
    if (choice.timed) use.hands_back = use.dirties ? HandedBack::dirty : HandedBack::clean;
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
    if (use.boxes != nullptr) end_boxes(use);
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

  struct Boxes {
    Chooser chooser;
    Chooser::Choice next;
    unsigned held;  // messages since a turn of a trial has had its time
  };
  /// So many messages a sender has boxes for. If they do not come back in the state that is on trial, other
  /// messages take them.
  static constexpr unsigned kMostHeld = 512;

  /// The boxes came, and go, as the turn of the trial wants it.
  static bool has_come_round(const Use& use) noexcept {
    return use.hands_back != HandedBack::unsaid && use.filled.state == use.hands_back &&
           use.dirties == (use.boxes->next.arm == Arm::second);
  }
  /// A turn lasts until a message has been timed.
  static void end_boxes(const Use& use) noexcept {
    Boxes& boxes = *use.boxes;
    if (boxes.next.timed) {
      if (has_come_round(use)) {
        boxes.chooser.report(use.bytes, use.nanoseconds + use.filled.nanoseconds);
      } else {
        if (++boxes.held < kMostHeld) return;
        boxes.chooser.give_up_trial();
      }
    }
    boxes.held = 0;
    boxes.next = boxes.chooser.next();
  }
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
  BySize<Boxes> boxes_;
  BySize<Chooser> copies_;
  std::uint32_t pulls_ = 0;
  Permission permission_ = Permission::unknown;
};

}  // namespace foldlane::engine
