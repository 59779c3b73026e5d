#include "shm/segment/huge_pages.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "shm/segment/layout.hpp"

namespace foldlane::shm {
namespace {

constexpr int kCollapse = 25;  // MADV_COLLAPSE; Debian 12's headers are older than Linux 6.1

/// 0 or an error number. The kernel makes huge what has one page at least, and fills in the others; it does
/// so whatever is set for shared memory in general (shmem_enabled), which is `never` unless somebody changes
/// it. fallocate itself heeds that setting only, and no madvise.
int commit_huge_page(int fd, std::byte* base, std::uint64_t offset) noexcept {
  const int status = posix_fallocate(fd, static_cast<off_t>(offset), kPageBytes);
  if (status != 0) return status;
  return madvise(base + offset, kHugePageBytes, kCollapse) == 0 ? 0 : errno;
}

std::string refusal(const char* call, int error) { return fmt::format("{}: {}", call, std::strerror(error)); }

std::string why_not(int fd) {
  void* const room = huge_page_aligned_room(kHugePageBytes);
  if (room == nullptr || ftruncate(fd, kHugePageBytes) != 0) return "there is no memory to try it with";
  void* const at = mmap(room, kHugePageBytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (at == MAP_FAILED) return refusal("mmap", errno);
  const int status = commit_huge_page(fd, static_cast<std::byte*>(at), 0);
  munmap(at, kHugePageBytes);
  return status == 0 ? "" : refusal("madvise(MADV_COLLAPSE), which is of Linux 6.1", status);
}

}  // namespace

void* huge_page_aligned_room(std::uint64_t bytes) {
  const std::uint64_t enough = bytes + kHugePageBytes;
  void* const room = mmap(nullptr, enough, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (room == MAP_FAILED) return nullptr;
  munmap(room, enough);
  auto* const start = static_cast<std::byte*>(room);
  return start + (kHugePageBytes - reinterpret_cast<std::uintptr_t>(start) % kHugePageBytes) % kHugePageBytes;
}

void commit_huge_pages(int fd, std::byte* base, std::uint64_t offset, std::uint64_t bytes) noexcept {
  const std::uint64_t end = offset + bytes;
  for (std::uint64_t at = round_up(offset, kHugePageBytes); at + kHugePageBytes <= end; at += kHugePageBytes)
    if (commit_huge_page(fd, base, at) != 0) return;
}

std::string why_no_huge_pages() {
  const int fd = memfd_create("foldlane", MFD_CLOEXEC);
  if (fd < 0) return refusal("memfd_create", errno);
  std::string why = why_not(fd);
  close(fd);
  return why;
}

}  // namespace foldlane::shm
