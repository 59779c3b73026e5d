#include "statistics/job_report.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <stdexcept>
#include <string>

#include "statistics/statistics_text.hpp"

namespace foldlane::tools {

using Format = StatisticsOptions::Format;

JobReport::JobReport(const StatisticsOptions& options) : options_(options) {
  if (options.file.empty()) return;
  file_.open(options.file);
  if (!file_) throw std::runtime_error(fmt::format("--stats: cannot write the file {}", options.file));
}

engine::Capacity JobReport::capacity() const {
  engine::Capacity capacity = engine::Capacity::usual();
  if (options_.format != Format::none) capacity.records = engine::kCommunicatorRecords;
  return capacity;
}

void JobReport::write(const shm::Segment& segment, const shm::Placement& placement) {
  if (options_.format == Format::none) return;
  const JobStatistics job = gather(segment, placement, clock_);
  const std::string text = options_.format == Format::json ? json_of(job) : text_of(job);
  if (options_.file.empty()) {
    // A closed or full stderr must not end the launcher.
    [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
    return;
  }
  file_ << text << std::flush;
  if (!file_) throw std::runtime_error(fmt::format("--stats: writing the file {} failed", options_.file));
}

}  // namespace foldlane::tools
