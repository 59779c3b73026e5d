// Patterns of messages between ranks: what the probe does in one run of each, and what its time is divided
// by.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "bench/report/report.hpp"

namespace foldlane::bench {

/// Their names, as CALL.
const std::vector<std::string>& known_patterns();

bool is_pattern(std::string_view call);

/// Rank 0 has to do with 1, 2 with 3 …
bool is_of_pairs(std::string_view call);

/// Whether ranks can have several threads that do it at once.
bool knows_threads(std::string_view call);

/// How many calls a rank makes at once, each by a thread of its own.
inline int at_once(const Case& what) { return what.threads > 1 ? what.threads : 1; }

/// One run of a case, by each thread. A collective is a single message in every respect.
struct Pattern {
  int messages = 1;  // of each sender
  int slots = 1;     // for them in a buffer, of all threads; they take them in turn
  int steps = 1;     // times are those of a step
  int handoffs = 1;  // that a run waits for at least, one after the other
};

Pattern pattern_of(const Case& what);

/// How many messages, or blocks of a call that moves them, a buffer has room for.
int slots_of(const Case& what);

/// What a rank sends, or receives into.
std::uint64_t buffer_bytes(const Case& what);

/// "half a round trip": what a time is the time of; "" unless it is a pattern.
std::string step_text(std::string_view call);

/// Whether messages follow each other without waiting for an answer, so that there are so many in a second.
bool is_flow(std::string_view call);

}  // namespace foldlane::bench
