// `--stats`: what the launcher says of a job when it is over.
#pragma once

#include <fstream>

#include "engine/job/areas.hpp"
#include "options/run_options.hpp"
#include "shm/machine/placement.hpp"
#include "shm/segment/segment.hpp"
#include "statistics/gather.hpp"

namespace foldlane::tools {

class JobReport {
 public:
  /// Before the job starts. Throws std::runtime_error if its file cannot be written.
  explicit JobReport(const StatisticsOptions& options);

  /// Of the job's segment: with room for what ranks keep, if a report is wanted.
  engine::Capacity capacity() const;

  /// When all ranks have ended.
  void write(const shm::Segment& segment, const shm::Placement& placement);

 private:
  const StatisticsOptions& options_;
  std::ofstream file_;
  TickLength clock_;
};

}  // namespace foldlane::tools
