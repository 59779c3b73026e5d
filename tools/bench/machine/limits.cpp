#include "bench/machine/limits.hpp"

#include <sched.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <functional>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include "bench/machine/cpu_binding.hpp"
#include "bench/measure/arena.hpp"
#include "bench/report/call_traits.hpp"
#include "bench/report/pattern.hpp"
#include "kernels/copy.hpp"
#include "shm/machine/topology.hpp"
#include "shm/sync/atoms.hpp"

namespace foldlane::bench {
namespace {

using Word = shm::RealAtoms::Word<std::uint64_t>;

struct alignas(128) Line {
  Word word;
};

/// Reads whole lines and keeps the compiler from leaving that out.
void read_all(const std::byte* from, std::size_t bytes) {
  std::uint64_t sum = 0, word = 0;
  for (std::size_t i = 0; i + 64 <= bytes; i += 64) {
    std::memcpy(&word, from + i, sizeof word);
    sum += word;
  }
  asm volatile("" : : "r"(sum));
}

void move_bytes(const Traffic& traffic, std::byte* to, const std::byte* from, bool streaming) {
  const std::size_t both = std::min(traffic.read, traffic.write);
  if (streaming) {
    kernels::copy_streaming(to, from, both);
  } else {
    kernels::copy(to, from, both);
  }
  if (traffic.read > both) read_all(from + both, traffic.read - both);
  if (traffic.write > both) std::memset(to + both, 1, traffic.write - both);
  asm volatile("" : : : "memory");
}

/// Whoever receives copies what a buffer has room for, whatever its way here.
std::vector<Traffic> copies_of(const Case& what) {
  const std::size_t bytes = buffer_bytes(what);
  std::vector<Traffic> copies(static_cast<std::size_t>(what.ranks), {bytes, bytes});
  const bool one_way = is_of_pairs(what.call) && what.call != "bidirectional";
  for (std::size_t rank = 0; rank < copies.size(); ++rank) {
    const bool receives = what.call == "incast" ? rank == 0 : !one_way || rank % 2 == 1;
    if (!receives) copies[rank] = {};
  }
  return copies;
}

/// Blocks that a rank gives and gets, the one for itself included.
Traffic blocks_of(const Case& what, int rank) {
  const auto all = static_cast<std::size_t>(slots_of(what));
  const bool is_root = rank == what.root;
  if (gathers_at_root(what.call)) return {1, is_root ? all : 0};
  if (scatters_from_root(what.call)) return {is_root ? all : 0, 1};
  return {gathers(what.call) ? 1 : all, all};
}

/// What is in place is not moved; but of an allgather others need it.
Traffic moved_by(const Case& what, int rank) {
  Traffic blocks = blocks_of(what, rank);
  if (what.in_place && (!has_root(what.call) || rank == what.root)) {
    blocks.write -= 1;
    if (has_root(what.call) || !gathers(what.call)) blocks.read -= 1;
  }
  return {blocks.read * what.bytes, blocks.write * what.bytes};
}

}  // namespace

std::vector<Traffic> traffic_of(const Case& what) {
  const auto ranks = static_cast<std::size_t>(what.ranks);
  const std::size_t bytes = what.bytes;
  std::vector<Traffic> traffic(ranks, {bytes, bytes});
  if (is_pattern(what.call)) return copies_of(what);
  if (moves_blocks(what.call)) {
    for (int rank = 0; rank < what.ranks; ++rank)
      traffic[static_cast<std::size_t>(rank)] = moved_by(what, rank);
    return traffic;
  }
  const std::string collective = collective_of(what.call);
  if (collective == "reduce") {
    for (Traffic& rank : traffic) rank.write = 0;
    traffic[static_cast<std::size_t>(what.root)].write = bytes;
  } else if (collective == "bcast") {
    for (Traffic& rank : traffic) rank.read = 0;
    traffic[static_cast<std::size_t>(what.root)] = {bytes, 0};
  } else if (scatters(what.call)) {
    for (Traffic& rank : traffic) rank.write = bytes / ranks;
  } else if (what.call == "fold") {
    return {{ranks * bytes, bytes}};
  } else if (what.call == "reduce_local") {
    for (Traffic& rank : traffic) rank.read = 2 * bytes;
  }
  return traffic;
}

/// Threads, one per CPU in use, that sleep between two pieces of work.
class Limits::Crew {
 public:
  Crew(const Setting& setting, const Ticks& ticks, std::size_t arena_bytes, bool huge_pages) : ticks_(ticks) {
    const std::size_t cpus = std::max<std::size_t>(1, setting.cpus.size());
    const std::size_t size = std::min(cpus, static_cast<std::size_t>(setting.ranks));
    for (std::size_t i = 0; i < size; ++i) {
      inputs_.emplace_back(2 * arena_bytes, huge_pages);
      results_.emplace_back(arena_bytes, huge_pages);
    }
    starts_.resize(size);
    ends_.resize(size);
    for (std::size_t i = 0; i < size; ++i) {
      const int cpu = setting.cpus.empty() ? kAnyCpu : setting.cpus[i];
      members_.emplace_back([this, i, cpu] { live(i, cpu); });
    }
    wait_until_idle(size);
  }
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;
  ~Crew() {
    {
      const std::scoped_lock lock(mutex_);
      leaving_ = true;
    }
    called_.notify_all();
    for (std::thread& member : members_) member.join();
  }

  std::size_t size() const { return starts_.size(); }

  using Work = std::function<void(std::size_t member, std::byte* to, const std::byte* from)>;

  /// All members do the work at the same time; the microseconds from the last start to the last end.
  double together(const Work& work) {
    {
      const std::scoped_lock lock(mutex_);
      work_ = &work;
      idle_ = 0;
      ++round_;
      ready_ = {};
    }
    called_.notify_all();
    wait_until_idle(size());
    return ticks_.microseconds(*std::max_element(ends_.begin(), ends_.end()) -
                               *std::max_element(starts_.begin(), starts_.end()));
  }

 private:
  static constexpr int kAnyCpu = -1;

  void live(std::size_t member, int cpu) {
    if (cpu != kAnyCpu) run_on_cpu(cpu);
    inputs_[member].touch();
    results_[member].touch();
    for (std::uint64_t done = 0; await_work(done); ++done) {
      ready_.word.add(1);
      while (ready_.word.observe() < size()) ::sched_yield();
      starts_[member] = ticks_.now();
      (*work_)(member, results_[member].at(), inputs_[member].at());
      ends_[member] = ticks_.now();
    }
  }

  /// False if the crew goes home.
  bool await_work(std::uint64_t done) {
    std::unique_lock lock(mutex_);
    ++idle_;
    finished_.notify_one();
    called_.wait(lock, [&] { return leaving_ || round_ > done; });
    return !leaving_;
  }

  void wait_until_idle(std::size_t members) {
    std::unique_lock lock(mutex_);
    finished_.wait(lock, [&] { return idle_ == members; });
  }

  const Ticks& ticks_;
  std::mutex mutex_;
  std::condition_variable called_, finished_;
  std::size_t idle_ = 0;
  std::uint64_t round_ = 0;
  bool leaving_ = false;
  const Work* work_ = nullptr;
  Line ready_{};
  std::vector<Arena> inputs_, results_;
  std::vector<std::uint64_t> starts_, ends_;
  std::vector<std::thread> members_;
};

namespace {

/// On one of the CPUs. Null: the system has no room for so many more processes.
std::unique_ptr<Crowd> crowd_of(const Setting& setting, std::string& trouble) {
  const bool is_bound = !setting.cpus.empty();
  const int cpus = is_bound ? static_cast<int>(setting.cpus.size()) : shm::usable_cpus().usable;
  try {
    return std::make_unique<Crowd>((setting.ranks + cpus - 1) / cpus,
                                   is_bound ? setting.cpus.front() : sched_getcpu());
  } catch (const std::system_error& error) {
    trouble = error.what();
    return nullptr;
  }
}

}  // namespace

Limits::Limits(const Setting& setting, const Ticks& ticks, std::size_t arena_bytes, bool huge_pages)
    : crowd_(setting.oversubscribed ? crowd_of(setting, trouble_) : nullptr),
      crew_(std::make_unique<Crew>(setting, ticks, arena_bytes, huge_pages)) {}

Limits::~Limits() = default;

bool Limits::has_two_cpus() const { return crew_->size() >= 2; }

double Limits::handoff() {
  constexpr std::uint64_t kTurns = 2'000;
  const std::size_t last = crew_->size() - 1;
  std::vector<Line> lines(2);
  const double total = crew_->together([&](std::size_t member, std::byte*, const std::byte*) {
    if (member != 0 && member != last) return;
    const std::size_t own = member == 0 ? 0 : 1;
    for (std::uint64_t turn = 1; turn <= kTurns; ++turn) {
      if (own == 0) lines[0].word.publish(turn);
      while (lines[1 - own].word.observe() < turn) {
      }
      if (own == 1) lines[1].word.publish(turn);
    }
  });
  return total / (2 * kTurns);
}

double Limits::memory(const std::vector<Traffic>& traffic, const Places& places, bool streaming) {
  std::size_t largest = 1;
  for (const Traffic& rank : traffic) largest = std::max({largest, rank.read, rank.write});
  // Enough repetitions to outweigh the clock, few enough for 64 MiB.
  const std::size_t repetitions = std::clamp<std::size_t>((std::size_t{1} << 22) / largest, 2, 500);
  const auto pass = [&](std::size_t i, std::size_t member, std::byte* to, const std::byte* from) {
    const std::size_t offset = i % places.number * places.stride + places.shift;
    for (std::size_t rank = member; rank < traffic.size(); rank += crew_->size())
      move_bytes(traffic[rank], to + offset, from + offset, streaming);
  };
  crew_->together(std::bind_front(pass, std::size_t{0}));  // what others have displaced comes back
  const double total = crew_->together([&](std::size_t member, std::byte* to, const std::byte* from) {
    for (std::size_t i = 0; i < repetitions; ++i) pass(i, member, to, from);
  });
  return total / static_cast<double>(repetitions);
}

std::optional<double> Limits::switches() {
  if (crowd_ == nullptr) return std::nullopt;
  return crowd_->meet();
}

}  // namespace foldlane::bench
