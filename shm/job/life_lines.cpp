#include "shm/job/life_lines.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <cerrno>

#include "shm/job/job.hpp"

namespace foldlane::shm {
namespace {

struct flock line_of(int rank) {
  struct flock line {};
  line.l_type = F_WRLCK;
  line.l_whence = SEEK_SET;
  line.l_start = rank;
  line.l_len = 1;
  return line;
}

bool is_free(const Segment& segment, int rank) {
  struct flock line = line_of(rank);
  return fcntl(segment.fd(), F_GETLK, &line) == 0 && line.l_type == F_UNLCK;
}

void declare_end(JobMonitor& monitor, int rank) {
  const RankReport report = monitor.report(rank);
  if (report.state == RankState::aborted) {
    monitor.declare({rank, Cause::aborted, report.abort_code});
  } else if (report.state != RankState::finalized) {
    monitor.declare({rank, Cause::lost, 0});
  }
  monitor.declare_ended(rank);
}

}  // namespace

Result<void> take_life_line(const Segment& segment, int rank) {
  struct flock line = line_of(rank);
  if (fcntl(segment.fd(), F_SETLK, &line) == 0) return {};
  return system_error(fmt::format("taking the lock by which others see that rank {} is alive", rank), errno);
}

void look_for_deaths(Segment& segment, int own) {
  JobMonitor monitor(segment);
  for (int rank = 0; rank < segment.ranks(); ++rank) {
    if (rank == own || segment.ended_line(rank).ended.observe() != 0)
      continue;  // nobody conflicts with itself
    if (is_free(segment, rank)) declare_end(monitor, rank);
  }
}

}  // namespace foldlane::shm
