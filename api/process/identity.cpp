// Who and where we are: versions, the machine, the clock. All but the name of the machine are legal at any
// time.
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>

#include "api/core/calls.hpp"
#include "api/errors/args.hpp"

namespace foldlane::api {

int get_version(Call call, int* version, int* subversion) {
  return run(call, [&] {
    *check_output(version, "version") = MPI_VERSION;
    *check_output(subversion, "subversion") = MPI_SUBVERSION;
  });
}

int get_library_version(Call call, char* version, int* length) {
  return run(call, [&] {
    copy_text("Foldlane " FOLDLANE_VERSION " (collectives inside one machine, MPI 5.0 standard ABI)",
              MPI_MAX_LIBRARY_VERSION_STRING, check_output(version, "version"),
              check_output(length, "resultlen"));
  });
}

int abi_get_version(Call call, int* major, int* minor) {
  return run(call, [&] {
    *check_output(major, "abi_major") = MPI_ABI_VERSION;
    *check_output(minor, "abi_minor") = MPI_ABI_SUBVERSION;
  });
}

int get_processor_name(Call call, char* name, int* length) {
  return run(call, [&] {
    check_active();
    std::array<char, MPI_MAX_PROCESSOR_NAME> host{};
    if (gethostname(host.data(), host.size() - 1) != 0) {
      fail(MPI_ERR_OTHER, fmt::format("the name of the machine is not known: {}", std::strerror(errno)));
    }
    copy_text(host.data(), host.size(), check_output(name, "name"), check_output(length, "resultlen"));
  });
}

double wtime(Call) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double wtick(Call) { return std::chrono::duration<double>(std::chrono::steady_clock::duration(1)).count(); }

}  // namespace foldlane::api
