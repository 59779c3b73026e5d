// The values of options that stand for something.
#pragma once

#include <string>

#include "options/run_options.hpp"

namespace foldlane::tools {

/// Thrown by what reads a command line: it goes no further.
struct Stop {
  int exit_code;
  std::string text;
};

shm::BindTo binding_named(const std::string& name);
StatisticsOptions statistics_named(const std::string& how);
/// The names themselves.
std::string checks_named(const std::string& names);

}  // namespace foldlane::tools
