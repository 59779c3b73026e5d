// Where ranks that are in no team together meet: protocol V (engine/job/postings.hpp) in a process of a job.
#pragma once

#include <cstdint>
#include <mutex>
#include <span>

#include "engine/job/areas.hpp"
#include "engine/job/postings.hpp"
#include "engine/team/team.hpp"
#include "shm/base/result.hpp"
#include "shm/segment/segment.hpp"

namespace foldlane::engine {

class Rendezvous {
 public:
  using Facts = Posting::Facts;

  Rendezvous(const shm::Segment& segment, int rank, Process& process) : site_(segment, rank, process) {}

  /// Both block until the other side has come. `key` is not zero, and its lowest bit is not used. Listeners
  /// and speaker are ranks of the job. Error: a rank of the job has died.
  shm::Result<void> tell(std::span<const int> listeners, std::uint64_t key, const Facts& facts);
  shm::Result<Facts> hear(int speaker, std::uint64_t key);

 private:
  class Site {
   public:
    using Atoms = shm::RealAtoms;

    Site(const shm::Segment& segment, int rank, Process& process)
        : segment_(segment), rank_(rank), process_(process) {}

    BasicPostings<Atoms> postings(int rank) const noexcept {
      return BasicPostings<Atoms>(engine::postings(segment_, rank));
    }
    BasicPostings<Atoms> own_postings() const noexcept { return postings(rank_); }
    std::unique_lock<std::mutex> lock() { return std::unique_lock(mutex_); }
    void publish(shm::Epoch& word, std::uint64_t value) const noexcept {
      process_.signals().publish(word, value);
    }
    template <class Arrived>
    bool await(int rank, const Arrived& arrived) const noexcept {
      return process_.signals().await_patiently(
          arrived, segment_.rank_lines(rank).doorbell, [&] { return process_.has_died(rank); },
          process_.progress().while_waiting_for(rank));
    }
    /// For what other threads of this process publish, which ring its bell.
    template <class Arrived>
    bool await_own(const Arrived& arrived) const noexcept {
      return process_.signals().await_patiently(arrived, segment_.rank_lines(rank_).doorbell,
                                                [] { return false; });
    }
    shm::Error failed(std::span<const int> peers) const;

   private:
    const shm::Segment& segment_;
    int rank_;
    Process& process_;
    std::mutex mutex_;
  };

  Site site_;
};

}  // namespace foldlane::engine
