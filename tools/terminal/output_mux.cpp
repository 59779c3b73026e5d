#include "terminal/output_mux.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <vector>

namespace foldlane::tools {
namespace {

constexpr auto kQuiet = std::chrono::milliseconds(100);
// A line longer than this is forwarded in pieces rather than kept in memory.
constexpr std::size_t kLineBytes = 1 << 20;

bool same_file(int a, int b) {
  struct stat first {};
  struct stat second {};
  return ::fstat(a, &first) == 0 && ::fstat(b, &second) == 0 && first.st_dev == second.st_dev &&
         first.st_ino == second.st_ino;
}

}  // namespace

OutputMux::OutputMux(bool label, int ranks)
    : label_(label),
      raw_(ranks == 1 && !label),
      out_(std::make_shared<OutputSink>(STDOUT_FILENO)),
      err_(same_file(STDOUT_FILENO, STDERR_FILENO) ? out_ : std::make_shared<OutputSink>(STDERR_FILENO)) {}

void OutputMux::add(int rank, shm::UniqueFd pipe, OutputSink& sink) {
  ::fcntl(pipe.get(), F_SETFL, O_NONBLOCK);
  sources_.push_back({rank, std::move(pipe), &sink, {}, {}, false});
}

void OutputMux::watch(Poller& poller) {
  sources_.remove_if([](const Source& source) { return ended(source); });
  out_->watch(poller);
  if (err_ != out_) err_->watch(poller);
  for (Source& source : sources_) {
    source.held_back = source.sink->full();
    if (!source.held_back) poller.watch(source.pipe.get(), POLLIN, [this, &source] { read_from(source); });
  }
}

/// True if something was read.
bool OutputMux::read_from(Source& source) {
  thread_local std::vector<char> buffer(1 << 16);
  const ssize_t count = ::read(source.pipe.get(), buffer.data(), buffer.size());
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return false;
  if (count <= 0) {
    forward(source, source.line.size());
    source.pipe.reset();
    return false;
  }
  const std::size_t before = source.line.size();
  source.line.append(buffer.data(), static_cast<std::size_t>(count));
  source.last_read = Clock::now();
  if (raw_ || source.line.size() > kLineBytes) {
    forward(source, source.line.size());
  } else if (const auto end = source.line.rfind('\n'); end != std::string::npos && end >= before) {
    forward(source, end + 1);
  }
  return true;
}

void OutputMux::forward(Source& source, std::size_t bytes) {
  const std::string label = label_ ? fmt::format("[{}] ", source.rank) : std::string();
  source.sink->put(source.rank, label, std::string_view(source.line).substr(0, bytes));
  source.line.erase(0, bytes);
}

bool OutputMux::listening() const noexcept {
  return !std::all_of(sources_.begin(), sources_.end(), [](const Source& source) { return ended(source); });
}

std::optional<Clock::time_point> OutputMux::next_deadline() const {
  std::optional<Clock::time_point> earliest;
  for (const Source& source : sources_) {
    const auto deadline = source.last_read + kQuiet;
    if (!source.line.empty() && !source.held_back && (!earliest || deadline < *earliest)) earliest = deadline;
  }
  return earliest;
}

void OutputMux::flush_quiet(Clock::time_point now) {
  for (Source& source : sources_) {
    if (!source.held_back && now >= source.last_read + kQuiet) forward(source, source.line.size());
  }
}

void OutputMux::drain() {
  for (Source& source : sources_) {
    while (source.pipe.open() && read_from(source)) {
    }
    forward(source, source.line.size());
  }
  sources_.clear();
}

}  // namespace foldlane::tools
