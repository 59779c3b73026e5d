// The source of the measurement program (probe.c), to be built with a peer's compiler.
#pragma once

namespace foldlane::bench {

extern const char* const kProbeSource;

}  // namespace foldlane::bench
