// Who waits for what on one communicator, and what has come for nobody yet: the matching of MPI (MPI-5.0,
// 3.5). Messages of one member are matched in the order of their sending. Of receives that would accept a
// message the one that was posted first gets it, of messages that a receive would accept the one that came
// first.
//
// Used under the messenger's lock.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "engine/p2p/bins.hpp"
#include "engine/p2p/communication.hpp"
#include "engine/p2p/list.hpp"
#include "engine/p2p/message_counts.hpp"
#include "engine/p2p/unexpected.hpp"

namespace foldlane::engine {

class Channel {
 public:
  explicit Channel(std::uint32_t context) noexcept : context_(context) {}
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;

  std::uint32_t context() const noexcept { return context_; }

  /// Who its members are, and which of them this process is. A channel is there before it knows: others may
  /// have sent to a communicator whose creation has not ended here.
  void set_members(std::vector<int> ranks, int own) {
    ranks_ = std::move(ranks);
    own_ = own;
  }
  int rank_in_job(int member) const noexcept { return ranks_[static_cast<std::size_t>(member)]; }
  /// For messages about it.
  const std::string& name() const noexcept { return name_; }
  void set_name(std::string name) { name_ = std::move(name); }
  const std::vector<int>& members() const noexcept { return ranks_; }
  int own() const noexcept { return own_; }

  /// Takes the receive that a message belongs to out of those that wait; null: nobody wants it yet.
  Receive* match(const Envelope& envelope) {
    Receive* const first = recent_.first();
    if (sorted_ != 0 || first == nullptr || !accepts(*first, envelope)) [[unlikely]]
      return match_sorted(envelope);
    recent_.remove_first();
    first->waits = Waits::nowhere;
    --waiting_.now;
    return first;
  }
  /// The oldest message that came for it, or null.
  Unexpected* find(int source, int tag) const noexcept {
    return unexpected_.empty() ? nullptr : find_unexpected(source, tag);
  }

  void post(Receive& receive) noexcept {
    receive.waits = Waits::in_order;
    recent_.append(receive);
    waiting_.set(waiting_.now + 1);
  }
  /// One that waits.
  void withdraw(Receive& receive) noexcept;
  void keep(Unexpected& message);
  void take_out(Unexpected& message) noexcept;

  /// Calls `use` with every receive that waits; `use` may withdraw it.
  template <class Use>
  void for_each_posted(const Use& use) {
    const auto use_all = [&](const Posted& list) {
      for (Receive* receive = list.first(); receive != nullptr;) {
        Receive* const next = receive->next;
        use(*receive);
        receive = next;
      }
    };
    bins_.for_each(use_all);
    use_all(recent_);
  }
  Unexpected* first_unexpected() const noexcept { return unexpected_.first(); }

  /// Receives that wait.
  const Tide& waiting() const noexcept { return waiting_; }

 private:
  /// What a receive leaves open.
  enum Kind : std::size_t { kNothing, kSource, kTag, kBoth, kKinds };
  static Kind kind_of(const Receive& receive) noexcept {
    return static_cast<Kind>((receive.source == kAnySource ? kSource : kNothing) +
                             (receive.tag == kAnyTag ? kTag : kNothing));
  }
  using Posted = List<Receive, &Receive::previous, &Receive::next>;
  using OfEnvelope = List<Unexpected, &Unexpected::previous_of_envelope, &Unexpected::next_of_envelope>;
  using OfSource = List<Unexpected, &Unexpected::previous_of_source, &Unexpected::next_of_source>;
  using OfTag = List<Unexpected, &Unexpected::previous_of_tag, &Unexpected::next_of_tag>;

  static bool accepts(const Receive& receive, const Envelope& envelope) noexcept {
    return (receive.source == static_cast<int>(envelope.source) || receive.source == kAnySource) &&
           (receive.tag == envelope.tag || receive.tag == kAnyTag);
  }
  Unexpected* find_unexpected(int source, int tag) const noexcept;
  Receive* match_sorted(const Envelope& envelope);
  void sort_recent();
  void withdraw(Receive& receive, Posted& from) noexcept;

  std::uint32_t context_;
  int own_ = 0;
  std::string name_;
  std::vector<int> ranks_;  // of the job, by member
  Tide waiting_;
  std::uint64_t next_number_ = 0;
  // Of the receives that wait those that were posted last, in that order. Messages mostly come in the order
  // in which they are awaited: who gets the first of these needs no bin.
  Posted recent_;
  // The others: each in the list of exactly what it wants.
  Bins<Posted> bins_;
  std::array<std::uint64_t, kKinds> in_bins_{};  // how many of each kind
  std::uint64_t sorted_ = 0;                     // in all
  // Messages that have come: each in the lists of all receives that would accept it.
  Bins<OfEnvelope> by_envelope_;
  Bins<OfSource> by_source_;
  Bins<OfTag> by_tag_;
  List<Unexpected, &Unexpected::previous, &Unexpected::next> unexpected_;
};

}  // namespace foldlane::engine
