// All ranks of a job on a described machine, in this thread, over memory whose traffic is counted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "engine/team/team.hpp"
#include "support/traffic.hpp"

namespace foldlane::testing {

/// Where the launcher would put as many ranks as the machine (hwloc's synthetic notation) has cores.
std::vector<engine::Seat> seats_on(const std::string& topology, int ranks);

class CountedCrowd {
 public:
  using Process = engine::BasicProcess<CountingAtoms>;
  using Team = engine::BasicTeam<CountingAtoms>;

  /// Ranks are grouped by `seats`, or flat; either way they are counted where they sit.
  CountedCrowd(const std::vector<engine::Seat>& seats, bool grouped, std::size_t slot_bytes);
  CountedCrowd(const CountedCrowd&) = delete;
  CountedCrowd& operator=(const CountedCrowd&) = delete;
  ~CountedCrowd();

  Team& team(int rank) { return *teams_[static_cast<std::size_t>(rank)]; }
  int size() const { return static_cast<int>(teams_.size()); }
  Traffic& traffic() { return *traffic_; }
  std::size_t slot_bytes() const { return slot_bytes_; }

  /// Steps everybody, in a new random order each round, until all are done (true) or nobody gets on (false).
  template <class Start>
  bool run(const Start& start) {
    Traffic::current = traffic_.get();
    std::vector<engine::Procedure> procedures;
    for (int rank = 0; rank < size(); ++rank) procedures.push_back(start(rank));
    std::vector<int> running;
    for (int rank = 0; rank < size(); ++rank) running.push_back(rank);
    for (int idle_rounds = 0; !running.empty() && idle_rounds < 1000; ++idle_rounds) {
      std::shuffle(running.begin(), running.end(), random_);
      const auto done = [&](int rank) {
        traffic_->run_as(rank);
        return procedures[static_cast<std::size_t>(rank)].step() != engine::Progress::waiting;
      };
      if (std::erase_if(running, done) > 0) idle_rounds = 0;
    }
    return running.empty();
  }

 private:
  std::size_t slot_bytes_;
  std::size_t memory_bytes_;
  std::byte* memory_;
  CountingAtoms::Word<std::uint64_t> abort_word_{};
  std::vector<shm::Doorbell<CountingAtoms>> bells_;
  std::unique_ptr<Traffic> traffic_;
  std::vector<std::unique_ptr<Process>> processes_;
  std::vector<std::unique_ptr<Team>> teams_;
  std::minstd_rand random_{1};
};

}  // namespace foldlane::testing
