#include "engine/p2p/channel.hpp"

namespace foldlane::engine {
namespace {

int source_of(const Envelope& envelope) noexcept { return static_cast<int>(envelope.source); }
BinKey key_of(const Receive& receive) noexcept { return {receive.source, receive.tag}; }
BinKey key_of(const Envelope& envelope) noexcept { return {source_of(envelope), envelope.tag}; }

}  // namespace

Receive* Channel::match_sorted(const Envelope& envelope) {
  sort_recent();
  const int source = source_of(envelope), tag = envelope.tag;
  const BinKey wanted[kKinds] = {{source, tag}, {kAnySource, tag}, {source, kAnyTag}, {kAnySource, kAnyTag}};
  Receive* first = nullptr;
  Posted* list_of_first = nullptr;
  for (std::size_t kind = 0; kind < kKinds; ++kind) {
    if (in_bins_[kind] == 0) continue;
    Posted* const list = bins_.find(wanted[kind]);
    Receive* const candidate = list == nullptr ? nullptr : list->first();
    if (candidate == nullptr || (first != nullptr && first->number < candidate->number)) continue;
    first = candidate;
    list_of_first = list;
  }
  if (first != nullptr) withdraw(*first, *list_of_first);
  return first;
}

void Channel::sort_recent() {
  while (Receive* const receive = recent_.first()) {
    Posted& list = bins_.at(key_of(*receive));
    recent_.remove_first();
    list.append(*receive);
    receive->number = next_number_++;
    receive->waits = Waits::in_bin;
    ++in_bins_[kind_of(*receive)];
    ++sorted_;
  }
}

Unexpected* Channel::find_unexpected(int source, int tag) const noexcept {
  const auto first_of = [](const auto* list) { return list == nullptr ? nullptr : list->first(); };
  if (source == kAnySource && tag == kAnyTag) return unexpected_.first();
  if (source == kAnySource) return first_of(by_tag_.find({source, tag}));
  if (tag == kAnyTag) return first_of(by_source_.find({source, tag}));
  return first_of(by_envelope_.find({source, tag}));
}

void Channel::withdraw(Receive& receive) noexcept {
  withdraw(receive, receive.waits == Waits::in_order ? recent_ : *bins_.find(key_of(receive)));
}

void Channel::withdraw(Receive& receive, Posted& from) noexcept {
  if (receive.waits == Waits::in_bin) {
    --in_bins_[kind_of(receive)];
    --sorted_;
  }
  receive.waits = Waits::nowhere;
  from.remove(receive);
  --waiting_.now;
}

void Channel::keep(Unexpected& message) {
  const Envelope& envelope = message.envelope;
  by_envelope_.at(key_of(envelope)).append(message);
  by_source_.at({source_of(envelope), kAnyTag}).append(message);
  by_tag_.at({kAnySource, envelope.tag}).append(message);
  unexpected_.append(message);
}

void Channel::take_out(Unexpected& message) noexcept {
  const Envelope& envelope = message.envelope;
  by_envelope_.find(key_of(envelope))->remove(message);
  by_source_.find({source_of(envelope), kAnyTag})->remove(message);
  by_tag_.find({kAnySource, envelope.tag})->remove(message);
  unexpected_.remove(message);
}

}  // namespace foldlane::engine
