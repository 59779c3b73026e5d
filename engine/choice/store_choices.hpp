// How results are stored: those of calls (decision "result-stores"), and messages (decision
// "message-stores"). By size, and by whether the program uses the same buffers again. And how what does not
// stream is copied (decision "long-copies").
#pragma once

#include <chrono>
#include <cstddef>
#include <limits>
#include <optional>

#include "engine/choice/by_reuse.hpp"
#include "engine/choice/by_size.hpp"
#include "engine/choice/chooser.hpp"
#include "engine/choice/copy_time.hpp"
#include "engine/choice/late_chooser.hpp"
#include "engine/choice/recent_results.hpp"
#include "kernels/copy.hpp"
#include "shm/sync/atoms.hpp"

namespace foldlane::engine {

/// A trial costs three calls half of their time where a cache has the results: two whose stores stream, and
/// the one after them. Of blocks of 4 MiB programs may make ten calls; so results that are used again are
/// stored plainly for some calls first.
class StoreChoices {
 public:
  explicit StoreChoices(Decisions& decisions) noexcept
      : choosers_(Chooser(decisions.of(Decision::result_stores))) {}

  Chooser& of(std::size_t bytes, const void* result) noexcept {
    return choosers_.of(bytes, result, Arm::first);
  }

 private:
  ByReuse<Chooser> choosers_;
};

/// How to copy what is stored so.
inline constexpr kernels::CopyBy copy_by(Arm stores) noexcept {
  return is_streaming(stores) ? kernels::CopyBy::streaming : kernels::CopyBy::vectors;
}

/// Who copies decides by what its own copies take. What is put into boxes, into slots, taken out of messages'
/// boxes, and put into another buffer of its own is chosen for each by itself. (Out of slots and of the boxes
/// of two it was tried, too: broadcasts of 32 to 128 KiB took 1.06 to 1.16 times as long, alltoalls 1.06.)
template <class Atoms, class Clock = std::chrono::steady_clock>
class LongCopies {
 public:
  /// Shorter ones than `from_bytes` are copied by vectors.
  explicit LongCopies(Decisions& decisions, std::size_t from_bytes = row_of(Decision::long_copies).from_bytes,
                      bool has_string_copy = kernels::has_string_copy()) noexcept
      : from_bytes_(has_string_copy ? from_bytes : std::numeric_limits<std::size_t>::max()),
        choosers_(Chooser(decisions.of(Decision::long_copies))) {}

  /// copy(by), of so many bytes of a call, or message, of `whole` bytes.
  template <class Copy>
  void perform(std::size_t whole, std::size_t bytes, const Copy& copy) {
    if (bytes < from_bytes_) return copy(kernels::CopyBy::vectors);
    Chooser& chooser = choosers_.informed(whole);
    const Chooser::Choice choice = chooser.next();
    if (!choice.timed) [[likely]]
      return copy(by(choice.arm));
    chooser.report(bytes, copy_time<Atoms, Clock>([&] { copy(by(choice.arm)); }));
  }
  /// The same of what another decision may have stream.
  template <class Copy>
  void perform(Arm stores, std::size_t whole, std::size_t bytes, const Copy& copy) {
    if (is_streaming(stores)) return copy(kernels::CopyBy::streaming);
    perform(whole, bytes, copy);
  }

 private:
  static constexpr kernels::CopyBy by(Arm arm) noexcept {
    return arm == Arm::first ? kernels::CopyBy::vectors : kernels::CopyBy::string;
  }

  std::size_t from_bytes_;
  BySize<Chooser> choosers_;
};

/// Of what a member has to where it wants it, of which models and counters of lines see nothing.
using OwnCopies = LongCopies<shm::RealAtoms>;

/// Of messages in boxes, piece by piece, and in long blocks: those of several messages come in any order.
/// What plain stores cost shows only where the piece before was stored by them, too; streaming ones cost the
/// same everywhere. Whole boxes that are not streamed are long copies.
template <class Atoms, class Clock = std::chrono::steady_clock>
class MessageStores {
 public:
  explicit MessageStores(Decisions& decisions) noexcept
      : from_bytes_(decisions.of(Decision::message_stores).row->from_bytes),
        again_(LateChooser(decisions.of(Decision::message_stores))),
        elsewhere_(again_),
        copies_(decisions, kCopiedByString) {}

  /// store(by), which stores so many bytes there and ends with what that way to copy needs.
  template <class Store>
  void perform(const void* result, std::size_t bytes, const Store& store) {
    if (bytes < from_bytes_) return store(kernels::CopyBy::vectors);
    const std::optional<Arm> before = results_.find(result);
    LateChooser& chooser = (before ? again_ : elsewhere_).of(bytes);
    const Chooser::Choice choice = chooser.wanted();
    const bool has_come_round = is_streaming(choice.arm) || before.value_or(choice.arm) == choice.arm;
    results_.note(result, bytes, choice.arm);
    if (choice.timed && has_come_round) {
      chooser.report(bytes,
                     copy_time<Atoms, Clock>([&] { copies_.perform(choice.arm, bytes, bytes, store); }));
    } else {
      copies_.perform(choice.arm, bytes, bytes, store);
    }
    chooser.pass(has_come_round);
  }

 private:
  /// Near, half a round trip by messages of 64 KiB, in pieces of 16, takes 1.04 times as long by it.
  static constexpr std::size_t kCopiedByString = 32 << 10;

  std::size_t from_bytes_;
  RecentResults results_;
  BySize<LateChooser> again_;
  BySize<LateChooser> elsewhere_;
  LongCopies<Atoms, Clock> copies_;
};

}  // namespace foldlane::engine
