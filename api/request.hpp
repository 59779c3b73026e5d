// What a request handle stands for: a call that goes on after it has returned.
#pragma once

#include <mpi.h>

#include <memory>

#include "api/handle_table.hpp"

namespace foldlane::api {

class Request {
 public:
  virtual ~Request() = default;
  /// True once the call is complete, and what it gives to its caller is given. Does not block. Throws a
  /// Failure if the call has failed.
  virtual bool test() = 0;
  /// Blocks until test() is true.
  virtual void wait() = 0;
  /// Where errors are raised.
  virtual MPI_Comm comm() const = 0;
};

extern HandleTable<MPI_Request, std::shared_ptr<Request>> requests;

/// A handle for a call that has begun.
MPI_Request new_request_handle(std::shared_ptr<Request> request);

/// Throws MPI_ERR_REQUEST unless the handle is a request or MPI_REQUEST_NULL (null).
std::shared_ptr<Request> check_request(MPI_Request handle);

/// The status of what no message came with: of MPI_REQUEST_NULL, and of calls without messages.
MPI_Status empty_status() noexcept;

}  // namespace foldlane::api
