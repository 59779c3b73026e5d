// What a large allreduce of two ranks with private buffers could take: bare programs that move the same bytes
// with the same dependencies, by flags alone, beside the engine's call and a copy of the same memory, in
// turns.
//   pair_bench [MiB] [rounds]
// "whole": each passes its whole input through boxes and folds all, one hop, as
// engine/algorithms/fold_pair.hpp. "halves": each passes half of its input, folds the other half and passes
// the result, two hops. A turn moves one box; its moves follow each other, or take turns by the grain.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <string>
#include <vector>

#include "engine/collectives/collectives.hpp"
#include "kernels/fold.hpp"
#include "perf/pair_moves.hpp"
#include "perf/rank_pair.hpp"
#include "shm/sync/atoms.hpp"
#include "shm/sync/pause.hpp"

namespace foldlane::perf {
namespace {

using Clock = std::chrono::steady_clock;
using Micros = std::chrono::duration<double, std::micro>;

constexpr std::size_t kBoxes = 4, kMostBoxBytes = 512U << 10, kAlignment = 4096;

struct alignas(128) Line {
  shm::RealAtoms::Word<std::uint64_t> word;

  void await(std::uint64_t turn) const {
    while (word.observe() < turn) shm::pause();
  }
};

double* memory(std::size_t bytes, double value) {
  auto* const at = static_cast<double*>(std::aligned_alloc(kAlignment, bytes));
  if (at == nullptr) throw std::bad_alloc();
  std::fill_n(at, bytes / sizeof(double), value);
  return at;
}

/// Boxes that change hands, as engine/team/pair_boxes.hpp.
struct Boxes {
  std::array<double*, 2> of_rank;
  std::array<Line, 2> filled;

  double* out(std::size_t rank, std::uint64_t turn, std::size_t count) const {
    return of_rank[turn / kBoxes % 2 == 0 ? rank : 1 - rank] + turn % kBoxes * count;
  }
};

enum class Way { copy, whole, halves, engine };

struct Case {
  Way way;
  bool streaming;
  std::size_t box_bytes;
  std::size_t grain;  // 0: one move after the other
  std::vector<double> micros = {}, of_copy = {};
};

class Pair {
 public:
  explicit Pair(std::size_t bytes) : bytes_(bytes), count_(bytes / sizeof(double)) {
    for (std::size_t rank = 0; rank < 2; ++rank) {
      inputs_[rank] = memory(bytes, static_cast<double>(rank + 1));
      results_[rank] = memory(bytes, 0);
      for (Boxes* boxes : {&given_, &folded_}) boxes->of_rank[rank] = memory(kBoxes * kMostBoxBytes, 0);
    }
  }

  void perform(std::size_t rank, const Case& how, engine::Team& world) {
    if (how.way == Way::copy) {
      return move({.bytes = bytes_,
                   .grain = bytes_,
                   .streaming = how.streaming,
                   .other_result = results_[rank],
                   .other_given = inputs_[rank]});
    }
    if (how.way != Way::engine) return in_turns(rank, how);
    const engine::Reduction sum{.elem_bytes = sizeof(double),
                                .builtin = kernels::fold_function(kernels::Op::sum, kernels::Elem::f64)};
    if (!engine::allreduce(world, inputs_[rank], results_[rank], count_, sum).ok()) std::abort();
  }

  void clear(std::size_t rank) { std::fill_n(results_[rank], count_, 0.0); }
  bool is_right(std::size_t rank) const {
    return std::all_of(results_[rank], results_[rank] + count_, [](double value) { return value == 3; });
  }

  void meet(std::size_t rank) {
    meetings_[rank].word.publish(++met_[rank]);
    meetings_[1 - rank].await(met_[rank]);
  }

 private:
  void in_turns(std::size_t rank, const Case& how) {
    const bool halves = how.way == Way::halves;
    const std::size_t count = how.box_bytes / sizeof(double), part = halves ? count_ / 2 : count_;
    const std::uint64_t turns = part / count, first = turn_[rank];
    const std::size_t mine = halves ? rank * part : 0, theirs = halves ? part - mine : 0;
    const auto moves = [&] {
      return Moves{how.box_bytes, how.grain != 0 ? how.grain : how.box_bytes, how.streaming};
    };
    const auto give = [&](Moves& next, std::uint64_t turn) {
      next.box = given_.out(rank, first + turn, count);
      next.input = inputs_[rank] + theirs + turn * count;
    };
    const auto give_now = [&](std::uint64_t turn) {
      Moves next = moves();
      next.streaming = false;
      give(next, turn);
      move(next);
      given_.filled[rank].word.publish(first + turn + 1);
    };
    give_now(0);
    for (std::uint64_t turn = 0; turn < turns + (halves ? 1 : 0); ++turn) {
      Moves now = moves();
      const bool gives = turn + 1 < turns, folds = turn < turns;
      if (gives && how.grain == 0) give_now(turn + 1);
      if (gives && how.grain != 0) give(now, turn + 1);
      if (folds) {
        given_.filled[1 - rank].await(first + turn + 1);
        now.result = results_[rank] + mine + turn * count;
        now.own = inputs_[rank] + mine + turn * count;
        now.given = given_.out(1 - rank, first + turn, count);
        if (halves) now.result_box = folded_.out(rank, first + turn, count);
      }
      if (halves && turn > 0) {
        folded_.filled[1 - rank].await(first + turn);
        now.other_result = results_[rank] + theirs + (turn - 1) * count;
        now.other_given = folded_.out(1 - rank, first + turn - 1, count);
      }
      move(now);
      if (gives && how.grain != 0) given_.filled[rank].word.publish(first + turn + 2);
      if (folds) folded_.filled[rank].word.publish(first + turn + 1);
    }
    turn_[rank] += turns;
  }

  std::size_t bytes_, count_;
  std::array<double*, 2> inputs_{}, results_{};
  Boxes given_{}, folded_{};
  std::array<Line, 2> meetings_{};
  std::array<std::uint64_t, 2> turn_{}, met_{};
};

std::vector<Case> cases() {
  // What plain stores leave in the caches is written back at the expense of whoever comes next: a copy, not
  // the engine.
  std::vector<Case> all{{Way::copy, false, 0, 0}, {Way::copy, true, 0, 0}, {Way::engine, false, 0, 0}};
  for (const Way way : {Way::whole, Way::halves}) {
    for (const std::size_t box : {32U << 10, 64U << 10, 128U << 10, 256U << 10, 512U << 10}) {
      all.push_back({way, false, box, 0});
      for (const std::size_t grain : {0U, 64U, 256U, 512U, 4096U}) all.push_back({way, true, box, grain});
    }
  }
  return all;
}

double quantile(std::vector<double> values, double at) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(at * static_cast<double>(values.size() - 1))];
}

std::string name(const Case& of) {
  const char* const stores = of.streaming ? "streaming" : "plain";
  if (of.way == Way::copy) return fmt::format("copy, {}", stores);
  if (of.way == Way::engine) return "engine::allreduce";
  return fmt::format("{}, boxes of {} KiB, {}, {}", of.way == Way::whole ? "whole" : "halves",
                     of.box_bytes >> 10, stores,
                     of.grain == 0 ? "one after the other" : fmt::format("by {} B", of.grain));
}

int run(std::size_t bytes, int rounds) {
  std::vector<Case> all = cases();
  Pair pair(bytes);
  std::array<Clock::time_point, 2> starts, ends;
  std::vector<double> handoffs;
  const auto body = [&](testing::RankContext& context) {
    const auto rank = static_cast<std::size_t>(context.rank);
    std::string problem;
    for (int round = 0; round <= rounds; ++round) {  // the first one is not timed
      constexpr int kMeetings = 2000;
      const auto start = Clock::now();
      for (int i = 0; i < kMeetings; ++i) pair.meet(rank);
      if (rank == 0 && round > 0) handoffs.push_back(Micros(Clock::now() - start).count() * 1e3 / kMeetings);
      for (Case& each : all) {
        if (round == 0) pair.clear(rank);
        pair.meet(rank);
        starts[rank] = Clock::now();
        pair.perform(rank, each, context.world);
        ends[rank] = Clock::now();
        pair.meet(rank);
        if (round == 0 && each.way != Way::copy && !pair.is_right(rank)) problem = "wrong: " + name(each);
        if (rank == 0 && round > 0)
          each.micros.push_back(Micros(std::max(ends[0], ends[1]) - std::max(starts[0], starts[1])).count());
        pair.meet(rank);
      }
      if (rank == 0 && round > 0) {
        const double copy = std::min(all[0].micros.back(), all[1].micros.back());
        for (Case& each : all) each.of_copy.push_back(each.micros.back() / copy);
      }
    }
    return problem;
  };
  const auto problems = run_pair(body);
  for (const std::string& problem : problems) fmt::print("{}\n", problem);
  if (!problems.empty()) return 1;
  fmt::print("{} MiB, {} rounds, one meeting {:.0f} ns ({:.0f} to {:.0f})\n", bytes >> 20, rounds,
             quantile(handoffs, 0.5), quantile(handoffs, 0), quantile(handoffs, 1));
  fmt::print("{:54} {:>8} {:>8}   quartiles\n", "", "us", "x copy");
  for (const Case& each : all) {
    fmt::print("{:54} {:8.0f} {:8.2f}   {:.2f} to {:.2f}\n", name(each), quantile(each.micros, 0.5),
               quantile(each.of_copy, 0.5), quantile(each.of_copy, 0.25), quantile(each.of_copy, 0.75));
  }
  return 0;
}

}  // namespace
}  // namespace foldlane::perf

int main(int argc, char** argv) {
  const int mebibytes = argc > 1 ? std::atoi(argv[1]) : 64, rounds = argc > 2 ? std::atoi(argv[2]) : 20;
  if (mebibytes < 1 || rounds < 1) return 2;
  return foldlane::perf::run(static_cast<std::size_t>(mebibytes) << 20, rounds);
}
