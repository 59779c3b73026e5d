// What a rank says of the wait it is in, once that has become long: the rank writes it, any other one may
// read it (PROTOCOL C, circle.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "engine/deadlock/deadlock.hpp"
#include "shm/segment/layout.hpp"
#include "shm/sync/atoms.hpp"

namespace foldlane::engine {

struct alignas(shm::kLineBytes) WaitRecord {
  using Word = shm::RealAtoms::Word<std::uint64_t>;
  static constexpr std::size_t kTextBytes = 968;

  Word serial;    // odd: the rest describes a wait that goes on; another number after each change
  Word rounds;    // how many times the rank has looked at all that it waits for, in vain
  Word since;     // in ns of the steady clock
  Word threads;   // not zero: other threads of the rank may end the wait
  Word vague;     // not zero: the rank waits, and the rest does not say for whom
  Word looks;     // not zero: it looks for something again and again, in vain
  Word reported;  // digest of the last deadlock that this rank has reported
  Word awaited[shm::kMaxRanks /
               RankSet::kBits];  // of these ranks one must do something before the wait can end
  char text[kTextBytes];         // the call, then lines of hints; ends with a zero
};
static_assert(std::is_trivially_copyable_v<WaitRecord> && std::is_standard_layout_v<WaitRecord>);

}  // namespace foldlane::engine
