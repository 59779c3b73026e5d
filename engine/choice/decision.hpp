// What ranks decide by timing while they work, because no topology tells it: on a virtual machine cores move,
// and only the program knows how it uses its buffers. A decision is between two ways of doing the same thing,
// its arms. The wrong one costs time, never a bit of the result.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "shm/base/result.hpp"
#include "shm/sync/atoms.hpp"

namespace foldlane::engine {

enum class Arm : std::uint8_t { first, second };

enum class Decision : std::uint8_t { slot_stores, result_stores };
inline constexpr std::size_t kDecisions = 2;

struct Habits {
  double dearer;  // the first arm is given up if it takes so many times as long as the second
  int warm_ups;   // uses of an arm before its time is taken, in each trial
  int timed;      // uses whose time is taken, after those
  int interval;   // uses between trials; at first they come sooner
};

struct DecisionRow {
  const char* name;
  std::array<const char*, 2> arms;
  Habits habits;
};

/// Slots. Between cores that share a cache, plain stores are right: the reader takes the lines from the
/// writer's cache. Where they do not, taking back lines that the reader holds runs at 2-8 GB/s, and streaming
/// stores, which bypass the caches, are 4 times faster for the whole call. Plain against streaming, as timed:
/// near, 0.9 at 256 KiB and 3.2 (at most 4.4) at 4 KiB, where the reader gains more than that; far, 7.4 at
/// 256 KiB and 11 at 4 KiB.
///
/// Results. Buffers that are in a cache take twice as long by streaming stores, those that are not up to
/// three times as long by plain ones. A result that was streamed is in no cache any more: the first plain
/// call after it would pay for that. Near, plain against streaming is 0.5 in the caches and 1.2 (16 KiB)
/// to 1.6 (1 MiB) outside; a limit of 1.25 left half of the latter plain. Both kinds of a trial cost twice
/// their time in the wrong state, and programs change their ways less often than hypervisors: 64 calls
/// between trials cost 5 % of a reduce.
inline constexpr std::array<DecisionRow, kDecisions> kDecisionRows{
    DecisionRow{"slot-stores", {"plain", "streaming"}, {5, 0, 1, 64}},
    DecisionRow{"result-stores", {"plain", "streaming"}, {1.0, 1, 1, 256}}};

inline constexpr bool is_streaming(Arm arm) noexcept { return arm == Arm::second; }
/// Fewer bytes are stored plainly: what they could gain is less than what the fence of streaming stores
/// costs.
inline constexpr std::size_t kTimedStoreBytes = 4 << 10;

/// What of this a user may settle beforehand: "slot-stores=plain,result-stores=streaming".
inline constexpr char kArmsVariable[] = "FOLDLANE_ARMS";

/// The arms that the user wants, whatever they cost; of other decisions none.
using ForcedArms = std::array<std::optional<Arm>, kDecisions>;

/// Reads what kArmsVariable holds; "" forces none. Errors: invalid, with what is known.
shm::Result<ForcedArms> parse_forced_arms(const std::string& text);

/// The decisions of a process: what is forced, and how trials have ended.
class Decisions {
 public:
  struct Entry {
    const DecisionRow* row = nullptr;
    std::optional<Arm> forced{};
    std::array<shm::RealAtoms::Word<std::uint64_t>, 2>
        kept{};  // trials after which this arm was the one in use
  };

  explicit Decisions(const ForcedArms& forced = {}) noexcept {
    for (std::size_t i = 0; i < kDecisions; ++i) {
      entries_[i].row = &kDecisionRows[i];
      entries_[i].forced = forced[i];
    }
  }

  Entry& of(Decision decision) noexcept { return entries_[static_cast<std::size_t>(decision)]; }
  const Entry& of(Decision decision) const noexcept { return entries_[static_cast<std::size_t>(decision)]; }

 private:
  std::array<Entry, kDecisions> entries_{};
};

}  // namespace foldlane::engine
