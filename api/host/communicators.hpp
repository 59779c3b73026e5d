// What the host layer knows of a communicator, and when it takes one over.
//
// A communicator gets a team in its fourth call: all members make the same calls on it in the same order, so
// they count alike, and programs that make and free one for each step never pay for a team. What is known of
// it stands in an attribute of the host's, which ends with it.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "api/host/explanation.hpp"
#include "api/host/host.hpp"
#include "api/host/nodes/across_nodes.hpp"
#include "api/host/nodes/placement.hpp"
#include "engine/job/job.hpp"
#include "engine/team/team.hpp"

namespace foldlane::host {

struct Communicator {
  engine::Team* team = nullptr;  // null: the host has its calls, for this reason
  Reason reason = Reason::young;
  int calls = 0;
  std::unique_ptr<engine::Team> own_team{};  // of its members on this node
  std::unique_ptr<AcrossNodes> across{};     // of one over several nodes, which has no `team`
  engine::Channel* channel = nullptr;        // of the messages of its calls, once there were any

  /// 0 if the host has its calls.
  int size() const noexcept {
    return team != nullptr ? team->size() : across != nullptr ? across->size() : 0;
  }
};

class Communicators {
 public:
  /// `nodes` are those of the ranks of MPI_COMM_WORLD. With threads, calls of several communicators may come
  /// at a time. MPI_COMM_WORLD is taken over at once. `ended` is called when that goes, in the host's
  /// MPI_Finalize.
  Communicators(const Host& host, engine::Job& job, const std::vector<int>& nodes, Explanation& explanation,
                bool has_threads, std::function<void()> ended);
  Communicators(const Communicators&) = delete;
  Communicators& operator=(const Communicators&) = delete;

  /// Of this process in MPI_COMM_WORLD.
  int rank() const noexcept { return rank_; }

  /// At each call. What has a team keeps it.
  Communicator& enter(Handle comm) {
    const Recent& recent = recent_[place_of(comm, kRecentBits)];
    if (comm == recent.handle && recent.known->team != nullptr) [[likely]]
      return *recent.known;
    return look_up(comm);
  }

  /// Of one with a team. Null: a team of one has no messages.
  engine::Channel* channel_of(Communicator& communicator) const;

 private:
  static constexpr int kCallsBeforeTeam = 3;
  static constexpr int kRecentBits = 3;
  static constexpr std::size_t kRecent = std::size_t{1} << kRecentBits;

  /// Where a call was on lately; with threads, nowhere. Programs take turns between rows and columns.
  struct Recent {
    Handle handle;
    Communicator* known;
  };
  Recent nowhere() noexcept { return {0, &null_}; }

  Communicator& look_up(Handle comm);
  Communicator* find(Handle comm) const;
  Communicator& add(Handle comm);
  void take_over(Handle comm, Communicator& known);
  void reach_across(Handle comm, Communicator& known, Placement placement, int member, engine::Team& team);
  std::vector<int> members_of(Handle comm) const;
  std::uint64_t agree_on_key(Handle comm, bool leads) const;
  bool have_all(Handle comm, bool own) const;
  void forget(Communicator* gone);
  static int forget_attribute(Handle comm, int keyval, void* value, void* self);

  const Host& host_;
  engine::Job& job_;
  Explanation& explanation_;
  Placement world_;  // a rank's index is its rank in the job of its node
  int rank_;
  bool has_threads_;
  std::function<void()> ended_;
  int keyval_ = 0;
  Communicator null_{.reason = Reason::arguments};
  std::array<Recent, kRecent> recent_;
};

}  // namespace foldlane::host
