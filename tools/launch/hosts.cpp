#include "launch/hosts.hpp"

#include <unistd.h>

#include <array>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace foldlane::tools {
namespace {

std::string this_host() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "localhost";
}

std::string short_name(const std::string& host) { return host.substr(0, host.find('.')); }

bool is_local(const std::string& host) {
  if (host.empty() || host == "localhost" || host == "127.0.0.1" || host == "[::1]" || host == "::1")
    return true;
  const std::string here = this_host();
  return host == here || host == short_name(here) || short_name(host) == here;
}

std::string without_slots(const std::string& entry) {
  const auto colon = entry.rfind(':');
  const bool has_slots =
      colon != std::string::npos && entry.find_first_not_of("0123456789*", colon + 1) == std::string::npos;
  return has_slots && entry.find("::") == std::string::npos ? entry.substr(0, colon) : entry;
}

}  // namespace

std::string first_remote_host(const std::string& list) {
  std::istringstream entries(list);
  for (std::string entry; std::getline(entries, entry, ',');) {
    if (std::string host = without_slots(entry); !is_local(host)) return host;
  }
  return {};
}

std::string hosts_of_file(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read the hostfile " + path);
  std::string list;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line.substr(0, line.find('#')));
    if (std::string host; words >> host) list += host + ',';
  }
  return list;
}

}  // namespace foldlane::tools
