// How a rank learns which of thousands of lanes have something in them. It looks at the lanes of the first
// few ranks that have sent to it by itself; the others leave their bit with it.
//
// PROTOCOL K "knock"             sender: rank s                          receiver: rank q
//   s:  publish a message in its lane
//       watched(q, s) != 0 ?  done
//       bits(q).set(s)                                    [K1]
//       summary(q).set(word of s)                         [K2]
//                                                         [K2]           summary(q).take()
//                                                         [K1]           bits(q)[word].take()
//                                                                        read all that is in those lanes
// All four are read-modify-writes: who takes a bit sees what its sender has published before. WITHOUT [K1]
// before [K2]: q takes the summary, finds no bit, and never looks again. `watched` never goes back to 0, so
// that a sender that sees it needs no fence: q looks at the lane at least once after it has set it. MODEL:
// tests/model, "lane".
#pragma once

#include <bit>
#include <cstdint>

#include "engine/p2p/lane.hpp"
#include "shm/segment/layout.hpp"
#include "shm/sync/inbox.hpp"

namespace foldlane::engine {

template <class Atoms>
struct alignas(64) BasicKnocks {
  static constexpr int kWordBits = 64;
  using Word = typename Atoms::template Word<std::uint64_t>;

  Word ranks[shm::kMaxRanks / kWordBits];
  alignas(64) Word summary;  // which of these have bits

  void knock(int rank) noexcept {
    ranks[rank / kWordBits].set(bit(rank % kWordBits));
    summary.set(bit(rank / kWordBits));
  }
  bool any() const noexcept { return summary.peek() != 0; }

  /// Calls `use` with each rank that has knocked since the last time.
  template <class Use>
  void answer(const Use& use) noexcept {
    for (std::uint64_t words = summary.take(); words != 0; words &= words - 1) {
      const int word = std::countr_zero(words);
      for (std::uint64_t bits = ranks[word].take(); bits != 0; bits &= bits - 1)
        use(word * kWordBits + std::countr_zero(bits));
    }
  }

 private:
  static constexpr std::uint64_t bit(int number) noexcept { return std::uint64_t{1} << number; }
};

/// The sender's part, once it has published a message.
template <class Atoms>
void knock_unless_watched(const BasicCredits<Atoms>& credits, BasicKnocks<Atoms>& knocks,
                          int own_rank) noexcept {
  if (credits.watched.peek() == 0) knocks.knock(own_rank);
}

}  // namespace foldlane::engine
