// Messages between two ranks: what a process sends, receives and waits for. Everything is local until it
// comes to the segment: lanes (lane.hpp), knocks (knocks.hpp), data that follow (transfer_lines.hpp).
//
// Calls may come from several threads; one at a time is inside.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/p2p/channel.hpp"
#include "engine/p2p/gate.hpp"
#include "engine/p2p/intake.hpp"
#include "engine/p2p/outbox.hpp"
#include "engine/progress/progress.hpp"
#include "engine/team/team.hpp"

namespace foldlane::engine {

/// Messages of one kind are never received as those of another.
enum class Messages : std::uint8_t { ordinary, partitioned, collective };
inline constexpr std::size_t kKindsOfMessages = 3;

/// A message that has come, and of which channel.
struct NearMiss {
  const Channel* channel;
  int from;  // a rank of the job
  Envelope envelope;
};

/// Who looks: a call, or the step of an operation, which holds the lock of progress and must not wake other
/// threads. It does when it ends.
enum class Within : std::uint8_t { call, step };

class Messenger final : public Traffic {
 public:
  /// `unexpected_limit`: so many bytes that nobody has asked for it takes in (room.hpp).
  Messenger(Process& process, int rank, LaneMap map, std::uint64_t unexpected_limit = kUsualUnexpectedLimit);
  Messenger(const Messenger&) = delete;
  Messenger& operator=(const Messenger&) = delete;
  ~Messenger() override;

  /// The channel of a team, which stays where it is until it is closed. Local.
  Channel& open(Team& team, Messages messages = Messages::ordinary);
  /// No message of the team can come any more.
  void close(Team& team);
  /// This process receives no more. Of teams that are still there, too: the program has kept their
  /// communicators, or they stay for sends that nobody receives.
  void tell_lost();
  /// Is told the messages that nobody has received, when their channel is closed or nobody can any more.
  using LostMessages = std::function<void(const Channel&, const std::vector<Envelope>&)>;
  void set_lost_and_found(LostMessages told) { lost_ = std::move(told); }

  /// Sends all of it at once, if that can be; else nothing has happened. Never blocks.
  bool send_at_once(const Parcel& parcel) {
    if (threads()) [[unlikely]]
      return send_among_threads(parcel);
    return outbox_.send_at_once(parcel);
  }
  /// Begins to send, or to receive. Never blocks; `send`, `receive` and their buffers must stay until they
  /// are over.
  void start(Send& send);
  void start(Receive& receive) {
    if (threads()) [[unlikely]]
      return start_among_threads(receive);
    note_use();
    intake_.start(receive);
  }
  /// Receives a message that claim() has given.
  void start(Receive& receive, Unexpected& claimed);
  /// False: it is too late, a message has been matched. Else it is over.
  bool cancel(Receive& receive);
  /// The caller gives up what has not ended: nothing touches it or its buffer any more. The other side may
  /// never see an end of it, so this is for teams that have failed.
  void abandon(Send& send);
  void abandon(Receive& receive);

  /// What the oldest message says that such a receive would get. False: none has come.
  bool probe(const Channel& channel, int source, int tag, Envelope& envelope, Within within = Within::call);
  /// The same, and takes it away from all other receives. Null: none has come.
  Unexpected* claim(Channel& channel, int source, int tag);

  /// Blocks until `over()`, which is asked after each step and must not block: what makes it true is a
  /// message, or something that is under way in this process.
  void wait_until(const Condition& over, const WaitDescriber& describe, Expected expected);
  /// Blocks until a message has come that such a receive would get; false if that can never be.
  bool await(const Channel& channel, int source, int tag, Envelope& envelope,
             const WaitDescriber& describe = {});
  /// Messages that nobody has received, and that such a receive would get if its source, its tag or its
  /// channel was another one.
  std::vector<NearMiss> near_misses(const Channel& channel, int source, int tag);

  /// From here on `communication` has no owner: some time after its end `at_end(what_stays)` is called,
  /// without any lock. False: it is over already.
  bool disown(Communication& communication, void (*at_end)(void*), void* what_stays);
  /// The same for one that nobody has asked for its end yet.
  void start_and_forget(Send& send, void (*at_end)(void*), void* what_stays);
  void start_and_forget(Receive& receive, void (*at_end)(void*), void* what_stays);

  MessageCounts counts();

 private:
  // As Traffic, for the progress of the process.
  bool is_called() const noexcept override { return intake_.is_knocked(); }
  bool step(Patience patience) override;
  bool bury() override;
  bool holds_back() const noexcept override { return intake_.room().holds_back(); }
  std::vector<int> held_back() override {
    const Lock lock(*this);
    return intake_.room().held_back();
  }
  void let_go_on() noexcept override { intake_.room().let_go_on(); }

  class Lock {
   public:
    explicit Lock(Messenger& messenger) : gate_(messenger.threads() ? &messenger.gate_ : nullptr) {
      if (gate_ != nullptr) gate_->enter();
    }
    /// Who only looks does not wait for who is inside, and looks, too.
    Lock(Messenger& messenger, Patience patience) : gate_(messenger.threads() ? &messenger.gate_ : nullptr) {
      if (gate_ == nullptr) return;
      if (patience == Patience::asks) {
        gate_->enter();
      } else if (!gate_->try_enter()) {
        is_inside_ = false;
        gate_ = nullptr;
      }
    }
    Lock(const Lock&) = delete;
    Lock& operator=(const Lock&) = delete;
    ~Lock() {
      if (gate_ != nullptr) gate_->leave();
    }
    explicit operator bool() const noexcept { return is_inside_; }

   private:
    Gate* gate_;
    bool is_inside_ = true;
  };

  // By themselves: one thread alone neither takes the lock nor makes room for doing so.
  bool send_among_threads(const Parcel& parcel);
  void start_among_threads(Receive& receive);

  /// From here on waits look after messages. Who has only opened channels, as calls that move data do, has
  /// nothing to look after.
  void note_use() noexcept { process_.progress().note_use_of_traffic(); }
  bool threads() const noexcept { return process_.progress().has_threads(); }
  void wait_among_threads(const Condition& over, const WaitDescriber& describe, Expected expected);
  std::optional<std::uint32_t> poll_for_all(std::uint32_t most_pauses);
  void tell_other_threads() noexcept;
  bool step_inside(Patience patience);
  bool take_in();
  bool look();
  bool look_for_deaths();
  using Channels = std::unordered_map<const Team*, Channel*>;
  Channels& channels(Messages messages) noexcept { return channels_[static_cast<std::size_t>(messages)]; }
  void close(Team& team, Messages messages);
  void orphan(Communication& communication, void (*at_end)(void*), void* what_stays) noexcept;
  bool is_lost(int rank) const noexcept { return process_.signals().failed() || process_.has_died(rank); }
  bool can_never_come(const Channel& channel, int source) const noexcept;
  template <class IsLost>
  static bool can_never_come(const Channel& channel, int source, const IsLost& is_lost) noexcept {
    if (source != kAnySource) return is_lost(channel.rank_in_job(source));
    return std::any_of(channel.members().begin(), channel.members().end(), is_lost);
  }

  Process& process_;
  int rank_;
  LaneMap map_;
  Outbox outbox_;
  Intake intake_;
  Gate gate_;
  std::uint32_t teams_of_one_ = 0;                   // so many were there
  std::array<Channels, kKindsOfMessages> channels_;  // by kind
  LostMessages lost_;
  Ended ended_;
};

/// Blocks until it is over. Kind: Send, Receive, or Communication for either.
template <class Kind>
void wait_for(Messenger& messenger, const Kind& communication, const WaitDescriber& describe = {}) {
  if (communication.over()) return;
  const auto over = [&communication] { return communication.over(); };
  messenger.wait_until(over, describe, expected_by(communication));
}

}  // namespace foldlane::engine
