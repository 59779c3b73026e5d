// MPI_Error_class, MPI_Error_string. Both are legal at any time.
#include <fmt/format.h>

#include <cstring>

#include "api/args.hpp"
#include "api/calls.hpp"
#include "api/error_names.hpp"

namespace foldlane::api {
namespace {

void check_code(int code) {
  if (!is_error_class(code)) fail(MPI_ERR_ARG, fmt::format("{} is not an error code of this library", code));
}

}  // namespace

int error_class(Call call, int code, int* error_class) {
  return run(call, [&] {
    check_code(code);
    *check_output(error_class, "errorclass") = code;
  });
}

int error_string(Call call, int code, char* string, int* length) {
  return run(call, [&] {
    check_code(code);
    std::string text = fmt::format("{}: {}", error_name(code), error_text(code));
    if (!last_message(code).empty()) text += fmt::format(" (last: {})", last_message(code));
    copy_text(text, MPI_MAX_ERROR_STRING, check_output(string, "string"), check_output(length, "resultlen"));
  });
}

}  // namespace foldlane::api
