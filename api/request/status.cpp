// What a status tells: source, tag, error, how much was received, whether the operation was cancelled.
#include "api/request/status.hpp"

#include <fmt/format.h>

#include <limits>
#include <optional>

#include "api/core/calls.hpp"
#include "api/datatype/checks.hpp"
#include "api/datatype/elements.hpp"
#include "api/errors/args.hpp"

namespace foldlane::api {
namespace {

// A number that does not fit its variable is as undefined as one that is not whole.
template <class Count>
Count defined(std::optional<std::int64_t> count) {
  if (!count.has_value() || *count > std::numeric_limits<Count>::max()) return MPI_UNDEFINED;
  return static_cast<Count>(*count);
}

std::optional<std::int64_t> items_in(std::int64_t bytes, const Datatype& type) {
  if (bytes == 0) return 0;
  if (type.size == 0 || bytes % type.size != 0) return std::nullopt;
  return bytes / type.size;
}

template <class Count>
int put_count(Call call, const MPI_Status* status, MPI_Datatype datatype, Count* count) {
  return run(call, [&] {
    check_active();
    check_output(status, "status");
    const Datatype& type = check_datatype(datatype);
    *check_output(count, "count") = defined<Count>(items_in(received_bytes(*status), type));
  });
}

template <class Count>
int put_elements(Call call, const MPI_Status* status, MPI_Datatype datatype, Count* count) {
  return run(call, [&] {
    check_active();
    check_output(status, "status");
    const Datatype& type = check_datatype(datatype);
    *check_output(count, "count") = defined<Count>(elements_in(received_bytes(*status), type));
  });
}

int put_field(Call call, const MPI_Status* status, int MPI_Status::*field, int* value,
              const char* parameter) {
  return run(call, [&] {
    check_active();
    check_output(status, "status");
    *check_output(value, parameter) = status->*field;
  });
}

int set_field(Call call, MPI_Status* status, int MPI_Status::*field, int value) {
  return run(call, [&] {
    check_active();
    check_output(status, "status")->*field = value;
  });
}

}  // namespace

int get_count(Call call, const MPI_Status* status, MPI_Datatype datatype, int* count) {
  return put_count(call, status, datatype, count);
}

int get_count(Call call, const MPI_Status* status, MPI_Datatype datatype, MPI_Count* count) {
  return put_count(call, status, datatype, count);
}

int get_elements(Call call, const MPI_Status* status, MPI_Datatype datatype, int* count) {
  return put_elements(call, status, datatype, count);
}

int get_elements(Call call, const MPI_Status* status, MPI_Datatype datatype, MPI_Count* count) {
  return put_elements(call, status, datatype, count);
}

int status_set_elements(Call call, MPI_Status* status, MPI_Datatype datatype, MPI_Count count) {
  return run(call, [&] {
    check_active();
    check_output(status, "status");
    const Datatype& type = check_datatype(datatype);
    if (count < 0) reject::negative_count(count);
    const auto bytes = bytes_of(count, type);
    if (!bytes.has_value()) {
      fail(MPI_ERR_COUNT, fmt::format("no message has {} elements of {}", count, type.name));
    }
    set_received_bytes(*status, *bytes);
  });
}

int status_set_cancelled(Call call, MPI_Status* status, int flag) {
  return run(call, [&] {
    check_active();
    set_cancelled(*check_output(status, "status"), flag != 0);
  });
}

int test_cancelled(Call call, const MPI_Status* status, int* flag) {
  return run(call, [&] {
    check_active();
    check_output(status, "status");
    *check_output(flag, "flag") = is_cancelled(*status);
  });
}

int status_get_source(Call call, const MPI_Status* status, int* source) {
  return put_field(call, status, &MPI_Status::MPI_SOURCE, source, "source");
}

int status_get_tag(Call call, const MPI_Status* status, int* tag) {
  return put_field(call, status, &MPI_Status::MPI_TAG, tag, "tag");
}

int status_get_error(Call call, const MPI_Status* status, int* error) {
  return put_field(call, status, &MPI_Status::MPI_ERROR, error, "error");
}

int status_set_source(Call call, MPI_Status* status, int source) {
  return set_field(call, status, &MPI_Status::MPI_SOURCE, source);
}

int status_set_tag(Call call, MPI_Status* status, int tag) {
  return set_field(call, status, &MPI_Status::MPI_TAG, tag);
}

int status_set_error(Call call, MPI_Status* status, int error) {
  return set_field(call, status, &MPI_Status::MPI_ERROR, error);
}

}  // namespace foldlane::api
