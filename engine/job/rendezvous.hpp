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

#include "engine/team/team.hpp"
#include "shm/base/result.hpp"
#include "shm/segment/segment.hpp"

namespace foldlane::engine {

class Rendezvous {
 public:
  using Facts = std::array<std::uint64_t, shm::Posting::kFacts>;

  Rendezvous(const shm::Segment& segment, int rank, Process& process)
      : segment_(segment), rank_(rank), process_(process) {}

  /// Both block until the other side has come. `key` is not zero, and its lowest bit is not used. Listeners
  /// and speaker are ranks of the job. Error: a rank of the job has died.
  shm::Result<void> tell(std::span<const int> listeners, std::uint64_t key, const Facts& facts);
  shm::Result<Facts> hear(int speaker, std::uint64_t key);

 private:
  /// Waits while `most` postings of this rank are in use. Null if the job has failed.
  shm::Posting* post(std::uint64_t key, const Facts& facts, std::size_t most);
  shm::Posting* try_to_post(std::uint64_t key, const Facts& facts, std::size_t most);
  shm::Error failed(std::span<const int> peers) const;
  void withdraw(shm::Posting& posting);
  shm::Posting* find(int rank, std::uint64_t key) const noexcept;
  bool await_posting(int rank, std::uint64_t key, bool present) const noexcept;

  const shm::Segment& segment_;
  int rank_;
  Process& process_;
  std::mutex mutex_;
};

}  // namespace foldlane::engine
