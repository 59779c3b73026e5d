#include "support/traffic.hpp"

#include <algorithm>
#include <map>

namespace foldlane::testing {
namespace {

/// Numbers from 0 on, in the order of the first member.
template <class Key>
std::vector<int> dense(const std::vector<engine::Seat>& seats, const Key& key) {
  std::map<decltype(key(seats[0])), int> numbers;
  std::vector<int> result;
  for (const engine::Seat& seat : seats)
    result.push_back(numbers.emplace(key(seat), static_cast<int>(numbers.size())).first->second);
  return result;
}

}  // namespace

Traffic::Traffic(std::vector<engine::Seat> seats, const std::byte* base, std::size_t flag_bytes,
                 std::size_t all_bytes)
    : base_(base),
      flag_lines_(flag_bytes / shm::kLineBytes),
      cache_of_(dense(seats, [](const engine::Seat& s) { return std::pair(s.llc, s.numa); })),
      package_of_(dense(seats, [](const engine::Seat& s) { return s.package; })),
      lines_(all_bytes / shm::kLineBytes),
      links_(flag_bytes / sizeof(std::uint64_t)),
      depth_(seats.size()),
      clock_ns_(seats.size()) {
  start_counting();
}

void Traffic::start_counting() {
  ++call_;
  counts_ = {};
  counts_.lines_read.resize(depth_.size());
  counts_.lines_written.resize(depth_.size());
  std::fill(depth_.begin(), depth_.end(), 0);
  std::fill(clock_ns_.begin(), clock_ns_.end(), 0);
}

int Traffic::distance(int a, int b) const {
  const auto x = static_cast<std::size_t>(a), y = static_cast<std::size_t>(b);
  if (package_of_[x] != package_of_[y]) return 2;
  return cache_of_[x] != cache_of_[y] ? 1 : 0;
}

void Traffic::spend(double ns) {
  double& clock = clock_ns_[static_cast<std::size_t>(rank_)];
  clock += ns;
  counts_.predicted_ns = std::max(counts_.predicted_ns, clock);
}

bool Traffic::is_shared(const void* start) const {
  const auto* at = static_cast<const std::byte*>(start);
  return at >= base_ && at < base_ + lines_.size() * shm::kLineBytes;
}

void Traffic::read(const void* start, std::size_t bytes) {
  if (bytes == 0 || !is_shared(start)) return;
  const auto offset = static_cast<std::size_t>(static_cast<const std::byte*>(start) - base_);
  for (std::size_t line = offset / shm::kLineBytes; line * shm::kLineBytes < offset + bytes; ++line)
    read_line(line);
}

void Traffic::write(const void* start, std::size_t bytes) {
  if (bytes == 0 || !is_shared(start)) return;
  const auto offset = static_cast<std::size_t>(static_cast<const std::byte*>(start) - base_);
  for (std::size_t line = offset / shm::kLineBytes; line * shm::kLineBytes < offset + bytes; ++line)
    write_line(line);
}

void Traffic::read_line(std::size_t index) {
  Line& line = lines_[index];
  const auto rank = static_cast<std::size_t>(rank_);
  if (line.writer < 0 || line.writer == rank_ || line.ranks.test(rank)) return spend(kMeasuredCosts.own_line);
  const bool fetched = (line.caches >> cache_of_[rank] & 1) != 0;
  spend(kMeasuredCosts.line[fetched ? 0 : distance(rank_, line.writer)]);
  line.ranks.set(rank);
  line.was_read = true;
  ++counts_.lines_read[rank];
  cross(line, index >= flag_lines_);
}

void Traffic::cross(Line& line, bool data) {
  const auto count = [data](TrafficCounts::Crossings& crossings) {
    ++(data ? crossings.data : crossings.flags);
  };
  const auto reader = static_cast<std::size_t>(rank_);
  const auto writer = static_cast<std::size_t>(line.writer);
  if (cache_of_[reader] == cache_of_[writer]) return;
  const bool other_package = package_of_[reader] != package_of_[writer];
  const std::uint64_t cache = std::uint64_t{1} << cache_of_[reader];
  if ((line.caches & cache) == 0) {
    count(counts_.caches);
    if (other_package) count(counts_.package_links);
  }
  line.caches |= cache;
  const auto package = static_cast<std::uint8_t>(1 << package_of_[reader]);
  if (other_package && (line.packages & package) == 0) count(counts_.packages);
  line.packages |= package;
}

void Traffic::write_line(std::size_t index) {
  Line& line = lines_[index];
  spend(kMeasuredCosts.own_line);
  if (line.writer == rank_ && !line.was_read) return;
  line = {static_cast<std::int16_t>(rank_), false, 0, 0, {}};
  ++counts_.lines_written[static_cast<std::size_t>(rank_)];
}

Traffic::Link& Traffic::link_of(const void* word) {
  return links_[static_cast<std::size_t>(static_cast<const std::byte*>(word) - base_) /
                sizeof(std::uint64_t)];
}

void Traffic::publish(const void* word) {
  if (!is_shared(word)) return;
  write(word, sizeof(std::uint64_t));
  const auto rank = static_cast<std::size_t>(rank_);
  link_of(word) = {call_, static_cast<std::uint16_t>(depth_[rank] + 1), static_cast<std::int16_t>(rank_),
                   clock_ns_[rank]};
}

void Traffic::observe(const void* word) {
  if (!is_shared(word)) return;
  const Link& link = link_of(word);
  const double clock = clock_ns_[static_cast<std::size_t>(rank_)];
  read(word, sizeof(std::uint64_t));
  if (link.call != call_) {  // not yet: a rank that polls does not lose time
    clock_ns_[static_cast<std::size_t>(rank_)] = clock;
    return;
  }
  if (link.writer != rank_) {
    const double seen = link.published_ns + kMeasuredCosts.handoff[distance(rank_, link.writer)];
    spend(std::max(0.0, seen - clock_ns_[static_cast<std::size_t>(rank_)]));
  }
  int& depth = depth_[static_cast<std::size_t>(rank_)];
  depth = std::max<int>(depth, link.depth);
  counts_.hops = std::max(counts_.hops, depth);
}

}  // namespace foldlane::testing
