// A report with something of everything: the fixed input of the golden tests.
#pragma once

#include "bench/report/report.hpp"

namespace foldlane::bench {

Report sample_report();

}  // namespace foldlane::bench
