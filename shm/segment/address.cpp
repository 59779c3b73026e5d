#include "shm/segment/address.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>

namespace foldlane::shm {

SegmentAddress address_of(const Segment& segment) {
  struct stat status {};
  fstat(segment.fd(), &status);
  return {getpid(), segment.fd(), status.st_dev, status.st_ino};
}

Result<Segment> attach(const SegmentAddress& address, std::uint64_t layout_hash) {
  const std::string path = fmt::format("/proc/{}/fd/{}", address.process, address.fd);
  const int fd = open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (fd < 0) return system_error("opening the job's shared segment as " + path, errno);
  struct stat status {};
  if (fstat(fd, &status) != 0 || status.st_dev != address.device || status.st_ino != address.inode) {
    close(fd);
    return Error{Errc::system, path + " is not the job's shared segment: is this another PID namespace?"};
  }
  auto segment = Segment::attach(fd, layout_hash);
  close(fd);
  return segment;
}

}  // namespace foldlane::shm
