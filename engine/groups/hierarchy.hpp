// One member's place in the groups of its team, and what it folds there: pure, made once per team.
//
// A grouped fold has one phase per level and a last one. In phase l the children of a group of level l
// (members in phase 0, else groups of level l-1; in the last phase all groups of the outermost level) combine
// what they have. Every child is represented by several members, its workers, who share the vector between
// them: a member combines its part with its peers, the members that stand at the same indices inside the
// other children, so that what crosses a boundary between groups is the partial result of a group, once.
#pragma once

#include <cstddef>
#include <vector>

#include "engine/groups/groups.hpp"
#include "engine/groups/subtree_fold.hpp"

namespace foldlane::engine {

/// In place of a member that alone wants a result: all members want it, or their parts of it.
inline constexpr int kNobody = -1;

class Hierarchy {
 public:
  struct Output {
    std::size_t first;  // among the sources of the phase
    SubtreeFold fold;
  };
  struct Phase {
    std::vector<Members> children;  // of this member's group, in order
    int index;                      // which of them this member is in
    bool leads_child;               // this member is the first one of it
    std::vector<int> sources;       // how many values (subtrees) each child brings
    std::vector<Output> outputs;    // the values of the group
    std::vector<int> peers;         // in each child; empty if this member has no part to combine

    // Equal on all members:
    std::vector<int> owners;   // which children's workers get a part each; for the last phase see `everybody`
    std::size_t most_outputs;  // of any group of the level
    bool everybody;            // last phase: each child folds everything for itself, which saves a hop
  };

  Hierarchy(Groups groups, int ranks, int rank);

  const Groups& groups() const { return groups_; }
  int ranks() const { return ranks_; }
  std::size_t phases() const { return phases_.size(); }
  const Phase& phase(std::size_t at) const { return phases_[at]; }
  const Phase& last() const { return phases_.back(); }

  /// Into how many parts phase `at` divides what the one before left.
  std::size_t parts(std::size_t at) const { return phases_[at].everybody ? 1 : phases_[at].owners.size(); }
  /// Which of the parts of phase `at` child `child` gets, or as many as there are parts if none. Turned by
  /// the indices below, so that the first child does not get all of a small vector.
  std::size_t part_of(std::size_t at, int child) const;

  /// Values that a leader shows at most: how often an input must fit a line.
  std::size_t most_values() const;

  /// Hand-offs on the critical path, beside the epoch and through slots, to all or to one.
  int inline_hops() const { return static_cast<int>(phases_.size()); }
  int slot_hops(bool to_all) const { return 2 * inline_hops() - (last().everybody || !to_all ? 1 : 0); }

 private:
  std::vector<Members> children_of(const Members& group, std::size_t level) const;
  Phase make_phase(const Members& group, std::size_t level, int rank) const;
  void find_peers(Phase& phase, std::size_t level) const;
  void set_width(Phase& phase, std::size_t level) const;
  void set_owners_of_last(Phase& phase) const;
  std::vector<Members> groups_at(std::size_t level) const;

  Groups groups_;
  int ranks_;
  std::vector<Phase> phases_;
};

}  // namespace foldlane::engine
