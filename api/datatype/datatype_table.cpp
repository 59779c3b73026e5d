// The table of the named datatypes: handle, element, class of the standard.
#include <algorithm>
#include <cstddef>
#include <cwchar>

#include "api/datatype/datatype.hpp"

namespace foldlane::api {
namespace {

using kernels::Elem;
using kernels::Op;

// The elements below have a fixed width; these C types have it on every machine Foldlane runs on.
static_assert(sizeof(short) == 2 && sizeof(int) == 4 && sizeof(long) == 8 && sizeof(long long) == 8);
static_assert(sizeof(wchar_t) == 4 && sizeof(bool) == 1);

enum class Class { none, c_integer, fortran_integer, multi_language, floating, complex, logical, byte, pair };

constexpr unsigned kOrder = op_bit(Op::min) | op_bit(Op::max);
constexpr unsigned kArithmetic = op_bit(Op::sum) | op_bit(Op::prod);
constexpr unsigned kLogic = op_bit(Op::land) | op_bit(Op::lor) | op_bit(Op::lxor);
constexpr unsigned kBits = op_bit(Op::band) | op_bit(Op::bor) | op_bit(Op::bxor);

unsigned ops_of(Class type_class) {
  switch (type_class) {
    case Class::none:
      return 0;
    case Class::c_integer:
    case Class::multi_language:  // the standard has no logic on them, but Open MPI and MPICH do
      return kOrder | kArithmetic | kLogic | kBits;
    case Class::fortran_integer:
      return kOrder | kArithmetic | kBits;
    case Class::floating:
      return kOrder | kArithmetic;
    case Class::complex:
      return kArithmetic;
    case Class::logical:
      return kLogic;
    case Class::byte:
      return kBits;
    case Class::pair:
      return op_bit(Op::minloc) | op_bit(Op::maxloc);
  }
  return 0;
}

// A pair is a C struct: two elements, whose padding belongs to the extent only.
struct Members {
  Elem value;
  Elem index;
};

bool is_pair(Elem elem) { return elem >= Elem::pair_f32_i32; }

Members members_of(Elem pair) {
  switch (pair) {
    case Elem::pair_f64_i32:
      return {Elem::f64, Elem::i32};
    case Elem::pair_i64_i32:
      return {Elem::i64, Elem::i32};
    case Elem::pair_i32_i32:
      return {Elem::i32, Elem::i32};
    case Elem::pair_i16_i32:
      return {Elem::i16, Elem::i32};
    case Elem::pair_f80_i32:
      return {Elem::f80, Elem::i32};
    case Elem::pair_f32_f32:
      return {Elem::f32, Elem::f32};
    case Elem::pair_f64_f64:
      return {Elem::f64, Elem::f64};
    default:
      return {Elem::f32, Elem::i32};
  }
}

bool is_complex(Elem elem) { return elem >= Elem::c16 && elem <= Elem::c128; }

engine::TypeMap element_type_map(Elem elem) {
  const std::size_t bytes = kernels::elem_bytes(elem);
  return engine::TypeMap::basic(bytes, is_complex(elem) ? bytes / 2 : bytes);
}

engine::TypeMap type_map_of(Elem elem) {
  if (!is_pair(elem)) return element_type_map(elem);
  const Members members = members_of(elem);
  const engine::TypeMap value = element_type_map(members.value), index = element_type_map(members.index);
  const auto displacement = std::max(value.extent(), index.extent());
  const engine::TypeMap::Part parts[] = {{&value, 0, 1, 0}, {&index, displacement, 1, 0}};
  return *engine::TypeMap::composed(parts);
}

engine::Signature signature_of(Elem elem) {
  const auto code = [](Elem basic) { return engine::Signature{1, static_cast<std::uint64_t>(basic)}; };
  if (!is_pair(elem)) return code(elem);
  return engine::concatenated(code(members_of(elem).value), code(members_of(elem).index));
}

struct Row {
  MPI_Datatype handle;
  const char* name;
  Elem elem;
  Class type_class;
};

// The name is the spelling of the handle, which the macro takes before it is expanded: that of the standard
// where there are synonyms.
#define ROW(handle, elem, type_class) \
  { handle, #handle, Elem::elem, Class::type_class }

const Row kRows[] = {
    ROW(MPI_AINT, i64, multi_language),
    ROW(MPI_COUNT, i64, multi_language),
    ROW(MPI_OFFSET, i64, multi_language),
    ROW(MPI_PACKED, u8, none),
    ROW(MPI_SHORT, i16, c_integer),
    ROW(MPI_INT, i32, c_integer),
    ROW(MPI_LONG, i64, c_integer),
    ROW(MPI_LONG_LONG_INT, i64, c_integer),
    ROW(MPI_UNSIGNED_SHORT, u16, c_integer),
    ROW(MPI_UNSIGNED, u32, c_integer),
    ROW(MPI_UNSIGNED_LONG, u64, c_integer),
    ROW(MPI_UNSIGNED_LONG_LONG, u64, c_integer),
    ROW(MPI_FLOAT, f32, floating),
    ROW(MPI_C_COMPLEX, c32, complex),
    ROW(MPI_CXX_FLOAT_COMPLEX, c32, complex),
    ROW(MPI_DOUBLE, f64, floating),
    ROW(MPI_C_DOUBLE_COMPLEX, c64, complex),
    ROW(MPI_CXX_DOUBLE_COMPLEX, c64, complex),
    ROW(MPI_LOGICAL, u32, logical),
    ROW(MPI_INTEGER, i32, fortran_integer),
    ROW(MPI_REAL, f32, floating),
    ROW(MPI_COMPLEX, c32, complex),
    ROW(MPI_DOUBLE_PRECISION, f64, floating),
    ROW(MPI_DOUBLE_COMPLEX, c64, complex),
    ROW(MPI_CHARACTER, u8, none),
    ROW(MPI_LONG_DOUBLE, f80, floating),
    ROW(MPI_C_LONG_DOUBLE_COMPLEX, c80, complex),
    ROW(MPI_CXX_LONG_DOUBLE_COMPLEX, c80, complex),
    ROW(MPI_FLOAT_INT, pair_f32_i32, pair),
    ROW(MPI_DOUBLE_INT, pair_f64_i32, pair),
    ROW(MPI_LONG_INT, pair_i64_i32, pair),
    ROW(MPI_2INT, pair_i32_i32, pair),
    ROW(MPI_SHORT_INT, pair_i16_i32, pair),
    ROW(MPI_LONG_DOUBLE_INT, pair_f80_i32, pair),
    ROW(MPI_2REAL, pair_f32_f32, pair),
    ROW(MPI_2DOUBLE_PRECISION, pair_f64_f64, pair),
    ROW(MPI_2INTEGER, pair_i32_i32, pair),
    ROW(MPI_C_BOOL, u8, logical),
    ROW(MPI_CXX_BOOL, u8, logical),
    ROW(MPI_WCHAR, i32, none),
    ROW(MPI_INT8_T, i8, c_integer),
    ROW(MPI_UINT8_T, u8, c_integer),
    ROW(MPI_CHAR, i8, none),
    ROW(MPI_SIGNED_CHAR, i8, c_integer),
    ROW(MPI_UNSIGNED_CHAR, u8, c_integer),
    ROW(MPI_BYTE, u8, byte),
    ROW(MPI_INT16_T, i16, c_integer),
    ROW(MPI_UINT16_T, u16, c_integer),
    ROW(MPI_INT32_T, i32, c_integer),
    ROW(MPI_UINT32_T, u32, c_integer),
    ROW(MPI_INT64_T, i64, c_integer),
    ROW(MPI_UINT64_T, u64, c_integer),
    ROW(MPI_LOGICAL1, u8, logical),
    ROW(MPI_INTEGER1, i8, fortran_integer),
    ROW(MPI_LOGICAL2, u16, logical),
    ROW(MPI_INTEGER2, i16, fortran_integer),
    ROW(MPI_REAL2, f16, floating),
    ROW(MPI_LOGICAL4, u32, logical),
    ROW(MPI_INTEGER4, i32, fortran_integer),
    ROW(MPI_REAL4, f32, floating),
    ROW(MPI_COMPLEX4, c16, complex),
    ROW(MPI_LOGICAL8, u64, logical),
    ROW(MPI_INTEGER8, i64, fortran_integer),
    ROW(MPI_REAL8, f64, floating),
    ROW(MPI_COMPLEX8, c32, complex),
    ROW(MPI_LOGICAL16, u128, logical),
    ROW(MPI_INTEGER16, i128, fortran_integer),
    ROW(MPI_REAL16, f128, floating),
    ROW(MPI_COMPLEX16, c64, complex),
    ROW(MPI_COMPLEX32, c128, complex),
};

#undef ROW

Datatype named(const Row& row) {
  const engine::TypeMap type_map = type_map_of(row.elem);
  Datatype type{};
  type.extent = type_map.extent();
  type.size = static_cast<std::int64_t>(type_map.size_bytes());
  type.ops = static_cast<std::uint16_t>(ops_of(row.type_class));
  type.elem = row.elem;
  type.committed = true;
  type.plain = true;
  type.true_extent = type_map.true_extent();
  type.signature = signature_of(row.elem);
  type.type_map = std::make_shared<engine::TypeMap>(type_map);
  type.handle = row.handle;
  type.name = row.name;
  return type;
}

std::array<Datatype, kDatatypeHandles> build() {
  std::array<Datatype, kDatatypeHandles> table{};
  for (const Row& row : kRows) {
    const auto index =
        reinterpret_cast<std::uintptr_t>(row.handle) - reinterpret_cast<std::uintptr_t>(MPI_DATATYPE_NULL);
    table[index] = named(row);
  }
  return table;
}

}  // namespace

std::array<Datatype, kDatatypeHandles> datatypes = build();

}  // namespace foldlane::api
