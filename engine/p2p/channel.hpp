// Who waits for what on one communicator, and what has come for nobody yet: the matching of MPI (MPI-5.0,
// 3.5). Messages of one member are matched in the order of their sending. Of receives that would accept a
// message the one that was posted first gets it, of messages that a receive would accept the one that came
// first.
//
// Used under the messenger's lock.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "engine/p2p/communication.hpp"
#include "engine/p2p/list.hpp"
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
  Receive* match(const Envelope& envelope) noexcept;
  /// The oldest message that came for it, or null.
  Unexpected* find(int source, int tag) const noexcept;

  void post(Receive& receive);
  void withdraw(Receive& receive) noexcept;
  void keep(Unexpected& message);
  void take_out(Unexpected& message) noexcept;

  bool has_posted() const noexcept { return posted_ != 0; }
  /// Calls `use` with every receive that waits; `use` may withdraw it.
  template <class Use>
  void for_each_posted(const Use& use) {
    for_each(from_anybody_, use);
    for (Source& source : sources_) for_each(source.posted, use);
  }
  Unexpected* first_unexpected() const noexcept { return unexpected_.first(); }

 private:
  using Posted = List<Receive, &Receive::previous, &Receive::next>;
  struct Source {
    Posted posted;
    List<Unexpected, &Unexpected::previous_of_source, &Unexpected::next_of_source> unexpected;
  };

  template <class Use>
  static void for_each(const Posted& list, const Use& use) {
    for (Receive* receive = list.first(); receive != nullptr;) {
      Receive* const next = receive->next;
      use(*receive);
      receive = next;
    }
  }
  Source& source(std::uint32_t member) {
    if (member >= sources_.size()) sources_.resize(member + 1);
    return sources_[member];
  }
  Posted& list_of(const Receive& receive) {
    return receive.source == kAnySource ? from_anybody_
                                        : source(static_cast<std::uint32_t>(receive.source)).posted;
  }

  std::uint32_t context_;
  int own_ = 0;
  std::string name_;
  std::vector<int> ranks_;  // of the job, by member
  std::vector<Source> sources_;
  Posted from_anybody_;
  List<Unexpected, &Unexpected::previous, &Unexpected::next> unexpected_;  // from anybody
  std::uint64_t next_number_ = 0;
  std::uint64_t posted_ = 0;
};

}  // namespace foldlane::engine
