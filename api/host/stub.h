/* What the stub and the engine library know of each other. */
#pragma once

#include "accelerated_calls.h"

#ifdef __cplusplus
extern "C" {
#endif

#define FOLDLANE_EXPORT __attribute__((visibility("default")))

/* Any function; to be called as what it is. */
typedef void (*foldlane_function)(void);

/* Where each intercepted call goes: at first to look for the host, then to the host's PMPI_X, after MPI_Init
   to the engine library. */
extern foldlane_function foldlane_calls[FOLDLANE_CALLS];
extern const char* const foldlane_call_names[FOLDLANE_CALLS];

/* Lets the calls lead to the host. */
void foldlane_find_host(void);

/* Of the engine library, once the host is initialized: `host` is what dlsym takes; `calls` lead to it, and
   are the library's to change from then on. */
typedef void foldlane_begin_function(void* host, foldlane_function* calls);
#define FOLDLANE_BEGIN "foldlane_accelerate"

#ifdef __cplusplus
}
#endif
