// Memory of the kind that ranks have, for what is measured by threads.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstring>
#include <new>
#include <utility>

namespace foldlane::bench {

inline constexpr std::size_t kLineBytes = 64;

class Arena {
 public:
  Arena(std::size_t bytes, bool huge_pages) : bytes_(bytes) {
    if (bytes_ == 0) return;
    void* const at = ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED) throw std::bad_alloc();
    ::madvise(at, bytes_, huge_pages ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
    at_ = static_cast<std::byte*>(at);
  }
  Arena(Arena&& other) noexcept : bytes_(other.bytes_), at_(std::exchange(other.at_, nullptr)) {}
  Arena& operator=(Arena&&) = delete;
  ~Arena() {
    if (at_ != nullptr) ::munmap(at_, bytes_);
  }
  /// By the thread near whose CPU it shall be.
  void touch() const {
    if (at_ != nullptr) std::memset(at_, 1, bytes_);
  }
  std::byte* at() const { return at_; }

 private:
  std::size_t bytes_;
  std::byte* at_ = nullptr;
};

}  // namespace foldlane::bench
