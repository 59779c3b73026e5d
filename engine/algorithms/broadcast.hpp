// Broadcast: the root shows its data beside the epoch, or sends it through its slots in chunks. The root
// waits for nobody but the readers of a slot it wants back; readers wait for nobody but the root. Where one
// member alone reads, it hands the slots back (engine/team/one_way.hpp).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "engine/algorithms/turns.hpp"
#include "engine/team/team.hpp"
#include "engine/team/transfer.hpp"
#include "kernels/copy.hpp"

namespace foldlane::engine {

struct Broadcast {
  std::byte* buffer;
  const TypeMap* type_map;  // null: packed
  std::size_t bytes;        // packed
  int root;
  bool reads;               // whether a member that is not the root wants the data
  std::size_t chunk_bytes;  // at most a slot
  bool streaming;

  void make_ready() const noexcept {
    if (type_map == nullptr && !streaming) kernels::fetch_for_result(buffer, bytes, kFetchedOfResult);
  }
};

/// Beside the epoch.
template <class AnyTeam>
class InlineBroadcast {
 public:
  using Team = AnyTeam;
  static constexpr std::uint64_t kAhead = 0;
  static constexpr std::uint64_t count() { return 1; }

  InlineBroadcast(Team& team, const Broadcast& call)
      : team_(team), call_(call), epoch_(team.epochs().begin(1)) {}

  bool gives(std::uint64_t) const { return team_.rank() == call_.root; }
  template <class How>
  Progress await_free(How& how, std::uint64_t) {
    return how.inline_free(team_, epoch_);
  }
  void give(std::uint64_t) { team_.inline_lines().show(epoch_, call_.buffer, call_.bytes, call_.type_map); }

  void make_ready() const {
    if (takes(0)) call_.make_ready();
  }
  bool takes(std::uint64_t) const { return team_.rank() != call_.root && call_.reads; }
  template <class How>
  Progress await_given(How& how, std::uint64_t) {
    return how.shown(team_, call_.root, epoch_);
  }
  void take(std::uint64_t) {
    if (team_.size() == 2) team_.inline_lines().fetch_later(call_.root, epoch_);
    Team::Transfer::unpack_out(call_.buffer, call_.type_map, 0,
                               team_.inline_lines().payload(call_.root, epoch_, call_.bytes), call_.bytes,
                               false);
  }
  void finish(std::uint64_t) { team_.epochs().finish(epoch_); }

 private:
  Team& team_;
  const Broadcast& call_;
  std::uint64_t epoch_;
};

inline std::uint64_t chunks_of(const Broadcast& call) {
  return (call.bytes + call.chunk_bytes - 1) / call.chunk_bytes;
}

/// Through the root's slots, a chunk in each turn.
template <class AnyTeam>
class SlotBroadcast {
 public:
  using Team = AnyTeam;
  static constexpr std::uint64_t kAhead = 0;

  SlotBroadcast(Team& team, const Broadcast& call)
      : team_(team),
        call_(call),
        one_way_(team.slots().one_way()),
        chunks_(chunks_of(call)),
        first_epoch_(team.epochs().begin(chunks_)),
        stores_(chooser()) {}

  std::uint64_t count() const { return chunks_; }
  bool gives(std::uint64_t) const { return team_.rank() == call_.root; }
  template <class How>
  Progress await_free(How& how, std::uint64_t chunk) {
    return how.slot_free(team_, first_epoch_ + chunk);
  }
  void give(std::uint64_t chunk) {
    const std::uint64_t epoch = first_epoch_ + chunk;
    const std::size_t bytes = bytes_of(chunk);
    std::byte* const slot = team_.slots().own(epoch);
    if (one_way_ != nullptr) {
      one_way_->send(call_.bytes, team_.slots().took(epoch), [&] {
        team_.slots().ring().copies.given.perform(call_.bytes, bytes, [&](kernels::CopyBy by) {
          Team::Transfer::put_in(slot, call_.buffer, call_.type_map, chunk * call_.chunk_bytes, bytes, by);
        });
      });
    } else {
      team_.slots().pack_in(slot, call_.buffer, call_.type_map, chunk * call_.chunk_bytes, bytes);
    }
    team_.slots().publish_filled(epoch);
    if (one_way_ != nullptr && bytes <= kFetchedBytes) kernels::prefetch(team_.slots().own(epoch + 1), bytes);
  }

  void make_ready() const {
    if (takes(0)) call_.make_ready();
  }
  bool takes(std::uint64_t) const { return team_.rank() != call_.root && call_.reads; }
  template <class How>
  Progress await_given(How& how, std::uint64_t chunk) {
    if (How::kBlocks) since_ = Chooser::Use::Since::part_before;
    return how.filled(team_, call_.root, first_epoch_ + chunk);
  }
  void take(std::uint64_t chunk) {
    const std::uint64_t epoch = first_epoch_ + chunk;
    const std::size_t bytes = bytes_of(chunk);
    std::byte* const slot = team_.slots().of(call_.root, epoch);
    const auto copy = [&] {
      stores_.perform(
          bytes,
          [&](Arm arm) {
            Team::Transfer::unpack_out(call_.buffer, call_.type_map, chunk * call_.chunk_bytes, slot, bytes,
                                       call_.streaming || is_streaming(arm));
          },
          since_);
    };
    if (one_way_ == nullptr) return copy();
    one_way_->receive(call_.bytes, bytes, team_.slots().took_of(call_.root, epoch), copy,
                      [&] { Team::Transfer::dirty(slot, bytes); });
  }
  void finish(std::uint64_t chunk) {
    if (chunk + 1 == count()) stores_.end();
    team_.epochs().finish(first_epoch_ + chunk);
  }

 private:
  std::size_t bytes_of(std::uint64_t chunk) const {
    return std::min(call_.chunk_bytes, call_.bytes - chunk * call_.chunk_bytes);
  }
  /// Of data that a cache may or may not hold.
  Chooser* chooser() const {
    const bool is_open = takes(0) && !call_.streaming && call_.type_map == nullptr;
    if (!is_open || call_.bytes < row_of(Decision::result_stores).from_bytes) return nullptr;
    return &team_.slots().ring().copied_stores.of(call_.bytes, call_.buffer);
  }

  Team& team_;
  const Broadcast& call_;
  typename Team::OneWay* one_way_;
  std::uint64_t chunks_;
  std::uint64_t first_epoch_;
  Chooser::Use stores_;
  Chooser::Use::Since since_ = Chooser::Use::Since::its_start;
};

}  // namespace foldlane::engine
