#include "launch/rank_environment.hpp"

#include <unistd.h>

#include <algorithm>

#include "api/core/checks.hpp"
#include "launch/installation.hpp"
#include "launch/shared_heap.hpp"
#include "shm/job/job.hpp"
#include "shm/program_heap/program_heap.hpp"

namespace foldlane::tools {

RankEnvironment::RankEnvironment() {
  for (char** entry = environ; *entry != nullptr; ++entry) entries_.emplace_back(*entry);
}

std::size_t RankEnvironment::find(std::string_view name) const {
  const auto named = [&](const std::string& entry) {
    return entry.size() > name.size() && entry[name.size()] == '=' &&
           entry.compare(0, name.size(), name) == 0;
  };
  return static_cast<std::size_t>(std::find_if(entries_.begin(), entries_.end(), named) - entries_.begin());
}

bool RankEnvironment::has(std::string_view name) const { return find(name) < entries_.size(); }

void RankEnvironment::remove(std::string_view name) {
  const std::size_t place = find(name);
  if (place < entries_.size()) entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(place));
}

std::string RankEnvironment::value(std::string_view name) const {
  const std::size_t place = find(name);
  return place == entries_.size() ? std::string() : entries_[place].substr(name.size() + 1);
}

void RankEnvironment::set(std::string_view name, std::string_view value) {
  const std::size_t place = find(name);
  if (place == entries_.size()) entries_.emplace_back();
  entries_[place].assign(name).append("=").append(value);
}

char* const* RankEnvironment::block() {
  pointers_.clear();
  for (std::string& entry : entries_) pointers_.push_back(entry.data());
  pointers_.push_back(nullptr);
  return pointers_.data();
}

RankEnvironment environment_of(const ProgramSpec& spec, int ranks, int segment_fd,
                               const RunOptions& options) {
  RankEnvironment environment;
  environment.remove(shm::kSharedHeapVariable);  // of the job that this launcher is in
  environment.set(shm::kSizeVariable, std::to_string(ranks));
  environment.set(shm::kSegmentVariable, std::to_string(segment_fd));
  if (const std::string library = mpi_library_path(); !library.empty()) {
    // mpi4py built for the standard ABI looks for its MPI by these.
    if (!environment.has("MPI4PY_MPIABI")) environment.set("MPI4PY_MPIABI", "mpiabi");
    if (!environment.has("MPI4PY_LIBMPI")) environment.set("MPI4PY_LIBMPI", library);
  }
  for (const auto& [name, value] : spec.environment) environment.set(name, value);
  if (!options.record.empty()) environment.set(shm::kRecordVariable, options.record);
  if (!options.replay.empty()) environment.set(shm::kReplayVariable, options.replay);
  if (options.shared_heap) ask_for_shared_heap(environment);
  if (!options.checks.empty()) environment.set(api::kCheckVariable, options.checks);
  if (options.progress_thread) environment.set(shm::kProgressThreadVariable, "1");
  if (!options.deadlock.empty()) environment.set(shm::kDeadlockVariable, options.deadlock);
  if (options.unexpected_limit)
    environment.set(shm::kUnexpectedLimitVariable, std::to_string(*options.unexpected_limit));
  return environment;
}

}  // namespace foldlane::tools
