#include "api/host/explanation.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <cstring>

namespace foldlane::host {
namespace {

constexpr std::array<const char*, kReasons> kReasonTexts{
    "the first calls of a communicator",
    "a communicator over several nodes, where this call is the host's",
    "a communicator over several nodes, where each block goes straight to its receiver",
    "its ranks are not in blocks on the nodes, or in such of different sizes",
    "a communicator of one, of two groups, or with ranks that are not in MPI_COMM_WORLD",
    "no memory for the communicator",
    "not a predefined operation on a predefined datatype",
    "arguments that are for the host to judge",
};

constexpr std::array<const char*, FOLDLANE_CALLS> kNames{
#include "accelerated_names.inc"
};

std::string text_of_time(std::uint64_t ns) { return fmt::format("{:.3f} ms", static_cast<double>(ns) / 1e6); }

}  // namespace

const char* name_of(foldlane_call call) noexcept { return kNames[call]; }

bool Explanation::is_wanted() noexcept {
  const char* const wish = std::getenv("FOLDLANE_ACCEL_EXPLAIN");
  return wish != nullptr && std::strcmp(wish, "0") != 0 && *wish != '\0';
}

std::uint64_t Explanation::now_ns() noexcept {
  return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch() /
                                    std::chrono::nanoseconds(1));
}

std::string Explanation::text() const {
  std::string text;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const Row& row = rows_[i];
    if (const auto calls = row.here.number.peek(); calls > 0)
      text += fmt::format("foldlane:   {:<26} {:>10} here, {} bytes, {}\n", kNames[i], calls,
                          row.bytes.peek(), text_of_time(row.here.ns.peek()));
    for (std::size_t reason = 0; reason < kReasons; ++reason) {
      const Calls& host = row.host[reason];
      if (const auto calls = host.number.peek(); calls > 0)
        text += fmt::format("foldlane:   {:<26} {:>10} host: {}, {}\n", kNames[i], calls,
                            kReasonTexts[reason], text_of_time(host.ns.peek()));
    }
  }
  if (text.empty()) return "foldlane: rank 0 has made no call that could have run here\n";
  return "foldlane: calls of rank 0 that ran here, and those that the host had:\n" + text + text_of_nodes();
}

std::string Explanation::text_of_nodes() const {
  const auto canonical = canonical_.peek(), by_nodes = by_nodes_.peek();
  if (canonical + by_nodes == 0) return "";
  std::string text = fmt::format("foldlane:   {} bytes came from other nodes\n", from_other_nodes_.peek());
  if (canonical > 0)
    text += fmt::format("foldlane:   communicators over several nodes that fold as one node would: {}\n",
                        canonical);
  if (by_nodes > 0)
    text += fmt::format("foldlane:   communicators that fold on each node first, and then the nodes: {}\n",
                        by_nodes);
  if (const auto in_long = swaps_[0].peek(), in_short = swaps_[1].peek(); in_long + in_short > 0)
    text +=
        fmt::format("foldlane:   values swapped between two nodes in long pieces: {}, in short ones: {}\n",
                    in_long, in_short);
  return text;
}

}  // namespace foldlane::host
