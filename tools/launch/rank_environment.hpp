// The environment of the ranks: the launcher's, what -genv, -env and -x add, and what tells a rank who it is.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "options/run_options.hpp"

namespace foldlane::tools {

class RankEnvironment {
 public:
  /// Starts as a copy of the launcher's.
  RankEnvironment();

  void set(std::string_view name, std::string_view value);
  void remove(std::string_view name);
  bool has(std::string_view name) const;
  /// Empty if it is not set.
  std::string value(std::string_view name) const;

  /// As execve takes it; valid until the next change.
  char* const* block();

 private:
  std::size_t find(std::string_view name) const;

  std::vector<std::string> entries_;
  std::vector<char*> pointers_;
};

/// Of the ranks of one program, but for their numbers.
RankEnvironment environment_of(const ProgramSpec& spec, int ranks, int segment_fd, const RunOptions& options);

}  // namespace foldlane::tools
