// Where ranks' output goes: the launcher's stdout or stderr. Queues text, keeps lines of different ranks
// apart, and never blocks the launcher on a slow reader.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "shm/base/unique_fd.hpp"
#include "terminal/poller.hpp"

namespace foldlane::tools {

class OutputSink {
 public:
  explicit OutputSink(int fd);

  /// Queues `text` of `rank`, each line started with `label`. Text of another rank never continues a line.
  void put(int rank, const std::string& label, std::string_view text);

  void watch(Poller& poller);

  bool pending() const noexcept { return written_ < queue_.size(); }
  bool full() const noexcept;
  /// Nothing can be written any more, because of `error`: EPIPE if the reader is gone.
  bool broken() const noexcept { return error_ != 0; }
  int error() const noexcept { return error_; }
  int fd() const noexcept { return fd_; }

 private:
  void write_some();

  shm::UniqueFd own_;
  int fd_;
  std::string queue_;
  std::size_t written_ = 0;
  int open_line_of_ = -1;  // the rank whose unfinished line was queued last
  int error_ = 0;
};

}  // namespace foldlane::tools
