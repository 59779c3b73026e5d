// Threads on chosen CPUs.
#pragma once

namespace foldlane::bench {

/// The calling thread runs on this CPU from now on.
void run_on_cpu(int cpu);

}  // namespace foldlane::bench
