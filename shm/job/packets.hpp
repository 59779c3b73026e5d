// Packets between processes of this machine, over Unix sockets with names that are in no file system: they go
// with the process that listens.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>

#include "shm/base/result.hpp"
#include "shm/base/unique_fd.hpp"

namespace foldlane::shm {

/// Error: invalid, if somebody listens under this name.
Result<UniqueFd> listen_as(const std::string& name);
/// Not open if nobody listens under this name.
Result<UniqueFd> connect_to(const std::string& name);
/// Who has connected, or listened.
struct Process {
  uid_t user;
  pid_t id;  // in this process's namespace; 0: it is in none that can be seen here
};
Process process_behind(const UniqueFd& socket);

struct Packet {
  std::string bytes;  // empty: the other end is gone
  UniqueFd fd;        // not open: none came along
};
/// False if the other end is gone. `fd` goes along unless it is -1.
bool send_packet(const UniqueFd& socket, std::string_view bytes, int fd = -1) noexcept;
/// Blocks. Of 4 KiB at most.
Packet receive_packet(const UniqueFd& socket);

}  // namespace foldlane::shm
