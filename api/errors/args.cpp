#include "api/errors/args.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <limits>

namespace foldlane::api {

namespace reject {

void negative_count(std::int64_t count) {
  fail(MPI_ERR_COUNT, fmt::format("count is {}; counts must not be negative", count));
}

void root(int root, int size) {
  fail(MPI_ERR_ROOT, fmt::format("root is {}; the communicator has the ranks 0 to {}", root, size - 1));
}

void buffer(const void* buffer, const char* parameter) {
  if (buffer == MPI_IN_PLACE)
    fail(MPI_ERR_BUFFER, fmt::format("{} must not be MPI_IN_PLACE here", parameter));
  if (buffer == nullptr) fail(MPI_ERR_BUFFER, fmt::format("{} is null, but the count is not 0", parameter));
  fail(MPI_ERR_BUFFER, fmt::format("{} must not be MPI_BUFFER_AUTOMATIC here", parameter));
}

void overlap() {
  fail(MPI_ERR_BUFFER,
       "the input and the result overlap; pass MPI_IN_PLACE as sendbuf where the call allows it");
}

void output(const char* parameter) { fail(MPI_ERR_ARG, fmt::format("{} is null", parameter)); }

}  // namespace reject

void copy_text(std::string_view text, std::size_t capacity, char* string, int* length) {
  const std::size_t kept = std::min(text.size(), capacity - 1);
  std::copy_n(text.data(), kept, string);
  string[kept] = '\0';
  *length = static_cast<int>(kept);
}

}  // namespace foldlane::api
