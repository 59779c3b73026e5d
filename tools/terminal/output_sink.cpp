#include "terminal/output_sink.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <limits.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>

namespace foldlane::tools {
namespace {

// Ranks are held back (their pipes fill up) while this much waits for a slow reader.
constexpr std::size_t kQueueBytes = 1 << 20;
// poll() promises room for this much in a pipe, so that even a blocking write of it does not wait.
constexpr std::size_t kWriteBytes = PIPE_BUF;

/// A description of our own for a pipe or terminal, so that non-blocking mode does not leak into the shell
/// that shares the inherited one. Where it cannot be reopened, poll() and small writes have to do.
shm::UniqueFd reopen_nonblocking(int fd) {
  struct stat status {};
  if (::fstat(fd, &status) != 0 || !(S_ISFIFO(status.st_mode) || S_ISCHR(status.st_mode))) return {};
  return shm::UniqueFd(
      ::open(fmt::format("/proc/self/fd/{}", fd).c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
}

}  // namespace

OutputSink::OutputSink(int fd) : own_(reopen_nonblocking(fd)), fd_(own_.open() ? own_.get() : fd) {}

void OutputSink::put(int rank, const std::string& label, std::string_view text) {
  if (broken() || text.empty()) return;
  if (open_line_of_ >= 0 && open_line_of_ != rank) {
    queue_ += '\n';
    open_line_of_ = -1;
  }
  while (!text.empty()) {
    const auto end = label.empty() ? text.rfind('\n') : text.find('\n');
    const std::string_view piece = text.substr(0, end == std::string_view::npos ? text.size() : end + 1);
    if (open_line_of_ < 0) queue_ += label;
    queue_ += piece;
    open_line_of_ = piece.back() == '\n' ? -1 : rank;
    text.remove_prefix(piece.size());
  }
}

bool OutputSink::full() const noexcept { return queue_.size() - written_ >= kQueueBytes; }

void OutputSink::watch(Poller& poller) {
  if (pending()) poller.watch(fd_, POLLOUT, [this] { write_some(); });
}

void OutputSink::write_some() {
  const auto bytes = std::min(queue_.size() - written_, kWriteBytes);
  const ssize_t count = ::write(fd_, queue_.data() + written_, bytes);
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (count < 0) {
    error_ = errno;
    queue_.clear();
    written_ = 0;
    return;
  }
  written_ += static_cast<std::size_t>(count);
  if (written_ == queue_.size() || written_ >= kQueueBytes) {
    queue_.erase(0, written_);
    written_ = 0;
  }
}

}  // namespace foldlane::tools
