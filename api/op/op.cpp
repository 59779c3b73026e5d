// Operations: the predefined ones, and MPI_Op_create, MPI_Op_free, MPI_Op_commutative.
#include "api/op/op.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "api/core/calls.hpp"
#include "api/core/handle_table.hpp"
#include "api/datatype/checks.hpp"
#include "api/errors/args.hpp"

namespace foldlane::api {
namespace {

using kernels::Elem;
using kernels::Op;

struct PredefinedOp {
  const char* name;  // null: no operation has this handle
  bool folds;        // MPI_REPLACE and MPI_NO_OP are for one-sided calls only
  Op op;
};

/// Ranks may pass different functions, so they need not agree on more than this.
constexpr std::uint16_t kUserOperation = 0xffff;

std::array<PredefinedOp, kOpHandles> predefined_table() {
  std::array<PredefinedOp, kOpHandles> table{};
  const auto put = [&](MPI_Op handle, PredefinedOp op) { table[op_index(handle)] = op; };
  put(MPI_SUM, {"MPI_SUM", true, Op::sum});
  put(MPI_PROD, {"MPI_PROD", true, Op::prod});
  put(MPI_MIN, {"MPI_MIN", true, Op::min});
  put(MPI_MAX, {"MPI_MAX", true, Op::max});
  put(MPI_LAND, {"MPI_LAND", true, Op::land});
  put(MPI_LOR, {"MPI_LOR", true, Op::lor});
  put(MPI_LXOR, {"MPI_LXOR", true, Op::lxor});
  put(MPI_BAND, {"MPI_BAND", true, Op::band});
  put(MPI_BOR, {"MPI_BOR", true, Op::bor});
  put(MPI_BXOR, {"MPI_BXOR", true, Op::bxor});
  put(MPI_MINLOC, {"MPI_MINLOC", true, Op::minloc});
  put(MPI_MAXLOC, {"MPI_MAXLOC", true, Op::maxloc});
  put(MPI_REPLACE, {"MPI_REPLACE", false, {}});
  put(MPI_NO_OP, {"MPI_NO_OP", false, {}});
  return table;
}

const std::array<PredefinedOp, kOpHandles> predefined_ops = predefined_table();

HandleTable<MPI_Op, UserOp> user_ops("operation",
                                     [](MPI_Op, const UserOp&) { return std::optional<std::string>(""); });

const PredefinedOp* find_predefined(MPI_Op op) {
  const std::uintptr_t index = op_index(op);
  return index < kOpHandles && predefined_ops[index].name != nullptr ? &predefined_ops[index] : nullptr;
}

[[noreturn, gnu::cold]] void reject_pair(const PredefinedOp& op, const Datatype& type) {
  if (!op.folds) fail(MPI_ERR_OP, fmt::format("{} is for one-sided calls, not for reductions", op.name));
  fail(MPI_ERR_OP, fmt::format("{} is not defined on {}", op.name, describe(type)));
}

UserOp& check_user_op(MPI_Op op) {
  if (UserOp* found = user_ops.find(op)) return *found;
  if (op == MPI_OP_NULL) fail(MPI_ERR_OP, "the operation is MPI_OP_NULL");
  if (const PredefinedOp* predefined = find_predefined(op)) {
    fail(MPI_ERR_OP, fmt::format("{} is predefined", predefined->name));
  }
  fail(MPI_ERR_OP, fmt::format("the operation {} does not exist; it may have been freed", fmt::ptr(op)));
}

int create(Call call, const UserOp& user, MPI_Op* op) {
  return run(call, [&] {
    check_active();
    if (user.narrow == nullptr && user.wide == nullptr) fail(MPI_ERR_ARG, "the function is null");
    MPI_Op handle = user_ops.insert(user);
    if (handle == nullptr) fail(MPI_ERR_NO_MEM, "too many operations exist; free some with MPI_Op_free");
    *check_output(op, "op") = handle;
  });
}

}  // namespace

std::array<OpRow, kOpHandles> op_rows;

void resolve_reductions() {
  for (std::size_t index = 0; index < kOpHandles; ++index) {
    const PredefinedOp& op = predefined_ops[index];
    if (op.name == nullptr || !op.folds) continue;
    op_rows[index].bit = op_bit(op.op);
    for (int elem = 0; elem < kernels::kElemCount; ++elem) {
      engine::Reduction& reduction = op_rows[index].reductions[static_cast<std::size_t>(elem)];
      reduction = engine::Reduction::of(op.op, static_cast<Elem>(elem));
      reduction.operation = static_cast<std::uint16_t>(op.op);
      reduction.type = static_cast<std::uint16_t>(elem);
    }
  }
}

std::uint64_t live_ops() { return user_ops.live(); }

void Reducer::bind_user(MPI_Op op, MPI_Datatype datatype, const Datatype& type) {
  if (const PredefinedOp* predefined = find_predefined(op)) reject_pair(*predefined, type);
  // A copy, because the user's function may create or free operations.
  const UserOp user = check_user_op(op);
  check_committed(type);
  Bound& bound = bound_.emplace(Bound{{user, datatype, type.extent}, nullptr, {}});
  if (!type.dense()) bound.type_map = type.type_map;
  bound.reduction = {.elem_bytes = static_cast<std::size_t>(type.size),
                     .user = {user.wide != nullptr ? call_wide : call_narrow, &bound.callback},
                     .type_map = bound.type_map.get(),
                     .operation = kUserOperation,
                     .type = type_code(type.signature)};
  reduction_ = &bound.reduction;
}

void Reducer::call_narrow(void* context, const void* in, void* inout, std::size_t count) {
  const auto& callback = *static_cast<const Callback*>(context);
  // The user's function has an int for the length.
  constexpr std::size_t kMaxBatch = std::numeric_limits<int>::max();
  for (std::size_t first = 0; first < count; first += kMaxBatch) {
    const std::ptrdiff_t offset = static_cast<std::ptrdiff_t>(first) * callback.extent;
    int length = static_cast<int>(std::min(count - first, kMaxBatch));
    MPI_Datatype datatype = callback.datatype;
    callback.op.narrow(const_cast<char*>(static_cast<const char*>(in)) + offset,
                       static_cast<char*>(inout) + offset, &length, &datatype);
  }
}

void Reducer::call_wide(void* context, const void* in, void* inout, std::size_t count) {
  const auto& callback = *static_cast<const Callback*>(context);
  auto length = static_cast<MPI_Count>(count);
  MPI_Datatype datatype = callback.datatype;
  callback.op.wide(const_cast<void*>(in), inout, &length, &datatype);
}

std::uint16_t type_code(const engine::Signature& signature) noexcept {
  constexpr std::uint16_t kMixed = 0x8000;
  if (signature.hash < kMixed) return static_cast<std::uint16_t>(signature.hash);
  return static_cast<std::uint16_t>(signature.hash % kMixed) | kMixed;
}

std::string name_of_type_code(std::uint16_t code) {
  const auto matches = [code](const Datatype& type) {
    const bool pair = (type.ops & op_bit(Op::minloc)) != 0;
    return type.committed &&
           (pair ? static_cast<std::uint16_t>(type.elem) : type_code(type.signature)) == code;
  };
  // Of several types with the same elements the C type is the likely one; those of all languages come first.
  const auto c_types = std::find_if(datatypes.begin(), datatypes.end(),
                                    [](const Datatype& type) { return type.handle == MPI_SHORT; });
  const auto found = std::find_if(c_types, datatypes.end(), matches);
  if (found != datatypes.end()) return describe(*found);
  return fmt::format("a datatype with signature {:x}", code);
}

std::string name_of_operation(std::uint16_t operation) {
  for (const PredefinedOp& op : predefined_ops) {
    if (op.name != nullptr && op.folds && operation == static_cast<std::uint16_t>(op.op)) return op.name;
  }
  return "an operation of the program";
}

int op_create(Call call, MPI_User_function* function, int commute, MPI_Op* op) {
  return create(call, {function, nullptr, commute != 0}, op);
}

int op_create(Call call, MPI_User_function_c* function, int commute, MPI_Op* op) {
  return create(call, {nullptr, function, commute != 0}, op);
}

int op_free(Call call, MPI_Op* op) {
  return run(call, [&] {
    check_active();
    check_user_op(*check_output(op, "op"));
    user_ops.erase(*op);
    *op = MPI_OP_NULL;
  });
}

int op_commutative(Call call, MPI_Op op, int* commute) {
  return run(call, [&] {
    check_active();
    const PredefinedOp* predefined = find_predefined(op);
    *check_output(commute, "commute") =
        predefined != nullptr ? predefined->folds : check_user_op(op).commutes;
  });
}

}  // namespace foldlane::api
