// Notices that ranks wait for each other for ever. Each rank describes the wait it is in once that has become
// long; the lowest rank that is in a long wait looks at everybody's description now and then.
// PROTOCOL C: circle.hpp.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <utility>
#include <vector>

#include "engine/deadlock/circle.hpp"
#include "engine/deadlock/policy.hpp"
#include "engine/deadlock/report.hpp"
#include "engine/deadlock/wait_record.hpp"
#include "engine/progress/long_wait.hpp"
#include "shm/segment/layout.hpp"

namespace foldlane::engine {

class DeadlockWatch final : public LongWaits {
 public:
  /// What is to be seen of a rank of the job.
  struct Place {
    WaitRecord* record;
    const shm::EndedLine* end;

    bool has_died() const noexcept { return end->death.observe() != 0; }
    bool has_ended() const noexcept { return end->ended.observe() != 0; }
  };
  /// In ns: how old a wait is that is long, when the first look is due, how much time is between two, and how
  /// old a wait must be that other threads of its process might end.
  struct Times {
    std::int64_t long_wait = 16'000'000;
    std::int64_t first_look = 250'000'000;
    std::int64_t between_looks = 25'000'000;
    std::int64_t sure_of_threads = 10'000'000'000;

    Times divided_by(std::int64_t haste) const noexcept {
      return {long_wait / haste, first_look / haste, between_looks / haste, sure_of_threads / haste};
    }
  };
  using Now = std::int64_t (*)() noexcept;

  DeadlockWatch(std::vector<Place> places, int rank, DeadlockPolicy policy, Times times)
      : DeadlockWatch(std::move(places), rank, policy, times, steady_now) {}
  DeadlockWatch(std::vector<Place> places, int rank, DeadlockPolicy policy, Times times, Now now);

  DeadlockPolicy policy() const noexcept { return policy_; }

  /// Completes notes of calls on teams.
  void set_namer(std::function<void(WaitNote&)> name) { name_ = std::move(name); }
  /// Is told each deadlock once.
  void set_reporter(std::function<void(const DeadlockReport&)> tell) { tell_ = std::move(tell); }
  /// Several threads may be inside from now on.
  void allow_threads() noexcept { has_threads_ = true; }

  void goes_on(const void* wait, std::uint64_t moves, const WaitDescriber& describe) noexcept override;
  void is_over(const void* wait) noexcept override;
  void looks_in_vain(bool does) noexcept override { own().looks.publish(does ? 1 : 0); }
  bool may_depend_on(const std::vector<int>& awaited, const std::vector<int>& others) noexcept override;

 private:
  WaitRecord& own() const noexcept { return *circle_.place(rank_).record; }
  CircleMember<WaitRecord> member() const noexcept { return CircleMember<WaitRecord>(own()); }

  void go_on(const void* wait, std::uint64_t moves, const WaitDescriber& describe);
  void describe_wait(const WaitDescriber& describe);
  /// Whether this rank waits, and its record does not say for whom.
  void publish_vague() noexcept;
  void publish(const WaitNote& note) noexcept;

  void look_at_all();
  bool another_one_looks() noexcept;
  void report();
  StuckRank describe_rank(const Suspect& suspect) const;
  std::vector<int> awaited_that_ended() const;
  bool is_news() noexcept;

  CircleLook<Place> circle_;
  int rank_;
  DeadlockPolicy policy_;
  Times times_;
  Now now_;
  std::function<void(WaitNote&)> name_;
  std::function<void(const DeadlockReport&)> tell_;
  bool has_threads_ = false;
  std::mutex mutex_;                // of the rest
  std::vector<const void*> waits_;  // long ones of this process
  std::uint64_t moves_ = 0;         // when the record was written
  std::int64_t began_ = 0;          // the wait
  std::int64_t looked_ = 0;
  int lower_ = 0;  // who looked last, if not this rank
};

}  // namespace foldlane::engine
