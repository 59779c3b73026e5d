// Error classes, codes and strings: MPI_Error_class, MPI_Error_string, MPI_Add_error_*, MPI_Remove_error_*.
// All are legal at any time.
#include "api/core/calls.hpp"
#include "api/errors/args.hpp"
#include "api/errors/error_codes.hpp"

namespace foldlane::api {

int error_class(Call call, int code, int* error_class) {
  return run(call, [&] {
    check_error_code(code);
    *check_output(error_class, "errorclass") = class_of_code(code);
  });
}

int error_string(Call call, int code, char* string, int* length) {
  return run(call, [&] {
    check_error_code(code);
    copy_text(text_of_code(code), MPI_MAX_ERROR_STRING, check_output(string, "string"),
              check_output(length, "resultlen"));
  });
}

int add_error_class(Call call, int* error_class) {
  return run(call, [&] { *check_output(error_class, "errorclass") = add_class(); });
}

int add_error_code(Call call, int error_class, int* code) {
  return run(call, [&] { *check_output(code, "errorcode") = add_code(error_class); });
}

int add_error_string(Call call, int code, const char* string) {
  return run(call, [&] {
    if (string == nullptr) fail(MPI_ERR_ARG, "string is null");
    add_text(code, string);
  });
}

int remove_error_class(Call call, int error_class) {
  return run(call, [&] { remove_class(error_class); });
}

int remove_error_code(Call call, int code) {
  return run(call, [&] { remove_code(code); });
}

int remove_error_string(Call call, int code) {
  return run(call, [&] { remove_text(code); });
}

}  // namespace foldlane::api
