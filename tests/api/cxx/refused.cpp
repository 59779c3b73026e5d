// Every method of the C++ bindings whose C call the library refuses throws an exception of that class, whose
// text names the call.
#include <cstring>
#include <functional>
#include <mpi_cxx.hpp>
#include <string>

#include "support/expect.h"

using namespace MPI;

namespace {

int calls = 0;

void refused(const std::string& name, const std::function<void()>& call) {
  ++calls;
  try {
    call();
    give_up(name + " is not refused");
  } catch (const Exception& error) {
    const std::string text = error.Get_error_string();
    expect_that(error.Get_error_class() == ERR_UNSUPPORTED_OPERATION, name + ": " + text);
    const std::size_t found = text.find("(last: " + name);
    expect_that(found != std::string::npos && std::strchr(": ", text[found + 7 + name.size()]) != nullptr,
                name + " is not named: " + text);
  }
}

// What the arguments of refused.inc are taken from.
char bytes[64], text[MPI_MAX_PORT_NAME];
int some_ints[8], a_int;
Datatype a_datatype;
Offset a_offset;
Status a_status;

void call_generated() {
  Intracomm of_comm = COMM_SELF, of_intracomm = COMM_SELF;
  Win of_win;
  File of_file;
#include "refused.inc"
}

/// A call that works by now is left to the tests of what it does.
void refused_by_hand(const std::string& name, const std::function<void()>& call) {
  if (std::strstr(REFUSED_CALLS, (" " + name + " ").c_str()) != nullptr) refused(name, call);
}

void call_those_by_hand() {
  Intracomm comm = COMM_SELF;
  const Info infos[2] = {INFO_NULL, INFO_NULL};
  const char* commands[2] = {text, text};
  void* address = bytes;
  refused_by_hand("MPI_Buffer_detach", [&] { Detach_buffer(address); });
  refused_by_hand("MPI_Comm_spawn", [&] { comm.Spawn(text, ARGV_NULL, 1, INFO_NULL, 0); });
  refused_by_hand("MPI_Comm_spawn", [&] { comm.Spawn(text, ARGV_NULL, 1, INFO_NULL, 0, some_ints); });
  refused_by_hand("MPI_Comm_spawn_multiple",
                  [&] { comm.Spawn_multiple(2, commands, ARGVS_NULL, some_ints, infos, 0); });
  refused_by_hand("MPI_Comm_spawn_multiple",
                  [&] { comm.Spawn_multiple(2, commands, ARGVS_NULL, some_ints, infos, 0, some_ints); });
  refused_by_hand("MPI_Register_datarep", [&] {
    Register_datarep(
        "other", MPI_CONVERSION_FN_NULL, MPI_CONVERSION_FN_NULL,
        [](const Datatype&, Aint& extent, void*) { extent = 4; }, nullptr);
  });
}

}  // namespace

int main(int argc, char** argv) {
  Init(argc, argv);
  COMM_SELF.Set_errhandler(ERRORS_THROW_EXCEPTIONS);
  FILE_NULL.Set_errhandler(ERRORS_THROW_EXCEPTIONS);
  call_generated();
  call_those_by_hand();
  std::printf("%d methods refused by name\n", calls);
  Finalize();
  return 0;
}
