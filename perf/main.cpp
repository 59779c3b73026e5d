// Runs the registered cases, each for a short time unless the command line says otherwise: all of them are to
// take two minutes.
#include <benchmark/benchmark.h>

#include <array>
#include <vector>

#include "perf/cases.hpp"

int main(int argc, char** argv) {
  std::array<char, 32> short_runs{"--benchmark_min_time=0.04"};
  std::vector<char*> arguments(argv, argv + argc);
  arguments.insert(arguments.begin() + 1, short_runs.data());  // what comes later counts
  int count = static_cast<int>(arguments.size());
  benchmark::Initialize(&count, arguments.data());
  if (benchmark::ReportUnrecognizedArguments(count, arguments.data())) return 2;
  foldlane::perf::register_cases();
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
