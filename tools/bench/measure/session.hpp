// One run of `foldlane bench`, from the options to the report.
#pragma once

#include "bench/options.hpp"
#include "bench/report/report.hpp"

namespace foldlane::bench {

/// Measures everything that was asked for. Writes progress, and peers that cannot be measured, to stderr.
/// Throws std::runtime_error (JobFailure among them) if our own measurement fails, Interrupted at a signal.
Report measure(const Options& options, const std::string& command_line);

}  // namespace foldlane::bench
