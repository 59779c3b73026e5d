#include "engine/job/job.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <numeric>
#include <optional>
#include <vector>

#include "engine/collectives/verdict.hpp"
#include "engine/job/ladder.hpp"
#include "shm/job/job.hpp"
#include "shm/machine/process_memory.hpp"
#include "shm/program_heap/program_heap.hpp"
#include "shm/segment/heap.hpp"
#include "shm/segment/segment.hpp"

namespace foldlane::engine {
namespace {

using shm::Errc;
using shm::Error;
using shm::Result;

struct Identity {
  int rank;
  int size;
  int segment_fd;
};

Result<int> integer_variable(const char* name) {
  const char* text = std::getenv(name);
  int value = -1;
  const char* end = text == nullptr ? nullptr : text + std::strlen(text);
  if (text == nullptr || std::from_chars(text, end, value).ptr != end || value < 0) {
    return Error{Errc::invalid, fmt::format("joining the job: environment variable {} is {}; it is set by "
                                            "`foldlane run` together with {} and {}",
                                            name, text == nullptr ? "missing" : fmt::format("'{}'", text),
                                            shm::kRankVariable, shm::kSegmentVariable)};
  }
  return value;
}

/// nullopt: not started by a launcher, a job of one rank.
Result<std::optional<Identity>> identity_from_environment() {
  if (!Job::launched()) return std::optional<Identity>();
  const auto rank = integer_variable(shm::kRankVariable);
  const auto size = integer_variable(shm::kSizeVariable);
  const auto fd = integer_variable(shm::kSegmentVariable);
  for (const auto* each : {&rank, &size, &fd}) {
    if (!each->ok()) return each->error();
  }
  if (rank.value() >= size.value()) {
    return Error{Errc::invalid, fmt::format("joining the job: rank {} does not exist among {} ranks",
                                            rank.value(), size.value())};
  }
  return std::optional(Identity{rank.value(), size.value(), fd.value()});
}

/// A team of one moves nothing through slots.
constexpr Capacity kAlone{.teams = 1, .slot_bytes = shm::kPageBytes};

Result<shm::Segment> segment_of_one() {
  shm::Placement placement;
  placement.ranks.push_back({{}, -1, 0, 0});
  return shm::Segment::create(shape_for(1, kAlone), placement, 0);
}

Result<shm::Segment> attach(const Identity& identity) {
  auto segment = shm::Segment::attach(identity.segment_fd, layout_hash());
  if (!segment.ok()) return segment;
  if (segment.value().ranks() != identity.size) {
    return Error{Errc::bad_segment,
                 fmt::format("joining the job: the segment is made for {} ranks, {} says {}",
                             segment.value().ranks(), shm::kSizeVariable, identity.size)};
  }
  close(
      identity.segment_fd);  // attach keeps a close-on-exec duplicate; this process's children must not join
  return segment;
}

std::vector<BasicPeer<shm::RealAtoms>> peers_of(const shm::Segment& segment) {
  std::vector<BasicPeer<shm::RealAtoms>> peers;
  for (int rank = 0; rank < segment.ranks(); ++rank) {
    const shm::RankPlaceEntry& place = segment.places()[static_cast<std::size_t>(rank)];
    peers.push_back({team_lines(segment, rank),
                     slot(segment, rank, 0),
                     &segment.rank_lines(rank).doorbell,
                     {place.llc, place.numa, place.package},
                     &segment.rank_lines(rank).inbox,
                     &segment.rank_lines(rank).watchers,
                     &segment.ended_line(rank).death});
  }
  return peers;
}

std::vector<DeadlockWatch::Place> watched_places_of(const shm::Segment& segment) {
  std::vector<DeadlockWatch::Place> places;
  for (int rank = 0; rank < segment.ranks(); ++rank)
    places.push_back({&wait_record(segment, rank), &segment.ended_line(rank)});
  return places;
}

Geometry geometry_of(const shm::Segment& segment) {
  const shm::SegmentHeader& header = segment.header();
  return {capacity_of(header.shape).slot_bytes, static_cast<int>(kSlots), header.llc_bytes,
          static_cast<int>(header.shared_cpus)};
}

CommonMemory common_memory_of(const shm::Segment& segment) {
  const auto ranks = static_cast<std::size_t>(segment.ranks());
  return {segment.heap(0), ranks * segment.header().shape.heap_bytes};
}

shm::Signals<shm::RealAtoms> signals_of(const shm::Segment& segment, int rank, std::int64_t haste) {
  return {segment.rank_lines(rank).doorbell, segment.launcher_line().abort_word, ladder_of(segment, haste),
          static_cast<shm::Wake>(segment.header().wake), &segment.launcher_line().deaths};
}

std::vector<int> all_ranks(int size) {
  std::vector<int> ranks(static_cast<std::size_t>(size));
  std::iota(ranks.begin(), ranks.end(), 0);
  return ranks;
}

constexpr auto raw(shm::RankState state) { return static_cast<std::uint64_t>(state); }

}  // namespace

void yield() noexcept { sched_yield(); }

struct Job::State {
  State(shm::Segment mapped, int own_rank, const ForcedArms& forced, DeadlockPolicy policy,
        std::int64_t haste)
      : segment(std::move(mapped)),
        rank(own_rank),
        heap(segment, own_rank),
        process(peers_of(segment), own_rank, geometry_of(segment), signals_of(segment, own_rank, haste),
                common_memory_of(segment), Decisions(forced)),
        world(process, all_ranks(segment.ranks()), own_rank, 0),
        self(process, {own_rank}, 0, 0),
        messenger(process, own_rank,
                  lane_map(segment, [this](std::size_t bytes) { return allocate(bytes); })),
        founding(segment, process, messenger, own_rank),
        deadlock_watch(watched_places_of(segment), own_rank, policy,
                       DeadlockWatch::Times().divided_by(haste)) {
    if (segment.ranks() > 1) shm::let_siblings_in();
    if (policy != DeadlockPolicy::off) process.progress().tell_long_waits(&deadlock_watch);
  }

  /// For the library itself; null if there is no memory.
  std::byte* allocate(std::size_t bytes) {
    const std::lock_guard lock(heap_mutex);
    auto memory = heap.allocate(bytes);
    return memory.ok() ? static_cast<std::byte*>(memory.value()) : nullptr;
  }

  shm::RankRecord& record() const { return segment.rank_lines(rank).record; }

  shm::Segment segment;
  int rank;
  shm::Heap heap;
  Process process;
  Team world;
  Team self;  // moves nothing through its lines, so sharing the world's id harms nobody
  Messenger messenger;
  Founding founding;
  DeadlockWatch deadlock_watch;
  std::mutex heap_mutex;
};

Result<std::unique_ptr<Job>> Job::join() {
  const auto identity = identity_from_environment();
  if (!identity.ok()) return identity.error();
  const char* const arms = std::getenv(kArmsVariable);
  const auto forced = parse_forced_arms(arms == nullptr ? "" : arms);
  if (!forced.ok()) return forced.error();
  const char* const wish = std::getenv(shm::kDeadlockVariable);
  const auto policy = parse_deadlock_policy(wish == nullptr ? "" : wish);
  if (!policy.ok()) return policy.error();
  const char* const hurry = std::getenv(shm::kDeadlockHasteVariable);
  const auto haste = parse_deadlock_haste(hurry == nullptr ? "" : hurry);
  if (!haste.ok()) return haste.error();
  const bool launched = identity.value().has_value();
  const int rank = launched ? identity.value()->rank : 0;
  auto segment = launched ? attach(*identity.value()) : segment_of_one();
  if (!segment.ok()) return segment.error();
  shm::RankRecord& record = segment.value().rank_lines(rank).record;
  if (!record.state.claim(raw(shm::RankState::absent), raw(shm::RankState::joining))) {
    return Error{Errc::invalid,
                 fmt::format("joining the job as rank {}: another process already did; a process "
                             "started by a rank cannot be a rank itself",
                             rank)};
  }
  if (auto committed = segment.value().commit_partition(rank); !committed.ok()) return committed.error();
  auto state = std::make_unique<State>(std::move(segment.value()), rank, forced.value(), policy.value(),
                                       haste.value());
  if (launched && shm::shared_heap_wanted()) {
    auto placed = shm::place_program_heap(state->segment, state->heap.set_aside_half());
    if (!placed.ok()) return placed.error();
  }
  state->process.signals().publish(state->record().state, raw(shm::RankState::attached));
  return std::unique_ptr<Job>(new Job(std::move(state)));
}

Job::Job(std::unique_ptr<State> state)
    : state_(std::move(state)), process_(state_->process), messenger_(state_->messenger) {
  state_->process.set_ring_source(
      [this] { return state_->allocate(kSlots * state_->process.geometry().slot_bytes); });
}
Job::~Job() = default;

int Job::rank() const noexcept { return state_->rank; }
int Job::size() const noexcept { return state_->segment.ranks(); }
Team& Job::world() noexcept { return state_->world; }
Team& Job::self() noexcept { return state_->self; }

Capacity Job::capacity() { return launched() ? Capacity::usual() : kAlone; }

bool Job::launched() noexcept { return std::getenv(shm::kRankVariable) != nullptr; }

Founding& Job::founding() noexcept { return state_->founding; }

Result<void> Job::await(const std::vector<int>& ranks) const {
  const Process& process = state_->process;
  // They are started in order: who waits for the last first finds the others there, and sleeps once. Who
  // yielded until then would take turns from those that start (1,000 ranks on 2 CPUs: 3.7 s instead of 3.1).
  for (auto next = ranks.rbegin(); next != ranks.rend(); ++next) {
    const int peer = *next;
    shm::RankLines& lines = state_->segment.rank_lines(peer);
    if (state_->segment.ended_line(peer).ended.observe() != 0) {
      const bool absent = lines.record.state.observe() == raw(shm::RankState::absent);
      return Error{Errc::peer_failed,
                   fmt::format("rank {} ended {}", peer,
                               absent ? "without joining the job" : "after its last session was finalized")};
    }
    const auto attached = [&] { return lines.record.state.observe() >= raw(shm::RankState::attached); };
    if (!process.signals().await_asleep(
            attached, lines.doorbell, [&] { return process.has_died(peer); },
            state_->process.progress().while_waiting_for(peer))) {
      return death_of(process, peer);
    }
  }
  return {};
}

void Job::drive() {
  if (!process_.progress().drive() && process_.signals().ladder().polls == 0) yield();
}

void Job::allow_threads() {
  state_->process.progress().allow_threads();
  state_->deadlock_watch.allow_threads();
}

Result<void*> Job::allocate(std::size_t bytes) {
  const std::lock_guard lock(state_->heap_mutex);
  return state_->heap.allocate(bytes);
}
Result<void> Job::deallocate(void* pointer) {
  const std::lock_guard lock(state_->heap_mutex);
  return state_->heap.deallocate(pointer);
}

DeadlockWatch& Job::deadlock_watch() noexcept { return state_->deadlock_watch; }

std::vector<CommunicatorRecord*> Job::communicator_records(int rank) const noexcept {
  return engine::communicator_records(state_->segment, rank);
}

void Job::grow_communicator_records(std::size_t records) {
  static_cast<void>(commit_communicator_records(state_->segment, state_->rank, records));
}

void Job::leave() noexcept { state_->record().state.publish(raw(shm::RankState::finalized)); }

void Job::return_again() noexcept { state_->record().state.publish(raw(shm::RankState::attached)); }

void Job::announce_abort(int code) noexcept {
  state_->record().abort_code.publish(static_cast<std::uint32_t>(code));
  state_->record().state.publish(raw(shm::RankState::aborted));
}

}  // namespace foldlane::engine
