// Buffers of gigabytes that need megabytes: one small file mapped many times in a row. But at the places
// where a count of too few bits would stop or begin again, and at the end, mappings have memory of their own.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>

#include "support/expect.h"

namespace foldlane::tests {

inline constexpr std::size_t kMapping = std::size_t{1} << 23;

inline bool is_own(std::size_t mapping, std::size_t mappings) {
  const std::size_t gib = (std::size_t{1} << 30) / kMapping;
  return mapping % gib == 0 || mapping % gib == gib - 1 || mapping + 1 == mappings;
}

class Aliased {
 public:
  explicit Aliased(std::size_t bytes) : bytes_(bytes) {
    const int fd = memfd_create("aliased", MFD_CLOEXEC);
    if (fd < 0 || ftruncate(fd, kMapping) != 0) give_up("no memfd");
    constexpr int kProtection = PROT_READ | PROT_WRITE;
    void* const space = mmap(nullptr, bytes, kProtection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (space == MAP_FAILED) give_up("no address space");
    data_ = static_cast<std::uint8_t*>(space);
    for (std::size_t at = 0; at < bytes; at += kMapping) {
      if (is_own(at / kMapping, mappings())) continue;
      if (mmap(data_ + at, kMapping, kProtection, MAP_SHARED | MAP_FIXED, fd, 0) == MAP_FAILED)
        give_up("no mapping");
    }
    close(fd);
  }
  Aliased(const Aliased&) = delete;
  Aliased& operator=(const Aliased&) = delete;
  ~Aliased() { munmap(data_, bytes_); }

  std::uint8_t* data() { return data_; }

  /// All pages of a part at once, where the system can: a fault for each takes longer than the copies.
  void touch(std::size_t start, std::size_t bytes) {
    const std::size_t page = start / kMapping * kMapping;
    madvise(data_ + page, start + bytes - page, MADV_POPULATE_WRITE);
  }

  /// Calls body(index, salt) for a byte of all memory there is; the salt tells memories apart.
  template <class Body>
  void for_each(const Body& body) const {
    bool aliased_done = false;
    for (std::size_t mapping = 0; mapping < mappings(); ++mapping) {
      const bool own = is_own(mapping, mappings());
      if (!own && aliased_done) continue;
      if (!own) aliased_done = true;
      const std::size_t start = mapping * kMapping;
      const std::size_t end = bytes_ - start < kMapping ? bytes_ : start + kMapping;
      for (std::size_t i = start; i < end; ++i) body(i, own ? mapping * 37 + 1 : 0);
    }
  }

 private:
  std::size_t mappings() const { return (bytes_ + kMapping - 1) / kMapping; }

  std::size_t bytes_;
  std::uint8_t* data_;
};

}  // namespace foldlane::tests
