#include "shm/machine/process_memory.hpp"

#include <sys/prctl.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace foldlane::shm {
namespace {

/// The kernel takes no more than 2^31 bytes at once.
constexpr std::size_t kMostBytes = std::size_t{1} << 30;

/// A process and all that descend from it may use this one's memory.
void let_in(pid_t ancestor) noexcept { ::prctl(PR_SET_PTRACER, static_cast<unsigned long>(ancestor)); }

/// `move` is process_vm_readv or process_vm_writev.
template <class Move>
bool move_all(const Move& move, int process, std::uint64_t there, std::byte* here,
              std::size_t bytes) noexcept {
  while (bytes > 0) {
    const std::size_t part = std::min(bytes, kMostBytes);
    const iovec local{here, part};
    const iovec remote{reinterpret_cast<void*>(there), part};
    const ssize_t moved = move(process, &local, 1, &remote, 1, 0);
    if (moved < 0 && errno == EINTR) continue;
    if (moved <= 0) return false;
    there += static_cast<std::uint64_t>(moved);
    here += moved;
    bytes -= static_cast<std::size_t>(moved);
  }
  return true;
}

}  // namespace

void let_siblings_in() noexcept { let_in(::getppid()); }

bool read_from_process(int process, std::uint64_t from, std::byte* to, std::size_t bytes) noexcept {
  return move_all(::process_vm_readv, process, from, to, bytes);
}

bool write_to_process(int process, std::uint64_t to, const std::byte* from, std::size_t bytes) noexcept {
  return move_all(::process_vm_writev, process, to, const_cast<std::byte*>(from), bytes);
}

bool has_ended(int process) noexcept {
  std::byte none{};
  const iovec local{&none, 1}, remote{nullptr, 1};
  return ::process_vm_readv(process, &local, 1, &remote, 1, 0) < 0 && errno == ESRCH;
}

bool can_read_from_processes() {
  const int word = ::getpid();
  let_in(word);
  const pid_t child = ::fork();
  if (child < 0) return false;
  if (child == 0) {
    int read = 0;
    const bool could = read_from_process(word, reinterpret_cast<std::uint64_t>(&word),
                                         reinterpret_cast<std::byte*>(&read), sizeof read);
    ::_exit(could && read == word ? 0 : 1);
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace foldlane::shm
