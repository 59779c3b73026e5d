#include "engine/moves/call_messages.hpp"

#include <chrono>

#include "engine/moves/wrong_length.hpp"

namespace foldlane::engine {
namespace {

constexpr std::uint32_t kTags = std::uint32_t{1} << 31;  // negative ones are wildcards

int tag_of_call(Team& team) noexcept { return static_cast<int>(team.agreement().calls() & (kTags - 1)); }

constexpr std::chrono::milliseconds kBetweenQuestions{1};

/// How many calls ago a call with this tag was; numbers go round.
std::uint32_t calls_since(int tag, Team& team) noexcept {
  return static_cast<std::uint32_t>(tag_of_call(team) - tag) & (kTags - 1);
}

/// All that has come, and as much goes out as can.
void take_in(Traffic& traffic) {
  while (traffic.step(Patience::none)) {
  }
}

}  // namespace

CallMessages::CallMessages(Team& team, const Mail& mail, int receives)
    : team_(team),
      messenger_(mail.messenger),
      channel_(mail.channel),
      tag_(tag_of_call(team)),
      receives_(receives > 0 ? std::make_unique<Receive[]>(static_cast<std::size_t>(receives)) : nullptr) {}

CallMessages::~CallMessages() {
  for (std::uint32_t i = received_; i < posted_; ++i) messenger_->abandon(receives_[i]);
  for (Outgoing& each : outgoing_)
    if (each.is_under_way) messenger_->abandon(each.send);
}

void CallMessages::receive(const Block& block) {
  Receive& receive = receives_[posted_++];
  receive.channel = channel_;
  receive.buffer = block.buffer;
  receive.source = block.member;
  receive.tag = tag_;
  messenger_->start(receive);
}

void CallMessages::send(const Block& block) {
  Outgoing& place = *place_for_send();
  place.member = block.member;
  place.is_under_way = true;
  place.send.state.publish(static_cast<std::uint32_t>(Delivery::under_way));
  place.send.channel = channel_;
  place.send.buffer = block.buffer;
  place.send.buffer.type = team_.agreement().signature();
  place.send.to = channel_->rank_in_job(block.member);
  place.send.tag = tag_;
  messenger_->start(place.send);
  ++begun_;
}

void CallMessages::send_all(const Blocks& blocks, int first) {
  blocks_ = &blocks;
  first_ = first;
  begin_sends();
}

/// Null: all are taken.
CallMessages::Outgoing* CallMessages::place_for_send() noexcept {
  for (Outgoing& each : outgoing_) {
    if (!each.is_under_way) return &each;
    if (each.send.delivery() != Delivery::done) continue;
    each.is_under_way = false;
    return &each;
  }
  return nullptr;
}

void CallMessages::begin_sends() {
  if (blocks_ == nullptr) return;
  for (const int count = blocks_->count(); next_ < count; ++next_) {
    const int i = first_ + next_;
    const Block block = blocks_->at(i < count ? i : i - count);
    if (block.member == team_.rank() || block.buffer.bytes == 0) continue;
    if (place_for_send() == nullptr) return;
    send(block);
  }
  blocks_ = nullptr;
}

Progress CallMessages::look(Patience patience) {
  begin_sends();
  for (; received_ < posted_ && receives_[received_].over(); ++received_) {
    if (const Progress state = accept(receives_[received_]); state != Progress::done) return state;
  }
  if (const Progress state = accept_sends(); state != Progress::done) return state;
  if (received_ == posted_ && awaited_send() == nullptr) return Progress::done;
  if (team_.process().signals().failed()) return Progress::failed;
  return patience == Patience::asks && !may_end() ? Progress::failed : Progress::waiting;
}

/// Polls like the other waits that block. To ask what becomes of the others costs lines of theirs: now and
/// then.
Progress CallMessages::finish() {
  auto& progress = team_.process().progress();
  Progress state = Progress::waiting;
  const auto came_soon = [&] { return (state = look(Patience::none)) != Progress::waiting; };
  if (progress.poll_until(came_soon)) return state;
  const auto describe = [this](WaitNote& note) {
    const CallInfo call = team_.agreement().latest_call();
    note.awaits(awaited_rank());
    note.team = &team_;
    note.what = call.packed();
    note.count = call.count;
  };
  using Clock = std::chrono::steady_clock;
  Clock::time_point asked = Clock::now();
  const auto is_over = [&] {
    const Clock::time_point now = Clock::now();
    const bool asks = now - asked > kBetweenQuestions;
    if (asks) asked = now;
    state = look(asks ? Patience::asks : Patience::none);
    return state != Progress::waiting;
  };
  progress.wait_patiently(is_over, describe);
  return state;
}

int CallMessages::awaited_rank() const noexcept {
  if (received_ < posted_) return channel_->rank_in_job(receives_[received_].source);
  const Outgoing* const sent = awaited_send();
  return sent == nullptr ? kNoRank : sent->send.to;
}

const CallMessages::Outgoing* CallMessages::awaited_send() const noexcept {
  for (const Outgoing& each : outgoing_)
    if (each.is_under_way && each.send.delivery() != Delivery::done) return &each;
  return nullptr;
}

Progress CallMessages::accept(const Receive& receive) {
  const int member = receive.source;
  if (receive.delivery() == Delivery::peer_failed) {
    team_.agreement().give_up_over(member);
    return Progress::failed;
  }
  const std::uint16_t seen = receive.envelope.type;
  if (seen != team_.agreement().signature()) {
    // It has left a record of that call, or will.
    if (!team_.agreement().has_recorded(member, seen) && !team_.process().signals().failed())
      return Progress::waiting;
    team_.agreement().give_up_over(member);
    return Progress::failed;
  }
  if (receive.envelope.bytes == receive.buffer.bytes) return Progress::done;
  return give_up(wrong_length(member, team_.rank(), receive.envelope.bytes, receive.buffer.bytes));
}

Progress CallMessages::accept_sends() {
  for (const Outgoing& each : outgoing_) {
    if (!each.is_under_way) continue;
    const Delivery delivery = each.send.delivery();
    if (delivery == Delivery::under_way || delivery == Delivery::done) continue;
    if (delivery == Delivery::no_memory) {
      team_.agreement().give_up(Broken::memory);
    } else {
      team_.agreement().give_up_over(each.member);
    }
    return Progress::failed;
  }
  return Progress::done;
}

/// Of what is awaited now. Gives the team up if it cannot end.
bool CallMessages::may_end() {
  if (received_ < posted_) {
    const Receive& receive = receives_[received_];
    if (receive.over()) return true;  // what the member's record is awaited for
    return may_end(receive, receive.source,
                   wrong_length(receive.source, team_.rank(), 0, receive.buffer.bytes));
  }
  const Outgoing* const sent = awaited_send();
  if (sent == nullptr) return true;
  return may_end(sent->send, sent->member,
                 wrong_length(team_.rank(), sent->member, sent->send.buffer.bytes, 0));
}

/// A member that has left this call has done all that it will ever do in it: what has not ended when all of
/// that is taken in never will.
bool CallMessages::may_end(const Communication& communication, int member, const Trouble& if_never) {
  Team::Agreement& agreement = team_.agreement();
  if (!agreement.is_hopeless(member)) return true;
  const bool has_left = agreement.has_done_call(member);
  take_in(*messenger_);
  if (communication.over()) return true;
  if (has_left) {
    agreement.give_up(if_never);
  } else {
    agreement.give_up_over(member);
  }
  return false;
}

Progress CallMessages::give_up(const Trouble& trouble) {
  team_.agreement().give_up(trouble);
  return Progress::failed;
}

bool has_leftovers(Team& team, const Mail& mail) {
  Envelope oldest{};
  if (!mail.messenger->probe(*mail.channel, kAnySource, kAnyTag, oldest, Within::step)) return false;
  const std::uint64_t call = team.agreement().calls() - calls_since(oldest.tag, team);
  // A sender in another call, or in a later one, is not judged by what it sends.
  if (!team.agreement().had_signature(call, oldest.type)) return false;
  team.agreement().give_up(wrong_length(static_cast<int>(oldest.source), team.rank(), oldest.bytes, 0));
  return true;
}

}  // namespace foldlane::engine
