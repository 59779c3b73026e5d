// What the first bytes of a program say about it.
#pragma once

#include <string>

namespace foldlane::tools {

/// A program of this machine's kind that no dynamic linker loads, so that nothing can be preloaded into it.
/// False of scripts, and of what cannot be read.
bool is_static_program(const std::string& path);

}  // namespace foldlane::tools
