// How much of a call disappears behind what the program computes between start and wait.
#pragma once

#include "bench/measure/contestant.hpp"
#include "bench/report/report.hpp"

namespace foldlane::bench {

/// Medians of a round, in microseconds.
struct Overlapped {
  double alone;      // start and wait
  double computing;  // for about as long, without the call
  Slice both;
};

/// Of a case that was selected.
Overlapped run_overlapped(Contestant& contestant, const Case& what, int warm_up, int calls);

/// How long one call of the longest slice may take, if it takes `alone` with nothing beside it and nobody
/// late.
double longest_us(const Case& what, double alone);

/// Of the shorter of the two, how many percent took no time; noise does not make less than none or more than
/// all of it.
double hidden_percent(double alone, double computing, double both);

}  // namespace foldlane::bench
