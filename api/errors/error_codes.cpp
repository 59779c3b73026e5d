#include "api/errors/error_codes.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>

#include "api/core/failure.hpp"
#include "api/errors/error_names.hpp"
#include "api/errors/last_message.hpp"

namespace foldlane::api {
namespace {

struct UserCode {
  int error_class;  // itself, if this is a class
  std::optional<std::string> text;
};

std::mutex mutex;
std::map<int, UserCode> user_codes;
int next_code = MPI_ERR_LASTCODE + 1;  // only grows: a removed code does not come back with another meaning
int last_code = MPI_ERR_LASTCODE;

// All of these need the mutex.

void note_last_code() { last_code = user_codes.empty() ? MPI_ERR_LASTCODE : user_codes.rbegin()->first; }

int add(int error_class, int code) {
  user_codes.emplace(code, UserCode{error_class, {}});
  ++next_code;
  note_last_code();
  return code;
}

UserCode& check_user_code(int code) {
  const auto found = user_codes.find(code);
  if (found != user_codes.end()) return found->second;
  if (is_error_class(code)) fail(MPI_ERR_ARG, fmt::format("{} is predefined", error_name(code)));
  fail(MPI_ERR_ARG, fmt::format("{} is not an error code that this program added", code));
}

void check_without_text(int code, const UserCode& user) {
  if (user.text) {
    fail(MPI_ERR_ARG,
         fmt::format("{} still has a string; remove it with MPI_Remove_error_string first", code));
  }
}

void check_without_codes(int error_class) {
  const auto code = std::find_if(user_codes.begin(), user_codes.end(), [&](const auto& entry) {
    return entry.second.error_class == error_class && entry.first != error_class;
  });
  if (code == user_codes.end()) return;
  fail(MPI_ERR_ARG,
       fmt::format("the code {} still belongs to the class {}; remove it first", code->first, error_class));
}

void remove(int code) {
  user_codes.erase(code);
  note_last_code();
}

}  // namespace

bool is_error_code(int code) {
  if (is_error_class(code)) return true;
  const std::lock_guard lock(mutex);
  return user_codes.contains(code);
}

void check_error_code(int code) {
  if (!is_error_code(code)) {
    fail(MPI_ERR_ARG,
         fmt::format("{} is neither an error code of this library nor one that was added", code));
  }
}

int class_of_code(int code) {
  if (is_error_class(code)) return code;
  const std::lock_guard lock(mutex);
  return check_user_code(code).error_class;
}

std::string name_of_code(int code) {
  return is_error_class(code) ? error_name(code) : fmt::format("error code {}", code);
}

std::string text_of_code(int code) {
  if (is_error_class(code)) {
    std::string text = fmt::format("{}: {}", error_name(code), error_text(code));
    if (!last_message(code).empty()) text += fmt::format(" (last: {})", last_message(code));
    return text;
  }
  const std::lock_guard lock(mutex);
  const auto found = user_codes.find(code);
  return found == user_codes.end() ? std::string() : found->second.text.value_or("");
}

int add_class() {
  const std::lock_guard lock(mutex);
  return add(next_code, next_code);
}

int add_code(int error_class) {
  const std::lock_guard lock(mutex);
  if (!is_error_class(error_class) && check_user_code(error_class).error_class != error_class) {
    fail(MPI_ERR_ARG, fmt::format("{} is an error code; a code is added to a class", error_class));
  }
  return add(error_class, next_code);
}

void add_text(int code, const char* text) {
  const std::lock_guard lock(mutex);
  check_user_code(code).text = text;
}

void remove_class(int error_class) {
  const std::lock_guard lock(mutex);
  const UserCode& user = check_user_code(error_class);
  if (user.error_class != error_class) {
    fail(MPI_ERR_ARG,
         fmt::format("{} is not a class but a code; MPI_Remove_error_code removes it", error_class));
  }
  check_without_codes(error_class);
  check_without_text(error_class, user);
  remove(error_class);
}

void remove_code(int code) {
  const std::lock_guard lock(mutex);
  const UserCode& user = check_user_code(code);
  if (user.error_class == code) {
    fail(MPI_ERR_ARG, fmt::format("{} is a class; MPI_Remove_error_class removes it", code));
  }
  check_without_text(code, user);
  remove(code);
}

void remove_text(int code) {
  const std::lock_guard lock(mutex);
  UserCode& user = check_user_code(code);
  if (!user.text) fail(MPI_ERR_ARG, fmt::format("{} has no string", code));
  user.text.reset();
}

int* last_used_code() noexcept { return &last_code; }

}  // namespace foldlane::api
