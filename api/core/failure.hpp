// What a check throws when it fails, up to the boundary of the call (errors/raise.hpp). Exceptions, because
// the path without an error then holds nothing but compares.
#pragma once

#include <mpi.h>

#include <string>

#include "shm/base/result.hpp"

namespace foldlane::api {

struct Failure {
  int code;             // a class of the standard, or what a callback of the program returned
  std::string message;  // without the name of the call, which raise() puts in front
};

[[noreturn, gnu::cold]] void fail(int code, std::string message);

/// Throws the error of a lower layer as a Failure of the fitting class.
[[noreturn, gnu::cold]] void fail(const shm::Error& error);

inline void require(const shm::Result<void>& result) {
  if (!result.ok()) [[unlikely]]
    fail(result.error());
}

}  // namespace foldlane::api
