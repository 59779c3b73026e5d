// Which instruction-set level the kernels run at, and why.
#pragma once

#include <string>
#include <vector>

namespace foldlane::kernels {

struct IsaLevel {
  std::string name;  // "avx512", "avx2", "sse", "neon", "scalar"
  bool chosen;       // the level fold_function hands out
  std::string
      reason;  // "best level of this CPU", "not supported by this CPU", "disabled by FOLDLANE_DISABLE_ISA", …
};

/// All levels this build contains, best first; exactly one is chosen. FOLDLANE_DISABLE_ISA (a comma-separated
/// list of names) is read once, at first use; an unknown name in it is reported in the reason of the chosen
/// level.
const std::vector<IsaLevel>& isa_levels();

}  // namespace foldlane::kernels
