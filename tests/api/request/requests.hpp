// Requests that a test completes itself: generalized ones, through the public interface, and ones of a class
// of its own, which may be persistent.
#pragma once

#include <gtest/gtest.h>
#include <mpi.h>

#include <string>

#include "api/core/failure.hpp"
#include "api/errors/raise.hpp"
#include "api/request/request_slots.hpp"
#include "api/request/status.hpp"
#include "support/mpi_world.hpp"

namespace foldlane::testing {

/// A generalized request, what its functions return, and what they were called with, in order: q, f, c
/// (cancel before completion), C (after it).
struct Task {
  int query_code = MPI_SUCCESS;
  int free_code = MPI_SUCCESS;
  int cancel_code = MPI_SUCCESS;
  int tag = 0;
  std::string calls{};
  MPI_Request request = MPI_REQUEST_NULL;

  explicit Task(int tag_of_status = 0) : tag(tag_of_status) {
    EXPECT_EQ(MPI_Grequest_start(query, free, cancel, this, &request), MPI_SUCCESS);
    EXPECT_NE(request, MPI_REQUEST_NULL);
  }
  Task(const Task&) = delete;
  Task& operator=(const Task&) = delete;
  void complete() const { EXPECT_EQ(MPI_Grequest_complete(request), MPI_SUCCESS); }

  static int query(void* state, MPI_Status* status) {
    auto& task = *static_cast<Task*>(state);
    task.calls += 'q';
    status->MPI_SOURCE = 7;
    status->MPI_TAG = task.tag;
    status->MPI_ERROR = 99;  // not the program's to set here
    MPI_Status_set_elements(status, MPI_INT, 3);
    MPI_Status_set_cancelled(status, task.calls.find('c') != std::string::npos);
    return task.query_code;
  }
  static int free(void* state) {
    static_cast<Task*>(state)->calls += 'f';
    return static_cast<Task*>(state)->free_code;
  }
  static int cancel(void* state, int complete) {
    static_cast<Task*>(state)->calls += complete != 0 ? 'C' : 'c';
    return static_cast<Task*>(state)->cancel_code;
  }
};

/// What a test says about a request of the class below, and sees of it.
struct Control {
  bool complete = false;
  int fails_with = MPI_SUCCESS;
  bool fails_to_begin = false;
  int polls = 0;
  int begun = 0;
  int finished = 0;
  int destroyed = 0;
};

class ControlledRequest final : public api::Request {
 public:
  ControlledRequest(Control& control, api::Lifetime lifetime, MPI_Comm comm)
      : Request(comm, lifetime), control_(control) {}
  ~ControlledRequest() override { ++control_.destroyed; }

  std::string title() const override { return "a test's request"; }
  bool poll() override {
    ++control_.polls;
    return control_.complete;
  }
  bool has_failed() const noexcept override { return control_.fails_with != MPI_SUCCESS; }
  void describe(MPI_Status& status) override {
    if (has_failed()) api::fail(control_.fails_with, "as the test wants");
    status.MPI_TAG = 42;
  }
  void finish(MPI_Status& status) override {
    ++control_.finished;
    describe(status);
  }
  void begin() override {
    ++control_.begun;
    if (control_.fails_to_begin) api::fail(MPI_ERR_OTHER, "it does not begin");
  }

 private:
  Control& control_;
};

inline MPI_Request make_controlled(Control& control, api::Lifetime lifetime, MPI_Comm comm) {
  MPI_Request request = MPI_REQUEST_NULL;
  api::make_request<ControlledRequest>(request, control, lifetime, comm);
  return request;
}
inline MPI_Request start_once(Control& control, MPI_Comm comm = MPI_COMM_SELF) {
  return make_controlled(control, api::Lifetime::once, comm);
}
inline MPI_Request make_persistent(Control& control, MPI_Comm comm = MPI_COMM_SELF) {
  return make_controlled(control, api::Lifetime::persistent, comm);
}

inline MPI_Status garbage_status() { return {-11, -12, -13, {-1, -1, -1, -1, -1}}; }

/// The field MPI_ERROR is judged by the caller.
inline bool is_empty(const MPI_Status& status) {
  return status.MPI_SOURCE == MPI_ANY_SOURCE && status.MPI_TAG == MPI_ANY_TAG &&
         api::received_bytes(status) == 0 && !api::is_cancelled(status);
}

class Requests : public ::testing::Test {
 private:
  ErrorsReturn errors_return_;
};

}  // namespace foldlane::testing
