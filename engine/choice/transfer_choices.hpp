// What a receiver decides by timing about long messages from one sender: whether they come through boxes or
// are pulled (the decision "message-way"), whether it dirties the boxes ("message-boxes"), and whether it
// copies alone what both can reach ("message-copy"). Used under the messenger's lock.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "engine/choice/by_size.hpp"
#include "engine/choice/chooser.hpp"
#include "engine/choice/first_look.hpp"
#include "engine/choice/handed_back.hpp"
#include "engine/choice/late_chooser.hpp"
#include "engine/choice/likely_way.hpp"
#include "engine/choice/mutual_choices.hpp"
#include "engine/choice/permission.hpp"
#include "engine/choice/pulls.hpp"
#include "engine/choice/run_chooser.hpp"
#include "engine/choice/transfer_note.hpp"

namespace foldlane::engine {

template <class Clock>
class BasicTransferChoices {
 public:
  /// Of one message, from the match to the end.
  struct Use {
    std::size_t bytes = 0;
    TransferNote note{};           // of its sender; could_be_pulled: as far as the receiver is concerned, too
    Arm taken = Arm::first;        // of the ways
    RunChooser* way = nullptr;     // null: it could come in one way only
    LateChooser* boxes = nullptr;  // null: it comes through none:
    bool dirties = false;
    HandedBack hands_back = HandedBack::unsaid;
    bool looks = false;            // its first box is to show where its sender is:
    std::optional<double> look{};  // as time_of_lines() says
    bool is_watched = false;       // what a part of it takes is to be known:
    double part_per_byte = 0;      // nanoseconds
    SentMeanwhile meanwhile{};     // to this message's sender
    std::optional<Arm> agreed{};   // after the end: how to send to that one
    double after_last = 0;         // nanoseconds from the end of the message before, where that counts
    double nanoseconds = 0;        // that copying out of boxes takes the receiver, if it is timed
    Sent sent{};                   // the same of the sender, as it says
    Chooser* copy = nullptr;       // that wants to know how long it takes
    typename Clock::time_point since = kNever;

    bool is_timed() const noexcept { return hands_back != HandedBack::unsaid; }
  };

  /// `decides_for_both`: where both ends send, how both do. `shares_cpus`: ranks do.
  BasicTransferChoices(Decisions& decisions, bool decides_for_both, bool shares_cpus)
      : shares_cpus_(shares_cpus),
        from_bytes_(decisions.of(Decision::message_way).row->from_bytes),
        ways_again_(RunChooser(decisions.of(Decision::message_way), likely_runs(shares_cpus))),
        ways_elsewhere_(ways_again_),
        mutual_(decisions, decides_for_both, likely_runs(shares_cpus)),
        boxes_(LateChooser(decisions.of(Decision::message_boxes), LateChooser::kTrialsAreOneIn,
                           kBoxesBeforeTrials)),
        copies_(Chooser(decisions.of(Decision::message_copy))) {}

  /// A message that is pulled.
  void begin_pull(Use& use, std::size_t bytes, const TransferNote& note) noexcept {
    use = {.bytes = bytes, .note = note};
    choose_way(use, Arm::second);
  }
  /// One that comes through boxes.
  void begin_boxes(Use& use, std::size_t bytes, const TransferNote& note) noexcept {
    use = {.bytes = bytes, .note = note};
    if (note.could_be_pulled && permission_ != Permission::refused) choose_way(use, Arm::first);
    use.boxes = &boxes_.informed(bytes, Arm::first);
    const Chooser::Choice& choice = use.boxes->wanted();
    use.dirties = dirties(choice.arm);
    if (choice.timed) use.hands_back = use.dirties ? HandedBack::dirty : HandedBack::clean;
  }

  /// One that lies where both ends can reach it. True: they copy it together.
  bool begin_copy(Use& use, std::size_t bytes) noexcept {
    use = {.bytes = bytes};
    Chooser& chooser = copies_.of(bytes);
    const Chooser::Choice choice = chooser.next();
    if (choice.timed) {
      use.copy = &chooser;
      use.since = Clock::now();
    }
    return choice.arm == Arm::first;
  }

  /// Of one that is over. Returns how the next messages from such places are to come.
  Pulls end(Use& use) noexcept {
    if (use.copy != nullptr) {
      const std::chrono::duration<double, std::nano> took = Clock::now() - use.since;
      use.copy->report(use.bytes, took.count());
    }
    if (shares_cpus_) use.after_last = pace_.elapsed(BasicPace<Clock>::kLongAgo);
    if (use.boxes != nullptr) end_boxes(use);
    if (use.way != nullptr && permission_ != Permission::refused) end_way_of_both(use);
    Pulls wanted = pulls(use.note.is_again);
    if (use.way != nullptr && must_ask(*use.way)) wanted.try_other(use.bytes);
    return wanted;
  }

  /// The sender decides for both directions. Most likely of the next one, too: a trial that has begun would
  /// time every message, and not go on.
  void leave_way(Use& use) noexcept {
    use.way = nullptr;
    sender_decides_ = true;
  }

  /// It is not carried out.
  static void forget(Use& use) noexcept { use = {}; }

  Permission may_pull() const noexcept { return permission_; }
  /// What the first attempt has shown, which holds from then on.
  void learn(bool granted) noexcept {
    permission_ = granted ? Permission::granted : Permission::refused;
    if (!granted) pulls_again_ = pulls_elsewhere_ = {};
  }
  /// How messages are to come: those from where their sender has sent a short while ago, or others.
  Pulls pulls(bool is_again) const noexcept { return is_again ? pulls_again_ : pulls_elsewhere_; }

 private:
  /// Where reading the clock twice is less than one per cent.
  static constexpr std::size_t kWatchedBytes = 128 << 10;

  /// On shared CPUs the first guess is often wrong, and then up to twice as dear (likely_way.hpp), as half of
  /// a trial is if it is right: ten windows against 32.
  static constexpr int likely_runs(bool shares_cpus) noexcept {
    return shares_cpus ? 16 : RunChooser::kLikelyRuns;
  }
  /// A trial takes twenty messages, and clean boxes twice as long (512 KiB, near; far five times): what sends
  /// no more than that ends before. Dirty ones cost a quarter at most.
  static constexpr unsigned kBoxesBeforeTrials = 128;

  static constexpr auto kNever = BasicPace<Clock>::kNever;

  static constexpr bool dirties(Arm arm) noexcept { return arm == Arm::first; }

  void choose_way(Use& use, Arm taken) noexcept {
    if (use.bytes < from_bytes_) return;
    BySize<RunChooser>& ways = use.note.is_again ? ways_again_ : ways_elsewhere_;
    use.taken = taken;
    use.looks = is_look(use);
    use.way = use.looks ? &ways.of(use.bytes)
                        : &ways.informed(use.bytes, likely_way_one_way(use.bytes, use.note.is_again, look_,
                                                                       shares_cpus_));
    if (mutual_.times(use.bytes, use.note.is_again)) use.since = Clock::now();
    if (mutual_.are_usual() || sender_decides_) return;
    use.is_watched = use.bytes >= kWatchedBytes && use.way->watches(taken);
    if (use.way->is_on_trial()) use.since = Clock::now();
  }
  /// Nothing is decided before.
  bool is_look(const Use& use) const noexcept { return use.taken == Arm::first && !look_.is_over(); }
  Pulls& pulls_of(const Use& use) noexcept { return use.note.is_again ? pulls_again_ : pulls_elsewhere_; }

  /// Before it is known whether this rank can pull, each direction is for itself.
  void end_way_of_both(Use& use) noexcept {
    const bool may_meet = permission_ == Permission::granted;
    if (use.look) look_.note(*use.look);
    use.agreed = mutual_.end(use.bytes, use.note.is_again, use.taken, use.since,
                             may_meet ? use.meanwhile : SentMeanwhile{},
                             likely_way_of_both(use.bytes, use.note.is_again, look_, shares_cpus_));
    if (use.agreed)
      return pulls_of(use).set(use.bytes, {.usual = *use.agreed == Arm::second, .for_both = true});
    sender_decides_ = false;
    if (!use.looks) end_way(use);  // whose way has not begun
  }
  /// What counts is how soon one message comes after the other, as where both send (mutual_choices.hpp). What
  /// copying takes says less: those in boxes have been filled before; the first ones of a window that are
  /// pulled are in pages that are new to their receiver; and one of several waits for the others.
  void end_way(const Use& use) noexcept {
    RunChooser& way = *use.way;
    const bool is_known = !way.is_on_trial() || use.since != kNever;
    const double took = way.is_on_trial() && is_known ? pace_of(use) : 0;
    if (use.part_per_byte > 0 && way.watches(use.taken)) way.watch(use.part_per_byte);
    way.note(use.bytes, use.note.others, is_known && use.taken == way.wanted(), took);
    pulls_of(use).set(use.bytes, {.usual = way.wanted() == Arm::second});
  }
  /// Where ranks share CPUs others run while it waits, and its sender's copying is a part of what lies
  /// between two messages: a ring of eight on two CPUs, 64 KiB, boxes 46 us and pulled 28, stayed with boxes,
  /// out of which a receiver copies as fast as it pulls. What the program does meanwhile counts as well, of
  /// both ways; the more that is, the less it matters which one is taken.
  double pace_of(const Use& use) noexcept { return shares_cpus_ ? use.after_last : pace_.elapsed(use.since); }
  /// Whether it may pull shows when it does. Until then no two directions are decided as one. Not before it
  /// has looked, which is what they begin by.
  bool must_ask(const RunChooser& way) const noexcept {
    return look_.is_over() && permission_ == Permission::unknown && way.settled() == Arm::first;
  }
  /// The boxes came, and go, as the turn of the trial wants it. Dirtying moves work from the sender to the
  /// receiver, and costs both where neither waits: of the longer end that shows nothing.
  static void end_boxes(const Use& use) noexcept {
    LateChooser& boxes = *use.boxes;
    const bool has_come_round = use.hands_back != HandedBack::unsaid && use.sent.state == use.hands_back &&
                                use.dirties == dirties(boxes.wanted().arm);
    if (boxes.wanted().timed && has_come_round)
      boxes.report(use.bytes, use.nanoseconds + use.sent.nanoseconds);
    boxes.pass(has_come_round);
  }

  bool shares_cpus_;
  std::size_t from_bytes_;
  BySize<RunChooser> ways_again_;
  BySize<RunChooser> ways_elsewhere_;
  BasicPace<Clock> pace_;
  BasicMutualChoices<Clock> mutual_;
  bool sender_decides_ = false;
  FirstLook look_;
  BySize<LateChooser> boxes_;
  BySize<Chooser> copies_;
  Pulls pulls_again_;
  Pulls pulls_elsewhere_;
  Permission permission_ = Permission::unknown;
};
using TransferChoices = BasicTransferChoices<std::chrono::steady_clock>;

}  // namespace foldlane::engine
