// How ranks that are in no team together tell each other a few numbers: through postings, one line each, of
// the one who tells and of those who have heard.
//
// PROTOCOL V "rendezvous"          speaker: rank s                 listeners: ranks l
//   s:  post facts under key        [V1.rel]     l:  await s's posting of key, copy it       [V1.acq]
//       await every l's receipt     [V2.acq]         post a receipt                           [V2.rel]
//       withdraw the posting        [V3.rel]         await that it is gone                    [V3.acq]
//       await that receipts are gone                 withdraw the receipt
// Nobody returns before the postings of this key can be taken for those of the next rendezvous under it.
#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <span>

#include "shm/result.hpp"
#include "shm/segment.hpp"
#include "shm/sync/signals.hpp"

namespace foldlane::engine {

class Rendezvous {
 public:
  using Signals = shm::Signals<shm::RealAtoms>;
  using Facts = std::array<std::uint64_t, shm::Posting::kFacts>;

  Rendezvous(const shm::Segment& segment, int rank, const Signals& signals)
      : segment_(segment), rank_(rank), signals_(signals) {}

  /// Both block until the other side has come. `key` is not zero, and its lowest bit is not used. Listeners
  /// and speaker are ranks of the job. Errors: a rank of the job has died, too many postings at a time.
  shm::Result<void> tell(std::span<const int> listeners, std::uint64_t key, const Facts& facts);
  shm::Result<Facts> hear(int speaker, std::uint64_t key);

 private:
  shm::Posting* post(std::uint64_t key, const Facts& facts);
  void withdraw(shm::Posting& posting);
  shm::Posting* find(int rank, std::uint64_t key) const noexcept;
  bool await_posting(int rank, std::uint64_t key, bool present) const noexcept;

  const shm::Segment& segment_;
  int rank_;
  const Signals& signals_;
  std::mutex mutex_;
};

}  // namespace foldlane::engine
