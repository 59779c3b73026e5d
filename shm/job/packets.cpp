#include "shm/job/packets.hpp"

#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>

namespace foldlane::shm {
namespace {

struct Address {
  explicit Address(const std::string& name) {
    path.sun_family = AF_UNIX;
    const std::size_t letters = std::min(name.size(), sizeof path.sun_path - 1);
    std::memcpy(path.sun_path + 1, name.data(), letters);  // behind a zero: in no file system
    bytes = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + letters);
  }
  const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&path); }

  sockaddr_un path{};
  socklen_t bytes;
};

UniqueFd new_socket() { return UniqueFd(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0)); }

/// A message of one packet, with room for a descriptor.
class Message {
 public:
  Message(void* bytes, std::size_t size) : part_{bytes, size} {
    header_.msg_iov = &part_;
    header_.msg_iovlen = 1;
    header_.msg_control = control_.data();
    header_.msg_controllen = control_.size();
  }
  msghdr* get() { return &header_; }

  void put(int fd) {
    if (fd < 0) {
      header_.msg_controllen = 0;
      return;
    }
    cmsghdr* const control = CMSG_FIRSTHDR(&header_);
    control->cmsg_level = SOL_SOCKET;
    control->cmsg_type = SCM_RIGHTS;
    control->cmsg_len = CMSG_LEN(sizeof fd);
    std::memcpy(CMSG_DATA(control), &fd, sizeof fd);
  }
  int take() {
    cmsghdr* const control = CMSG_FIRSTHDR(&header_);
    int fd = -1;
    if (control != nullptr && control->cmsg_type == SCM_RIGHTS)
      std::memcpy(&fd, CMSG_DATA(control), sizeof fd);
    return fd;
  }

 private:
  iovec part_;
  msghdr header_{};
  alignas(cmsghdr) std::array<std::byte, CMSG_SPACE(sizeof(int))> control_{};
};

}  // namespace

Result<UniqueFd> listen_as(const std::string& name) {
  UniqueFd socket = new_socket();
  const Address address(name);
  if (bind(socket.get(), address.get(), address.bytes) != 0 && errno == EADDRINUSE)
    return Error{Errc::invalid, "somebody listens as " + name + " already"};
  if (listen(socket.get(), SOMAXCONN) != 0) return system_error("listening as " + name, errno);
  return socket;
}

Result<UniqueFd> connect_to(const std::string& name) {
  UniqueFd socket = new_socket();
  const Address address(name);
  int status = 0;
  do {
    status = connect(socket.get(), address.get(), address.bytes);
  } while (status != 0 && errno == EINTR);
  if (status == 0) return socket;
  if (errno == ECONNREFUSED) return UniqueFd();
  return system_error("connecting to " + name, errno);
}

Process process_behind(const UniqueFd& socket) {
  ucred peer{0, static_cast<uid_t>(-1), 0};
  socklen_t bytes = sizeof peer;
  getsockopt(socket.get(), SOL_SOCKET, SO_PEERCRED, &peer, &bytes);
  return {peer.uid, peer.pid};
}

bool send_packet(const UniqueFd& socket, std::string_view bytes, int fd) noexcept {
  Message message(const_cast<char*>(bytes.data()), bytes.size());
  message.put(fd);
  ssize_t sent = 0;
  do {
    sent = sendmsg(socket.get(), message.get(), MSG_NOSIGNAL);
  } while (sent < 0 && errno == EINTR);
  return sent >= 0;
}

Packet receive_packet(const UniqueFd& socket) {
  std::string bytes(4096, '\0');
  Message message(bytes.data(), bytes.size());
  ssize_t received = 0;
  do {
    received = recvmsg(socket.get(), message.get(), MSG_CMSG_CLOEXEC);
  } while (received < 0 && errno == EINTR);
  if (received <= 0) return {};
  bytes.resize(static_cast<std::size_t>(received));
  return {std::move(bytes), UniqueFd(message.take())};
}

}  // namespace foldlane::shm
