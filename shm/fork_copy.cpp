#include "shm/fork_copy.hpp"

#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>

namespace foldlane::shm {
namespace {

/// Handlers of fork get no argument.
struct Copied {
  int fd = -1;  // negative: nothing to copy
  std::uint64_t offset = 0;
  std::span<std::byte> range;
  std::mutex forking;      // one fork at a time: `done` is that one's
  int done[2] = {-1, -1};  // the child's end is closed when the copy is made, or when the child is gone
} copied;

[[noreturn]] void give_up(const char* step) {
  char text[256];
  const char* const why = strerrordesc_np(errno);
  const int length =
      snprintf(text, sizeof text, "foldlane: fork: copying the shared heap (%s): %s\n", step, why);
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text, static_cast<std::size_t>(length));
  _exit(EXIT_FAILURE);
}

void before_fork() {
  copied.forking.lock();
  if (copied.fd >= 0 && pipe2(copied.done, O_CLOEXEC) != 0) give_up("making a pipe");
}

/// Also if fork has failed: then nobody else has the other end.
void in_parent() {
  if (copied.fd >= 0) {
    close(copied.done[1]);
    char none;
    while (read(copied.done[0], &none, 1) < 0 && errno == EINTR) {
    }
    close(copied.done[0]);
  }
  copied.forking.unlock();
}

/// Only what was written: a range is address space for all that a program may ever want.
void copy_written(std::byte* copy) {
  const auto begin = static_cast<off_t>(copied.offset);
  const auto end = begin + static_cast<off_t>(copied.range.size());
  off_t data = lseek(copied.fd, begin, SEEK_DATA);
  while (data >= 0 && data < end) {
    const off_t hole = std::min(lseek(copied.fd, data, SEEK_HOLE), end);
    std::memcpy(copy + (data - begin), copied.range.data() + (data - begin),
                static_cast<std::size_t>(hole - data));
    data = lseek(copied.fd, hole, SEEK_DATA);
  }
}

void replace_by_copy() {
  const std::size_t bytes = copied.range.size();
  void* const copy =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (copy == MAP_FAILED) give_up("address space");
  copy_written(static_cast<std::byte*>(copy));
  if (mremap(copy, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, copied.range.data()) == MAP_FAILED)
    give_up("putting it in place");
}

void in_child() {
  if (copied.fd >= 0) {
    close(copied.done[0]);
    replace_by_copy();
    close(copied.done[1]);
    copied.fd = -1;  // private from now on
  }
  copied.forking.unlock();
}

}  // namespace

Result<void> copy_on_fork(const Segment& segment, std::span<std::byte> range) {
  copied.offset = segment.offset_of(range.data());
  copied.range = range;
  if (const int error = pthread_atfork(before_fork, in_parent, in_child); error != 0)
    return system_error("preparing for fork (pthread_atfork)", error);
  copied.fd = segment.fd();
  return {};
}

}  // namespace foldlane::shm
