// Who is in a team, and where the members' lines and slots are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "engine/team/process.hpp"
#include "engine/team/team_lines.hpp"

namespace foldlane::engine {

template <class Atoms>
class BasicMembership {
 public:
  using Process = BasicProcess<Atoms>;
  using Lines = BasicTeamLines<Atoms>;

  /// As for BasicTeam.
  BasicMembership(Process& process, std::vector<int> members, int rank, int id, std::uint64_t first_epoch = 1)
      : rank_(rank),
        size_(static_cast<int>(members.size())),
        process_(process),
        id_(id),
        first_epoch_(first_epoch),
        members_(std::move(members)) {
    for (const int rank_of_job : members_) lines_.push_back(&process.peer(rank_of_job).team_lines[id]);
    own_lines_ = &lines(rank);
  }
  BasicMembership(const BasicMembership&) = delete;
  BasicMembership& operator=(const BasicMembership&) = delete;

  int rank() const noexcept { return rank_; }
  int size() const noexcept { return size_; }
  int id() const noexcept { return id_; }
  /// Of several teams that have an id one after the other each has another one.
  std::uint64_t first_epoch() const noexcept { return first_epoch_; }
  /// Ranks of the job.
  const std::vector<int>& members() const noexcept { return members_; }
  int rank_in_job(int member) const noexcept { return members_[static_cast<std::size_t>(member)]; }
  Process& process() const noexcept { return process_; }

  Lines& lines(int member) const noexcept { return *lines_[static_cast<std::size_t>(member)]; }
  Lines& own_lines() const noexcept { return *own_lines_; }
  const BasicPeer<Atoms>& peer(int member) const noexcept { return process_.peer(rank_in_job(member)); }

  const shm::Signals<Atoms>& signals() const noexcept { return process_.signals(); }
  auto while_waiting_for(int member) const noexcept {
    return process_.progress().while_waiting_for(rank_in_job(member));
  }

 private:
  // What an inline call needs comes first.
  std::vector<Lines*> lines_;  // by member
  Lines* own_lines_;
  int rank_;
  int size_;
  Process& process_;
  int id_;
  std::uint64_t first_epoch_;
  std::vector<int> members_;
};

}  // namespace foldlane::engine
