#include "bench/report_json.hpp"

namespace foldlane::bench {}  // namespace foldlane::bench
