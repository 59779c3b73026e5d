// How teams come into being and go.
//
// A team needs an id that is the same on all members and lines that are committed on all of them. Its leader
// (the first member) takes the id; the members learn it over a team they are all in, or at a rendezvous. Then
// each commits its own lines and waits until all have.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "engine/job/areas.hpp"
#include "engine/job/proposals.hpp"
#include "engine/job/rendezvous.hpp"
#include "engine/job/team_ids.hpp"
#include "engine/p2p/messenger.hpp"
#include "engine/team/team.hpp"
#include "shm/base/result.hpp"

namespace foldlane::engine {

/// Null: this process is in none of the new teams.
using FoundedTeam = shm::Result<std::unique_ptr<Team>>;

/// The members of a team of two groups: of one after those of the other.
std::vector<int> both_sides(const std::vector<int>& local, const std::vector<int>& remote, bool local_first);

/// Of one process. Errors of the founding functions are the same on all members of the parent, or of the new
/// team where there is no parent: no id is left, or a member could not commit its lines (no_memory);
/// peer_failed, disagreement.
class Founding {
 public:
  Founding(shm::Segment& segment, Process& process, Messenger& messenger, int rank)
      : segment_(segment),
        process_(process),
        messenger_(messenger),
        rank_(rank),
        ids_(team_ids(segment)),
        rendezvous_(segment, rank, process) {}

  /// Collective over `parent`, whose members name disjoint sets of its members; each member of a new team
  /// names the same ranks of the job in the same order; an empty list is for none.
  FoundedTeam found(Team& parent, const std::vector<int>& members, const CallInfo& as);
  FoundedTeam found(Team& parent, const std::vector<int>& members, Call as) {
    return found(parent, members, CallInfo{.call = as});
  }

  /// Collective over `members` (ranks of the job, this one among them) alone, told apart from other foundings
  /// at the same time by `key`.
  FoundedTeam found(std::vector<int> members, std::uint64_t key);

  /// Collective over `local`, whose member `leader` meets the other side's leader (a rank of the job): the
  /// team of both sides, and who is on the other one.
  struct Bridge {
    std::unique_ptr<Team> team;  // members: the side whose leader has the lower rank first
    std::vector<int> remote;
  };
  shm::Result<Bridge> bridge(Team& local, int leader, int remote_leader, std::uint64_t key);

  /// found(parent, all of its members, duplicate) as an operation.
  class Duplication;
  std::unique_ptr<Duplication> start_duplicate(Team& parent);

  /// This member has no more use for the team, which goes away when nobody has: local, and returns at once.
  /// Its id is free for another team then; a team that is broken keeps it.
  void retire(std::unique_ptr<Team> team);

 private:
  /// How a member of the parent has fared with its part of the new team.
  enum class Verdict : std::uint64_t { ready, no_id, no_memory };
  struct News {
    std::vector<int> remote;
    Offer offer{kNoId, 0};
  };

  enum class Lines : std::uint8_t { awaited, ready, refused };

  class Departure;
  class TakenId;

  FoundedTeam try_to_found(Team& parent, const std::vector<int>& members, const CallInfo& as);
  Procedure found_steps(Team& parent, std::vector<int> members, CallInfo as, FoundedTeam& founded);
  Procedure dissolve_steps(Team& team);
  Verdict prepare(const std::vector<int>& members, const Offer& offer);
  Offer take_id(const std::vector<int>& members);
  FoundedTeam join(std::vector<int> members, const Offer& offer);
  std::unique_ptr<Team> make_team(std::vector<int> members, const Offer& offer);
  shm::Result<void> commit_lines(const std::vector<int>& members, int id);
  shm::Result<void> commit_own_lines(int id);
  Lines state_of_lines(int member, int id) const noexcept;
  shm::Result<News> meet_leader(const std::vector<int>& own, int remote_leader, std::uint64_t key);
  shm::Result<std::vector<int>> swap_sides(const std::vector<int>& own, int remote_leader, bool first,
                                           std::uint64_t key);
  shm::Result<void> tell_list(int listener, std::uint64_t key, const std::vector<int>& list);
  shm::Result<std::vector<int>> hear_list(int speaker, std::uint64_t key);

  shm::Segment& segment_;
  Process& process_;
  Messenger& messenger_;
  int rank_;
  TeamIds ids_;
  Rendezvous rendezvous_;
  std::mutex lines_mutex_;
};

}  // namespace foldlane::engine
