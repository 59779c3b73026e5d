/* libfoldlane_accel.so, what is preloaded: into every process of a job script, most of which know no MPI. So
   it needs nothing but the C library, names no symbol of any MPI, and does nothing before a program calls
   MPI. */
#define _GNU_SOURCE
#include "stub.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void* host;
static int (*host_init)(int*, char***);
static int (*host_init_thread)(int*, char***, int, int*);

/* Not RTLD_NEXT: that does not see a library that was loaded for some module of the program alone. */
static void* loaded_host(void) {
  static const char* const sonames[] = {"libmpi_abi.so.1", "libmpi.so.40", "libmpi.so.12", "libmpich.so.12"};
  for (size_t i = 0; i < sizeof sonames / sizeof *sonames; ++i) {
    void* const library = dlopen(sonames[i], RTLD_LAZY | RTLD_NOLOAD);
    if (library != NULL) return library;
  }
  return RTLD_NEXT;
}

/* As without us the dynamic linker would say it. */
static void missing(void) {
  fputs("foldlane: the program calls an MPI function that its MPI library does not have\n", stderr);
  abort();
}

static foldlane_function function_of_host(const char* name) {
  foldlane_function found = NULL;
  *(void**)&found = dlsym(host, name);
  return found != NULL ? found : missing;
}

void foldlane_find_host(void) {
  if (host_init != NULL) return;
  host = loaded_host();
  for (int i = 0; i < FOLDLANE_CALLS; ++i) foldlane_calls[i] = function_of_host(foldlane_call_names[i]);
  host_init_thread = (int (*)(int*, char***, int, int*))function_of_host("PMPI_Init_thread");
  host_init = (int (*)(int*, char***))function_of_host("PMPI_Init");
}

/* "libfoldlane_accel_engine.so", where this library is. */
static int find_engine(char* path, size_t bytes) {
  Dl_info own;
  if (dladdr((void*)&host, &own) == 0) return 0;
  const char* const slash = strrchr(own.dli_fname, '/');
  const int folder = slash == NULL ? 0 : (int)(slash - own.dli_fname + 1);
  const int length = snprintf(path, bytes, "%.*slibfoldlane_accel_engine.so", folder, own.dli_fname);
  return length > 0 && (size_t)length < bytes;
}

static int is_switched_off(void) {
  const char* const wish = getenv("FOLDLANE_ACCEL");
  return wish != NULL && strcmp(wish, "0") == 0;
}

/* One line for the whole job, as far as its launcher tells who is first. */
static void say(const char* why) {
  static const char* const ranks[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "SLURM_PROCID"};
  for (size_t i = 0; i < sizeof ranks / sizeof *ranks; ++i) {
    const char* const rank = getenv(ranks[i]);
    if (rank != NULL && strcmp(rank, "0") != 0) return;
  }
  fprintf(stderr, "foldlane: nothing is accelerated: %s\n", why);
}

static void begin(void) {
  static int has_begun;
  char path[4096];
  if (has_begun || is_switched_off() || !find_engine(path, sizeof path)) return;
  has_begun = 1;
  if (host == RTLD_NEXT) {
    say("the program's MPI is not one of those that Foldlane knows");
    return;
  }
  void* const engine = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  foldlane_begin_function* accelerate = NULL;
  if (engine != NULL) *(void**)&accelerate = dlsym(engine, FOLDLANE_BEGIN);
  if (accelerate != NULL) {
    accelerate(host, foldlane_calls);
  } else {
    say(dlerror());
  }
}

FOLDLANE_EXPORT int PMPI_Init(int* argc, char*** argv) {
  foldlane_find_host();
  const int result = host_init(argc, argv);
  if (result == 0) begin();
  return result;
}

FOLDLANE_EXPORT int PMPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  foldlane_find_host();
  const int result = host_init_thread(argc, argv, required, provided);
  if (result == 0) begin();
  return result;
}

FOLDLANE_EXPORT int MPI_Init(int* argc, char*** argv) { return PMPI_Init(argc, argv); }

FOLDLANE_EXPORT int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  return PMPI_Init_thread(argc, argv, required, provided);
}
