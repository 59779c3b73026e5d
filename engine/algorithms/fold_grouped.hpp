// Reductions in a team whose members share caches and packages in groups (engine/groups/hierarchy.hpp):
// values are folded inside groups first, then between them, so that every boundary is crossed by partial
// results only.
//
// Per chunk, with phases 0 to L:
//   fill     everybody copies its input into its slot                                  publishes up 0
//   (filled) fold l   a member folds its part of what its peers published                      publishes up
//   l+1 gather l a member copies what its peers folded of its part, in the last phases     publishes down l-1
//   collect  everybody copies all parts of the result from the members of its group
// In the last phase either every group folds for itself, or some do and gather L brings it to the others.
// From there on nobody folds, gathers or collects what neither it nor its group wants: of a reduce only the
// root's groups work, of a reduce-scatter each group on the blocks of its members.
//
// Order of steps: collect c-2, fill c, fold and gather c-1. What a member collects depends on everybody's
// input, through a chain of published and awaited words: so whoever has collected chunk c knows that all have
// filled c, and before that collected c-2; a slot is used again after four chunks, and nobody asks anybody.
// In a reduce or a reduce-scatter most members learn nothing that way, and ask those who read their slots,
// which are few.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "engine/data/reduction.hpp"
#include "engine/groups/grouped_places.hpp"
#include "engine/groups/value_fold.hpp"
#include "engine/team/readers.hpp"
#include "engine/team/step.hpp"
#include "engine/team/team.hpp"

namespace foldlane::engine {

struct GroupedFold {
  const std::byte* send;
  std::byte* recv;
  std::size_t count;
  const Reduction* reduction;
  int root;                 // of a reduce; else kNobody
  const Shares* blocks;     // of a reduce-scatter; else null
  std::size_t chunk_count;  // elements of a chunk at most
  bool streaming;           // recv will not be read back soon: bypass the caches
};

/// One member's view of one call.
template <class Team>
class GroupedSteps {
 public:
  GroupedSteps(Team& team, const GroupedFold& call)
      : team_(team),
        call_(call),
        groups_(*team.hierarchy()),
        elem_bytes_(call.reduction->elem_bytes),
        value_bytes_(call.reduction->value_bytes()),
        places_(groups_, team.process().geometry().slot_bytes, {elem_bytes_, value_bytes_},
                call.chunk_count) {
    chunks_ = (call.count + call.chunk_count - 1) / call.chunk_count;
    first_epoch_ = team.epochs().begin(chunks_);
  }

  std::uint64_t chunks() const { return chunks_; }
  std::uint64_t epoch(std::uint64_t chunk) const { return first_epoch_ + chunk; }
  std::size_t last_phase() const { return groups_.phases() - 1; }
  const std::vector<int>& peers(std::size_t phase) const { return groups_.phase(phase).peers; }
  /// The children of a phase whose members may get a part.
  const std::vector<int>& owners(std::size_t phase) const { return groups_.phase(phase).owners; }

  void fill(std::uint64_t chunk) {
    const Piece range = chunk_range(chunk);
    team_.slots().pack_in(team_.slots().own(epoch(chunk)), call_.send, call_.reduction->type_map,
                          range.start * elem_bytes_, range.count * elem_bytes_);
    team_.slots().publish_filled(epoch(chunk));
    if (!all_want_all()) note_readers(chunk);
  }

  // ---- folds

  bool folds(std::size_t phase, std::uint64_t chunk) const {
    return !peers(phase).empty() && to_fold(phase, chunk).count > 0;
  }
  auto brought_by(int peer, std::size_t phase, std::uint64_t chunk) {
    if (phase == 0) return team_.waits().filled(peer, epoch(chunk));
    return team_.waits().step_done({Way::up, phase}, peer, epoch(chunk));
  }
  void fold(std::size_t phase, std::uint64_t chunk) {
    const Piece part = to_fold(phase, chunk);
    find_sources(phase, chunk, part);
    std::byte* const slot = team_.slots().own(epoch(chunk));
    const auto& outputs = groups_.phase(phase).outputs;
    const bool last = phase == last_phase();
    for (std::size_t output = 0; output < outputs.size(); ++output) {
      std::byte* const to =
          slot + (last ? result_place(part.start, own_part(0, chunk)) : places_.values(phase, output));
      Team::Transfer::will_write(to, part.count * (last ? elem_bytes_ : value_bytes_));
      fold_values(*call_.reduction, outputs[output].fold, to, team_.sources() + outputs[output].first,
                  part.count, {.from_elements = phase == 0, .to_elements = last});
    }
    team_.slots().publish_step(after_fold(phase), epoch(chunk));
  }

  // ---- gathers

  /// The last phase after which results stand elsewhere than where they are wanted.
  std::size_t first_gather() const { return last_phase() - (is_folded_by_child() ? 1 : 0); }
  bool gathers(std::size_t phase, std::uint64_t chunk) const {
    return takes_part(phase, chunk) &&
           common(own_part(phase - 1, chunk), wanted_by_own_child(phase)).count > 0;
  }
  /// Whether the member that stands at this one's indices in a child has results that this one's child wants.
  bool has_result(std::size_t phase, int child, std::uint64_t chunk) const {
    return result_of_child(phase, child, chunk).count > 0;
  }
  auto result_by(int child, std::size_t phase, std::uint64_t chunk) {
    return team_.waits().step_done({Way::down, phase}, peer_of(phase, child), epoch(chunk));
  }
  void gather(std::size_t phase, int child, std::uint64_t chunk) {
    if (child == groups_.phase(phase).index) return;
    const Piece part = result_of_child(phase, child, chunk);
    const std::size_t at = result_place(part.start, own_part(0, chunk));
    const int peer = peer_of(phase, child);
    const std::byte* const from = team_.slots().after({Way::down, phase}, peer, epoch(chunk)) + at;
    Team::Transfer::will_read(from, part.count * elem_bytes_);
    team_.slots().pack_in(team_.slots().own(epoch(chunk)) + at, from, nullptr, 0, part.count * elem_bytes_);
  }
  void publish_gathered(std::size_t phase, std::uint64_t chunk) {
    team_.slots().publish_step({Way::down, phase - 1}, epoch(chunk));
  }

  // ---- collection

  auto part_by(int child, std::uint64_t chunk) {
    return team_.waits().step_done({Way::down, 0}, peer_of(0, child), epoch(chunk),
                                   finished_when_collected(chunk));
  }
  void collect(int child, std::uint64_t chunk) {
    const Piece part = result_of_child(0, child, chunk);
    const std::byte* const from = team_.slots().after({Way::down, 0}, peer_of(0, child), epoch(chunk)) +
                                  result_place(part.start, part_of_child(0, child, chunk));
    const std::size_t first = call_.blocks == nullptr ? 0 : call_.blocks->start(team_.rank());
    Team::Transfer::unpack_out(call_.recv, call_.reduction->type_map, (part.start - first) * elem_bytes_,
                               from, part.count * elem_bytes_, call_.streaming);
  }

 private:
  /// Whoever has filled chunk c has finished chunk c-2, and all calls before.
  std::uint64_t finished_when_collected(std::uint64_t chunk) const {
    return first_epoch_ - 1 + (chunk < 1 ? 0 : chunk - 1);
  }

  // ---- who wants what

  bool all_want_all() const { return call_.root == kNobody && call_.blocks == nullptr; }
  /// Elements of the result that some of these members want.
  Piece wanted_by(const Members& members) const {
    if (call_.blocks != nullptr) {
      const std::size_t start = call_.blocks->start(members.first);
      return {start, call_.blocks->start(members.end()) - start};
    }
    const bool has_root = call_.root >= members.first && call_.root < members.end();
    return {0, has_root || call_.root == kNobody ? call_.count : 0};
  }
  Piece wanted_by_own_child(std::size_t phase) const {
    const auto& here = groups_.phase(phase);
    return wanted_by(here.children[static_cast<std::size_t>(here.index)]);
  }
  static Piece common(const Piece& a, const Piece& b) {
    const std::size_t start = std::max(a.start, b.start);
    const std::size_t end = std::min(a.start + a.count, b.start + b.count);
    return {start, end > start ? end - start : 0};
  }

  // ---- who does what

  /// Whether those who fold in the last phase do it for their own group alone.
  bool is_folded_by_child() const { return groups_.last().everybody || !all_want_all(); }
  /// Whether this member brings values to a phase.
  bool takes_part(std::size_t phase, std::uint64_t chunk) const {
    return !peers(phase).empty() && (phase == 0 || own_part(phase - 1, chunk).count > 0);
  }
  int peer_of(std::size_t phase, int child) const {
    return groups_.phase(phase).peers[static_cast<std::size_t>(child)];
  }
  /// Who reads this member's slot: in each phase those who fold what it brings, and those who gather, or
  /// collect, what it folds.
  void note_readers(std::uint64_t chunk) {
    std::vector<int>& readers = team_.slots().note_readers(epoch(chunk));
    for (std::size_t phase = 0; phase <= last_phase() && takes_part(phase, chunk); ++phase) {
      const auto& here = groups_.phase(phase);
      const Piece results = own_part(phase, chunk);
      for (std::size_t child = 0; child < here.children.size(); ++child) {
        const bool folds =
            phase < last_phase() && part_of_child(phase, static_cast<int>(child), chunk).count > 0;
        const bool wants = common(results, wanted_by(here.children[child])).count > 0;
        if ((folds || wants) && here.peers[child] != team_.rank()) readers.push_back(here.peers[child]);
      }
    }
  }
  Step after_fold(std::size_t phase) const {
    if (phase < last_phase()) return {Way::up, phase + 1};
    return {Way::down, first_gather()};
  }

  // ---- what is where

  /// Chunks of one size, but for the last one, which may be a little smaller.
  Piece chunk_range(std::uint64_t chunk) const {
    const std::size_t even = (call_.count + chunks_ - 1) / chunks_;
    const std::size_t granule = std::max<std::size_t>(1, shm::kLineBytes / elem_bytes_);
    const std::size_t size = std::min(call_.chunk_count, (even + granule - 1) / granule * granule);
    const std::size_t start = std::min(call_.count, chunk * size);
    return {start, std::min(size, call_.count - start)};
  }
  Piece part_in(const Piece& range, std::size_t phase, int child) const {
    if (phase == last_phase() && is_folded_by_child()) return range;
    return part_of(range, groups_.parts(phase), groups_.part_of(phase, child), elem_bytes_,
                   places_.least_part_bytes());
  }
  /// What this member folds in a phase, if it does.
  Piece own_part(std::size_t phase, std::uint64_t chunk) const {
    Piece part = chunk_range(chunk);
    for (std::size_t at = 0; at <= phase; ++at) part = part_in(part, at, groups_.phase(at).index);
    return part;
  }
  /// Without what nobody of its group wants.
  Piece to_fold(std::size_t phase, std::uint64_t chunk) const {
    const Piece part = own_part(phase, chunk);
    if (phase < last_phase() || !is_folded_by_child()) return part;
    return common(part, wanted_by_own_child(phase));
  }
  Piece result_of_child(std::size_t phase, int child, std::uint64_t chunk) const {
    return common(part_of_child(phase, child, chunk), wanted_by_own_child(phase));
  }
  /// What the member at this one's indices in a child folds.
  Piece part_of_child(std::size_t phase, int child, std::uint64_t chunk) const {
    return part_in(phase == 0 ? chunk_range(chunk) : own_part(phase - 1, chunk), phase, child);
  }
  /// Where the result of an element stands in the slots of those whose part of phase 0 it is in.
  std::size_t result_place(std::size_t element, const Piece& part) const {
    return places_.results() + (element - part.start) * elem_bytes_;
  }
  void find_sources(std::size_t phase, std::uint64_t chunk, const Piece& part) {
    const Piece whole = phase == 0 ? chunk_range(chunk) : own_part(phase - 1, chunk);
    const std::size_t bytes = phase == 0 ? elem_bytes_ : value_bytes_;
    const std::size_t offset = (part.start - whole.start) * bytes;
    const auto& here = groups_.phase(phase);
    const void** source = team_.sources();
    for (std::size_t child = 0; child < here.peers.size(); ++child) {
      const int peer = here.peers[child];
      const std::byte* const slot = phase == 0 ? team_.slots().of(peer, epoch(chunk))
                                               : team_.slots().after({Way::up, phase}, peer, epoch(chunk));
      for (int value = 0; value < here.sources[child]; ++value) {
        const std::size_t place = phase == 0 ? 0 : places_.values(phase - 1, static_cast<std::size_t>(value));
        *source = slot + place + offset;
        Team::Transfer::will_read(*source++, part.count * bytes);
      }
    }
  }

  Team& team_;
  const GroupedFold call_;
  const Hierarchy& groups_;
  std::size_t elem_bytes_;
  std::size_t value_bytes_;
  GroupedPlaces places_;
  std::uint64_t chunks_ = 0;
  std::uint64_t first_epoch_ = 0;
};

template <class Team>
Procedure fold_grouped(Team& team, GroupedFold call) {
  GroupedSteps<Team> steps(team, call);
  const std::uint64_t chunks = steps.chunks();
  for (std::uint64_t step = 0; step < chunks + 2; ++step) {
    if (step >= 2) {
      const std::uint64_t chunk = step - 2;
      for (const int child : steps.owners(0)) {
        if (!steps.has_result(0, child, chunk)) continue;
        co_await steps.part_by(child, chunk);
        steps.collect(child, chunk);
      }
      team.epochs().finish(steps.epoch(chunk));
    }
    if (step < chunks) {
      co_await slot_unread(team, steps.epoch(step));
      steps.fill(step);
    }
    if (step == 0 || step > chunks) continue;
    const std::uint64_t chunk = step - 1;
    for (std::size_t phase = 0; phase <= steps.last_phase(); ++phase) {
      if (!steps.folds(phase, chunk)) continue;
      for (const int peer : steps.peers(phase)) co_await steps.brought_by(peer, phase, chunk);
      steps.fold(phase, chunk);
    }
    for (std::size_t phase = steps.first_gather(); phase > 0; --phase) {
      if (!steps.gathers(phase, chunk)) continue;
      for (const int child : steps.owners(phase)) {
        if (!steps.has_result(phase, child, chunk)) continue;
        co_await steps.result_by(child, phase, chunk);
        steps.gather(phase, child, chunk);
      }
      steps.publish_gathered(phase, chunk);
    }
  }
}

}  // namespace foldlane::engine
