// Messages that this process sends and whose data follow their envelopes, from the envelope to the end. Used
// under the messenger's lock.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/choice/recent_results.hpp"
#include "engine/choice/store_choices.hpp"
#include "engine/choice/transfer_note.hpp"
#include "engine/p2p/block_pool.hpp"
#include "engine/p2p/channel.hpp"
#include "engine/p2p/communication.hpp"
#include "engine/p2p/lane_map.hpp"
#include "engine/p2p/list.hpp"
#include "engine/p2p/message_counts.hpp"
#include "engine/p2p/transfers/partner.hpp"
#include "engine/progress/procedure.hpp"
#include "engine/team/process.hpp"

namespace foldlane::engine {

/// A message whose data follow. It outlives its Send, which is over when the program's buffer is free.
struct Outflow {
  explicit Outflow(TransferLines* lines) noexcept : transfer(lines) {}

  TransferSender transfer;
  std::byte* boxes = nullptr;  // the block that they are in
  std::byte* first_box = nullptr;
  Send* send = nullptr;  // null: over
  int to = 0;
  Chunks chunks{0};
  Sent sent;
  bool is_direct = false;  // the receiver reads the sender's buffer
  bool is_matched = false;
  bool may_be_pulled = false;    // by the receiver, as long as it is not matched
  bool is_trial = false;         // it goes another way than the others, because its receiver times that
  bool is_in_pieces = false;     // it is: both sides copy it
  bool could_be_pulled = false;  // as far as the sender is concerned
  bool is_again = false;         // this sender has sent from there a short while ago
  bool is_held = false;          // its data stay here until it is matched: for that, or the receiver is full
  Outflow* previous = nullptr;
  Outflow* next = nullptr;

  Arm way() const noexcept { return may_be_pulled ? Arm::second : Arm::first; }
};

/// In which state boxes have come back whose receiver wants to know what filling them takes.
class BoxStates {
 public:
  void note(const std::byte* boxes, HandedBack state) {
    if (state != HandedBack::unsaid) states_[boxes] = state;
  }
  /// They will be filled.
  HandedBack take(const std::byte* boxes) {
    if (states_.empty()) [[likely]]
      return HandedBack::unsaid;
    const auto known = states_.find(boxes);
    if (known == states_.end()) return HandedBack::unsaid;
    const HandedBack state = known->second;
    states_.erase(known);
    return state;
  }

 private:
  std::unordered_map<const std::byte*, HandedBack> states_;
};

class Outflows {
 public:
  Outflows(BasicProcess<shm::RealAtoms>& process, int rank, const LaneMap& map);
  Outflows(const Outflows&) = delete;
  Outflows& operator=(const Outflows&) = delete;
  ~Outflows();

  /// Says in the cell of the envelope where the data will be. Null: there is no memory.
  Outflow* begin(Cell& cell, Send& send);
  /// The envelope is published: fills what can be filled.
  void follow(Outflow& flow);
  /// As BlockPool does.
  std::size_t fetch_ahead() noexcept { return boxes_.fetch_ahead().size(); }
  /// True if something moved.
  bool step(Patience patience) { return !empty() && step_all(patience); }
  bool empty() const noexcept { return flows_.empty(); }
  /// What is under way to that rank when a message that comes from there is matched, if it is like that.
  SentMeanwhile met(int to, bool is_again, std::size_t bytes) const noexcept {
    const Partner& partner = partners_[static_cast<std::size_t>(to)];
    SentMeanwhile met = is_busy(partner) ? partner.meanwhile(is_again, bytes) : SentMeanwhile{};
    met.begun = partner.begun();
    return met;
  }
  /// The same until it is over, and what has been sent there before: that may be over, too.
  SentMeanwhile met_since(const SentMeanwhile& match, int to, bool is_again, std::size_t bytes) noexcept {
    Partner& partner = partners_[static_cast<std::size_t>(to)];
    const SentMeanwhile answered = partner.answer(is_again, bytes);
    SentMeanwhile met = match;
    if (partner.begun() != match.begun) met.add(partner.last(is_again, bytes));
    return met.any() ? met : answered;
  }
  /// Messages to `to`, with which this rank exchanges some, are to go as it has decided for both.
  void agree(int to, bool is_again, std::size_t bytes, Arm way) noexcept {
    partner(to).agree(is_again, bytes, way);
  }
  /// The send is nobody's any more.
  void abandon(const Send& send) noexcept {
    Outflow* const flow = flows_.find([&](const Outflow& each) { return each.send == &send; });
    if (flow == nullptr) return;
    // Its lines stay, and its boxes: nobody knows who still looks at them.
    flow->send = nullptr;
    flow->is_trial = false;  // if it is never matched, others are to try
  }
  /// Ends those to ranks that are lost.
  template <class IsLost>
  void give_up(const IsLost& is_lost) {
    for (Outflow* flow = flows_.first(); flow != nullptr; flow = flow->next) {
      if (flow->send != nullptr && is_lost(flow->to)) {
        flow->send->end(Delivery::peer_failed);
        flow->send = nullptr;  // its lines stay: nobody knows who still looks at them
      }
    }
  }
  /// Adds what has gone in these ways.
  void add_to(SentCounts& counts) const noexcept {
    counts.boxes = counts_.boxes;
    counts.direct = counts_.direct;
    counts.straight = counts_.straight;
    counts.pulled = counts_.pulled;
    counts.agreed = counts_.agreed;
  }

 private:
  std::uint64_t place_for(const Send& send) const noexcept;
  void choose_way(Outflow& flow, const Send& send) noexcept;
  void note_begin(const Outflow& flow) noexcept;
  bool pulls_as_receiver_wants(Outflow& flow, std::size_t bytes) const noexcept;
  bool is_trying(int to) const noexcept;
  Outflow* new_flow();
  bool step_all(Patience patience);
  bool step(Outflow& flow, Patience patience);
  TransferNote note_of(const Outflow& flow) const noexcept;
  bool withdraw(Outflow& flow);
  void see_match(Outflow& flow);
  bool push(Outflow& flow);
  bool copy_piece(const Outflow& flow, const PieceClaims& pieces, std::uint64_t piece) const;
  bool take_boxes(Outflow& flow, Patience patience);
  bool fill(Outflow& flow, Patience patience);
  void fill_box(Outflow& flow, std::uint64_t chunk);
  void write_straight(Outflow& flow, std::uint64_t place);
  void finish(Outflow& flow);
  /// What has begun last is not over.
  static bool is_busy(const Partner& partner) noexcept {
    return partner.latest() != nullptr && !partner.latest()->transfer.is_over();
  }
  Partner& partner(int to) noexcept { return partners_[static_cast<std::size_t>(to)]; }
  bool is_held(const Outflow& flow) noexcept {
    return flow.is_in_pieces || (!flow.is_matched && (flow.may_be_pulled || map_.is_full(rank_, flow.to)));
  }

  BasicProcess<shm::RealAtoms>& process_;
  int rank_;
  std::uint32_t own_process_;
  const LaneMap& map_;
  BlockPool boxes_;
  LongCopies<shm::RealAtoms> copies_;
  std::vector<Partner> partners_;  // by receiver
  BoxStates states_;
  RecentResults sources_;
  BlockPool lines_;
  List<Outflow, &Outflow::previous, &Outflow::next> flows_;
  std::vector<Outflow*> free_flows_;
  SentCounts counts_;
};

}  // namespace foldlane::engine
