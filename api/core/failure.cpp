#include "api/core/failure.hpp"

#include <utility>

namespace foldlane::api {
namespace {

int class_of(shm::Errc code) {
  switch (code) {
    case shm::Errc::no_memory:
      return MPI_ERR_NO_MEM;
    case shm::Errc::peer_failed:
      return MPI_ERR_PROC_ABORTED;
    case shm::Errc::disagreement:
      return MPI_ERR_NOT_SAME;
    case shm::Errc::invalid:
    case shm::Errc::system:
    case shm::Errc::bad_segment:
      break;
  }
  return MPI_ERR_OTHER;
}

}  // namespace

void fail(int code, std::string message) { throw Failure{code, std::move(message)}; }

void fail(const shm::Error& error) { fail(class_of(error.code), error.message); }

}  // namespace foldlane::api
