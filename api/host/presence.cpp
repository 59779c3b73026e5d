// The first rank of the node, as the launcher counts, listens on an abstract socket that is named after the
// job; the others connect to it. It decides: all have come in time, or not. Who has connected waits for its
// word, or for the end of the connection, and decides nothing; who cannot connect in time has not come. So
// "all" is what everybody finds, or nobody.
#include "api/host/presence.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace foldlane::host {
namespace {

using Clock = std::chrono::steady_clock;

/// The ranks of a host leave its MPI_Init together.
constexpr std::chrono::seconds kPatience{3};
constexpr int kNapMs = 1;
constexpr char kAllAreHere = 'a';

/// Of the ranks that one launcher has started on this node.
struct Seat {
  std::string job;
  int rank = 0;
  int ranks = 0;
};

std::optional<int> number_of(const char* variable) {
  const char* const text = std::getenv(variable);
  if (text == nullptr) return std::nullopt;
  return std::atoi(text);
}

/// Hydra's ranks share no name, but each has a connection to the one process that has started them.
std::string hydra_job() {
  ucred launcher{};
  socklen_t bytes = sizeof launcher;
  const int fd = number_of("PMI_FD").value_or(-1);
  if (::getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &launcher, &bytes) != 0 || launcher.pid <= 0) return "";
  return fmt::format("hydra-{}", launcher.pid);
}

std::string openmpi_job() {
  const char* const name = std::getenv("PMIX_NAMESPACE");
  return name == nullptr ? "" : fmt::format("pmix-{}", name);
}

/// By the launcher that belongs to the host: another one's variables may be around it.
std::optional<Seat> own_seat(Abi abi) {
  const bool is_openmpi = abi == Abi::openmpi;
  const auto rank = number_of(is_openmpi ? "OMPI_COMM_WORLD_LOCAL_RANK" : "MPI_LOCALRANKID");
  const auto ranks = number_of(is_openmpi ? "OMPI_COMM_WORLD_LOCAL_SIZE" : "MPI_LOCALNRANKS");
  const std::string job = is_openmpi ? openmpi_job() : hydra_job();
  if (!rank || !ranks || job.empty()) return std::nullopt;
  return Seat{job, *rank, *ranks};
}

class Socket {
 public:
  Socket() : fd_(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)) {}
  explicit Socket(int fd) : fd_(fd) {}
  Socket(Socket&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Socket& operator=(Socket&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Socket() {
    if (fd_ >= 0) ::close(fd_);
  }
  int fd() const { return fd_; }

 private:
  int fd_;
};

class Address {
 public:
  explicit Address(const std::string& what) {
    const std::string name = fmt::format("foldlane-{}-{}", ::getuid(), what);
    address_.sun_family = AF_UNIX;
    const std::size_t bytes = std::min(name.size(), sizeof address_.sun_path - 1);
    std::memcpy(address_.sun_path + 1, name.data(), bytes);  // behind a zero: no file
    bytes_ = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + bytes);
  }
  bool bind(const Socket& socket) const { return ::bind(socket.fd(), get(), bytes_) == 0; }
  bool connect(const Socket& socket) const { return ::connect(socket.fd(), get(), bytes_) == 0; }

 private:
  const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&address_); }
  sockaddr_un address_{};
  socklen_t bytes_ = 0;
};

/// True: there is something to read, or to accept.
bool nap(const Socket& socket, HostProgress& progress) {
  pollfd wanted{socket.fd(), POLLIN, 0};
  progress.go_on();
  return ::poll(&wanted, 1, kNapMs) > 0;
}

bool is_of_own_user(const Socket& socket) {
  ucred peer{};
  socklen_t bytes = sizeof peer;
  return ::getsockopt(socket.fd(), SOL_SOCKET, SO_PEERCRED, &peer, &bytes) == 0 && peer.uid == ::getuid();
}

/// As many descriptors as there may be: one for each rank, for a moment.
class ManyDescriptors {
 public:
  ManyDescriptors() {
    ::getrlimit(RLIMIT_NOFILE, &before_);
    const rlimit most{before_.rlim_max, before_.rlim_max};
    ::setrlimit(RLIMIT_NOFILE, &most);
  }
  ManyDescriptors(const ManyDescriptors&) = delete;
  ManyDescriptors& operator=(const ManyDescriptors&) = delete;
  ~ManyDescriptors() { ::setrlimit(RLIMIT_NOFILE, &before_); }

 private:
  rlimit before_{};
};

/// Of the first rank.
bool gather(const Seat& seat, HostProgress& progress) {
  const Clock::time_point end = Clock::now() + kPatience;
  const ManyDescriptors descriptors;
  const Socket door;
  std::vector<Socket> others;
  const bool listens = Address(seat.job).bind(door) && ::listen(door.fd(), seat.ranks) == 0;
  while (listens && static_cast<int>(others.size()) < seat.ranks - 1 && Clock::now() < end) {
    if (!nap(door, progress)) continue;
    Socket other(::accept4(door.fd(), nullptr, nullptr, SOCK_CLOEXEC));
    if (other.fd() >= 0 && is_of_own_user(other)) others.push_back(std::move(other));
  }
  const int missing = seat.ranks - 1 - static_cast<int>(others.size());
  if (missing == 0) {
    for (const Socket& other : others) ::send(other.fd(), &kAllAreHere, 1, MSG_NOSIGNAL);
  } else {
    say(fmt::format(
        "nothing is accelerated: {} of the {} ranks on this node have no Foldlane; preload it into "
        "all of them, or into none",
        missing, seat.ranks));
  }
  return missing == 0;
}

/// Whoever is the first of those that miss the first rank. The name is taken until the process ends.
void say_once_that_first_is_missing(const Seat& seat) {
  static const Socket claim;
  if (Address(seat.job + "-missed").bind(claim))
    say("nothing is accelerated: the first rank on this node has no Foldlane; preload it into all ranks, "
        "or "
        "into none");
}

/// Of the others.
bool report(const Seat& seat, HostProgress& progress) {
  const Clock::time_point end = Clock::now() + kPatience;
  const Socket own;
  while (!Address(seat.job).connect(own)) {
    if (Clock::now() > end) {
      say_once_that_first_is_missing(seat);
      return false;
    }
    progress.go_on();
    ::poll(nullptr, 0, kNapMs);
  }
  while (!nap(own, progress)) {
  }
  char word = 0;
  return is_of_own_user(own) && ::recv(own.fd(), &word, 1, 0) == 1 && word == kAllAreHere;
}

}  // namespace

bool all_ranks_of_node_are_here(const Host& host, HostProgress& progress) {
  const auto seat = own_seat(host.abi());
  if (!seat || seat->ranks < 2) return true;
  return seat->rank == 0 ? gather(*seat, progress) : report(*seat, progress);
}

}  // namespace foldlane::host
