#include "api/errors/last_message.hpp"

#include <array>
#include <cstddef>

#include "api/errors/error_names.hpp"

namespace foldlane::api {
namespace {

// A program may ask for the text of an error long after other threads had theirs.
thread_local std::array<std::string, kErrorClassCount> last_messages;

std::string& message_of(int error_class) noexcept {
  return last_messages[static_cast<std::size_t>(class_index(error_class))];
}

}  // namespace

void remember_message(int code, const std::string& message) {
  if (is_error_class(code)) message_of(code) = message;
}

const std::string& last_message(int error_class) noexcept { return message_of(error_class); }

}  // namespace foldlane::api
