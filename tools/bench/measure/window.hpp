// The file that the driver shares with the ranks of one measurement program; probe.h has the other half.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "shm/base/unique_fd.hpp"

namespace foldlane::bench {

/// When one rank entered and left one call, in ticks of the shared clock.
struct Stamps {
  std::uint64_t entry;
  std::uint64_t exit;
};

class Window {
 public:
  static constexpr int kMaxRanks = 256;
  static constexpr int kMaxCalls = 4096;               // of one slice
  static constexpr std::size_t kDataBytes = 1U << 18;  // moved at a time by put and get

  /// Throws std::system_error.
  explicit Window(int ranks);
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;
  ~Window();

  int fd() const { return file_.get(); }
  std::span<const Stamps> stamps(int rank) const;
  std::byte* data(int rank) const;

 private:
  static constexpr std::size_t kLineBytes = 128;

  int ranks_;
  std::size_t bytes_;
  shm::UniqueFd file_;
  std::byte* at_;
};

}  // namespace foldlane::bench
