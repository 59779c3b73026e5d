// Host names on the command line: this machine is fine, any other is refused with an explanation.
#pragma once

#include <string>

namespace foldlane::tools {

/// `list` is comma separated, each entry optionally "name:slots". Returns the first name that is not this
/// machine, empty if there is none.
std::string first_remote_host(const std::string& list);

/// Reads a hostfile ("name", "name:n" or "name slots=n" per line, '#' comments) into such a list.
/// Throws std::runtime_error if it cannot be read.
std::string hosts_of_file(const std::string& path);

}  // namespace foldlane::tools
