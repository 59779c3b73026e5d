#include "engine/job/job.hpp"

#include <fmt/format.h>
#include <sched.h>

#include <chrono>
#include <mutex>
#include <numeric>
#include <vector>

#include "engine/collectives/verdict.hpp"
#include "engine/identity/launcher_process.hpp"
#include "engine/job/environment.hpp"
#include "engine/job/ladder.hpp"
#include "engine/job/peer_watch.hpp"
#include "engine/job/segments.hpp"
#include "engine/progress/looks_in_vain.hpp"
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

shm::Signals<shm::RealAtoms> signals_of(const shm::Segment& segment, int rank, const Settings& settings) {
  return {segment.rank_lines(rank).doorbell, segment.launcher_line().abort_word, ladder_of(segment, settings),
          static_cast<shm::Wake>(segment.header().wake), &segment.launcher_line().deaths};
}

std::vector<int> all_ranks(int size) {
  std::vector<int> ranks(static_cast<std::size_t>(size));
  std::iota(ranks.begin(), ranks.end(), 0);
  return ranks;
}

Error no_shared_heap_under(const Launcher& launcher) {
  return {Errc::invalid,
          fmt::format("{} is set, but {} has started this process: only `mpiexec --shared-heap` "
                      "can put a program's heap into the segment",
                      shm::kSharedHeapVariable, launcher.name)};
}

Error did_not_meet(const Launcher& launcher, const ForeignRank& self, const Error& why) {
  return {why.code,
          fmt::format("rank {} of {}, started by {}: {}", self.rank, self.size, launcher.name, why.message)};
}

constexpr auto raw(shm::RankState state) { return static_cast<std::uint64_t>(state); }

}  // namespace

void yield() noexcept { sched_yield(); }

struct Job::State {
  State(shm::Segment mapped, int own_rank, const Settings& settings)
      : segment(std::move(mapped)),
        rank(own_rank),
        heap(segment, own_rank),
        process(peers_of(segment), own_rank, geometry_of(segment), signals_of(segment, own_rank, settings),
                common_memory_of(segment), Decisions(settings.forced)),
        world(process, all_ranks(segment.ranks()), own_rank, 0),
        self(process, {own_rank}, 0, 0),
        messenger(process, own_rank, lane_map(segment, [this](std::size_t bytes) { return allocate(bytes); }),
                  settings.unexpected_limit),
        founding(segment, process, messenger, own_rank),
        deadlock_watch(watched_places_of(segment), own_rank, settings.deadlock,
                       DeadlockWatch::Times().divided_by(settings.haste)) {
    if (segment.ranks() > 1) shm::let_siblings_in();
    if (settings.foreign != nullptr) process.progress().attach(*settings.foreign);
    // Under another MPI ranks wait in that one, too, and nobody knows of that.
    if (settings.foreign == nullptr) process.progress().tell_long_waits(&deadlock_watch);
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
  LooksInVain looks{deadlock_watch, messenger};
  std::mutex heap_mutex;
  // Under a foreign launcher:
  std::optional<Pmi> pmi;
  std::optional<PeerWatch> watch;
};

Result<std::unique_ptr<Job>> Job::join() {
  if (const Launcher* const launcher = foreign_launcher()) return join_under(*launcher);
  const auto identity = identity_from_environment();
  if (!identity.ok()) return identity.error();
  const auto settings = settings_from_environment();
  if (!settings.ok()) return settings.error();
  auto segment = identity.value() ? segment_of(*identity.value()) : segment_of_one();
  if (!segment.ok()) return segment.error();
  const int rank = identity.value() ? identity.value()->rank : 0;
  return join(std::move(segment.value()), rank, settings.value());
}

Result<std::unique_ptr<Job>> Job::join(shm::Segment segment, int rank, const Settings& settings) {
  shm::RankRecord& record = segment.rank_lines(rank).record;
  if (!record.state.claim(raw(shm::RankState::absent), raw(shm::RankState::joining))) {
    return Error{Errc::invalid,
                 fmt::format("joining the job as rank {}: another process already did; a process "
                             "started by a rank cannot be a rank itself",
                             rank)};
  }
  if (auto committed = segment.commit_partition(rank); !committed.ok()) return committed.error();
  auto state = std::make_unique<State>(std::move(segment), rank, settings);
  if (settings.shared_heap) {
    auto placed = shm::place_program_heap(state->segment, state->heap.set_aside_half());
    if (!placed.ok()) return placed.error();
  }
  state->process.signals().publish(state->record().state, raw(shm::RankState::attached));
  return std::unique_ptr<Job>(new Job(std::move(state)));
}

Result<std::unique_ptr<Job>> Job::join_under(const Launcher& launcher) {
  const auto settings = settings_from_environment();
  if (!settings.ok()) return settings.error();
  if (shm::shared_heap_wanted()) return no_shared_heap_under(launcher);
  const auto patience = join_timeout_s();
  if (!patience.ok()) return patience.error();
  auto self = rank_under(launcher);
  if (!self.ok()) return self.error();
  auto segment = segment_of(self.value(), std::chrono::seconds(patience.value()));
  if (!segment.ok()) return did_not_meet(launcher, self.value(), segment.error());
  auto job = join(std::move(segment.value()), self.value().rank, settings.value());
  if (!job.ok()) return job;
  State& state = *job.value()->state_;
  state.pmi = std::move(self.value().pmi);
  state.process.progress().attach(state.watch.emplace(state.segment, state.rank, LauncherProcess(&launcher)));
  return job;
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

Capacity Job::capacity() {
  return is_launched() || foreign_launcher() != nullptr ? Capacity::usual() : Capacity::of_one();
}

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
  BasicProgress<shm::RealAtoms>& progress = process_.progress();
  const bool moved = progress.drive();
  state_->looks.note(progress.moves());
  if (!moved && process_.signals().ladder().polls == 0) yield();
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

void Job::leave() noexcept {
  state_->record().state.publish(raw(shm::RankState::finalized));
  if (state_->pmi) state_->pmi->finalize();
}

void Job::return_again() noexcept { state_->record().state.publish(raw(shm::RankState::attached)); }

void Job::announce_abort(int code) noexcept {
  state_->record().abort_code.publish(static_cast<std::uint32_t>(code));
  state_->record().state.publish(raw(shm::RankState::aborted));
  if (state_->pmi) state_->pmi->abort(code);
}

std::optional<int> code_of_abort(const Process& process) noexcept {
  const shm::Failure failure = shm::unpack(process.signals().abort_word());
  return failure.cause == shm::Cause::aborted ? std::optional(failure.detail) : std::nullopt;
}

}  // namespace foldlane::engine
