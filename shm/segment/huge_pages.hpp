// Huge pages for what is large in a memfd, where the system grants them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace foldlane::shm {

/// Where a mapping of so many bytes could begin now, at the start of a huge page; null if there is no room.
void* huge_page_aligned_room(std::uint64_t bytes);

/// Commits those parts of a range of `fd`, which is mapped at `base`, that are whole huge pages, as far as
/// such pages are granted; the rest stays as it was.
void commit_huge_pages(int fd, std::byte* base, std::uint64_t offset, std::uint64_t bytes) noexcept;

/// Why the function above would get none; empty if it gets them.
std::string why_no_huge_pages();

}  // namespace foldlane::shm
