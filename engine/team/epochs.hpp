// The numbers of a team's epochs, and who has finished which.
//
// The wait for everybody's finished(e), [H1] of PROTOCOL H (team.hpp), is rarely a look at `finished` lines:
// whoever awaited shown(e) or filled(e) of everybody knows that all have finished some earlier epoch, because
// a member publishes those only after having finished it. That knowledge is kept in finished_by_all_.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "engine/team/agreement.hpp"
#include "engine/team/membership.hpp"

namespace foldlane::engine {

template <class Atoms>
class BasicEpochs {
 public:
  BasicEpochs(const BasicMembership<Atoms>& membership, BasicAgreement<Atoms>& agreement, std::uint64_t first)
      : membership_(membership),
        agreement_(agreement),
        next_epoch_(first),
        finished_by_all_(first - 1),
        finished_(static_cast<std::size_t>(membership.size())) {}
  BasicEpochs(const BasicEpochs&) = delete;
  BasicEpochs& operator=(const BasicEpochs&) = delete;

  /// Reserves `epochs` epochs for a call and returns the first of them.
  std::uint64_t begin(std::uint64_t epochs) noexcept {
    return std::exchange(next_epoch_, next_epoch_ + epochs);
  }
  std::uint64_t next_epoch() const noexcept { return next_epoch_; }
  /// From here on the lines of this team's id are fresh, once everybody has finished.
  std::uint64_t next_fresh() const noexcept { return std::max(next_epoch_, agreement_.calls() + 1); }

  /// This member will read nothing more of others for any epoch <= epoch.
  void finish(std::uint64_t epoch) noexcept {
    agreement_.record_call();
    membership_.signals().publish(membership_.own_lines().finished.epoch, epoch);  // [H1.rel]
  }

  // ---- who has finished

  /// All have finished the epoch, as this member knows without a look.
  bool is_proven(std::uint64_t epoch) const noexcept { return epoch <= finished_by_all_; }
  void prove(std::uint64_t epoch) noexcept { finished_by_all_ = std::max(finished_by_all_, epoch); }
  /// From marks of everybody, who are thus in this call.
  void learn(std::uint64_t epoch) noexcept {
    prove(epoch);
    agreement_.agree();
  }

  /// Whether all have finished the epoch, as they say now. All that they say is kept: who only writes need
  /// not ask again for a round of places.
  [[gnu::always_inline]] bool have_finished(std::uint64_t epoch) noexcept {
    return is_proven(epoch) || look_who_has_finished() >= epoch;
  }
  /// What another thread may ask, without changing what this team knows.
  bool everybody_finished(std::uint64_t epoch) const noexcept {
    for (int member = 0; member < membership_.size(); ++member) {
      if (membership_.lines(member).finished.epoch.observe() < epoch) return false;
    }
    return true;
  }

  /// What a member said last, as far as this one has looked: most often it need not look again.
  bool has_finished(int member, std::uint64_t epoch) const noexcept {
    return is_proven(epoch) || epoch <= finished_[static_cast<std::size_t>(member)];
  }
  /// As it says now.
  bool has_now_finished(int member, std::uint64_t epoch) noexcept {
    if (!has_finished(member, epoch)) note_finished(member);
    return has_finished(member, epoch);
  }
  void note_finished(int member) noexcept {
    finished_[static_cast<std::size_t>(member)] = membership_.lines(member).finished.epoch.observe();
  }

 private:
  std::uint64_t look_who_has_finished() noexcept {
    std::uint64_t least = membership_.own_lines().finished.epoch.peek();
    for (int member = 0; member < membership_.size(); ++member) {
      if (member != membership_.rank())
        least = std::min(least, membership_.lines(member).finished.epoch.observe());
    }
    prove(least);
    return finished_by_all_;
  }

  const BasicMembership<Atoms>& membership_;
  BasicAgreement<Atoms>& agreement_;
  std::uint64_t next_epoch_;
  std::uint64_t finished_by_all_;
  std::vector<std::uint64_t> finished_;  // by member, as last seen
};

}  // namespace foldlane::engine
