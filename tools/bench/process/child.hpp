// A program started by the driver, with what it writes kept for the case that it fails.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "shm/base/unique_fd.hpp"

namespace foldlane::bench {

class Child {
 public:
  /// Starts `arguments`, found like a shell would, without input and in a process group of its own, which is
  /// told to end when the driver does. Throws std::system_error.
  explicit Child(const std::vector<std::string>& arguments);
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child();

  /// Ends the program and what it started, if they are still there: asks, then kills.
  void end();

  /// Waits; the exit code, or 128 and the signal.
  int wait();
  bool has_ended();
  bool ended_within(double seconds);

  /// Everything it has written to both streams so far.
  std::string output() const;

 private:
  shm::UniqueFd output_;
  pid_t pid_ = -1;
  std::optional<int> status_;
};

struct Finished {
  int code;
  std::string output;
};

/// Runs a program to its end. Code 127 if there is none of that name.
Finished run_to_end(const std::vector<std::string>& arguments);

}  // namespace foldlane::bench
