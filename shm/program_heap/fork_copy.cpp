#include "shm/program_heap/fork_copy.hpp"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
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

/// What to copy. Handlers of fork get no argument.
struct Copied {
  int fd = -1;  // negative: nothing
  struct stat file {};
  std::uint64_t offset = 0;
  std::span<std::byte> range;
} copied;

/// One fork at a time, and none in a signal handler of a thread that waits for a copy.
struct Handshake {
  std::mutex forking;
  sigset_t signals;
  int done[2];  // the child's end is closed when the copy is made, or when the child is gone
  int error;    // why there is no `done`; 0: there is
} handshake;

[[noreturn]] void give_up(const char* step) {
  char text[256];
  const int length = snprintf(text, sizeof text, "foldlane: fork: copying the shared heap (%s): %s\n", step,
                              strerrordesc_np(errno));
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text, static_cast<std::size_t>(length));
  _exit(EXIT_FAILURE);
}

// ---- the copy, in the child

void check_file() {
  struct stat now {};
  const bool known =
      fstat(copied.fd, &now) == 0 && now.st_dev == copied.file.st_dev && now.st_ino == copied.file.st_ino;
  if (known) return;
  errno = EBADF;
  give_up("the program has closed the segment's descriptor");
}

struct Extent {
  off_t begin;
  off_t end;
};

/// The first that was written from `from` on; empty if there is none before `end`.
Extent next_written(off_t from, off_t end) {
  const off_t data = lseek(copied.fd, from, SEEK_DATA);
  if (data < 0 && errno != ENXIO) give_up("finding what was written");
  if (data < 0 || data >= end) return {end, end};
  const off_t hole = lseek(copied.fd, data, SEEK_HOLE);
  if (hole < 0) give_up("finding where it ends");
  return {data, std::min(hole, end)};
}

/// A range is address space for all that a program may ever want, so only what was written.
void copy_written(std::byte* copy) {
  const auto begin = static_cast<off_t>(copied.offset);
  const auto end = begin + static_cast<off_t>(copied.range.size());
  for (Extent at = next_written(begin, end); at.begin < end; at = next_written(at.end, end)) {
    std::memcpy(copy + (at.begin - begin), copied.range.data() + (at.begin - begin),
                static_cast<std::size_t>(at.end - at.begin));
  }
}

void replace_by_copy() {
  check_file();
  const std::size_t bytes = copied.range.size();
  void* const copy =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (copy == MAP_FAILED) give_up("address space");
  copy_written(static_cast<std::byte*>(copy));
  if (mremap(copy, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, copied.range.data()) == MAP_FAILED)
    give_up("putting it in place");
}

// ---- the handlers

void before_fork() {
  sigset_t all, own;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &own);
  handshake.forking.lock();
  handshake.signals = own;
  handshake.error = copied.fd >= 0 && pipe2(handshake.done, O_CLOEXEC) != 0 ? errno : 0;
}

void after_fork() {
  const sigset_t own = handshake.signals;
  handshake.forking.unlock();
  pthread_sigmask(SIG_SETMASK, &own, nullptr);
}

/// Also if fork has failed: then nobody else has the other end.
void in_parent() {
  if (copied.fd >= 0 && handshake.error == 0) {
    close(handshake.done[1]);
    char none;
    while (read(handshake.done[0], &none, 1) < 0 && errno == EINTR) {
    }
    close(handshake.done[0]);
  }
  after_fork();
}

void in_child() {
  if (copied.fd >= 0) {
    errno = handshake.error;
    if (errno != 0) give_up("making a pipe");
    close(handshake.done[0]);
    replace_by_copy();
    close(handshake.done[1]);
    copied.fd = -1;  // private from now on
  }
  after_fork();
}

}  // namespace

Result<void> prepare_copy_on_fork() {
  static const int error = pthread_atfork(before_fork, in_parent, in_child);
  if (error != 0) return system_error("preparing for fork (pthread_atfork)", error);
  return {};
}

Result<void> copy_on_fork(const Segment& segment, std::span<std::byte> range) {
  if (auto prepared = prepare_copy_on_fork(); !prepared.ok()) return prepared;
  if (fstat(segment.fd(), &copied.file) != 0) return system_error("preparing for fork (fstat)", errno);
  copied.offset = segment.offset_of(range.data());
  copied.range = range;
  copied.fd = segment.fd();
  return {};
}

}  // namespace foldlane::shm
