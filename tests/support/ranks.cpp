#include "support/ranks.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <exception>
#include <numeric>
#include <thread>

#include "engine/job/areas.hpp"
#include "shm/segment/heap.hpp"
#include "support/segment_dump.hpp"
#include "support/watchdog.hpp"

namespace foldlane::testing {
namespace {

constexpr std::size_t kReportBytes = 4096;

std::vector<engine::BasicPeer<shm::RealAtoms>> peers_of(const shm::Segment& segment,
                                                        const RunOptions& options) {
  std::vector<engine::BasicPeer<shm::RealAtoms>> peers;
  for (int rank = 0; rank < segment.ranks(); ++rank) {
    peers.push_back({engine::team_lines(segment, rank),
                     engine::slot(segment, rank, 0),
                     &segment.rank_lines(rank).doorbell,
                     {},
                     &segment.rank_lines(rank).inbox,
                     &segment.rank_lines(rank).watchers,
                     &segment.ended_line(rank).death});
    if (!options.seats.empty()) peers.back().seat = options.seats[static_cast<std::size_t>(rank)];
  }
  return peers;
}

std::string run_one(shm::Segment& segment, const RunOptions& options, int rank, const RankBody& body) {
  if (auto committed = segment.commit_partition(rank); !committed.ok()) return committed.error().message;
  const shm::SegmentHeader& header = segment.header();
  const auto usual = options.oversubscribed
                         ? shm::Ladder::shared_cpu(1, static_cast<std::uint32_t>(segment.ranks()))
                         : shm::Ladder::own_cpu();
  const shm::Ladder ladder = options.ladder.value_or(usual);
  engine::Process process(peers_of(segment, options), rank,
                          {engine::capacity_of(header.shape).slot_bytes, static_cast<int>(engine::kSlots),
                           options.llc_bytes, options.shared_cpus},
                          {segment.rank_lines(rank).doorbell, segment.launcher_line().abort_word, ladder,
                           static_cast<shm::Wake>(header.wake), &segment.launcher_line().deaths},
                          {segment.heap(0), options.shape.ranks * options.shape.heap_bytes});
  shm::Heap heap(segment, rank);
  const auto allocate = [&](std::size_t bytes) -> std::byte* {
    auto memory = heap.allocate(bytes);
    return memory.ok() ? static_cast<std::byte*>(memory.value()) : nullptr;
  };
  process.set_ring_source(
      [&] { return allocate(engine::kSlots * engine::capacity_of(header.shape).slot_bytes); });
  engine::Messenger messenger(process, rank, engine::lane_map(segment, allocate));
  std::vector<int> members(static_cast<std::size_t>(segment.ranks()));
  std::iota(members.begin(), members.end(), 0);
  engine::Team world(process, members, rank, 0);
  RankContext context{rank, segment.ranks(), segment, process, world, messenger, heap};
  return body(context);
}

std::vector<std::string> collect(const std::vector<std::string>& reports) {
  std::vector<std::string> problems;
  for (std::size_t rank = 0; rank < reports.size(); ++rank) {
    if (!reports[rank].empty()) problems.push_back(fmt::format("rank {}: {}", rank, reports[rank]));
  }
  return problems;
}

std::vector<std::string> run_threads(shm::Segment& segment, const RunOptions& options, const RankBody& body) {
  std::vector<std::string> reports(options.shape.ranks);
  {
    std::vector<std::jthread> threads;
    for (std::size_t rank = 0; rank < reports.size(); ++rank) {
      threads.emplace_back(
          [&, rank] { reports[rank] = run_one(segment, options, static_cast<int>(rank), body); });
    }
  }
  return collect(reports);
}

/// One page per rank, shared with the children: what they would say.
class ReportPages {
 public:
  explicit ReportPages(std::size_t ranks)
      : bytes_(ranks * kReportBytes),
        base_(static_cast<char*>(
            mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0))) {}
  ~ReportPages() { munmap(base_, bytes_); }

  void write(std::size_t rank, const std::string& report) {
    std::strncpy(base_ + rank * kReportBytes, report.c_str(), kReportBytes - 1);
  }
  std::string read(std::size_t rank) const { return base_ + rank * kReportBytes; }

 private:
  std::size_t bytes_;
  char* base_;
};

/// A body that throws must not unwind into the parent's test code.
[[noreturn]] void run_child(shm::Segment& segment, const RunOptions& options, std::size_t rank,
                            const RankBody& body, ReportPages& pages) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // a test that is killed leaves no rank behind
  try {
    pages.write(rank, run_one(segment, options, static_cast<int>(rank), body));
  } catch (const std::exception& error) {
    pages.write(rank, fmt::format("exception: {}", error.what()));
  }
  std::fflush(nullptr);
  _exit(0);
}

std::vector<std::string> run_processes(shm::Segment& segment, const RunOptions& options,
                                       const RankBody& body) {
  ReportPages pages(options.shape.ranks);
  std::vector<pid_t> children;
  for (std::size_t rank = 0; rank < options.shape.ranks; ++rank) {
    const pid_t child = fork();
    if (child == 0) run_child(segment, options, rank, body, pages);
    children.push_back(child);
  }
  const Watchdog watchdog(options.watchdog_s, [&] {
    std::fputs(dump(segment, 0).c_str(), stderr);
    for (const pid_t child : children) kill(child, SIGKILL);
  });
  std::vector<std::string> reports;
  for (std::size_t rank = 0; rank < children.size(); ++rank) {
    int status = 0;
    waitpid(children[rank], &status, 0);
    reports.push_back(pages.read(rank));
    if (reports.back().empty() && status != 0)
      reports.back() = fmt::format("ended with wait status {:#x}", status);
  }
  return collect(reports);
}

}  // namespace

shm::SegmentShape tiny_shape(int ranks) {
  shm::SegmentShape shape = engine::shape_for(ranks, {.teams = 64, .slot_bytes = shm::kPageBytes});
  shape.heap_bytes = 4 << 20;
  return shape;
}

std::vector<std::string> run_ranks(Transport transport, const RunOptions& options, const RankBody& body) {
  shm::Placement placement;
  placement.ranks.assign(options.shape.ranks, {{}, -1, 0, 0});
  placement.oversubscribed = options.oversubscribed;
  auto segment = shm::Segment::create(options.shape, placement, options.llc_bytes);
  if (!segment.ok()) return {segment.error().message};
  if (transport == Transport::processes) return run_processes(segment.value(), options, body);
  const Watchdog watchdog(options.watchdog_s, [&] { std::fputs(dump(segment.value(), 0).c_str(), stderr); });
  return run_threads(segment.value(), options, body);
}

const char* name(Transport transport) { return transport == Transport::threads ? "threads" : "processes"; }

}  // namespace foldlane::testing
