// Whether one process can read another one's memory: that one says where it has which word, and it is read.
#pragma once

#include <unistd.h>

#include <cstddef>
#include <cstdint>

namespace foldlane::engine {

struct MemoryProof {
  std::int32_t process;   // whose number may mean another one elsewhere:
  std::uint64_t address;  // there it has, until the proof is over,
  std::uint64_t word;     // this

  static MemoryProof of(const std::uint64_t& word) noexcept {
    return {::getpid(), reinterpret_cast<std::uint64_t>(&word), word};
  }
  template <class Transfer>
  bool can_be_pulled() const noexcept {
    std::uint64_t read = ~word;
    return Transfer::pull(process, address, reinterpret_cast<std::byte*>(&read), sizeof read) && read == word;
  }
};

/// A word that the next member does not have in its proof: elsewhere a process with this number may have an
/// object at the same address. `epoch`: one that the members share.
inline std::uint64_t word_to_prove(const void* object, std::uint64_t epoch, int member) noexcept {
  constexpr unsigned kEpochAt = 48, kMemberAt = 56;
  return reinterpret_cast<std::uint64_t>(object) ^ epoch << kEpochAt ^
         static_cast<std::uint64_t>(member) << kMemberAt;
}

}  // namespace foldlane::engine
