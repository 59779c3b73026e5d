// What this process sends: the lanes to other ranks, what waits for room in them, and the messages whose data
// follow their envelopes. Used under the messenger's lock.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "engine/p2p/block_pool.hpp"
#include "engine/p2p/channel.hpp"
#include "engine/p2p/communication.hpp"
#include "engine/p2p/lane_map.hpp"
#include "engine/p2p/list.hpp"
#include "engine/p2p/message_counts.hpp"
#include "engine/team/one_way.hpp"
#include "engine/team/process.hpp"

namespace foldlane::engine {

/// A message whose data follow. It outlives its Send, which is over when the program's buffer is free.
struct Outflow {
  explicit Outflow(TransferLines* lines) noexcept : transfer(lines) {}

  TransferSender transfer;
  std::byte* boxes = nullptr;
  Send* send = nullptr;  // null: over
  int to = 0;
  Chunks chunks{0};
  bool is_direct = false;  // the receiver reads the sender's buffer
  bool is_matched = false;
  bool is_held = false;  // its data stay here until it is matched: the receiver is full
  Outflow* previous = nullptr;
  Outflow* next = nullptr;
};

class Outbox {
 public:
  Outbox(BasicProcess<shm::RealAtoms>& process, int rank, const LaneMap& map);
  Outbox(const Outbox&) = delete;
  Outbox& operator=(const Outbox&) = delete;
  ~Outbox();

  /// Sends all of it, if it can go at once and nobody needs to know when it is received. Else nothing has
  /// happened.
  bool send_at_once(const Parcel& parcel);
  /// Sends as much as can go at once.
  void start(Send& send);
  /// Goes on with what is under way. True if something moved.
  bool step();
  SentCounts counts() const noexcept;
  /// Ends what depends on ranks that `is_lost`.
  template <class IsLost>
  void give_up(const IsLost& is_lost);

 private:
  struct Lent {
    std::byte* block = nullptr;
    BlockPool* pool = nullptr;
  };
  /// To one rank.
  struct Way {
    std::optional<LaneWriter> lane;  // none before the first message
    Send* first_stalled = nullptr;
    Send* last_stalled = nullptr;
    std::vector<Lent> lent;        // by cell
    std::uint64_t taken_back = 0;  // blocks of messages up to this one are free again
    std::unique_ptr<BasicOneWay<shm::RealAtoms>> blocks;
  };

  bool open(Way& way, int to);
  bool post(Way& way, Send& send);
  bool post_whole(Way& way, const Parcel& parcel);
  bool post_with_flow(Way& way, Send& send);
  void stall(Way& way, Send& send);
  bool go_on(Way& way);
  void publish(Way& way, int to);

  bool carry_in_block(Way& way, Cell& cell, const UserBuffer& buffer);
  Lent take_block(std::size_t bytes);
  void take_back_blocks(Way& way);

  Outflow* begin_flow(Cell& cell, Send& send);
  std::uint64_t place_for(const Send& send) const noexcept;
  Outflow* new_flow();
  bool step(Outflow& flow);
  bool is_full(int to) noexcept { return map_.credit(rank_, to).full.peek() != 0; }
  bool fill(Outflow& flow);
  void write_straight(Outflow& flow, std::uint64_t place);
  void finish(Outflow& flow);

  BasicProcess<shm::RealAtoms>& process_;
  int rank_;
  const LaneMap& map_;
  std::vector<Way> ways_;     // by rank
  std::vector<int> stalled_;  // ranks whose lanes are full
  BlockPool short_blocks_;
  BlockPool long_blocks_;
  BlockPool boxes_;
  BlockPool lines_;
  List<Outflow, &Outflow::previous, &Outflow::next> flows_;
  std::vector<Outflow*> free_flows_;
  SentCounts counts_;  // of those in cells, the messages are told by the lanes
};

template <class IsLost>
void Outbox::give_up(const IsLost& is_lost) {
  for (Outflow* flow = flows_.first(); flow != nullptr; flow = flow->next) {
    if (flow->send != nullptr && is_lost(flow->to)) {
      flow->send->end(Delivery::peer_failed);
      flow->send = nullptr;  // its lines stay: nobody knows who still looks at them
    }
  }
  for (const int to : stalled_) {
    Way& way = ways_[static_cast<std::size_t>(to)];
    if (!is_lost(to)) continue;
    for (Send* send = std::exchange(way.first_stalled, nullptr); send != nullptr;) {
      Send* const next = send->next;
      send->end(Delivery::peer_failed);
      send = next;
    }
  }
  std::erase_if(stalled_,
                [this](int to) { return ways_[static_cast<std::size_t>(to)].first_stalled == nullptr; });
}

}  // namespace foldlane::engine
