// What a case is called in tables, pages and comparisons.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>

#include "bench/report/report.hpp"

namespace foldlane::bench {

const char* name_of(Buffers buffers);

/// As in files.
inline constexpr std::array<std::pair<Timing, const char*>, 3> kTimingWords{
    {{Timing::stamped, "stamped"}, {Timing::back_to_back, "back_to_back"}, {Timing::whole, "whole"}}};
const char* word_of(Timing timing);
inline constexpr std::array<std::pair<Beside, const char*>, 4> kBesideWords{{{Beside::nothing, "nothing"},
                                                                             {Beside::tests, "tests"},
                                                                             {Beside::no_calls, "no_calls"},
                                                                             {Beside::late, "late"}}};
const char* word_of(Beside beside);

/// "computing, Test every 100 us"; "" for nothing.
const char* name_of(Beside beside);

/// "2 ranks"; a fold has sources.
std::string ranks_text(const Case& what);

/// "2 threads"; of a single one the level, and nothing without it.
std::string threads_text(const Case& what);

/// "8 B", "4 KiB", "1 MiB": in the largest unit that divides it, so that different sizes never read the same.
std::string size_text(std::uint64_t bytes);

/// "allreduce double sum 4 KiB 2 ranks hot". Whatever is as it usually is, or means nothing to the call, is
/// left out; different cases have different names all the same.
std::string name_of(const Case& what);

}  // namespace foldlane::bench
