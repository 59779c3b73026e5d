#include "shm/base/result.hpp"

#include <cerrno>
#include <system_error>

namespace foldlane::shm {

Error system_error(const std::string& attempt, int errno_value) {
  const bool scarce = errno_value == ENOMEM || errno_value == ENOSPC;
  return {scarce ? Errc::no_memory : Errc::system,
          attempt + ": " + std::generic_category().message(errno_value)};
}

}  // namespace foldlane::shm
