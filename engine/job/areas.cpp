#include "engine/job/areas.hpp"

#include <cstddef>
#include <utility>

namespace foldlane::engine {
namespace {

/// In the order of areas_for().
enum Which : std::size_t {
  kTeamIds,
  kPostingLines,
  kSlotBuffers,
  kTeamLines,
  kStatistics,
  kLanes,
  kCredits,
  kKnocks,
  kWaits
};

/// Address space: two pages of lines per team and rank, committed when a team first uses them.
constexpr std::uint32_t kTeams = 32768;
/// Two ranks on cores with 1 MiB of L2, 1 MiB and 64 MiB of doubles: 8 slots of 64 KiB take 80 and
/// 10,600 us, 4 of 256 KiB 63 and 9,500 us, 4 of 1 MiB 69 and 10,500 us.
constexpr std::uint64_t kSlotBytes = 256 << 10;

#define FOLDLANE_FIELD(type, member) \
  shm::Field { #member, offsetof(type, member), sizeof(type::member) }

constexpr shm::Field kWord[] = {{"first_epoch_and_use", 0, sizeof(TeamIdWord)}};
constexpr shm::Field kPosting[] = {FOLDLANE_FIELD(Posting, key), FOLDLANE_FIELD(Posting, facts)};

using Record = BasicCallRecord<shm::RealAtoms>;
/// The parts of a team's lines, then what these consist of.
constexpr shm::Field kLines[] = {
    FOLDLANE_FIELD(TeamLines, inline_lines),
    FOLDLANE_FIELD(TeamLines, steps),
    FOLDLANE_FIELD(TeamLines, deliveries),
    FOLDLANE_FIELD(TeamLines, finished),
    FOLDLANE_FIELD(TeamLines, calls),
    FOLDLANE_FIELD(TeamLines, crossings),
    FOLDLANE_FIELD(TeamLines::Inline, payload),
    FOLDLANE_FIELD(TeamLines::Inline, mark),
    FOLDLANE_FIELD(TeamLines::Stage, done),
    FOLDLANE_FIELD(TeamLines::Stage, where),
    FOLDLANE_FIELD(TeamLines::Filling, mark),
    FOLDLANE_FIELD(TeamLines::Filling, elsewhere),
    FOLDLANE_FIELD(TeamLines::Filling, where),
    FOLDLANE_FIELD(TeamLines::Filling, took),
    FOLDLANE_FIELD(TeamLines::Steps, in_slot),
    FOLDLANE_FIELD(TeamLines::Steps, folded),
    FOLDLANE_FIELD(TeamLines::Delivery, mark),
    FOLDLANE_FIELD(TeamLines::Delivery, took),
    FOLDLANE_FIELD(TeamLines::Delivery, how),
    FOLDLANE_FIELD(TeamLines::Deliveries, in_turn),
    FOLDLANE_FIELD(TeamLines::Deliveries, offered),
    FOLDLANE_FIELD(TeamLines::Deliveries, to_group),
    FOLDLANE_FIELD(TeamLines::Crossing, up),
    FOLDLANE_FIELD(TeamLines::Crossing, down),
    FOLDLANE_FIELD(TeamLines::Finished, epoch),
    FOLDLANE_FIELD(TeamLines::Finished, broken),
    FOLDLANE_FIELD(TeamLines::Finished, lengths),
    FOLDLANE_FIELD(TeamLines::Finished, wants),
    FOLDLANE_FIELD(TeamLines::Finished, central),
    FOLDLANE_FIELD(TeamLines::Central, arrived),
    FOLDLANE_FIELD(TeamLines::Central, done),
    FOLDLANE_FIELD(TeamLines::Central, last),
    FOLDLANE_FIELD(TeamLines::Central, bell),
    FOLDLANE_FIELD(TeamLines::Central, result),
    FOLDLANE_FIELD(TeamLines::Calls, records),
    FOLDLANE_FIELD(Record, chain),
    FOLDLANE_FIELD(Record, what),
    FOLDLANE_FIELD(Record, count),
    FOLDLANE_FIELD(Record, seal),
};

constexpr shm::Field kRecord[] = {
    FOLDLANE_FIELD(CommunicatorRecord, team),
    FOLDLANE_FIELD(CommunicatorRecord, calls),
    FOLDLANE_FIELD(CommunicatorRecord, compared),
    FOLDLANE_FIELD(CommunicatorRecord, member),
    FOLDLANE_FIELD(CommunicatorRecord, members),
    FOLDLANE_FIELD(CommunicatorRecord, name),
    FOLDLANE_FIELD(CommunicatorRecord, totals),
    FOLDLANE_FIELD(CommunicatorRecord, arrivals),
    FOLDLANE_FIELD(CallTotals, calls),
    FOLDLANE_FIELD(CallTotals, bytes),
    FOLDLANE_FIELD(CallTotals, inside),
    FOLDLANE_FIELD(CallTotals, compared),
    FOLDLANE_FIELD(CallTotals, waited),
    FOLDLANE_FIELD(CallTotals, times_late),
    FOLDLANE_FIELD(CallTotals, kept_waiting),
    FOLDLANE_FIELD(CallTotals, direct_bytes),
    FOLDLANE_FIELD(CallTotals, private_calls),
    FOLDLANE_FIELD(CallTotals, private_bytes),
    FOLDLANE_FIELD(CallTotals, routes),
    FOLDLANE_FIELD(Arrival, entered),
    FOLDLANE_FIELD(Arrival, waits_from),
    FOLDLANE_FIELD(Arrival, left),
    FOLDLANE_FIELD(Arrival, what),
};

constexpr shm::Field kCell[] = {
    FOLDLANE_FIELD(Cell, tail),
    FOLDLANE_FIELD(Cell, head),
    FOLDLANE_FIELD(Cell, envelope),
    FOLDLANE_FIELD(Cell, mark),
    FOLDLANE_FIELD(TransferLines, sender),
    FOLDLANE_FIELD(TransferLines, receiver),
    FOLDLANE_FIELD(TransferLines, pieces),
};
constexpr shm::Field kCredit[] = {FOLDLANE_FIELD(Credits, freed), FOLDLANE_FIELD(Credits, watched),
                                  FOLDLANE_FIELD(Credits, full), FOLDLANE_FIELD(Credits, pulls_again),
                                  FOLDLANE_FIELD(Credits, pulls_elsewhere)};
constexpr shm::Field kKnock[] = {FOLDLANE_FIELD(Knocks, ranks), FOLDLANE_FIELD(Knocks, summary)};
constexpr shm::Field kWait[] = {
    FOLDLANE_FIELD(WaitRecord, serial),   FOLDLANE_FIELD(WaitRecord, rounds),
    FOLDLANE_FIELD(WaitRecord, since),    FOLDLANE_FIELD(WaitRecord, threads),
    FOLDLANE_FIELD(WaitRecord, vague),    FOLDLANE_FIELD(WaitRecord, looks),
    FOLDLANE_FIELD(WaitRecord, reported), FOLDLANE_FIELD(WaitRecord, awaited),
    FOLDLANE_FIELD(WaitRecord, text),
};

#undef FOLDLANE_FIELD

/// A lane is a page where that costs little: a rank with 26 neighbours has 104 KiB of them. Everybody with
/// everybody of 1,000 ranks would be 4 GB, a quarter of that is 1.
std::uint64_t cells_per_lane(std::uint64_t ranks) { return ranks <= 256 ? 32 : 8; }

}  // namespace

Capacity Capacity::usual() { return {.teams = kTeams, .slot_bytes = kSlotBytes}; }
Capacity Capacity::of_one() { return {.teams = 1, .slot_bytes = shm::kPageBytes}; }

std::vector<shm::Area> areas_for(int ranks, const Capacity& capacity) {
  const auto peers = static_cast<std::uint64_t>(ranks);
  using shm::Commit, shm::Keeper;
  return {{"team_ids", {sizeof(TeamIdWord), capacity.teams, Keeper::job, Commit::by_creator}, kWord},
          {"postings", {sizeof(Posting), kPostings, Keeper::rank, Commit::by_creator}, kPosting},
          {"slots", {capacity.slot_bytes, kSlots, Keeper::rank, Commit::by_rank}},
          {"team_lines", {sizeof(TeamLines), capacity.teams, Keeper::rank, Commit::as_needed}, kLines},
          {"statistics",
           {sizeof(CommunicatorRecord), capacity.records, Keeper::rank, Commit::as_needed},
           kRecord},
          {"lanes", {sizeof(Cell), peers * cells_per_lane(peers), Keeper::rank, Commit::one_by_one}, kCell},
          {"credits", {sizeof(Credits), peers, Keeper::rank, Commit::one_by_one}, kCredit},
          {"knocks", {sizeof(Knocks), 1, Keeper::rank, Commit::by_creator}, kKnock},
          {"waits", {sizeof(WaitRecord), 1, Keeper::rank, Commit::by_creator}, kWait}};
}

shm::SegmentShape shape_for(int ranks, const Capacity& capacity) {
  return shm::shape_of(ranks, shm::heap_bytes_for(ranks), areas_for(ranks, capacity));
}

std::uint64_t layout_hash() { return shm::layout_hash(areas_for(1, Capacity::usual())); }

Capacity capacity_of(const shm::SegmentShape& shape) {
  return {static_cast<std::uint32_t>(shape.areas[kTeamLines].elements),
          shape.areas[kSlotBuffers].element_bytes,
          static_cast<std::uint32_t>(shape.areas[kStatistics].elements)};
}

std::span<TeamIdWord> team_ids(const shm::Segment& segment) {
  return {reinterpret_cast<TeamIdWord*>(segment.job_area(kTeamIds)),
          segment.shape_of_area(kTeamIds).elements};
}

std::span<Posting> postings(const shm::Segment& segment, int rank) {
  return {reinterpret_cast<Posting*>(segment.element(rank, kPostingLines, 0)),
          segment.shape_of_area(kPostingLines).elements};
}

std::byte* slot(const shm::Segment& segment, int rank, int index) {
  return segment.element(rank, kSlotBuffers, static_cast<std::uint64_t>(index));
}

WaitRecord& wait_record(const shm::Segment& segment, int rank) {
  return *reinterpret_cast<WaitRecord*>(segment.element(rank, kWaits, 0));
}

LinesById team_lines(const shm::Segment& segment, int rank) {
  std::byte* const first = segment.element(rank, kTeamLines, 0);
  return {reinterpret_cast<TeamLines*>(first),
          static_cast<std::size_t>(segment.element(rank, kTeamLines, 1) - first)};
}

std::uint64_t team_bytes(const shm::SegmentShape& shape) {
  return shm::chunk_of(shape.areas[kTeamLines]).bytes;
}

std::vector<CommunicatorRecord*> communicator_records(const shm::Segment& segment, int rank) {
  std::vector<CommunicatorRecord*> records(segment.growth(rank, kStatistics).ready.observe());
  for (std::size_t i = 0; i < records.size(); ++i)
    records[i] = reinterpret_cast<CommunicatorRecord*>(segment.element(rank, kStatistics, i));
  return records;
}

shm::Result<void> commit_communicator_records(shm::Segment& segment, int rank, std::size_t records) {
  return segment.commit_elements(rank, kStatistics, records);
}

std::uint64_t lane_bytes(const shm::SegmentShape& shape) {
  return shape.areas[kLanes].elements / shape.ranks * sizeof(Cell) + sizeof(Credits);
}

LaneMap lane_map(shm::Segment& segment, std::function<std::byte*(std::size_t)> allocate) {
  LaneMap map;
  const auto ranks = static_cast<std::uint64_t>(segment.ranks());
  map.cells_per_lane = static_cast<std::uint32_t>(segment.shape_of_area(kLanes).elements / ranks);
  for (int rank = 0; rank < segment.ranks(); ++rank) {
    map.lanes.push_back(reinterpret_cast<Cell*>(segment.element(rank, kLanes, 0)));
    map.credits.push_back(reinterpret_cast<Credits*>(segment.element(rank, kCredits, 0)));
    map.knocks.push_back(reinterpret_cast<Knocks*>(segment.element(rank, kKnocks, 0)));
  }
  const std::uint64_t cells = map.cells_per_lane;
  map.open = [&segment, cells](int from, int to) -> shm::Result<void> {
    auto lane = segment.commit_some(from, kLanes, static_cast<std::uint64_t>(to) * cells, cells);
    if (!lane.ok()) return lane;
    return segment.commit_some(to, kCredits, static_cast<std::uint64_t>(from), 1);
  };
  map.allocate = std::move(allocate);
  return map;
}

shm::Result<void> commit_team_lines(shm::Segment& segment, int rank, int team) {
  auto committed = segment.commit_elements(rank, kTeamLines, static_cast<std::uint64_t>(team) + 1);
  if (committed.ok()) return committed;
  return shm::Error{committed.error().code, "the lines of teams: " + committed.error().message};
}

const shm::Growth& committed_team_lines(const shm::Segment& segment, int rank) {
  return segment.growth(rank, kTeamLines);
}

}  // namespace foldlane::engine
