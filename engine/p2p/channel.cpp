#include "engine/p2p/channel.hpp"

namespace foldlane::engine {
namespace {

int source_of(const Envelope& envelope) noexcept { return static_cast<int>(envelope.source); }
BinKey key_of(const Receive& receive) noexcept { return {receive.source, receive.tag}; }
BinKey key_of(const Envelope& envelope) noexcept { return {source_of(envelope), envelope.tag}; }

}  // namespace

Receive* Channel::match(const Envelope& envelope) noexcept {
  const int source = source_of(envelope), tag = envelope.tag;
  if (waiting_[kSource] + waiting_[kTag] + waiting_[kBoth] == 0) [[likely]]
    return match_exactly({source, tag});
  const BinKey wanted[kKinds] = {{source, tag}, {kAnySource, tag}, {source, kAnyTag}, {kAnySource, kAnyTag}};
  Receive* first = nullptr;
  Posted* list_of_first = nullptr;
  for (std::size_t kind = 0; kind < kKinds; ++kind) {
    if (waiting_[kind] == 0) continue;
    Posted* const list = posted_.find(wanted[kind]);
    Receive* const candidate = list == nullptr ? nullptr : list->first();
    if (candidate == nullptr || (first != nullptr && first->number < candidate->number)) continue;
    first = candidate;
    list_of_first = list;
  }
  if (first != nullptr) withdraw(*first, *list_of_first);
  return first;
}

/// Of receives that leave nothing open.
Receive* Channel::match_exactly(BinKey wanted) noexcept {
  Posted* const list = waiting_[kNothing] == 0 ? nullptr : posted_.find(wanted);
  Receive* const first = list == nullptr ? nullptr : list->first();
  if (first == nullptr) return nullptr;
  first->waits = false;
  list->remove(*first);
  --waiting_[kNothing];
  return first;
}

Unexpected* Channel::find(int source, int tag) const noexcept {
  const auto first_of = [](const auto* list) { return list == nullptr ? nullptr : list->first(); };
  if (unexpected_.empty()) return nullptr;
  if (source == kAnySource && tag == kAnyTag) return unexpected_.first();
  if (source == kAnySource) return first_of(by_tag_.find({source, tag}));
  if (tag == kAnyTag) return first_of(by_source_.find({source, tag}));
  return first_of(by_envelope_.find({source, tag}));
}

void Channel::post(Receive& receive) {
  receive.number = next_number_++;
  receive.waits = true;
  posted_.at(key_of(receive)).append(receive);
  if (++waiting_[kind_of(receive)] > most_waiting_) most_waiting_ = waiting_[kind_of(receive)];
}

void Channel::withdraw(Receive& receive) noexcept { withdraw(receive, *posted_.find(key_of(receive))); }

void Channel::withdraw(Receive& receive, Posted& from) noexcept {
  receive.waits = false;
  from.remove(receive);
  --waiting_[kind_of(receive)];
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
