// What a program of perf/ gives to main.cpp.
#pragma once

namespace foldlane::perf {

/// Registers the program's cases with Google Benchmark, and what their names mean as context of the run.
void register_cases();

}  // namespace foldlane::perf
