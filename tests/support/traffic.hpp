// Counts what the real engine moves: an Atoms policy that sees every access to shared memory, and knows which
// rank makes it and where that rank sits. One thread plays all ranks.
//
// A line has a writer and a version, which begins with the writer's first store after somebody else has read
// the line. A rank reads a version once, however often it looks. A cache (and a package) fetches a version
// once, for all its ranks; what is fetched from a writer elsewhere has crossed the boundary.
#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/groups/groups.hpp"
#include "shm/segment/layout.hpp"

namespace foldlane::testing {

/// What accesses cost, in nanoseconds: [0] within a cache, [1] between caches of a package, [2] between
/// packages.
struct AccessCosts {
  double handoff[3];  // from a store to a poller that sees it
  double line[3];     // a line of several, whose misses overlap
  double own_line;    // written, or read again
  double link_line;   // of one direction between packages, all ranks together
};

/// The first two levels as measured on one server (research/measured.md: near and far handoff; reads at 38
/// GB/s near, 14 GB/s of 4 KiB far; stores into slots at 44 GB/s); the third is an assumption: 1.7 and 2
/// times the second, and 64 GB/s a direction.
inline constexpr AccessCosts kMeasuredCosts{{55, 240, 400}, {1.7, 4.6, 9}, 1.5, 1};

struct TrafficCounts {
  /// Lines that crossed a boundary: those of slots, and those of flags (with what travels beside them).
  struct Crossings {
    std::uint64_t data = 0;
    std::uint64_t flags = 0;
    std::uint64_t lines() const { return data + flags; }
  };
  Crossings packages;
  Crossings caches;
  /// As `packages`, but a cache of a package takes nothing from another cache of it: what a machine does
  /// whose packages have no cache of their own.
  Crossings package_links;
  std::vector<std::uint64_t> lines_read;     // by rank
  std::vector<std::uint64_t> lines_written;  // by rank
  int hops = 0;             // the longest chain of words, each published after the one before was read
  double predicted_ns = 0;  // until the last rank is done, at kMeasuredCosts
};

class Traffic {
 public:
  static constexpr int kMostRanks = 256;
  static constexpr int kMostCaches = 64;

  /// `flag_bytes` at `base`, and slots behind them.
  Traffic(std::vector<engine::Seat> seats, const std::byte* base, std::size_t flag_bytes,
          std::size_t all_bytes);

  void run_as(int rank) { rank_ = rank; }
  void start_counting();
  const TrafficCounts& counts() const { return counts_; }
  /// Where ranks sit: 0 in one cache, 1 in one package, 2 elsewhere.
  static int distance(const engine::Seat& a, const engine::Seat& b) {
    if (a.package != b.package) return 2;
    return a.llc != b.llc || a.numa != b.numa ? 1 : 0;
  }

  void read(const void* start, std::size_t bytes);
  void write(const void* start, std::size_t bytes);
  void publish(const void* word);
  void observe(const void* word);

  /// Whose accesses are counted.
  static inline Traffic* current = nullptr;

 private:
  struct Line {
    std::int16_t writer = -1;
    bool was_read = false;
    std::uint8_t packages = 0;
    std::uint64_t caches = 0;
    std::bitset<kMostRanks> ranks;
  };
  struct Link {
    std::uint32_t call = 0;
    std::uint16_t depth = 0;
    std::int16_t writer = -1;
    double published_ns = 0;
  };
  int distance(int a, int b) const;
  void spend(double ns);
  void read_line(std::size_t index);
  void write_line(std::size_t index);
  void cross(Line& line, bool data);
  std::span<Line> lines_at(const void* start, std::size_t bytes);
  bool is_shared(const void* start) const;
  Link& link_of(const void* word);

  const std::byte* base_;
  std::size_t flag_lines_;
  std::vector<int> cache_of_;
  std::vector<int> package_of_;
  std::vector<Line> lines_;
  std::vector<Link> links_;
  std::vector<int> depth_;
  std::vector<double> clock_ns_;
  TrafficCounts counts_;
  std::uint32_t call_ = 0;
  int rank_ = 0;
};

struct CountingAtoms {
  template <class T>
  class Word {
   public:
    void publish(T value) noexcept {
      if (Traffic::current != nullptr) Traffic::current->publish(this);
      value_ = value;
    }
    T observe() const noexcept {
      if (Traffic::current != nullptr) Traffic::current->observe(this);
      return value_;
    }
    T peek() const noexcept { return value_; }
    T add(T amount) noexcept {
      const T before = value_;
      value_ = static_cast<T>(value_ + amount);
      return before;
    }
    void set(T bits) noexcept { value_ = static_cast<T>(value_ | bits); }
    T take() noexcept {
      const T before = value_;
      value_ = 0;
      return before;
    }

   private:
    T value_;
  };
  static void light_barrier() noexcept {}
  static void heavy_barrier() noexcept {}
  static void drain_stores() noexcept {}
  static void sleep_while(const Word<std::uint32_t>&, std::uint32_t, std::int64_t) noexcept {}
  static void wake_all(const Word<std::uint32_t>&) noexcept {}
  static void reads(const void* start, std::size_t bytes) noexcept {
    if (Traffic::current != nullptr) Traffic::current->read(start, bytes);
  }
  static void writes(const void* start, std::size_t bytes) noexcept {
    if (Traffic::current != nullptr) Traffic::current->write(start, bytes);
  }
};

}  // namespace foldlane::testing
