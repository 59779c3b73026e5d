// What one rank sees: the memory of its messages, and the log of its calls.
#pragma once

#include <algorithm>

#include "matching/log.hpp"
#include "matching/mpi/parts.hpp"
#include "matching/payload.hpp"

namespace foldlane::matching {

class Notes {
 public:
  Notes(const Script& script, const Types& types)
      : script_(script), types_(types), log_(script.size()), memory_(script.size()) {}

  /// Of the message that the call at `place` sends or receives.
  Memory& memory(std::size_t place) { return memory_[place]; }
  /// The buffer of a send that is done is the program's again.
  void spoil(std::size_t place) { std::fill(memory_[place].begin(), memory_[place].end(), 0xee); }

  const Record& record(int place) const { return log_[static_cast<std::size_t>(place)]; }
  Seen seen(int place) const { return static_cast<Seen>(record(place).seen); }
  void complain(std::size_t place, Complaint what) {
    log_[place].complaint = static_cast<std::int64_t>(what);
  }

  /// What a receive has led to, or a probe that has found something.
  void receive(std::size_t place, const MPI_Status& status);
  void probe(std::size_t place, const MPI_Status& status);
  /// This request of a wait or test.
  void completion(std::size_t place, std::size_t request) { log_[place].seen |= std::int64_t{1} << request; }

  Log take() { return std::move(log_); }

 private:
  void see(std::size_t place, Seen what) { log_[place].seen = static_cast<std::int64_t>(what); }
  int envelope(std::size_t place, const MPI_Status& status, Layout layout);

  const Script& script_;
  const Types& types_;
  Log log_;  // and, by call as well:
  std::vector<Memory> memory_;
};

}  // namespace foldlane::matching
