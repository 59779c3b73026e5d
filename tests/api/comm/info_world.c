// MPI_INFO_ENV under the launcher: the number of ranks, and the command line of the program.
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static void expect_value(const char* key, const char* expected) {
  char value[MPI_MAX_INFO_VAL] = "(none)";
  int flag = 0, length = sizeof value;
  MPI_Info_get_string(MPI_INFO_ENV, key, &length, value, &flag);
  if (strcmp(value, expected) == 0) return;
  fprintf(stderr, "%s is \"%s\", not \"%s\"\n", key, value, expected);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

int main(int argc, char** argv) {
  int size = 0;
  char text[16];
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  snprintf(text, sizeof text, "%d", size);
  expect_value("maxprocs", text);
  expect_value("command", argv[0]);
  expect_value("argv", "one two");
  MPI_Finalize();
  return 0;
}
