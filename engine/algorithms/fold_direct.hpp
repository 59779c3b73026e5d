// Reductions whose buffers all lie in common memory: nothing goes through slots. Member m folds share m
// straight out of everybody's send buffers into the receive buffers of all who want it. That works in place,
// because nobody but member m touches share m.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "engine/algorithms/direct_offer.hpp"
#include "engine/algorithms/fold_shares.hpp"

namespace foldlane::engine {

/// The same as SharesFold, without chunks.
struct DirectFold {
  const std::byte* send;
  std::byte* recv;
  const Reduction* reduction;
  Deliver deliver;
  int root;        // of to_root
  bool streaming;  // recv will not be read back soon: bypass the caches; else as measured
};

/// Whether others write to a member's recv.
inline bool receives_from_others(const DirectFold& call, int member) {
  return call.deliver == Deliver::to_all || (call.deliver == Deliver::to_root && call.root == member);
}

/// What this member has to offer for a fold of so many bytes.
template <class Team>
DirectOffer own_offer(Team& team, const DirectFold& call, std::size_t bytes) {
  const CommonMemory& common = team.process().common();
  // In place, a reduce-scatter's result overwrites what others still read.
  if (call.deliver == Deliver::own_share && call.send == call.recv) return {};
  if (call.reduction->type_map != nullptr || !common.holds(call.send, bytes)) return {};
  if (!receives_from_others(call, team.rank())) return {common.offset_of(call.send), DirectOffer::kNone};
  if (!common.holds(call.recv, bytes)) return {};
  return {common.offset_of(call.send), common.offset_of(call.recv)};
}

template <class Team>
class DirectFoldSteps {
 public:
  DirectFoldSteps(Team& team, const DirectFold& call, const Shares& shares, std::uint64_t epoch)
      : team_(team), call_(call), shares_(shares), elem_bytes_(call.reduction->elem_bytes), epoch_(epoch) {}

  /// Needs all_shown(epoch) awaited.
  void fold_share() {
    const std::size_t bytes = shares_.count(team_.rank()) * elem_bytes_;
    if (call_.streaming) return store_share(true);
    Chooser::Use(&team_.slots().ring().folded_stores.of(bytes, call_.recv)).perform(bytes, [&](Arm arm) {
      store_share(is_streaming(arm));
    });
  }

 private:
  /// A strip of results is written to all who want it while it is in the nearest cache; large enough for the
  /// choice of stores to pay.
  static constexpr std::size_t kStripBytes = 8 << 10;
  /// Between memory and memory, so short that a core reads the next strip's inputs while the stores of this
  /// one drain: 64 MiB on two ranks take 5.6 ms with strips of 256 to 512 bytes, 6.5 ms with 8 KiB, 8.0 ms
  /// with 1 KiB, when a copy takes 5.1 ms. Elements of predefined operations are shorter, and divide it.
  static constexpr std::size_t kStreamedStripBytes = 384;

  void store_share(bool streaming) {
    streaming_ = streaming;
    const std::size_t strip_count = std::max<std::size_t>(1, strip_bytes() / elem_bytes_);
    const std::size_t first = shares_.start(team_.rank());
    const std::size_t end = first + shares_.count(team_.rank());
    const void** sources = team_.sources();
    for (int member = 0; member < team_.size(); ++member) {
      sources[member] = common().at(offer_of(team_, member, epoch_).send) + first * elem_bytes_;
      Team::Transfer::will_read(sources[member], (end - first) * elem_bytes_);
    }
    for (std::size_t start = first; start < end; start += strip_count) {
      fold_strip(start, std::min(strip_count, end - start));
    }
    if (streaming_) kernels::end_streaming();
  }

  std::size_t strip_bytes() const {
    return streaming_ && writes_whole_lines() ? kStreamedStripBytes : kStripBytes;
  }
  /// Else each strip would end with part of a line, which costs a read of that line.
  bool writes_whole_lines() const {
    if (reinterpret_cast<std::uintptr_t>(own_place(shares_.start(team_.rank()))) % shm::kLineBytes != 0) {
      return false;
    }
    for (int member = 0; member < team_.size(); ++member) {
      if (!receives_from_others(call_, member)) continue;
      const std::size_t start = shares_.start(team_.rank()) * elem_bytes_;
      if ((offer_of(team_, member, epoch_).recv + start) % shm::kLineBytes != 0) return false;
    }
    return true;
  }
  const CommonMemory& common() const { return team_.process().common(); }
  /// Where this member puts its strip for itself; null if it does not want it.
  std::byte* own_place(std::size_t start) const {
    if (call_.deliver == Deliver::own_share) {
      return call_.recv + (start - shares_.start(team_.rank())) * elem_bytes_;
    }
    return receives_from_others(call_, team_.rank()) ? call_.recv + start * elem_bytes_ : nullptr;
  }

  void fold_strip(std::size_t start, std::size_t count) {
    alignas(shm::kLineBytes) std::byte strip[kStripBytes];
    std::byte* const own = own_place(start);
    std::byte* const result = own == nullptr || streaming_ ? strip : own;
    if (result == own) Team::Transfer::will_write(own, count * elem_bytes_);
    const void** sources = team_.sources();
    call_.reduction->fold(result, sources, static_cast<std::size_t>(team_.size()), count);
    for (int member = 0; member < team_.size(); ++member) {
      sources[member] = static_cast<const std::byte*>(sources[member]) + count * elem_bytes_;
    }
    deliver(start, result, own, count * elem_bytes_);
  }

  void deliver(std::size_t start, const std::byte* result, std::byte* own, std::size_t bytes) {
    if (own != nullptr && own != result) write_around_caches(own, result, bytes);
    for (int i = 1; i < team_.size(); ++i) {
      const int member = (team_.rank() + i) % team_.size();  // not all at the same one
      if (!receives_from_others(call_, member)) continue;
      std::byte* const place = common().at(offer_of(team_, member, epoch_).recv) + start * elem_bytes_;
      if (streaming_) {
        write_around_caches(place, result, bytes);
      } else {
        Team::Transfer::will_write(place, bytes);
        kernels::copy(place, result, bytes);
      }
    }
  }
  void write_around_caches(std::byte* place, const std::byte* result, std::size_t bytes) {
    Team::Transfer::will_write(place, bytes);
    kernels::copy_streaming_on(place, result, bytes);
  }

  Team& team_;
  const DirectFold call_;
  const Shares& shares_;
  std::size_t elem_bytes_;
  std::uint64_t epoch_;
  bool streaming_ = false;
};

/// Of a member whose offer of `epoch`, which accepts, is shown. `taken` becomes whether the call was direct.
/// If not, nothing has happened yet but the exchange of offers.
template <class Team>
Procedure fold_direct(Team& team, DirectFold call, std::uint64_t epoch, Shares shares, bool& taken) {
  taken = false;
  co_await team.waits().all_shown(epoch, epoch - 1);
  if (!everybody_accepts(team, epoch)) co_return;
  DirectFoldSteps<Team>(team, call, shares, epoch).fold_share();
  team.epochs().finish(epoch);
  co_await team.waits().all_finished(epoch);
  taken = true;
}

}  // namespace foldlane::engine
