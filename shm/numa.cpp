// The system call itself instead of libnuma, which reads /proc and /sys while it is loaded: 20 system calls
// in every rank.
#include "shm/numa.hpp"

#include <fcntl.h>
#include <linux/mempolicy.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <climits>

namespace foldlane::shm {
namespace {

constexpr std::size_t kWordBits = sizeof(unsigned long) * CHAR_BIT;
constexpr std::size_t kMostNodes = 1024;  // CONFIG_NODES_SHIFT is at most 10

/// A kernel without NUMA has no such file. "0" is a list of one node; any other one begins "0-" or "0,".
bool has_several_nodes() noexcept {
  const int fd = open("/sys/devices/system/node/online", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  std::array<char, 2> list{};
  const ssize_t bytes = read(fd, list.data(), list.size());
  close(fd);
  return bytes == 2 && list[1] != '\n';
}

}  // namespace

void prefer_node(std::byte* start, std::uint64_t bytes, int node) noexcept {
  static const bool several = has_several_nodes();
  if (node < 0 || static_cast<std::size_t>(node) >= kMostNodes || !several) return;
  std::array<unsigned long, kMostNodes / kWordBits> nodes{};
  const auto bit = static_cast<std::size_t>(node);
  nodes[bit / kWordBits] = 1ul << (bit % kWordBits);
  syscall(SYS_mbind, start, bytes, MPOL_PREFERRED, nodes.data(), kMostNodes + 1, 0);
}

}  // namespace foldlane::shm
