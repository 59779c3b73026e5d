#include "api/host/founding.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <optional>
#include <vector>

#include "api/host/nodes/launch.hpp"
#include "api/host/presence.hpp"
#include "engine/job/segments.hpp"
#include "shm/base/stderr_reader.hpp"
#include "shm/machine/cpu_mask.hpp"
#include "shm/segment/address.hpp"

namespace foldlane::host {
namespace {

using shm::Errc;
using shm::Error;
using shm::Result;

/// The ranks of the job that share memory, in their order.
class Node {
 public:
  explicit Node(const Host& host) : host_(host) {
    const HostCalls& call = host.call();
    call.Comm_rank(host.constants().world, &job_rank_);
    call.Comm_size(host.constants().world, &job_size_);
    const auto kind = static_cast<int>(host.value("MPI_COMM_TYPE_SHARED").value_or(0));
    call.Comm_split_type(host.constants().world, kind, job_rank_, host.value("MPI_INFO_NULL").value_or(0),
                         &comm_);
    call.Comm_rank(comm_, &rank_);
    call.Comm_size(comm_, &size_);
  }

  Handle comm() const { return comm_; }
  int rank() const { return rank_; }
  int job_rank() const { return job_rank_; }
  int job_size() const { return job_size_; }

  /// By rank; at rank 0 alone.
  template <class Shown>
  std::vector<Shown> gather(const Shown& own) const {
    std::vector<Shown> all(rank_ == 0 ? static_cast<std::size_t>(size_) : 0);
    const Handle byte = host_.constants().byte;
    host_.call().Gather(&own, sizeof own, byte, all.data(), sizeof own, byte, 0, comm_);
    return all;
  }
  /// What rank 0 has.
  template <class Told>
  void tell(Told& told) const {
    host_.call().Bcast(&told, sizeof told, host_.constants().byte, 0, comm_);
  }
  /// Of each rank of the job: the first one on its node.
  std::vector<int> nodes_of_job() const {
    int first = job_rank_;
    tell(first);
    std::vector<int> all(static_cast<std::size_t>(job_size_));
    const Handle byte = host_.constants().byte;
    host_.call().Allgather(&first, sizeof first, byte, all.data(), sizeof first, byte,
                           host_.constants().world);
    return all;
  }

 private:
  const Host& host_;
  Handle comm_ = 0;
  int rank_ = 0;
  int job_rank_ = 0;
  int job_size_ = 0;
  int size_ = 0;
};

/// Rank 0 of the node makes it, the others open it where that says.
Result<shm::Segment> segment_on(const Node& node) {
  const auto masks = node.gather(shm::own_cpus());
  shm::SegmentAddress address{-1, -1, 0, 0};
  if (node.rank() == 0) {
    auto made = engine::segment_for(masks);
    if (made.ok()) address = shm::address_of(made.value());
    node.tell(address);
    return made;
  }
  node.tell(address);
  if (address.fd < 0) return Error{Errc::system, "the first rank of its node could make no shared segment"};
  return shm::attach(address, engine::layout_hash());
}

Result<std::unique_ptr<engine::Job>> join(const Node& node, HostProgress& progress) {
  auto segment = segment_on(node);
  if (!segment.ok()) return segment.error();
  auto settings = engine::settings_from_environment();
  if (!settings.ok()) return settings.error();
  settings.value().deadlock = engine::DeadlockPolicy::off;  // ranks may wait for each other in the host, too
  settings.value().shared_heap = false;  // the launcher of another job of ours may have asked for it
  settings.value().foreign = &progress;
  return engine::Job::join(std::move(segment.value()), node.rank(), settings.value());
}

/// The lowest rank that has not succeeded; the number of ranks if all have.
int first_failure(const Host& host, const Node& node, bool succeeded) {
  const int own = succeeded ? node.job_size() : node.job_rank();
  int first = 0;
  host.call().Allreduce(&own, &first, 1, host.value("MPI_INT").value_or(0), host.value("MPI_MIN").value_or(0),
                        host.constants().world);
  return first;
}

}  // namespace

void HostProgress::go_on() noexcept {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::milliseconds kBetweenLooks{100};
  int flag = 0;
  host_.call().Iprobe(host_.constants().any_source, 0, comm_, &flag, host_.constants().status_ignore);
  const Clock::duration now = Clock::now().time_since_epoch();
  if (now - Clock::duration(looked_.peek()) < kBetweenLooks) return;
  looked_.publish(now.count());
  if (!launcher_.has_ended()) return;
  say("this rank ends, because its launcher was killed");
  ::_exit(EXIT_FAILURE);
}

void say(const std::string& line) {
  const std::string text = "foldlane: " + line + "\n";
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
}

void abort_job(const Host& host, int code) {
  shm::await_reader_of_stderr();
  host.call().Abort(host.constants().world, code);
  std::abort();
}

Founded found_job(const Host& host, HostProgress& progress) {
  int rank = 0, ranks = 0;
  host.call().Comm_rank(host.constants().world, &rank);
  host.call().Comm_size(host.constants().world, &ranks);
  say_if_launcher_is_strange(ranks);
  if (!may_meet()) {
    if (rank == 0)
      say("nothing is accelerated: the job's ranks are on several nodes, and nothing says that all of "
          "them have Foldlane, as 'foldlane accelerate' does");
    return {};
  }
  progress.poll_on(host.constants().world);
  if (!are_several_nodes() && !all_ranks_of_node_are_here(host, progress)) return {};
  meet(host);
  const Node node(host);
  progress.poll_on(node.comm());
  auto job = join(node, progress);
  const int failed = first_failure(host, node, job.ok());
  if (failed == node.job_size()) return {std::move(job.value()), node.comm(), node.nodes_of_job()};
  if (failed == rank) say(fmt::format("nothing is accelerated: rank {}: {}", rank, job.error().message));
  Handle comm = node.comm();
  host.call().Comm_free(&comm);
  return {};
}

}  // namespace foldlane::host
