// MPI_Comm_set_name, MPI_Comm_get_name.
#include <string>

#include "api/core/calls.hpp"
#include "api/errors/args.hpp"
#include "api/objects/communicator.hpp"
#include "api/statistics/recorder.hpp"

namespace foldlane::api {

int comm_set_name(Call call, MPI_Comm comm, const char* name) {
  return run(call, comm, [&] {
    Communicator& communicator = check_communicator(comm);
    const std::string kept = std::string(check_output(name, "comm_name")).substr(0, MPI_MAX_OBJECT_NAME - 1);
    if (recorder != nullptr) recorder->rename(communicator, kept);
    set_name(communicator, kept);
  });
}

int comm_get_name(Call call, MPI_Comm comm, char* name, int* length) {
  return run(call, comm, [&] {
    check_active();
    const bool null = comm == MPI_COMM_NULL;  // has a name, unlike other handles without a communicator
    copy_text(null ? "MPI_COMM_NULL" : name_of(check_communicator(comm)), MPI_MAX_OBJECT_NAME,
              check_output(name, "comm_name"), check_output(length, "resultlen"));
  });
}

}  // namespace foldlane::api
