// What goes along with a request: the Fortran library copies array sections before an operation starts and
// after it has ended, whoever completes it, in whatever language.
#pragma once

#include <mpi.h>

extern "C" {

/// Functions that must not throw; `context` is passed to each.
struct FoldlaneCompanion {
  void (*start)(void* context);    // before each start but the first of a request that is not persistent
  void (*finish)(void* context);   // when the operation has ended without an error, by who completes it
  void (*release)(void* context);  // once, when the request goes
  void* context;
};

/// Replaces a request that was just made by one with a companion. An error code is returned, not raised: then
/// the request is as it was, and the companion's functions are not called.
[[gnu::visibility("default")]] int foldlane_accompany_request(MPI_Request* request,
                                                              const FoldlaneCompanion* companion);
}
