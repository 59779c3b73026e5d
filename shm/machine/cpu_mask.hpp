// The CPUs that a process is bound to, as processes tell each other.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace foldlane::shm {

/// Bit c % 64 of word c / 64: CPU c, as the system numbers it. Those beyond are left out.
struct CpuMask {
  static constexpr int kWordBits = 64;
  static constexpr int kMostCpus = 4096;
  std::array<std::uint64_t, kMostCpus / kWordBits> words{};

  bool holds(int cpu) const noexcept {
    const auto word = static_cast<std::size_t>(cpu / kWordBits);
    return cpu >= 0 && cpu < kMostCpus && (words[word] >> cpu % kWordBits & 1) != 0;
  }
  void add(int cpu) noexcept {
    words[static_cast<std::size_t>(cpu / kWordBits)] |= std::uint64_t{1} << cpu % kWordBits;
  }
  void add(const CpuMask& others) noexcept {
    for (std::size_t i = 0; i < words.size(); ++i) words[i] |= others.words[i];
  }
  int count() const noexcept {
    int all = 0;
    for (const std::uint64_t word : words) all += std::popcount(word);
    return all;
  }
  bool operator==(const CpuMask&) const = default;
};

/// Of the calling thread.
CpuMask own_cpus();

}  // namespace foldlane::shm
