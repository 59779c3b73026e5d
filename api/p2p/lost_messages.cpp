#include "api/p2p/lost_messages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "api/errors/raise.hpp"

namespace foldlane::api {

void report_lost_messages(const engine::Channel& channel, const std::vector<engine::Envelope>& lost) {
  constexpr std::size_t kMostNamed = 10;
  const std::string name = channel.name().empty() ? "a communicator" : channel.name();
  std::string line = fmt::format("{}{} {} sent on {} and never received:", line_prefix(), lost.size(),
                                 lost.size() == 1 ? "message was" : "messages were", name);
  for (std::size_t i = 0; i < std::min(lost.size(), kMostNamed); ++i) {
    line += fmt::format("{} by rank {} with tag {}, {} bytes", i == 0 ? "" : ";", lost[i].source, lost[i].tag,
                        lost[i].bytes);
  }
  if (lost.size() > kMostNamed) line += fmt::format("; and {} more", lost.size() - kMostNamed);
  print_line(line + "\n");
}

}  // namespace foldlane::api
