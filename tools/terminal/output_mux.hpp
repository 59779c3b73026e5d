// Forwards the ranks' stdout and stderr to the launcher's: whole lines, one after the other, labelled if
// wanted.
#pragma once

#include <chrono>
#include <list>
#include <memory>
#include <optional>
#include <string>

#include "shm/base/unique_fd.hpp"
#include "terminal/output_sink.hpp"
#include "terminal/poller.hpp"

namespace foldlane::tools {

using Clock = std::chrono::steady_clock;

class OutputMux {
 public:
  /// With a single rank there are no lines to keep apart: its bytes pass as they come.
  OutputMux(bool label, int ranks);

  void add_stdout(int rank, shm::UniqueFd pipe) { add(rank, std::move(pipe), *out_); }
  void add_stderr(int rank, shm::UniqueFd pipe) { add(rank, std::move(pipe), *err_); }

  void watch(Poller& poller);

  /// When an unfinished line that stands long enough (a prompt) has to be shown.
  std::optional<Clock::time_point> next_deadline() const;
  void flush_quiet(Clock::time_point now);

  /// True while some process holds the other end of a pipe.
  bool listening() const noexcept;
  /// True while text waits for the readers of stdout and stderr.
  bool pending() const noexcept { return out_->pending() || err_->pending(); }
  /// Why stdout or stderr takes no more (EPIPE: its reader is gone), 0 if it does; the ranks' pipes to it are
  /// closed, so they notice as they would alone.
  int error() const noexcept { return out_->broken() ? out_->error() : err_->error(); }

  /// Takes what the pipes still hold, unfinished lines included, and closes them.
  void drain();

 private:
  struct Source {
    int rank;
    shm::UniqueFd pipe;
    OutputSink* sink;
    std::string line;  // not forwarded yet
    Clock::time_point last_read;
    bool held_back;  // by a slow reader: not quiet, its line may go on in the pipe
  };

  void add(int rank, shm::UniqueFd pipe, OutputSink& sink);
  static bool ended(const Source& source) noexcept { return !source.pipe.open() || source.sink->broken(); }
  bool read_from(Source& source);
  void forward(Source& source, std::size_t bytes);

  bool label_;
  bool raw_;
  std::shared_ptr<OutputSink> out_;
  std::shared_ptr<OutputSink>
      err_;  // the same as out_ if both go to one file, so that lines stay whole there
  std::list<Source> sources_;
};

}  // namespace foldlane::tools
