// What an operation handle and a datatype mean to the engine.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>

#include "api/datatype.hpp"
#include "engine/reduction.hpp"

namespace foldlane::api {

/// One of the two functions is set.
struct UserOp {
  MPI_User_function* narrow;
  MPI_User_function_c* wide;
  bool commutes;
};

/// Finds the kernels of all predefined operations. Called once, by MPI_Init.
void resolve_reductions();

/// Operations that users have created and not freed.
std::uint64_t live_ops();

/// The reduction of one call; throws a Failure if the operation is invalid or not defined on the datatype.
class Reducer {
 public:
  Reducer(MPI_Op op, MPI_Datatype datatype, const Datatype& type);
  Reducer(const Reducer&) = delete;
  Reducer& operator=(const Reducer&) = delete;

  const engine::Reduction& operator*() const noexcept { return *reduction_; }

 private:
  // What the engine hands back to us when it wants the user's function called.
  struct Callback {
    UserOp op;
    MPI_Datatype datatype;
    std::size_t elem_bytes;
  };
  static void call_narrow(void* context, const void* in, void* inout, std::size_t count);
  static void call_wide(void* context, const void* in, void* inout, std::size_t count);
  void bind_user(MPI_Op op, MPI_Datatype datatype, const Datatype& type);

  const engine::Reduction* reduction_;
  engine::Reduction user_;
  Callback callback_;
};

}  // namespace foldlane::api
