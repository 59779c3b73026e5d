// What a member of a team of more than two decides about the long blocks that it gives in a call of lists
// (engine/moves/listed_blocks.hpp): whether they go through slots, or the others pull them (the decision
// "block-way"). Where all members give, they do as the first one has found: some pulled and some in slots
// cost more than either (8 ranks on 2 CPUs, alltoallv of 64 KiB: 509 us, 431 in slots, 436 pulled).
#pragma once

#include <cstddef>
#include <cstdint>
#include <ctime>
#include <vector>

#include "engine/choice/by_size.hpp"
#include "engine/choice/chooser.hpp"
#include "engine/choice/permission.hpp"

namespace foldlane::engine {

class BlockChoices {
 public:
  class Use;

  BlockChoices(Decisions& decisions, bool shares_cpus) noexcept
      : decision_(decisions.of(Decision::block_way)),
        from_bytes_(decision_.row->from_bytes),
        ways_(Chooser(decisions.of(Decision::block_way))),
        clock_(shares_cpus ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC) {}

  /// Of all members alike: whether everybody can pull what others have.
  Permission permission() const noexcept { return permission_; }
  void learn(bool granted) noexcept { permission_ = granted ? Permission::granted : Permission::refused; }

  /// Shorter blocks take less time through slots than the end of a call of which the caller's own buffers are
  /// read.
  std::size_t from_bytes() const noexcept { return from_bytes_; }

  /// By size class, a bit: what this member has found is quicker pulled.
  std::uint64_t found() const noexcept { return found_; }
  /// The same of the first member, which all use from their next call on.
  void agree(std::uint64_t found) noexcept { agreed_ = found; }

  /// By member, once that is known.
  std::vector<int>& processes() noexcept { return processes_; }

 private:
  /// Where ranks share CPUs what a call costs is the time that they compute: on a clock they also wait for
  /// each other's turns, and for other programs'. Of the process, because any of its threads may drive the
  /// call.
  double now() const noexcept {
    timespec time{};
    ::clock_gettime(clock_, &time);
    return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
  }

  static std::uint64_t bit_of(std::size_t bytes) noexcept { return std::uint64_t{1} << size_class(bytes); }

  Decisions::Entry& decision_;
  std::size_t from_bytes_;
  BySize<Chooser> ways_;
  std::uint64_t found_ = 0;
  std::uint64_t agreed_ = 0;
  clockid_t clock_;
  Permission permission_ = Permission::unknown;
  std::vector<int> processes_;
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
  /// The call is over.
  void end() noexcept {
    if (chooser_ == nullptr || !choice_.timed) return;
    chooser_->report(bytes_, choices_.now() - since_);
    choices_.found_ = chooser_->settled() == Arm::second ? choices_.found_ | bit_ : choices_.found_ & ~bit_;
  }
  /// Once this member's blocks have their places. What the first member has found goes to the others with
  /// them, and is known to all in the next call.
  std::uint64_t tell(int member) noexcept {
    if (member == 0) choices_.agree(choices_.found());
    return choices_.found();
  }
  /// What a member has told.
  void hear(int member, std::uint64_t found) noexcept {
    if (member == 0) choices_.agree(found);
  }

 private:
  void begin(std::size_t bytes, bool all_give) noexcept {
    chooser_ = &choices_.ways_.of(bytes);
    bit_ = bit_of(bytes);
    choice_ = chooser_->next();
    if (all_give && !choice_.is_trial && !choices_.decision_.forced)
      choice_.arm = (choices_.agreed_ & bit_) != 0 ? Arm::second : Arm::first;
    if (choice_.timed) since_ = choices_.now();
  }

  BlockChoices& choices_;
  Chooser* chooser_ = nullptr;
  std::uint64_t bit_ = 0;  // of its size class
  Chooser::Choice choice_{Arm::first, false};
  std::size_t bytes_ = 0;
  double since_ = 0;
};

}  // namespace foldlane::engine
