/* Loads Fortran plugins that do not see each other, as an interpreter does. Usage: plugins PLUGIN... */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  int ranks, failures = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int i = 1; i < argc; ++i) {
    void* plugin = dlopen(argv[i], RTLD_NOW | RTLD_LOCAL);
    void (*total)(int*);
    int value = 3;
    if (plugin == NULL) {
      fprintf(stderr, "%s\n", dlerror());
      return 1;
    }
    *(void**)&total = dlsym(plugin, "total");
    total(&value);
    if (value != 3 * ranks) {
      fprintf(stderr, "%s: the sum is %d\n", argv[i], value);
      ++failures;
    }
  }
  MPI_Finalize();
  return failures;
}
