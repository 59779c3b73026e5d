// Wait, Test, Request_get_status, Request_free, Start, Startall and Cancel on one request in each of its
// states.
#include "requests.hpp"

namespace foldlane::testing {
namespace {

constexpr int kUntouched = -13;  // MPI_ERROR of garbage_status()

using Single = Requests;

/// Completes a request with MPI_Wait or MPI_Test, or looks at it.
struct Way {
  const char* name;
  int (*call)(MPI_Request*, int*, MPI_Status*);
  bool completes;
};
const Way kWays[] = {
    {"wait",
     [](MPI_Request* r, int* flag, MPI_Status* s) {
       *flag = 1;
       return MPI_Wait(r, s);
     },
     true},
    {"test", [](MPI_Request* r, int* flag, MPI_Status* s) { return MPI_Test(r, flag, s); }, true},
    {"get_status", [](MPI_Request* r, int* f, MPI_Status* s) { return MPI_Request_get_status(*r, f, s); },
     false}};

TEST_F(Single, NullAndInactiveHaveAnEmptyStatus) {
  for (const Way& way : kWays) {
    SCOPED_TRACE(way.name);
    Control control;
    const MPI_Request inactive = make_persistent(control);
    for (MPI_Request request : {MPI_REQUEST_NULL, inactive}) {
      const MPI_Request before = request;
      MPI_Status status = garbage_status();
      int flag = -1;
      EXPECT_EQ(way.call(&request, &flag, &status), MPI_SUCCESS);
      EXPECT_EQ(flag, 1);
      EXPECT_TRUE(is_empty(status));
      EXPECT_EQ(status.MPI_ERROR, kUntouched);
      EXPECT_EQ(request, before);
      EXPECT_EQ(way.call(&request, &flag, MPI_STATUS_IGNORE), MPI_SUCCESS);
    }
    EXPECT_EQ(control.polls + control.finished, 0);
    MPI_Request request = inactive;
    EXPECT_EQ(MPI_Request_free(&request), MPI_SUCCESS);
    EXPECT_EQ(request, MPI_REQUEST_NULL);
    EXPECT_EQ(control.destroyed, 1);
  }
}

TEST_F(Single, ACompleteOneTellsItsStatusAndGoes) {
  for (const Way& way : kWays) {
    SCOPED_TRACE(way.name);
    Control control{.complete = true};
    MPI_Request request = start_once(control);
    MPI_Status status = garbage_status();
    int flag = -1;
    EXPECT_EQ(way.call(&request, &flag, &status), MPI_SUCCESS);
    EXPECT_EQ(flag, 1);
    EXPECT_EQ(status.MPI_TAG, 42);
    EXPECT_EQ(status.MPI_ERROR, kUntouched);
    EXPECT_EQ(request == MPI_REQUEST_NULL, way.completes);
    EXPECT_EQ(control.finished, way.completes ? 1 : 0);
    EXPECT_EQ(control.destroyed, way.completes ? 1 : 0);
    if (!way.completes) {
      EXPECT_EQ(MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);
    }
  }
}

TEST_F(Single, AnIncompleteOneStays) {
  Control control;
  MPI_Request request = start_once(control);
  const MPI_Request before = request;
  MPI_Status status = garbage_status();
  int flag = -1;
  for (int i = 1; i <= 3; ++i) {
    EXPECT_EQ(MPI_Test(&request, &flag, &status), MPI_SUCCESS);
    EXPECT_EQ(flag, 0);
    EXPECT_EQ(MPI_Request_get_status(request, &flag, &status), MPI_SUCCESS);
    EXPECT_EQ(flag, 0);
    EXPECT_EQ(control.polls, 2 * i);
  }
  EXPECT_EQ(status.MPI_SOURCE, -11);
  EXPECT_EQ(request, before);
  control.complete = true;
  EXPECT_EQ(MPI_Test(&request, &flag, &status), MPI_SUCCESS);
  EXPECT_TRUE(flag == 1 && request == MPI_REQUEST_NULL);
}

TEST_F(Single, AFailedOneReturnsItsErrorAndGoes) {
  for (const Way& way : kWays) {
    SCOPED_TRACE(way.name);
    Control control{.complete = true, .fails_with = MPI_ERR_TRUNCATE};
    MPI_Request request = start_once(control);
    int flag = -1;
    EXPECT_EQ(way.call(&request, &flag, MPI_STATUS_IGNORE), MPI_ERR_TRUNCATE);
    EXPECT_EQ(request == MPI_REQUEST_NULL, way.completes);
    if (!way.completes) {
      EXPECT_EQ(MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_ERR_TRUNCATE);
    }
    EXPECT_EQ(control.destroyed, 1);
  }
}

int raised = 0;
void count_error(MPI_Comm*, int*, ...) { ++raised; }

TEST_F(Single, ErrorsAreRaisedOnTheCommunicatorOfTheRequest) {
  raised = 0;
  MPI_Errhandler handler;
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_SELF, &comm);
  MPI_Comm_create_errhandler(count_error, &handler);
  MPI_Comm_set_errhandler(comm, handler);
  Control control{.complete = true, .fails_with = MPI_ERR_OTHER};
  MPI_Request request = start_once(control, comm);
  EXPECT_EQ(MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_ERR_OTHER);
  EXPECT_EQ(raised, 1);
  MPI_Request both[] = {MPI_REQUEST_NULL, start_once(control, comm)};
  EXPECT_EQ(MPI_Waitall(2, both, MPI_STATUSES_IGNORE), MPI_ERR_IN_STATUS);
  EXPECT_EQ(raised, 2);
  MPI_Errhandler_free(&handler);
  MPI_Comm_free(&comm);
}

TEST_F(Single, APersistentOneStartsAgainAndAgain) {
  Control control{.complete = true};
  MPI_Request request = make_persistent(control);
  const MPI_Request before = request;
  for (int i = 1; i <= 3; ++i) {
    int flag = 0;
    MPI_Status status = garbage_status();
    EXPECT_EQ(i % 2 == 0 ? MPI_Start(&request) : MPI_Startall(1, &request), MPI_SUCCESS);
    EXPECT_EQ(MPI_Start(&request), MPI_ERR_REQUEST);  // active
    EXPECT_EQ(MPI_Request_free(&request), MPI_ERR_REQUEST);
    EXPECT_EQ(MPI_Request_get_status(request, &flag, &status), MPI_SUCCESS);
    EXPECT_TRUE(flag == 1 && status.MPI_TAG == 42);
    EXPECT_EQ(MPI_Wait(&request, &status), MPI_SUCCESS);
    EXPECT_TRUE(request == before && control.begun == i && control.finished == i);
    EXPECT_EQ(MPI_Wait(&request, &status), MPI_SUCCESS);
    EXPECT_TRUE(is_empty(status) && control.finished == i);
  }
  control.fails_with = MPI_ERR_OTHER;
  EXPECT_EQ(MPI_Start(&request), MPI_SUCCESS);
  EXPECT_EQ(MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_ERR_OTHER);
  EXPECT_EQ(request, before);
  EXPECT_EQ(MPI_Start(&request), MPI_SUCCESS);  // inactive, though it failed
  EXPECT_EQ(MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_ERR_OTHER);
  control.fails_to_begin = true;
  EXPECT_EQ(MPI_Start(&request), MPI_ERR_OTHER);
  EXPECT_EQ(MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);  // still inactive
  EXPECT_EQ(MPI_Request_free(&request), MPI_SUCCESS);
  EXPECT_EQ(control.destroyed, 1);
}

TEST_F(Single, StartallChecksAllBeforeItStartsAny) {
  Control first, second, once{.complete = true};
  MPI_Request good = make_persistent(first), other = make_persistent(second), active = start_once(once);
  for (MPI_Request bad : {MPI_REQUEST_NULL, active, good, reinterpret_cast<MPI_Request>(0x7ffffff0)}) {
    MPI_Request requests[] = {good, other, bad};
    EXPECT_EQ(MPI_Startall(3, requests), MPI_ERR_REQUEST);
    EXPECT_EQ(first.begun + second.begun, 0);
  }
  MPI_Request requests[] = {good, other};
  EXPECT_EQ(MPI_Startall(-1, requests), MPI_ERR_COUNT);
  EXPECT_EQ(MPI_Startall(0, nullptr), MPI_SUCCESS);
  EXPECT_EQ(MPI_Startall(1, nullptr), MPI_ERR_ARG);
  EXPECT_EQ(MPI_Startall(2, requests), MPI_SUCCESS);
  EXPECT_TRUE(first.begun == 1 && second.begun == 1);
  first.complete = second.complete = true;
  EXPECT_EQ(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE), MPI_SUCCESS);
  for (MPI_Request& request : requests) EXPECT_EQ(MPI_Request_free(&request), MPI_SUCCESS);
  EXPECT_EQ(MPI_Wait(&active, MPI_STATUS_IGNORE), MPI_SUCCESS);
}

TEST_F(Single, WhatCannotBeFreedStartedOrCancelledSaysSo) {
  Control control;
  MPI_Request request = start_once(control), null = MPI_REQUEST_NULL;
  EXPECT_EQ(MPI_Request_free(&request), MPI_ERR_REQUEST);
  EXPECT_NE(error_string(MPI_ERR_REQUEST).find("cannot be freed while it is active; wait"),
            std::string::npos);
  EXPECT_EQ(MPI_Start(&request), MPI_ERR_REQUEST);
  EXPECT_NE(error_string(MPI_ERR_REQUEST).find("not persistent"), std::string::npos);
  EXPECT_EQ(MPI_Cancel(&request), MPI_ERR_REQUEST);
  EXPECT_NE(error_string(MPI_ERR_REQUEST).find("cannot be cancelled"), std::string::npos);
  EXPECT_EQ(MPI_Grequest_complete(request), MPI_ERR_REQUEST);
  EXPECT_NE(error_string(MPI_ERR_REQUEST).find("not a generalized one"), std::string::npos);
  for (auto* call : {MPI_Request_free, MPI_Start, MPI_Cancel}) {
    EXPECT_EQ(call(&null), MPI_ERR_REQUEST);
    EXPECT_NE(error_string(MPI_ERR_REQUEST).find("is MPI_REQUEST_NULL"), std::string::npos);
    EXPECT_EQ(call(nullptr), MPI_ERR_ARG);
  }
  EXPECT_EQ(MPI_Grequest_complete(null), MPI_ERR_REQUEST);
  Control persistent;
  MPI_Request inactive = make_persistent(persistent);
  EXPECT_EQ(MPI_Cancel(&inactive), MPI_ERR_REQUEST);
  EXPECT_EQ(MPI_Request_free(&inactive), MPI_SUCCESS);
  control.complete = true;
  EXPECT_EQ(MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);  // unharmed
}

TEST_F(Single, HandlesThatAreNoRequests) {
  Control control{.complete = true};
  MPI_Request stale = start_once(control);
  const MPI_Request old = stale;
  int flag;
  EXPECT_EQ(MPI_Wait(&stale, MPI_STATUS_IGNORE), MPI_SUCCESS);
  Control next;
  MPI_Request in_its_slot = start_once(next);
  EXPECT_NE(in_its_slot, old);
  for (MPI_Request handle : {old, MPI_Request{}, reinterpret_cast<MPI_Request>(0x181),
                             reinterpret_cast<MPI_Request>(0x7fffffff), reinterpret_cast<MPI_Request>(-1)}) {
    MPI_Request request = handle;
    for (const Way& way : kWays) {
      EXPECT_EQ(way.call(&request, &flag, MPI_STATUS_IGNORE), MPI_ERR_REQUEST);
      EXPECT_NE(error_string(MPI_ERR_REQUEST).find("does not exist"), std::string::npos);
    }
    EXPECT_EQ(MPI_Request_free(&request), MPI_ERR_REQUEST);
    EXPECT_EQ(MPI_Start(&request), MPI_ERR_REQUEST);
    EXPECT_EQ(MPI_Cancel(&request), MPI_ERR_REQUEST);
    EXPECT_EQ(MPI_Grequest_complete(request), MPI_ERR_REQUEST);
    EXPECT_EQ(request, handle);
  }
  EXPECT_EQ(next.polls, 0);
  next.complete = true;
  EXPECT_EQ(MPI_Wait(&in_its_slot, MPI_STATUS_IGNORE), MPI_SUCCESS);
}

}  // namespace
}  // namespace foldlane::testing
