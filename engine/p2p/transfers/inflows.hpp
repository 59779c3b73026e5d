// Messages that this process receives and whose data follow their envelopes, from the match to the end. Used
// under the messenger's lock.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "engine/choice/store_choices.hpp"
#include "engine/choice/transfer_choices.hpp"
#include "engine/p2p/communication.hpp"
#include "engine/p2p/lane_map.hpp"
#include "engine/p2p/list.hpp"
#include "engine/p2p/transfers/inflow.hpp"
#include "engine/p2p/transfers/outflows.hpp"
#include "engine/team/process.hpp"

namespace foldlane::engine {

class Inflows {
 public:
  /// `sends`: of this rank.
  Inflows(BasicProcess<shm::RealAtoms>& process, int rank, const LaneMap& map, Outflows& sends);
  Inflows(const Inflows&) = delete;
  Inflows& operator=(const Inflows&) = delete;
  ~Inflows();

  /// The data at `place` go to `receive`, which has been matched.
  void begin(Receive& receive, int from, const DataPlace& place);
  /// True if something moved.
  bool step() { return !empty() && step_all(); }
  bool empty() const noexcept { return flows_.empty(); }
  /// The receive is nobody's any more.
  void abandon(const Receive& receive) noexcept;
  /// Ends those of ranks that are lost.
  template <class IsLost>
  void give_up(const IsLost& is_lost) {
    for (Inflow* flow = flows_.first(); flow != nullptr;) {
      Inflow* const next = flow->next;
      if (is_lost(flow->from)) {
        if (flow->is_in_pieces) stop_pushing(*flow);
        TransferChoices::forget(flow->use);
        flow->receive->end(Delivery::peer_failed);
        flows_.remove(*flow);
        free_flows_.push_back(flow);
      }
      flow = next;
    }
  }

 private:
  Inflow& new_flow();
  bool may_share(const Inflow& flow) const;
  bool share(Inflow& flow);
  bool pull(Inflow& flow, const DataPlace& place);
  bool pulls_alone(const Inflow& flow) const noexcept;
  bool copy_pieces(const Inflow& flow, std::uint64_t first, std::uint64_t pieces);
  void pull_pieces(Inflow& flow, std::uint64_t first, std::uint64_t pieces);
  bool go_on_in_pieces(Inflow& flow);
  void stop_pushing(Inflow& flow) noexcept;
  TransferChoices& choices_of(int from);
  bool step_all();
  bool step(Inflow& flow);
  bool take(Inflow& flow);
  void empty_box(Inflow& flow, std::uint64_t chunk);
  void store(const Inflow& flow, const std::byte* box, std::uint64_t offset, std::size_t bytes);
  void publish(int from, bool is_again, const Pulls& wanted);
  void meet(Inflow& flow);
  bool is_for_sender_to_decide(const Inflow& flow) const;
  void end_choices(Inflow& flow);
  void finish(Inflow& flow);

  static constexpr std::uint64_t kLeastShared = row_of(Decision::message_copy).from_bytes;
  /// In one call of the kernel instead of two; other messages wait meanwhile. Where ranks share CPUs streams
  /// of 256 KiB would take twice as long, because both ends do run. Of both ways at once, far, by both ends
  /// and alone: 32 KiB 5.0 and 3.95 us, 64 KiB 7.2 and 5.9, 128 KiB 11.4 and 10.0, 512 KiB 35.0 and 35.3.
  static constexpr std::uint64_t kMostPulledAlone = 128 << 10;

  BasicProcess<shm::RealAtoms>& process_;
  int rank_;
  int own_process_;
  bool shares_cpus_;  // ranks do
  const LaneMap& map_;
  Outflows& sends_;
  std::vector<std::unique_ptr<TransferChoices>> choices_;  // by sender; none before its first
  MessageStores<shm::RealAtoms> stores_;
  List<Inflow, &Inflow::previous, &Inflow::next> flows_;
  std::vector<Inflow*> free_flows_;
};

}  // namespace foldlane::engine
