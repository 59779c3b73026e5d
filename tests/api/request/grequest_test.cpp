// Generalized requests: when their functions run, how often, and where their error codes go.
#include <cstddef>

#include "requests.hpp"

namespace foldlane::testing {
namespace {

using Grequest = Requests;

constexpr int kQueryError = MPI_ERR_TRUNCATE;
constexpr int kFreeError = MPI_ERR_IO;

TEST_F(Grequest, StatusComesFromTheQueryFunction) {
  for (const bool by_test : {false, true}) {
    Task task(5);
    int flag = 1, elements = -1;
    MPI_Status status = garbage_status();
    EXPECT_EQ(MPI_Test(&task.request, &flag, &status), MPI_SUCCESS);
    EXPECT_EQ(flag, 0);
    EXPECT_EQ(task.calls, "");
    task.complete();
    EXPECT_EQ(task.calls, "");
    EXPECT_EQ(by_test ? MPI_Test(&task.request, &flag, &status) : MPI_Wait(&task.request, &status),
              MPI_SUCCESS);
    EXPECT_EQ(task.calls, "qf");
    EXPECT_EQ(task.request, MPI_REQUEST_NULL);
    EXPECT_TRUE(status.MPI_SOURCE == 7 && status.MPI_TAG == 5 && status.MPI_ERROR == -13);
    EXPECT_EQ(MPI_Get_elements(&status, MPI_INT, &elements), MPI_SUCCESS);
    EXPECT_EQ(elements, 3);
  }
}

TEST_F(Grequest, IgnoredStatusesAreAskedForAllTheSame) {
  Task one, first, second;
  for (Task* task : {&one, &first, &second}) task->complete();
  EXPECT_EQ(MPI_Wait(&one.request, MPI_STATUS_IGNORE), MPI_SUCCESS);
  MPI_Request both[] = {first.request, second.request};
  EXPECT_EQ(MPI_Waitall(2, both, MPI_STATUSES_IGNORE), MPI_SUCCESS);
  EXPECT_EQ(one.calls + first.calls + second.calls, "qfqfqf");
}

TEST_F(Grequest, LooksQueryAndNeverFree) {
  Task task(6);
  int flag = -1, index = -1, count = -1;
  MPI_Status status = garbage_status();
  EXPECT_EQ(MPI_Request_get_status(task.request, &flag, &status), MPI_SUCCESS);
  EXPECT_TRUE(flag == 0 && task.calls.empty());
  task.complete();
  EXPECT_EQ(MPI_Request_get_status(task.request, &flag, &status), MPI_SUCCESS);
  EXPECT_TRUE(flag == 1 && status.MPI_TAG == 6 && status.MPI_ERROR == -13);
  EXPECT_EQ(MPI_Request_get_status_all(1, &task.request, &flag, &status), MPI_SUCCESS);
  EXPECT_EQ(MPI_Request_get_status_any(1, &task.request, &index, &flag, &status), MPI_SUCCESS);
  EXPECT_EQ(MPI_Request_get_status_some(1, &task.request, &count, &index, &status), MPI_SUCCESS);
  EXPECT_EQ(task.calls, "qqqq");
  task.query_code = kQueryError;
  EXPECT_EQ(MPI_Request_get_status(task.request, &flag, &status), kQueryError);
  EXPECT_EQ(MPI_Request_get_status_all(1, &task.request, &flag, &status), MPI_ERR_IN_STATUS);
  EXPECT_EQ(status.MPI_ERROR, kQueryError);
  task.query_code = MPI_SUCCESS;
  EXPECT_EQ(MPI_Wait(&task.request, MPI_STATUS_IGNORE), MPI_SUCCESS);
  EXPECT_EQ(task.calls, "qqqqqqqf");
}

TEST_F(Grequest, ErrorsOfTheFunctionsAreReturned) {
  struct Case {
    int query, free, expected;
  };
  for (const Case& c :
       {Case{kQueryError, MPI_SUCCESS, kQueryError}, Case{MPI_SUCCESS, kFreeError, kFreeError},
        Case{kQueryError, kFreeError, kFreeError}}) {
    for (int way = 0; way < 4; ++way) {
      Task task;
      task.query_code = c.query;
      task.free_code = c.free;
      task.complete();
      int flag = -1, index = -1, code = -1;
      if (way == 0) code = MPI_Wait(&task.request, MPI_STATUS_IGNORE);
      if (way == 1) code = MPI_Test(&task.request, &flag, MPI_STATUS_IGNORE);
      if (way == 2) code = MPI_Waitany(1, &task.request, &index, MPI_STATUS_IGNORE);
      if (way == 3) code = MPI_Testany(1, &task.request, &index, &flag, MPI_STATUS_IGNORE);
      EXPECT_EQ(code, c.expected);
      EXPECT_EQ(index, way < 2 ? -1 : 0);
      EXPECT_EQ(task.calls, "qf");
      EXPECT_EQ(task.request, MPI_REQUEST_NULL);
    }
  }
}

TEST_F(Grequest, CodesOfTheProgramPassThrough) {
  int error_class, code;
  ASSERT_EQ(MPI_Add_error_class(&error_class), MPI_SUCCESS);
  ASSERT_EQ(MPI_Add_error_code(error_class, &code), MPI_SUCCESS);
  Task task;
  task.query_code = code;
  task.complete();
  EXPECT_EQ(MPI_Wait(&task.request, MPI_STATUS_IGNORE), code);
  Task cancelled;
  cancelled.cancel_code = code;
  EXPECT_EQ(MPI_Cancel(&cancelled.request), code);
  cancelled.complete();
  EXPECT_EQ(MPI_Wait(&cancelled.request, MPI_STATUS_IGNORE), MPI_SUCCESS);
  EXPECT_EQ(MPI_Remove_error_code(code), MPI_SUCCESS);
  EXPECT_EQ(MPI_Remove_error_class(error_class), MPI_SUCCESS);
}

TEST_F(Grequest, CancelTellsWhetherTheRequestIsComplete) {
  Task task;
  int cancelled = -1;
  MPI_Status status;
  EXPECT_EQ(MPI_Cancel(&task.request), MPI_SUCCESS);
  EXPECT_EQ(task.calls, "c");
  task.complete();
  EXPECT_EQ(MPI_Cancel(&task.request), MPI_SUCCESS);
  EXPECT_EQ(task.calls, "cC");
  EXPECT_EQ(MPI_Wait(&task.request, &status), MPI_SUCCESS);
  EXPECT_EQ(MPI_Test_cancelled(&status, &cancelled), MPI_SUCCESS);
  EXPECT_EQ(cancelled, 1);
}

/// A function may complete what it is asked to cancel, and even wait for it.
TEST_F(Grequest, CancelFunctionsMayCompleteTheRequest) {
  static MPI_Request request;
  static int freed;
  freed = 0;
  const auto query = [](void*, MPI_Status*) -> int { return MPI_SUCCESS; };
  const auto free = [](void*) -> int { return ++freed, MPI_SUCCESS; };
  const auto cancel = [](void*, int) -> int {
    EXPECT_EQ(MPI_Grequest_complete(request), MPI_SUCCESS);
    return MPI_Wait(&request, MPI_STATUS_IGNORE);
  };
  EXPECT_EQ(MPI_Grequest_start(query, free, cancel, nullptr, &request), MPI_SUCCESS);
  MPI_Request copy = request;
  EXPECT_EQ(MPI_Cancel(&copy), MPI_SUCCESS);
  EXPECT_TRUE(request == MPI_REQUEST_NULL && freed == 1);
  EXPECT_EQ(MPI_Wait(&copy, MPI_STATUS_IGNORE), MPI_ERR_REQUEST);
}

TEST_F(Grequest, FreeingRunsTheFreeFunctionOnceBothAreThere) {
  Task early, late, failing;
  early.complete();
  EXPECT_EQ(MPI_Request_free(&early.request), MPI_SUCCESS);
  EXPECT_EQ(early.calls, "f");
  MPI_Request handle = late.request;
  EXPECT_EQ(MPI_Request_free(&late.request), MPI_SUCCESS);
  EXPECT_EQ(late.request, MPI_REQUEST_NULL);
  EXPECT_EQ(late.calls, "");
  EXPECT_EQ(MPI_Request_free(&handle), MPI_ERR_REQUEST);  // freed before
  EXPECT_NE(error_string(MPI_ERR_REQUEST).find("it was freed with MPI_Request_free"), std::string::npos);
  EXPECT_EQ(MPI_Wait(&handle, MPI_STATUS_IGNORE), MPI_ERR_REQUEST);
  EXPECT_EQ(MPI_Grequest_complete(handle), MPI_SUCCESS);
  EXPECT_EQ(late.calls, "f");
  EXPECT_EQ(MPI_Grequest_complete(handle), MPI_ERR_REQUEST);
  failing.free_code = kFreeError;
  handle = failing.request;
  EXPECT_EQ(MPI_Request_free(&failing.request), MPI_SUCCESS);
  EXPECT_EQ(MPI_Grequest_complete(handle), kFreeError);
  Task complete;
  complete.free_code = kFreeError;
  complete.complete();
  EXPECT_EQ(MPI_Request_free(&complete.request), kFreeError);
  EXPECT_EQ(complete.request, MPI_REQUEST_NULL);
}

TEST_F(Grequest, CannotBeCompletedTwiceOrStarted) {
  Task task;
  task.complete();
  EXPECT_EQ(MPI_Grequest_complete(task.request), MPI_ERR_REQUEST);
  EXPECT_NE(error_string(MPI_ERR_REQUEST).find("complete already"), std::string::npos);
  EXPECT_EQ(MPI_Start(&task.request), MPI_ERR_REQUEST);
  EXPECT_EQ(MPI_Wait(&task.request, MPI_STATUS_IGNORE), MPI_SUCCESS);
}

TEST_F(Grequest, StartWantsAllItsFunctions) {
  MPI_Request request = MPI_REQUEST_NULL;
  EXPECT_EQ(MPI_Grequest_start(nullptr, Task::free, Task::cancel, nullptr, &request), MPI_ERR_ARG);
  EXPECT_NE(error_string(MPI_ERR_ARG).find("query_fn is null"), std::string::npos);
  EXPECT_EQ(MPI_Grequest_start(Task::query, nullptr, Task::cancel, nullptr, &request), MPI_ERR_ARG);
  EXPECT_EQ(MPI_Grequest_start(Task::query, Task::free, nullptr, nullptr, &request), MPI_ERR_ARG);
  EXPECT_EQ(MPI_Grequest_start(Task::query, Task::free, Task::cancel, nullptr, nullptr), MPI_ERR_ARG);
  EXPECT_EQ(request, MPI_REQUEST_NULL);
}

TEST_F(Grequest, HandlesAreFortranIntegers) {
  Task task;
  const int integer = MPI_Request_toint(task.request);
  EXPECT_GT(integer, 0xffff);
  EXPECT_EQ(MPI_Request_fromint(integer), task.request);
  task.complete();
  EXPECT_EQ(MPI_Wait(&task.request, MPI_STATUS_IGNORE), MPI_SUCCESS);
}

TEST_F(Grequest, AMillionOfThemTakeNoMoreMemoryThanOne) {
  const std::size_t before = api::request_slots();
  Task task;
  task.complete();
  EXPECT_EQ(MPI_Wait(&task.request, MPI_STATUS_IGNORE), MPI_SUCCESS);
  for (int i = 0; i < 1'000'000; ++i) {
    MPI_Request request;
    ASSERT_EQ(MPI_Grequest_start([](void*, MPI_Status*) -> int { return MPI_SUCCESS; },
                                 [](void*) -> int { return MPI_SUCCESS; }, Task::cancel, nullptr, &request),
              MPI_SUCCESS);
    ASSERT_EQ(MPI_Grequest_complete(request), MPI_SUCCESS);
    ASSERT_EQ(MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);
  }
  EXPECT_LE(api::request_slots(), before + 256);
}

}  // namespace
}  // namespace foldlane::testing
