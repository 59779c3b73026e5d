// A team: an ordered set of ranks that folds together. It is made of parts, each with a header of its own
// (engine/README.md lists them); what holds between them stands here.
//
// Every call of a team consumes one or more epochs, the same number on every member. The words of a member's
// lines only grow, and mean ("member m has published word >= e"):
//   shown(e)     m's inline line of epoch e holds its mark and payload
//   filled(e)    m's slot of epoch e holds its input; there is one such word per slot. Where leaders tell of
//                groups (engine/moves/grouped_move.hpp), the leader's stands for all that it has awaited, too
//   folded(e)    m's slot of epoch e holds the result of m's share
//   finished(e)  m has read everything of others it will ever read for epochs <= e, and has handed back the
//                boxes and slots that come back empty (pair_boxes.hpp, broadcast.hpp)
//
// PROTOCOL H "hand-off"           writer: rank r                         readers: any member p
//   r:  await all_finished(u), u = the epoch this place was last used in  [H1.acq]
//       write the place (slot or payload)                                 plain stores
//       publish filled(e) / shown(e) / folded(e)                          [H2.rel]
//   p:  await filled(e) / shown(e) / folded(e) of r                       [H2.acq]
//       read the place                                                    plain loads
//       publish finished(e)                                               [H1.rel]
// WITHOUT [H2]: p reads a stale place (never seen on x86). WITHOUT [H1]: r overwrites what p still reads.
// MODEL: tests/model drives these very templates, with mutants.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "engine/groups/hierarchy.hpp"
#include "engine/progress/operation.hpp"
#include "engine/team/agreement.hpp"
#include "engine/team/blocking_waits.hpp"
#include "engine/team/central_counter.hpp"
#include "engine/team/deliveries.hpp"
#include "engine/team/epochs.hpp"
#include "engine/team/inline_limits.hpp"
#include "engine/team/inline_lines.hpp"
#include "engine/team/membership.hpp"
#include "engine/team/one_way.hpp"
#include "engine/team/process.hpp"
#include "engine/team/slots.hpp"
#include "engine/team/team_lines.hpp"
#include "engine/team/transfer.hpp"
#include "engine/team/waits.hpp"

namespace foldlane::engine {

template <class Atoms>
class BasicTeam {
 public:
  using Process = BasicProcess<Atoms>;
  using Membership = BasicMembership<Atoms>;
  using Agreement = BasicAgreement<Atoms>;
  using Epochs = BasicEpochs<Atoms>;
  using InlineLines = BasicInlineLines<Atoms>;
  using Slots = BasicSlots<Atoms>;
  using Deliveries = BasicDeliveries<Atoms>;
  using CentralCounter = BasicCentralCounter<Atoms>;
  using Transfer = BasicTransfer<Atoms>;
  using OneWay = BasicOneWay<Atoms>;
  using Waits = BasicWaits<Atoms>;
  using BlockingWaits = BasicBlockingWaits<Atoms>;
  using Await = BasicAwait<Atoms>;
  using Lines = BasicTeamLines<Atoms>;
  static constexpr std::size_t kInlineBytes = Lines::kPayloadBytes;
  static constexpr std::size_t kOneLineBytes = Lines::kOneLinePayloadBytes;

  /// `members` are ranks of the process's job, in team order; `rank` is this process's position among them;
  /// `id` selects the lines; it is the same on all members, and its lines are fresh from `first_epoch` on:
  /// words of an earlier team would satisfy the waits of this one. Before a team goes away its members must
  /// have met (engine/collectives/collectives.hpp).
  BasicTeam(Process& process, std::vector<int> members, int rank, int id, std::uint64_t first_epoch = 1)
      : membership_(process, std::move(members), rank, id, first_epoch),
        inline_limits_(size() > 1 ? kInlineBytes : 0,
                       meets_centrally(size(), process.geometry().shared_cpus)),
        short_bytes_(std::min(kShortBytes, process.geometry().slot_bytes)),
        agreement_(membership_, first_epoch - 1),
        epochs_(membership_, agreement_, first_epoch),
        inline_lines_(membership_, agreement_),
        slots_(*this, membership_, agreement_),
        deliveries_(membership_, agreement_),
        central_counter_(membership_, agreement_),
        sources_(static_cast<std::size_t>(membership_.size())) {
    // Where ranks share CPUs, each hop more is a switch of all of them.
    if (size() > process.geometry().most_flat && process.geometry().shared_cpus == 0) find_groups();
  }
  ~BasicTeam() { process().forget(this); }

  int rank() const noexcept { return membership_.rank(); }
  int size() const noexcept { return membership_.size(); }
  /// Ranks of the job.
  const std::vector<int>& members() const noexcept { return membership_.members(); }
  Process& process() const noexcept { return membership_.process(); }

  // ---- its parts

  Membership& membership() noexcept { return membership_; }
  Agreement& agreement() noexcept { return agreement_; }
  const Agreement& agreement() const noexcept { return agreement_; }
  Epochs& epochs() noexcept { return epochs_; }
  InlineLines& inline_lines() noexcept { return inline_lines_; }
  Slots& slots() noexcept { return slots_; }
  Deliveries& deliveries() noexcept { return deliveries_; }
  CentralCounter& central_counter() noexcept { return central_counter_; }
  Waits waits() noexcept { return Waits(*this); }
  BlockingWaits blocking_waits() noexcept { return BlockingWaits(*this); }
  /// Scratch for the k source pointers of one fold; valid until the next wait.
  const void** sources() noexcept { return sources_.data(); }

  // ---- how its calls go

  /// Null: the team is flat.
  const Hierarchy* hierarchy() const noexcept { return hierarchy_.get(); }
  const InlineLimits& inline_limits() const noexcept { return inline_limits_; }
  /// Whether one box carries so many bytes, and the call is a short one.
  bool carries_in_box(std::size_t bytes) const noexcept {
    return deliveries_.boxes().known() && bytes - 1 < short_bytes_;
  }
  /// The same of a slot.
  bool carries_in_slot(std::size_t bytes) const noexcept {
    return inline_limits_.bytes() > 0 && bytes - 1 < short_bytes_;
  }

  /// Announces a call, which comes after those that are under way, if any. False if the team is broken.
  bool enter(const CallInfo& info) {
    if (!process().progress().is_undisturbed()) [[unlikely]]
      process().progress().finish(operations_);
    return agreement_.announce(info);
  }
  /// The calls of this team that go on while their callers do other things.
  OperationQueue& operations() noexcept { return operations_; }

 private:
  /// Decided once, here: calls of flat teams never ask again.
  void find_groups() {
    std::vector<Seat> seats;
    for (const int rank_of_job : members()) seats.push_back(process().peer(rank_of_job).seat);
    Groups groups = groups_of(seats, process().geometry().most_flat);
    if (groups.levels.empty()) return;
    hierarchy_ = std::make_unique<const Hierarchy>(std::move(groups), size(), rank());
    inline_limits_ = {0, false};
  }

  // What an inline call needs comes first.
  Membership membership_;
  InlineLimits inline_limits_;
  std::size_t short_bytes_;
  Agreement agreement_;
  Epochs epochs_;
  InlineLines inline_lines_;
  Slots slots_;
  Deliveries deliveries_;
  CentralCounter central_counter_;
  OperationQueue operations_;
  std::vector<const void*> sources_;
  std::unique_ptr<const Hierarchy> hierarchy_;  // of a team in groups
};

using Process = BasicProcess<shm::RealAtoms>;
using Team = BasicTeam<shm::RealAtoms>;

}  // namespace foldlane::engine
