// What a member of a team of more than two decides about the long blocks that it gives in a call of lists
// (engine/moves/lists/listed_blocks.hpp): whether they go through slots, or the others pull them (the
// decision "block-way"). Where all members give, they do as most of those have found that know: some pulled
// and some in slots cost more than either (8 ranks on 2 CPUs, alltoallv of 64 KiB: 509 us, 431 in slots, 436
// pulled), and a single member errs more often than most of them do.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <optional>
#include <vector>

#include "engine/choice/by_size.hpp"
#include "engine/choice/chooser.hpp"
#include "engine/choice/permission.hpp"
#include "engine/choice/question.hpp"

namespace foldlane::engine {

class BlockChoices {
 public:
  class Use;

  BlockChoices(Decisions& decisions, bool shares_cpus) noexcept
      : decision_(decisions.of(Decision::block_way)),
        from_bytes_(decision_.row->from_bytes),
        ways_(Chooser(decisions.of(Decision::block_way))),
        ways_of_root_(Chooser(decisions.of(Decision::block_way))),
        clock_(shares_cpus ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC) {}

  /// Of all members alike: whether everybody can pull what others have.
  Permission permission() const noexcept { return permission_; }
  void learn(bool granted) noexcept { permission_ = granted ? Permission::granted : Permission::refused; }

  /// Shorter blocks take less time through slots than the end of a call of which the caller's own buffers are
  /// read.
  std::size_t from_bytes() const noexcept { return from_bytes_; }

  /// What this member knows, for the others: by size class a bit for what is quicker pulled, and above these
  /// a bit for what it knows at all. A member whose own blocks are short or lie in a heap knows nothing.
  std::uint64_t findings() const noexcept { return pulled_ | known_ << kSizeClasses; }
  /// What a member knows, this one included. All hear the same, and from the next call on do as most know.
  void hear(int member, std::uint64_t findings) {
    const auto at = static_cast<std::size_t>(member);
    if (at >= findings_.size()) findings_.resize(at + 1);
    findings_[at] = findings;
  }

  /// Of this member as the leaf of a gather.
  Question& where() noexcept { return where_; }

  /// By member, once that is known.
  std::vector<int>& processes() noexcept { return processes_; }

 private:
  /// Where all give, and share CPUs, what a call costs is the time that a member computes: on a clock it also
  /// waits for others' turns, and for other programs'. Of the process, because any of its threads may drive
  /// the call. Who gives alone computes least if it leaves the copies to the others: it goes by the clock,
  /// until all have finished (8 ranks on 2 CPUs, scatterv of 32 KiB by its own time and so: 42 and 32 us, in
  /// a row 37 and 19).
  double now(bool all_give) const noexcept {
    timespec time{};
    ::clock_gettime(all_give ? clock_ : CLOCK_MONOTONIC, &time);
    return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
  }

  /// Where all members give: what has been found of blocks of about so many bytes or, before anything has, of
  /// the nearest ones, smaller ones first. None: nobody has found out anything.
  std::optional<Arm> agreed(std::size_t bytes) const noexcept {
    std::uint64_t known = 0;
    for (const std::uint64_t findings : findings_) known |= findings >> kSizeClasses;
    if (known == 0) return std::nullopt;
    const std::uint64_t not_larger = known & (2 * bit_of(bytes) - 1);
    const int nearest = not_larger != 0 ? 63 - std::countl_zero(not_larger) : std::countr_zero(known);
    int votes = 0;  // for pulling, less those for slots
    for (const std::uint64_t findings : findings_)
      if ((findings >> kSizeClasses >> nearest & 1) != 0) votes += (findings >> nearest & 1) != 0 ? 1 : -1;
    return votes > 0 ? Arm::second : Arm::first;
  }
  /// A size that is new begins as others have been decided: large blocks are given a few times only, and
  /// trials of them would take all of those. What all members know they begin with at the same time.
  Chooser& way(std::size_t bytes, bool all_give) noexcept {
    if (!all_give) return ways_of_root_.informed(bytes);
    Chooser& own = ways_.of(bytes);
    if (const std::optional<Arm> likely = agreed(bytes); own.is_new() && likely) own.begin_with(*likely);
    return own;
  }

  static std::uint64_t bit_of(std::size_t bytes) noexcept { return std::uint64_t{1} << size_class(bytes); }
  static void set(std::uint64_t& bits, std::uint64_t bit, bool value) noexcept {
    bits = value ? bits | bit : bits & ~bit;
  }

  Decisions::Entry& decision_;
  std::size_t from_bytes_;
  BySize<Chooser> ways_;          // where all give: as often used by each member as by all others
  BySize<Chooser> ways_of_root_;  // where this one gives alone
  std::uint64_t pulled_ = 0;
  std::uint64_t known_ = 0;
  std::vector<std::uint64_t> findings_;  // last heard, by member
  clockid_t clock_;
  Permission permission_ = Permission::unknown;
  std::vector<int> processes_;
  Question where_;
};

/// Of one call, from its first long block on. All members that give such blocks hold their trials in the same
/// calls, because they count the same ones: what is timed is a call in which all of them go that way.
class BlockChoices::Use {
 public:
  explicit Use(BlockChoices& choices) noexcept : choices_(choices) {}
  Use(const Use&) = delete;
  Use& operator=(const Use&) = delete;

  /// Whether a block is pulled. `all_give`: all members of the call do.
  bool pulls(std::size_t bytes, bool all_give) noexcept {
    if (choices_.permission_ != Permission::granted) return false;
    if (chooser_ == nullptr) begin(bytes, all_give);
    bytes_ += bytes;
    return choice_.arm == Arm::second;
  }
  /// Whether the call is to end when all have finished, and not before: it is timed, and this member gives
  /// alone. Known once its blocks have their places.
  bool awaits_all() const noexcept { return chooser_ != nullptr && choice_.timed && !all_give_; }
  /// The call is over.
  void end() noexcept {
    if (chooser_ == nullptr || !choice_.timed) return;
    chooser_->report(bytes_, choices_.now(all_give_) - since_);
    if (!all_give_ || !chooser_->has_decided()) return;
    choices_.known_ |= bit_;
    choices_.set(choices_.pulled_, bit_, chooser_->settled() == Arm::second);
  }
  /// Once this member's blocks have their places. What it knows goes to the others with them, and counts from
  /// the next call on.
  std::uint64_t tell(int own) {
    hear(own, choices_.findings());
    return choices_.findings();
  }
  /// What a member has told.
  void hear(int member, std::uint64_t findings) { choices_.hear(member, findings); }

 private:
  void begin(std::size_t bytes, bool all_give) noexcept {
    all_give_ = all_give;
    chooser_ = &choices_.way(bytes, all_give);
    bit_ = bit_of(bytes);
    choice_ = chooser_->next();
    if (all_give && !choice_.is_trial && !choices_.decision_.forced)
      choice_.arm = choices_.agreed(bytes).value_or(Arm::first);
    if (choice_.timed) since_ = choices_.now(all_give);
  }

  BlockChoices& choices_;
  Chooser* chooser_ = nullptr;
  bool all_give_ = false;
  std::uint64_t bit_ = 0;  // of its size class
  Chooser::Choice choice_{Arm::first, false};
  std::size_t bytes_ = 0;
  double since_ = 0;
};

}  // namespace foldlane::engine
