// The source of the measurement program (this folder's C files), to be built with a peer's compiler.
#pragma once

#include <span>

namespace foldlane::bench {

struct SourceFile {
  const char* name;
  const char* text;
};

/// The header first.
std::span<const SourceFile> probe_sources();

}  // namespace foldlane::bench
