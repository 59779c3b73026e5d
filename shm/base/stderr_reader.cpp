#include "shm/base/stderr_reader.hpp"

#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <thread>

namespace foldlane::shm {

bool await_reader_of_stderr() noexcept {
  constexpr auto kLongest = std::chrono::milliseconds(100);
  struct stat status {};
  if (::fstat(STDERR_FILENO, &status) != 0 || !S_ISFIFO(status.st_mode)) return true;
  const auto deadline = std::chrono::steady_clock::now() + kLongest;
  for (int left = 0; ::ioctl(STDERR_FILENO, FIONREAD, &left) == 0 && left > 0;) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
  return true;
}

}  // namespace foldlane::shm
