// Messages that this process receives and whose data follow their envelopes, from the match to the end. Used
// under the messenger's lock.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <vector>

#include "engine/choice/by_size.hpp"
#include "engine/choice/chooser.hpp"
#include "engine/p2p/communication.hpp"
#include "engine/p2p/lane_map.hpp"
#include "engine/p2p/list.hpp"
#include "engine/team/process.hpp"

namespace foldlane::engine {

/// The data of a message that has been matched are on their way.
struct Inflow {
  Receive* receive = nullptr;
  TransferReceiver transfer;
  int from = 0;
  std::uint64_t direct = kNoPlace;  // the sender's buffer
  Chunks chunks{0};
  Chooser* chooser = nullptr;
  Arm arm = Arm::first;                           // of the decision about boxes
  std::chrono::steady_clock::time_point since{};  // if it is timed
  Inflow* previous = nullptr;
  Inflow* next = nullptr;
};

class Inflows {
 public:
  Inflows(BasicProcess<shm::RealAtoms>& process, std::size_t ranks);
  Inflows(const Inflows&) = delete;
  Inflows& operator=(const Inflows&) = delete;
  ~Inflows();

  /// The data at `place` go to `receive`, which has been matched.
  void begin(Receive& receive, int from, const DataPlace& place);
  /// True if something moved.
  bool step();
  /// Ends those of ranks that are lost.
  template <class IsLost>
  void give_up(const IsLost& is_lost) {
    for (Inflow* flow = flows_.first(); flow != nullptr;) {
      Inflow* const next = flow->next;
      if (is_lost(flow->from)) {
        flow->receive->end(Delivery::peer_failed);
        flows_.remove(*flow);
        free_flows_.push_back(flow);
      }
      flow = next;
    }
  }

 private:
  void choose(Inflow& flow, bool is_straight);
  bool step(Inflow& flow);
  bool take(Inflow& flow);
  void finish(Inflow& flow);

  BasicProcess<shm::RealAtoms>& process_;
  std::vector<std::unique_ptr<BySize<Chooser>>> boxes_;  // by sender: how they are handed back
  List<Inflow, &Inflow::previous, &Inflow::next> flows_;
  std::vector<Inflow*> free_flows_;
};

}  // namespace foldlane::engine
