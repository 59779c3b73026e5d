// MPI_Comm_{set,get,delete}_attr, the deprecated MPI_Attr_{put,get,delete}, and the attributes that every
// communicator has. The deprecated calls share keys and values with the others.
#include <fmt/format.h>

#include <limits>

#include "api/attributes/attribute_calls.hpp"
#include "api/core/calls.hpp"
#include "api/errors/args.hpp"
#include "api/errors/error_codes.hpp"
#include "api/objects/attribute_set.hpp"
#include "api/objects/communicator.hpp"

namespace foldlane::api {
namespace {

bool is_predefined(int key) { return key >= MPI_TAG_UB && key <= MPI_UNIVERSE_SIZE; }

int tag_upper_bound = std::numeric_limits<int>::max();
int host = MPI_PROC_NULL;
int io = MPI_ANY_SOURCE;  // every process can read and write files
int wtime_is_global = 1;  // all processes read the clock of one machine

int* predefined_value(int key) {
  static int universe_size = world.job->size();
  switch (key) {
    case MPI_TAG_UB:
      return &tag_upper_bound;
    case MPI_HOST:
      return &host;
    case MPI_IO:
      return &io;
    case MPI_WTIME_IS_GLOBAL:
      return &wtime_is_global;
    case MPI_UNIVERSE_SIZE:
      return &universe_size;
    case MPI_LASTUSEDCODE:
      return last_used_code();
    default:
      return nullptr;  // MPI_APPNUM: a job is one program
  }
}

/// Of what MPI_Init tells a program, sessions have the bound of tags only.
std::optional<void*> find_predefined(const Communicator& communicator, int key) {
  if (communicator.of_session && key != MPI_TAG_UB) return std::nullopt;
  int* value = predefined_value(key);
  return value != nullptr ? std::optional<void*>(value) : std::nullopt;
}

void check_settable(int key) {
  if (is_predefined(key)) {
    fail(MPI_ERR_KEYVAL, fmt::format("the key {} is predefined; its value cannot be changed", key));
  }
}

}  // namespace

int comm_set_attr(Call call, MPI_Comm comm, int key, void* value) {
  return run(call, comm, [&] {
    Communicator& communicator = check_communicator(comm);
    check_settable(key);
    check_callbacks(communicator.attributes.set(comm, key, check_keyval<MPI_Comm>(key), value));
  });
}

int comm_get_attr(Call call, MPI_Comm comm, int key, void* attribute_val, int* flag) {
  return run(call, comm, [&] {
    const Communicator& communicator = check_communicator(comm);
    const bool predefined = is_predefined(key);
    const std::optional<void*> value =
        predefined ? find_predefined(communicator, key) : communicator.attributes.get(key);
    // A key that was freed is good as long as the communicator has a value for it.
    if (!value && !predefined) check_keyval<MPI_Comm>(key);
    put_attribute(value, attribute_val, flag);
  });
}

int comm_delete_attr(Call call, MPI_Comm comm, int key) {
  return run(call, comm, [&] {
    Communicator& communicator = check_communicator(comm);
    check_settable(key);
    if (!communicator.attributes.get(key)) check_keyval<MPI_Comm>(key);
    check_callbacks(communicator.attributes.erase(comm, key));
  });
}

int attr_put(Call call, MPI_Comm comm, int key, void* value) { return comm_set_attr(call, comm, key, value); }
int attr_get(Call call, MPI_Comm comm, int key, void* attribute_val, int* flag) {
  return comm_get_attr(call, comm, key, attribute_val, flag);
}
int attr_delete(Call call, MPI_Comm comm, int key) { return comm_delete_attr(call, comm, key); }

}  // namespace foldlane::api
