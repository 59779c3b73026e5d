// What this process receives: the lanes from other ranks, and the room for what nobody has asked for yet.
// Used under the messenger's lock.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "engine/choice/demotion.hpp"
#include "engine/p2p/channel.hpp"
#include "engine/p2p/lane_map.hpp"
#include "engine/p2p/list.hpp"
#include "engine/p2p/message_counts.hpp"
#include "engine/p2p/room.hpp"
#include "engine/p2p/transfers/inflows.hpp"
#include "engine/p2p/unexpected.hpp"
#include "engine/team/one_way.hpp"
#include "engine/team/process.hpp"
#include "engine/team/transfer.hpp"

namespace foldlane::engine {

class Intake {
 public:
  /// `sends`: of this rank.
  Intake(BasicProcess<shm::RealAtoms>& process, int rank, const LaneMap& map, Outflows& sends,
         std::uint64_t unexpected_limit);
  Intake(const Intake&) = delete;
  Intake& operator=(const Intake&) = delete;
  ~Intake();

  Channel& channel(std::uint32_t context) {
    if (last_channel_ == nullptr || last_channel_->context() != context) [[unlikely]]
      last_channel_ = &find_or_make(context);
    return *last_channel_;
  }
  /// Null: there is none, and nothing has come for it.
  Channel* find_channel(std::uint32_t context) const noexcept;
  void forget(const Channel& channel) noexcept;
  template <class Use>
  void for_each_channel(const Use& use) const {
    for (const auto& [context, channel] : channels_) use(*channel);
  }

  /// Has it answered by what has come, or lets it wait.
  void start(Receive& receive) {
    Channel& channel = *receive.channel;
    if (channel.first_unexpected() != nullptr && start_with_unexpected(receive)) return;
    channel.post(receive);
    receive.buffer.fetch_for_result(fetched_of_message(receive.buffer.bytes));
  }
  /// Takes a message out of its channel, for a receive of its own. The program may never begin that: it may
  /// outlive its channel.
  void claim(Channel& channel, Unexpected& message) noexcept;
  void start_claimed(Receive& receive, Unexpected& message);
  /// One that has been matched and is not over.
  void abandon(const Receive& receive) noexcept { flows_.abandon(receive); }
  /// Destroys the messages of a channel that nobody will receive, and tells which they were.
  std::vector<Envelope> drop_unexpected(Channel& channel);

  /// For what nobody has asked for.
  Room& room() noexcept { return room_; }
  const Room& room() const noexcept { return room_; }
  ReceivedCounts counts() const noexcept;

  /// Looks at what has come, and goes on with what is under way. True if something moved.
  bool step();
  /// Nothing has come, and nothing is under way.
  bool is_quiet() const noexcept {
    return !knocks_.any() && flows_.empty() &&
           std::none_of(watched_.begin(), watched_.end(),
                        [this](int from) { return ways_[static_cast<std::size_t>(from)].lane->has_next(); });
  }
  /// Somebody has sent for the first time. Any thread may ask.
  bool is_knocked() const noexcept { return knocks_.any(); }
  /// Ends what waits in a channel and `is_hopeless`, and what ranks were sending that are lost.
  template <class IsHopeless, class IsLost>
  void give_up(const IsHopeless& is_hopeless, const IsLost& is_lost);

 private:
  /// From one rank.
  struct Way {
    std::optional<LaneReader> lane;                       // none before the first message
    std::unique_ptr<BasicOneWay<shm::RealAtoms>> blocks;  // how they are handed back; none before the first
    std::unique_ptr<ReceivedLines<>> lines;               // how they are demoted; none before the first
  };
  /// This many lanes are looked at each time; the senders of the others knock.
  static constexpr std::size_t kMostWatched = 32;
  /// So many cells of one sender, then those of the next.
  static constexpr int kInARow = 16;

  void drop(Unexpected& message) noexcept;
  bool start_with_unexpected(Receive& receive);
  /// Has it answered by a message that is in no list.
  void start(Receive& receive, Unexpected& message);
  static bool is_better_left(const Envelope& envelope, const Channel& to) noexcept;
  /// At most so many cells; -1: all, whoever awaits them.
  bool drain(int from, int most);
  bool answer_knocks();
  void open(int from);
  Channel& find_or_make(std::uint32_t context);
  /// True if it was awaited.
  bool accept(Channel& to, int from, const Cell& cell, const Envelope& envelope, std::uint64_t offset);
  void deliver(Receive& receive, int from, const Cell& cell, std::uint64_t offset);
  /// Does take(block), after which the block is its sender's again.
  template <class Take>
  void empty_block(int from, const Cell& cell, const Take& take);
  /// Does read(), which reads a message that its sender may have demoted.
  template <class Read>
  void read_demotable(int from, const Envelope& envelope, const Read& read);
  /// `bytes` packed bytes that lie in a block.
  void store(const UserBuffer& to, const std::byte* block, std::size_t bytes);
  void empty_cell(int from, const Cell& cell, std::uint64_t offset, const UserBuffer& buffer);
  void keep(Channel& channel, int from, const Cell& cell, std::uint64_t offset);
  void count_in(const Unexpected& message);

  BasicProcess<shm::RealAtoms>& process_;
  int rank_;
  const LaneMap& map_;
  Room room_;
  Knocks& knocks_;
  std::vector<Way> ways_;  // by rank
  std::vector<int> watched_;
  std::unordered_map<std::uint32_t, std::unique_ptr<Channel>> channels_;
  Channel* last_channel_ = nullptr;
  List<Unexpected, &Unexpected::previous, &Unexpected::next> claimed_;
  UnexpectedPool places_;
  Inflows flows_;
  MessageStores<shm::RealAtoms> stores_;  // of what comes in blocks
};

template <class IsHopeless, class IsLost>
void Intake::give_up(const IsHopeless& is_hopeless, const IsLost& is_lost) {
  for (auto& [context, channel] : channels_) {
    channel->for_each_posted([&](Receive& receive) {
      if (!is_hopeless(*channel, receive)) return;
      channel->withdraw(receive);
      receive.end(Delivery::peer_failed);
    });
  }
  flows_.give_up(is_lost);
}

}  // namespace foldlane::engine
