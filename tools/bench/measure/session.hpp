// One run of `foldlane bench`, from the options to the report.
#pragma once

#include <optional>

#include "bench/options.hpp"
#include "bench/process/interrupt.hpp"
#include "bench/report/report.hpp"

namespace foldlane::bench {

struct Measurement {
  Report report;
  std::optional<Interrupted> interrupted;  // before all was measured
};

/// Measures everything that was asked for. Writes progress, and peers that cannot be measured, to stderr.
/// Throws std::runtime_error (JobFailure among them) if our own measurement fails, Interrupted at a signal
/// before there was a figure.
Measurement measure(const Options& options, const std::string& command_line);

}  // namespace foldlane::bench
