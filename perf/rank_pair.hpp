// Two threads on two CPUs, one of which is timed.
#pragma once

#include <benchmark/benchmark.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "support/ranks.hpp"

namespace foldlane::perf {

/// Does something once. The partner's counterpart is called as often, in the same order.
using Turn = std::function<void()>;

/// Times `own`, which the first thread calls, against `partner`, which the second one calls.
void run_threads(benchmark::State& state, const Turn& own, const Turn& partner);

/// The problems of both ranks of a world of two, each on its CPU; empty if all is well.
std::vector<std::string> run_pair(const testing::RankBody& body);

/// What both ranks of a world of two do in every iteration, of which rank 0's are timed. False: it failed.
using RankTurn = std::function<bool(testing::RankContext&)>;
void run_ranks(benchmark::State& state, const RankTurn& turn);

}  // namespace foldlane::perf
