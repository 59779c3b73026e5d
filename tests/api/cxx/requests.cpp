// Requests of the C++ bindings: generalized ones, and those of nonblocking and persistent calls, which come
// from C.
#include <mpi_cxx.hpp>

#include "support/expect.h"

using namespace MPI;

void requests();

namespace {

int queries, frees, cancels;

int query(void* extra, Status& status) {
  ++queries;
  status.Set_elements(INT, 2);
  status.Set_cancelled(cancels > 0);
  status.Set_source(*static_cast<int*>(extra));
  status.Set_tag(7);
  return SUCCESS;
}
int release(void*) { return ++frees, SUCCESS; }
int cancel(void*, bool complete) {
  expect(!complete);
  return ++cancels, SUCCESS;
}

void generalized() {
  int source = 3;
  Status status;
  Grequest request = Grequest::Start(query, release, cancel, &source);
  expect(!request.Test(status) && !request.Get_status());
  request.Complete();
  expect(request.Get_status(status) && request.Get_status());
  request.Wait(status);
  expect(request == REQUEST_NULL && queries >= 1 && frees == 1);
  expect(status.Get_source() == 3 && status.Get_tag() == 7 && status.Get_count(INT) == 2);
  expect(status.Get_elements(INT) == 2 && !status.Is_cancelled());
  status.Set_error(ERR_OTHER);
  expect(status.Get_error() == ERR_OTHER && MPI_Status(status).MPI_SOURCE == 3);
  request = Grequest::Start(query, release, cancel, &source);
  request.Cancel();
  request.Complete();
  request.Wait();
  expect(cancels == 1 && frees == 2);
  request = Grequest::Start(query, release, cancel, &source);
  request.Complete();
  request.Free();
  expect(frees == 3 && request == REQUEST_NULL);
}

/// Two reductions under way.
struct Under_way {
  Under_way() {
    for (int i = 0; i < 2; ++i) {
      values[i] = i + 1;
      MPI_Iallreduce(MPI_IN_PLACE, &values[i], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, requests[i].c_address());
    }
  }
  ~Under_way() {
    for (int i = 0; i < 2; ++i) {
      expect(requests[i] == REQUEST_NULL);
      expect(values[i] == (i + 1) * COMM_WORLD.Get_size());
    }
  }
  int values[2];
  Request requests[2];
};

void sets() {
  Status statuses[2], status;
  int indices[2], index = -1;
  Request::Waitall(2, Under_way().requests);
  Request::Waitall(2, Under_way().requests, statuses);
  {
    Under_way both;
    while (!Request::Testall(2, both.requests)) continue;
  }
  {
    Under_way both;
    while (!Request::Testall(2, both.requests, statuses)) continue;
  }
  {
    Under_way both;
    index = Request::Waitany(2, both.requests);
    expect(both.requests[index] == REQUEST_NULL);
    while (!Request::Testany(2, both.requests, index)) continue;
  }
  {
    Under_way both;
    index = Request::Waitany(2, both.requests, status);
    while (!Request::Testany(2, both.requests, index, status)) continue;
  }
  for (const bool with_status : {false, true}) {
    Under_way both;
    int done = with_status ? Request::Waitsome(2, both.requests, indices, statuses)
                           : Request::Waitsome(2, both.requests, indices);
    while (done < 2) {
      done += with_status ? Request::Testsome(2, both.requests, indices, statuses)
                          : Request::Testsome(2, both.requests, indices);
    }
  }
  Under_way both;
  both.requests[0].Wait();
  while (!both.requests[1].Test()) continue;
}

void persistent() {
  int value = 1, sum = 0;
  Prequest requests[2];
  MPI_Allreduce_init(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL,
                     requests[0].c_address());
  MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, requests[1].c_address());
  requests[0].Start();
  requests[0].Wait();
  expect(sum == COMM_WORLD.Get_size() && requests[0] != REQUEST_NULL);
  value = 2;
  Prequest::Startall(2, requests);
  Request::Waitall(2, requests);
  expect(sum == 2 * COMM_WORLD.Get_size());
  for (Prequest& request : requests) request.Free();
  expect(requests[0] == REQUEST_NULL);
}

}  // namespace

void requests() {
  generalized();
  sets();
  persistent();
}
