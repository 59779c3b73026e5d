// What of a run depends on time: which message a receive from anybody got, which of several requests was
// complete first, whether something had come when the program asked. `mpiexec --record DIR` has each rank
// write it down in DIR/rank-N, a line per outcome; with `--replay DIR` its calls have the same outcomes
// again, and a race that was found once is found each time. A program that lets several threads call MPI at a
// time has another order each time, so MPI_THREAD_MULTIPLE is refused under both.
#pragma once

#include <cstdint>
#include <cstdio>
#include <deque>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "api/core/call.hpp"

namespace foldlane::api {

/// What a call told the program, as numbers: a flag, an index, a source and a tag.
using Outcome = std::vector<int>;

class Journal {
 public:
  enum class Mode { records, replays };

  /// Of the rank with this number. Throws a Failure (MPI_ERR_OTHER) that names the file if it cannot be
  /// written or read, or is not of such a rank.
  Journal(Mode mode, const std::string& directory, int rank, int ranks);
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;
  ~Journal() {
    if (file_ != nullptr) std::fclose(file_);
  }

  bool replays() const noexcept { return mode_ == Mode::replays; }

  // ---- calls, in the order in which the program makes them

  /// Records what a call has told.
  void note(Call call, const Outcome& outcome);
  /// All that was noted is in the file.
  void flush();
  /// What the call told in the recorded run; none if that ended here. Throws a Failure (MPI_ERR_OTHER) if
  /// another call was made there.
  std::optional<Outcome> recall(Call call);

  // ---- receives that leave source or tag open, by the order in which they began

  struct Match {
    int source;  // as the communicator numbers them
    int tag;
  };
  std::uint64_t next_receive() noexcept { return receives_++; }
  void note(std::uint64_t receive, Match match);
  /// None: it got no message in the recorded run.
  std::optional<Match> recall(std::uint64_t receive) const;
  /// False: the recorded run ended before that receive was over, and it may get what it likes.
  bool knows(std::uint64_t receive) const noexcept { return receive <= last_receive_; }

  // ---- nonblocking receives, by the order in which they began: whether MPI_Cancel came before a message

  std::uint64_t next_nonblocking() noexcept { return nonblocking_++; }
  void note_cancel(std::uint64_t receive, bool cancelled);
  /// None: the recorded run did not try.
  std::optional<bool> recall_cancel(std::uint64_t receive) const;

 private:
  /// A call and how often, one after the other, it told the same: programs ask until something has come.
  struct Line {
    std::string call;
    Outcome outcome;
    std::uint64_t times = 0;

    bool is_of(Call other) const { return call == other.name; }
  };

  void read();
  void read(const std::string& text, int number);
  void write(const Line& line);
  [[noreturn]] void reject(const std::string& why) const;

  Mode mode_;
  std::string path_;
  std::FILE* file_ = nullptr;  // to be recorded in
  std::string header_;
  Line pending_;            // recorded, and not written: it may happen again
  std::deque<Line> lines_;  // to be replayed
  bool said_ = false;       // that the record has ended
  std::uint64_t receives_ = 1;
  std::unordered_map<std::uint64_t, Match> matches_;
  std::uint64_t last_receive_ = 0;
  std::uint64_t nonblocking_ = 1;
  std::unordered_map<std::uint64_t, bool> cancels_;
};

}  // namespace foldlane::api
