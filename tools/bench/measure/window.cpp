#include "bench/measure/window.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace foldlane::bench {
namespace {

[[noreturn]] void fail(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

}  // namespace

Window::Window(int ranks)
    : ranks_(ranks),
      bytes_(kMaxRanks * kLineBytes +
             static_cast<std::size_t>(ranks) * (kMaxCalls * sizeof(Stamps) + kDataBytes)),
      file_(::memfd_create("foldlane-bench", MFD_CLOEXEC)) {
  if (!file_.open() || ::ftruncate(file_.get(), static_cast<off_t>(bytes_)) != 0)
    fail("making a file for the measurements");
  void* const at = ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, file_.get(), 0);
  if (at == MAP_FAILED) fail("mapping the file for the measurements");
  at_ = static_cast<std::byte*>(at);
}

Window::~Window() { ::munmap(at_, bytes_); }

std::span<const Stamps> Window::stamps(int rank) const {
  const std::byte* const first = at_ + kMaxRanks * kLineBytes;
  return {reinterpret_cast<const Stamps*>(first) + static_cast<std::ptrdiff_t>(rank) * kMaxCalls, kMaxCalls};
}

std::byte* Window::data(int rank) const {
  return at_ + kMaxRanks * kLineBytes + static_cast<std::size_t>(ranks_) * kMaxCalls * sizeof(Stamps) +
         static_cast<std::size_t>(rank) * kDataBytes;
}

}  // namespace foldlane::bench
