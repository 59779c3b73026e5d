// How ranks that are in no team together tell each other a few numbers: through postings, one line each, of
// the one who tells and of those who have heard.
//
// PROTOCOL V "rendezvous"          speaker: rank s                 listeners: ranks l
//   s:  take a free place           [V3.acq]
//       post facts under key        [V1.rel]     l:  await s's posting of key, copy it       [V1.acq]
//       await every l's receipt     [V2.acq]         post a receipt                           [V2.rel]
//       withdraw the posting        [V3.rel]         await that it is gone                    [V3.acq]
//       await that receipts are gone                 withdraw the receipt
//
// WITHOUT [V1]: l copies facts that are not written yet. [V2] and [V3] are one chain, from all who have
// copied to who takes the place next, and to who returns. WITHOUT any of them: another thread of s writes its
// facts over those that l still copies; and a listener does not know what the others did before they came.
// A telling that fails, because a rank has died, withdraws at once: who still copies then may get a mixture
// of facts, for a team that has failed already. MODEL: tests/model, "rendezvous".
//
// Nobody returns while a posting of this key can be taken for one of the next rendezvous under it. That asks
// for no order, only that both sides see it gone; it holds if a key always has the same ranks, and the same
// speaker or a single listener.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "shm/segment/layout.hpp"

namespace foldlane::engine {

/// What a rank tells others who have no team with it yet. Writer: rank r. Valid while `key` is not zero.
template <class Atoms>
struct alignas(shm::kLineBytes) BasicPosting {
  static constexpr std::size_t kFacts = 6;
  using Facts = std::array<std::uint64_t, kFacts>;
  typename Atoms::template Word<std::uint64_t> key;
  Facts facts;
};
using Posting = BasicPosting<shm::RealAtoms>;
inline constexpr std::size_t kPostings = 32;

/// The places of one rank, as it and others see them.
template <class Atoms>
class BasicPostings {
 public:
  using Posting = BasicPosting<Atoms>;

  explicit BasicPostings(std::span<Posting> places) : places_(places) {}

  Posting* find(std::uint64_t key) const noexcept {
    for (Posting& each : places_) {
      if (each.key.observe() == key) return &each;
    }
    return nullptr;
  }
  bool is_gone(std::uint64_t key) const noexcept { return find(key) == nullptr; }

  /// Null while so many are in use.
  Posting* find_free(std::size_t most) const noexcept {
    Posting* free = nullptr;
    std::size_t used = 0;
    for (Posting& each : places_) {
      if (each.key.observe() != 0) {
        ++used;
      } else if (free == nullptr) {
        free = &each;
      }
    }
    return used < most ? free : nullptr;
  }

  /// Receipts need no more than what somebody has told. So that they are always possible, tellings wait while
  /// half of the postings are in use.
  std::size_t most_told() const noexcept { return places_.size() / 2; }
  std::size_t most_in_all() const noexcept { return places_.size(); }

 private:
  std::span<Posting> places_;
};

/// `Site` is what a rank has for it: postings(rank) of all ranks, its own, and lock() for these; publish();
/// and await(rank, …) and await_own(…), which wait for what a rank, or another thread of this one, publishes,
/// and return false if that does not come.
template <class Site>
class BasicRendezvous {
 public:
  using Atoms = typename Site::Atoms;
  using Posting = BasicPosting<Atoms>;
  using Facts = typename Posting::Facts;

  explicit BasicRendezvous(Site& site) : site_(site) {}

  /// Both block until the other side has come. False if a rank has died.
  bool tell(std::span<const int> listeners, std::uint64_t key, const Facts& facts) {
    Posting* const posting = post(spoken(key), facts, site_.own_postings().most_told());
    bool heard = posting != nullptr;
    for (const int rank : listeners) heard = heard && await_posting(rank, receipt(key)) != nullptr;
    if (posting != nullptr) withdraw(*posting);
    for (const int rank : listeners) heard = heard && await_gone(rank, receipt(key));
    return heard;
  }

  bool hear(int speaker, std::uint64_t key, Facts& facts) {
    const Posting* const posting = await_posting(speaker, spoken(key));
    if (posting == nullptr) return false;
    Atoms::reads(&posting->facts, sizeof facts);
    facts = posting->facts;
    Posting* const own = post(receipt(key), {}, site_.own_postings().most_in_all());
    const bool heard = own != nullptr && await_gone(speaker, spoken(key));
    if (own != nullptr) withdraw(*own);
    return heard;
  }

 private:
  static constexpr std::uint64_t spoken(std::uint64_t key) { return key & ~std::uint64_t{1}; }
  static constexpr std::uint64_t receipt(std::uint64_t key) { return key | 1; }

  /// Waits while `most` postings of this rank are in use. Null if the job has failed.
  Posting* post(std::uint64_t key, const Facts& facts, std::size_t most) {
    Posting* posted = nullptr;
    const auto done = [&] {
      if (posted == nullptr) posted = try_to_post(key, facts, most);
      return posted != nullptr;
    };
    site_.await_own(done);
    return posted;
  }

  Posting* try_to_post(std::uint64_t key, const Facts& facts, std::size_t most) {
    const auto lock = site_.lock();
    Posting* const free = site_.own_postings().find_free(most);  // [V3.acq]
    if (free == nullptr) return nullptr;
    Atoms::writes(&free->facts, sizeof facts);
    free->facts = facts;
    site_.publish(free->key, key);  // [V1.rel], [V2.rel]
    return free;
  }

  void withdraw(Posting& posting) { site_.publish(posting.key, 0); }  // [V3.rel]

  Posting* await_posting(int rank, std::uint64_t key) {
    Posting* found = nullptr;
    const auto arrived = [&] {
      found = site_.postings(rank).find(key);  // [V1.acq], [V2.acq]
      return found != nullptr;
    };
    return site_.await(rank, arrived) ? found : nullptr;
  }

  bool await_gone(int rank, std::uint64_t key) {
    return site_.await(rank, [&] { return site_.postings(rank).is_gone(key); });  // [V3.acq]
  }

  Site& site_;
};

}  // namespace foldlane::engine
