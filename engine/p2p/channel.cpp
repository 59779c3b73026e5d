#include "engine/p2p/channel.hpp"

namespace foldlane::engine {

Receive* Channel::match(const Envelope& envelope) noexcept {
  if (posted_ == 0) return nullptr;
  const auto accepts = [&](const Receive& receive) { return receive.accepts(envelope); };
  Receive* const named =
      envelope.source < sources_.size() ? sources_[envelope.source].posted.find(accepts) : nullptr;
  Receive* const wildcard = from_anybody_.find(accepts);
  Receive* const first =
      named == nullptr || (wildcard != nullptr && wildcard->number < named->number) ? wildcard : named;
  if (first != nullptr) withdraw(*first);
  return first;
}

Unexpected* Channel::find(int source, int tag) const noexcept {
  const auto fits = [&](const Unexpected& message) { return tag == kAnyTag || message.envelope.tag == tag; };
  if (source == kAnySource) return unexpected_.find(fits);
  const auto member = static_cast<std::size_t>(source);
  return member < sources_.size() ? sources_[member].unexpected.find(fits) : nullptr;
}

void Channel::post(Receive& receive) {
  receive.number = next_number_++;
  list_of(receive).append(receive);
  ++posted_;
}

void Channel::withdraw(Receive& receive) noexcept {
  list_of(receive).remove(receive);
  --posted_;
}

void Channel::keep(Unexpected& message) {
  source(message.envelope.source).unexpected.append(message);
  unexpected_.append(message);
}

void Channel::take_out(Unexpected& message) noexcept {
  sources_[message.envelope.source].unexpected.remove(message);
  unexpected_.remove(message);
}

}  // namespace foldlane::engine
