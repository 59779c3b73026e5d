// The table of the named datatypes: handle, element, class of the standard.
#include <algorithm>
#include <cstddef>
#include <cwchar>

#include "api/datatype/datatype.hpp"
#include "api/table/element_class.hpp"

namespace foldlane::api {
namespace {

using kernels::Elem;

// The elements below have a fixed width; these C types have it on every machine Foldlane runs on.
static_assert(sizeof(short) == 2 && sizeof(int) == 4 && sizeof(long) == 8 && sizeof(long long) == 8);
static_assert(sizeof(wchar_t) == 4 && sizeof(bool) == 1);

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

/// Integers of one size are one kind to messages: C and Fortran have different names for them, and nobody's
/// data suffer from a sign (MPI-5.0, 3.3.1 is stricter). Bytes and packed data match everything.
std::uint64_t likeness_of(Elem elem) {
  constexpr auto kSizes = static_cast<std::uint64_t>(Elem::u8);  // unsigned ones behind the signed, by size
  const auto code = static_cast<std::uint64_t>(elem);
  if (elem == Elem::u8) return engine::kAnything;
  return elem <= Elem::u128 ? code % kSizes : code;
}

engine::Signature signature_of(Elem elem) {
  const auto code = [](Elem basic) {
    return engine::Signature{1, static_cast<std::uint64_t>(basic), likeness_of(basic)};
  };
  if (!is_pair(elem)) return code(elem);
  return engine::concatenated(code(members_of(elem).value), code(members_of(elem).index));
}

struct Row {
  MPI_Datatype handle;
  const char* name;
  Elem elem;
  ElementClass element_class;
};

/// In the order of api/table/datatypes.tsv.
const Row kRows[] = {
#include "named_datatypes.inc"
};

Datatype named(const Row& row) {
  const engine::TypeMap type_map = type_map_of(row.elem);
  Datatype type{};
  type.extent = type_map.extent();
  type.size = static_cast<std::int64_t>(type_map.size_bytes());
  type.ops = ops_of(row.element_class);
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
