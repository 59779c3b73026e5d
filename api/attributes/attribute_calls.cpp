#include "api/attributes/attribute_calls.hpp"

#include <fmt/format.h>

#include <cstring>

#include "api/errors/args.hpp"
#include "api/errors/error_codes.hpp"

namespace foldlane::api {

void put_attribute(std::optional<void*> value, void* attribute_val, int* flag) {
  check_output(attribute_val, "attribute_val");
  *check_output(flag, "flag") = value.has_value();
  if (value) std::memcpy(attribute_val, &*value, sizeof(void*));
}

void check_callbacks(int code) {
  if (code == MPI_SUCCESS) return;
  fail(code, fmt::format("a copy or delete function of an attribute returned {}", name_of_code(code)));
}

}  // namespace foldlane::api
