/* A tool that defines the calls about requests itself and calls PMPI_X sees each call of the program once,
 * and none that the library would make itself. */
#include <mpi.h>

#include "support/seen_calls.h"

WRAP(Grequest_start,
     (MPI_Grequest_query_function * query, MPI_Grequest_free_function* release,
      MPI_Grequest_cancel_function* cancel, void* state, MPI_Request* request),
     (query, release, cancel, state, request))
WRAP(Grequest_complete, (MPI_Request request), (request))
WRAP(Wait, (MPI_Request * request, MPI_Status* status), (request, status))
WRAP(Test, (MPI_Request * request, int* flag, MPI_Status* status), (request, flag, status))
WRAP(Waitall, (int count, MPI_Request requests[], MPI_Status statuses[]), (count, requests, statuses))
WRAP(Testall, (int count, MPI_Request requests[], int* flag, MPI_Status statuses[]),
     (count, requests, flag, statuses))
WRAP(Waitany, (int count, MPI_Request requests[], int* index, MPI_Status* status),
     (count, requests, index, status))
WRAP(Testany, (int count, MPI_Request requests[], int* index, int* flag, MPI_Status* status),
     (count, requests, index, flag, status))
WRAP(Waitsome, (int count, MPI_Request requests[], int* outcount, int indices[], MPI_Status statuses[]),
     (count, requests, outcount, indices, statuses))
WRAP(Testsome, (int count, MPI_Request requests[], int* outcount, int indices[], MPI_Status statuses[]),
     (count, requests, outcount, indices, statuses))
WRAP(Request_get_status, (MPI_Request request, int* flag, MPI_Status* status), (request, flag, status))
WRAP(Request_get_status_all, (int count, const MPI_Request requests[], int* flag, MPI_Status statuses[]),
     (count, requests, flag, statuses))
WRAP(Request_get_status_any,
     (int count, const MPI_Request requests[], int* index, int* flag, MPI_Status* status),
     (count, requests, index, flag, status))
WRAP(Request_get_status_some,
     (int count, const MPI_Request requests[], int* outcount, int indices[], MPI_Status statuses[]),
     (count, requests, outcount, indices, statuses))
WRAP(Request_free, (MPI_Request * request), (request))
WRAP(Cancel, (MPI_Request * request), (request))
WRAP(Start, (MPI_Request * request), (request))
WRAP(Startall, (int count, MPI_Request requests[]), (count, requests))
WRAP(Comm_idup, (MPI_Comm comm, MPI_Comm* copy, MPI_Request* request), (comm, copy, request))

static int query(void* state, MPI_Status* status) {
  (void)state, (void)status;
  return MPI_SUCCESS;
}
static int release(void* state) {
  (void)state;
  return MPI_SUCCESS;
}
static int cancel(void* state, int complete) {
  (void)state, (void)complete;
  return MPI_SUCCESS;
}

/* Without the tool, so that each call below is the only one of its name. */
static MPI_Request complete_request(void) {
  MPI_Request request;
  PMPI_Grequest_start(query, release, cancel, NULL, &request);
  PMPI_Grequest_complete(request);
  return request;
}

static void call_each_once(void) {
  int flag, index, outcount;
  MPI_Comm copy;
  MPI_Request request;
  MPI_Grequest_start(query, release, cancel, NULL, &request);
  MPI_Cancel(&request);
  MPI_Grequest_complete(request);
  MPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE);
  MPI_Request_get_status_all(1, &request, &flag, MPI_STATUSES_IGNORE);
  MPI_Request_get_status_any(1, &request, &index, &flag, MPI_STATUS_IGNORE);
  MPI_Request_get_status_some(1, &request, &outcount, &index, MPI_STATUSES_IGNORE);
  MPI_Start(&request);
  MPI_Startall(1, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  request = complete_request();
  MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
  request = complete_request();
  MPI_Waitall(1, &request, MPI_STATUSES_IGNORE);
  request = complete_request();
  MPI_Testall(1, &request, &flag, MPI_STATUSES_IGNORE);
  request = complete_request();
  MPI_Waitany(1, &request, &index, MPI_STATUS_IGNORE);
  request = complete_request();
  MPI_Testany(1, &request, &index, &flag, MPI_STATUS_IGNORE);
  request = complete_request();
  MPI_Waitsome(1, &request, &outcount, &index, MPI_STATUSES_IGNORE);
  request = complete_request();
  MPI_Testsome(1, &request, &outcount, &index, MPI_STATUSES_IGNORE);
  request = complete_request();
  MPI_Request_free(&request);
  MPI_Comm_idup(MPI_COMM_WORLD, &copy, &request);
  PMPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Comm_free(&copy);
}

int main(void) {
  MPI_Init(NULL, NULL);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  call_each_once();
  MPI_Finalize();
  return not_each_once(19);
}
