// What an operation handle and a datatype mean to the engine.
#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "api/datatype/datatype.hpp"
#include "engine/data/reduction.hpp"

namespace foldlane::api {

/// One of the two functions is set.
struct UserOp {
  MPI_User_function* narrow;
  MPI_User_function_c* wide;
  bool commutes;
};

inline constexpr std::size_t kOpHandles = 32;  // predefined handles are MPI_OP_NULL + 0 … 31

inline std::uintptr_t op_index(MPI_Op op) noexcept {
  return reinterpret_cast<std::uintptr_t>(op) - reinterpret_cast<std::uintptr_t>(MPI_OP_NULL);
}

/// What the operation of a predefined handle does to elements of each kind.
struct OpRow {
  std::uint16_t bit;  // in Datatype::ops; 0: no operation, or none that folds
  std::array<engine::Reduction, kernels::kElemCount> reductions;
};
extern std::array<OpRow, kOpHandles> op_rows;

/// Finds the kernels of all predefined operations. Called once, by MPI_Init.
void resolve_reductions();

/// Null if the operation is not predefined, or not defined on the datatype.
inline const engine::Reduction* find_reduction(MPI_Op op, const Datatype& type) noexcept {
  const std::uintptr_t index = op_index(op);
  if (index >= kOpHandles || (type.ops & op_rows[index].bit) == 0) return nullptr;
  return &op_rows[index].reductions[static_cast<std::size_t>(type.elem)];
}

/// Operations that users have created and not freed.
std::uint64_t live_ops();

/// What ranks must agree on about the type of their elements, in 16 bits; the same for equal signatures.
std::uint16_t type_code(const engine::Signature& signature) noexcept;

/// Of what members of a call announced, for messages: "MPI_DOUBLE", "MPI_SUM", …
std::string name_of_type_code(std::uint16_t code);
std::string name_of_operation(std::uint16_t operation);

/// The reduction of one call; throws a Failure if the operation is invalid or not defined on the datatype.
class Reducer {
 public:
  Reducer(MPI_Op op, MPI_Datatype datatype, const Datatype& type) : reduction_(find_reduction(op, type)) {
    if (reduction_ == nullptr) [[unlikely]]
      bind_user(op, datatype, type);
  }
  Reducer(const Reducer&) = delete;
  Reducer& operator=(const Reducer&) = delete;

  const engine::Reduction& operator*() const noexcept { return *reduction_; }
  /// With the handle of the datatype.
  bool calls_program() const noexcept { return bound_.has_value(); }

 private:
  // What the engine hands back to us when it wants the user's function called.
  struct Callback {
    UserOp op;
    MPI_Datatype datatype;
    std::int64_t extent;
  };
  static void call_narrow(void* context, const void* in, void* inout, std::size_t count);
  static void call_wide(void* context, const void* in, void* inout, std::size_t count);
  void bind_user(MPI_Op op, MPI_Datatype datatype, const Datatype& type);

  // Made for operations of the program only: writing it takes as long as a lookup.
  struct Bound {
    Callback callback;
    std::shared_ptr<const engine::TypeMap> type_map;  // the function may free the datatype
    engine::Reduction reduction;
  };
  std::optional<Bound> bound_;
  const engine::Reduction* reduction_;
};

}  // namespace foldlane::api
