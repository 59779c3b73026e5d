// What this process sends: the lanes to other ranks, what waits for room in them, and the messages whose data
// follow their envelopes. Used under the messenger's lock.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "engine/choice/demotion.hpp"
#include "engine/p2p/block_pool.hpp"
#include "engine/p2p/channel.hpp"
#include "engine/p2p/communication.hpp"
#include "engine/p2p/lane_map.hpp"
#include "engine/p2p/message_counts.hpp"
#include "engine/p2p/transfers/outflows.hpp"
#include "engine/team/one_way.hpp"
#include "engine/team/process.hpp"
#include "kernels/copy.hpp"

namespace foldlane::engine {

class Outbox {
 public:
  /// A rank's blocks for messages that are too long for a cell: short ones and long ones.
  static constexpr std::size_t kMostBlockBytes = 1 << 20;  // of each kind
  static constexpr std::size_t kMostBytesOfBlocks = 2 * kMostBlockBytes;

  Outbox(BasicProcess<shm::RealAtoms>& process, int rank, const LaneMap& map);
  Outbox(const Outbox&) = delete;
  Outbox& operator=(const Outbox&) = delete;

  /// Sends all of it, if it can go at once and nobody needs to know when it is received. Else nothing has
  /// happened.
  bool send_at_once(const Parcel& parcel);
  /// Sends as much as can go at once.
  void start(Send& send);
  /// Goes on with what is under way. True if something moved.
  bool step(Patience patience) {
    ++row_;
    return !is_idle() && step_all(patience);
  }
  bool is_idle() const noexcept { return stalled_.empty() && flows_.empty(); }
  /// The send, which is not over, is nobody's any more.
  void abandon(const Send& send) noexcept;
  /// There is nothing else to do: the lines come back from who has read them to which the next message will
  /// be written, if it is like one since the last look. Not that of its mark, which its receiver looks at.
  void fetch_ahead() noexcept {
    counts_.fetched_ahead +=
        short_blocks_.fetch_ahead().size() + long_blocks_.fetch_ahead().size() + flows_.fetch_ahead();
    if (last_with_tail_ == nullptr) return;
    kernels::fetch_to_write(last_with_tail_->next_tail(), Cell::kTailBytes);
    counts_.fetched_ahead += Cell::kTailBytes;
    last_with_tail_ = nullptr;
  }
  SentCounts counts() const noexcept;
  Outflows& flows() noexcept { return flows_; }
  /// Ends what depends on ranks that `is_lost`.
  template <class IsLost>
  void give_up(const IsLost& is_lost);

 private:
  static constexpr std::uint64_t kNoRow = 0;
  struct Lent {
    std::byte* block = nullptr;
    BlockPool* pool = nullptr;
  };
  /// To one rank.
  struct Way {
    std::optional<LaneWriter> lane;  // none before the first message
    // The last message, if it can share a cell. Its cell says that, too, but a core that reads what it has
    // just written waits for the line, if that is still the receiver's.
    Envelope last;
    std::uint64_t row = kNoRow;
    SendMode mode;
    std::unique_ptr<SentLines> lines;  // none where this CPU cannot demote any
    Send* first_stalled = nullptr;
    Send* last_stalled = nullptr;
    std::vector<Lent> lent;        // by cell
    std::uint64_t taken_back = 0;  // blocks of messages up to this one are free again
    std::unique_ptr<BasicOneWay<shm::RealAtoms>> blocks;
  };

  bool step_all(Patience patience);
  bool open(Way& way, int to);
  bool post(Way& way, Send& send);
  bool post_whole(Way& way, const Parcel& parcel);
  bool post_short(Way& way, const Parcel& parcel);
  bool may_go_whole(const Way& way, const Parcel& parcel) const noexcept;
  bool goes_short(const Way& way, const Parcel& parcel) const noexcept;
  bool is_in_row(const Way& way, const Parcel& parcel) const noexcept;
  bool joins(const Way& way, const Parcel& parcel) const noexcept;
  void join(Way& way, const Parcel& parcel);
  bool post_with_flow(Way& way, Send& send);
  void stall(Way& way, Send& send);
  bool has_caught_up(Way& way, int to) { return way.first_stalled == nullptr || catch_up(way, to); }
  bool catch_up(Way& way, int to);
  bool go_on(Way& way);
  void fill(Way& way, Cell& cell, const Parcel& parcel, bool demotable);
  bool is_demotable(const Way& way, std::uint64_t bytes) const noexcept;
  static bool is_demoted(Way& way, std::uint64_t bytes) noexcept;
  void put(std::byte* room, const Parcel& parcel);
  void tell(const Way& way, int to);

  bool carry_in_block(Way& way, Cell& cell, const UserBuffer& buffer, bool demotable);
  Lent take_block(std::size_t bytes);
  void take_back_blocks(Way& way);

  BasicProcess<shm::RealAtoms>& process_;
  int rank_;
  const LaneMap& map_;
  std::vector<Way> ways_;     // by rank
  std::vector<int> stalled_;  // ranks whose lanes are full
  BlockPool short_blocks_;
  BlockPool long_blocks_;
  LaneWriter* last_with_tail_ = nullptr;  // of the last such message, until its next tail is fetched
  /// Of messages that are sent without looking for others in between: who answers sends single ones.
  std::uint64_t row_ = 1;
  std::uint64_t sent_in_ = kNoRow;  // the row of the last message that went whole, but for short ones
  Outflows flows_;
  SentCounts counts_;  // of those in cells, the messages are told by the lanes
};

inline void Outbox::abandon(const Send& send) noexcept {
  flows_.abandon(send);
  Way& way = ways_[static_cast<std::size_t>(send.to)];
  Send* before = nullptr;
  for (Send* each = way.first_stalled; each != nullptr; before = each, each = each->next) {
    if (each != &send) continue;
    (before == nullptr ? way.first_stalled : before->next) = send.next;
    if (way.last_stalled == &send) way.last_stalled = before;
    break;
  }
  if (way.first_stalled == nullptr) std::erase(stalled_, send.to);
}

template <class IsLost>
void Outbox::give_up(const IsLost& is_lost) {
  flows_.give_up(is_lost);
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
