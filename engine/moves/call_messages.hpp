// The messages of a member in one call of a team. They are in a channel of their own, their tags are the
// numbers of calls: no two calls are mixed up, and nobody need tell the others beforehand how much is coming.
// Where a message says of what elements it is, it has the signature of the call, so that a member in another
// call is found out as by the marks of places (engine/team/agreement.hpp).
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "engine/moves/movement.hpp"
#include "engine/p2p/messenger.hpp"
#include "engine/progress/procedure.hpp"
#include "engine/team/team.hpp"

namespace foldlane::engine {

class CallMessages {
 public:
  /// For so many blocks that come.
  CallMessages(Team& team, const Mail& mail, int receives);
  CallMessages(const CallMessages&) = delete;
  CallMessages& operator=(const CallMessages&) = delete;
  /// What is under way is given up: the team has failed.
  ~CallMessages();

  void receive(const Block& block);
  void send(const Block& block);
  /// Blocks to other members, a few at a time, from `first` on. They must outlive the wait.
  void send_all(const Blocks& blocks, int first);

  /// Once all have begun.
  Progress look(Patience patience);
  Progress finish();
  int awaited_rank() const noexcept;
  std::uint64_t steps() const noexcept { return std::uint64_t{received_} + begun_; }

 private:
  /// More would only be more boxes in the caches.
  static constexpr std::size_t kAtATime = 4;
  struct Outgoing {
    Send send;
    int member = 0;
    bool is_under_way = false;
  };

  Outgoing* place_for_send() noexcept;
  void begin_sends();
  const Outgoing* awaited_send() const noexcept;
  Progress accept(const Receive& receive);
  Progress accept_sends();
  bool may_end();
  bool may_end(const Communication& communication, int member, const Trouble& if_never);
  Progress give_up(const Trouble& trouble);

  Team& team_;
  Messenger* messenger_;
  Channel* channel_;
  int tag_;
  std::unique_ptr<Receive[]> receives_;
  std::uint32_t posted_ = 0;
  std::uint32_t received_ = 0;
  std::array<Outgoing, kAtATime> outgoing_{};
  const Blocks* blocks_ = nullptr;
  int first_ = 0;
  int next_ = 0;
  std::uint32_t begun_ = 0;
};

class MessagesWait final : public Wait {
 public:
  explicit MessagesWait(CallMessages& messages) noexcept : messages_(messages) {}
  void set_blocking(bool blocking) noexcept override { blocking_ = blocking; }
  Progress poll(Patience patience) override {
    return blocking_ ? messages_.finish() : messages_.look(patience);
  }
  int writer() const noexcept override { return messages_.awaited_rank(); }
  std::uint64_t steps() const noexcept override { return messages_.steps(); }

  bool await_ready() { return poll(Patience::none) == Progress::done; }
  void await_suspend(Procedure::Handle handle) noexcept { Procedure::suspend(handle, *this); }
  void await_resume() const noexcept {}

 private:
  CallMessages& messages_;
  bool blocking_ = false;
};

/// At the end of a call: what a member has sent in it or before, and this one has not expected. It may still
/// come, and is found in a later call then.
bool has_leftovers(Team& team, const Mail& mail);

}  // namespace foldlane::engine
