// Predefined datatypes by their properties: MPI_Type_match_size, MPI_Type_get_value_index,
// MPI_Type_create_f90_*.
#include <fmt/format.h>

#include <cfloat>
#include <map>
#include <mutex>
#include <tuple>

#include "api/core/calls.hpp"
#include "api/datatype/checks.hpp"
#include "api/datatype/datatype_store.hpp"
#include "api/errors/args.hpp"

namespace foldlane::api {
namespace {

struct Sized {
  int type_class;
  int size;
  MPI_Datatype datatype;
};

const Sized kSized[] = {
    {MPI_TYPECLASS_INTEGER, 1, MPI_INTEGER1},   {MPI_TYPECLASS_INTEGER, 2, MPI_INTEGER2},
    {MPI_TYPECLASS_INTEGER, 4, MPI_INTEGER4},   {MPI_TYPECLASS_INTEGER, 8, MPI_INTEGER8},
    {MPI_TYPECLASS_INTEGER, 16, MPI_INTEGER16}, {MPI_TYPECLASS_REAL, 2, MPI_REAL2},
    {MPI_TYPECLASS_REAL, 4, MPI_REAL4},         {MPI_TYPECLASS_REAL, 8, MPI_REAL8},
    {MPI_TYPECLASS_REAL, 16, MPI_REAL16},       {MPI_TYPECLASS_COMPLEX, 4, MPI_COMPLEX4},
    {MPI_TYPECLASS_COMPLEX, 8, MPI_COMPLEX8},   {MPI_TYPECLASS_COMPLEX, 16, MPI_COMPLEX16},
    {MPI_TYPECLASS_COMPLEX, 32, MPI_COMPLEX32}, {MPIX_TYPECLASS_LOGICAL, 1, MPI_LOGICAL1},
    {MPIX_TYPECLASS_LOGICAL, 2, MPI_LOGICAL2},  {MPIX_TYPECLASS_LOGICAL, 4, MPI_LOGICAL4},
    {MPIX_TYPECLASS_LOGICAL, 8, MPI_LOGICAL8},  {MPIX_TYPECLASS_LOGICAL, 16, MPI_LOGICAL16},
};

struct Pair {
  MPI_Datatype value;
  MPI_Datatype index;
  MPI_Datatype pair;
};

const Pair kPairs[] = {
    {MPI_FLOAT, MPI_INT, MPI_FLOAT_INT},
    {MPI_DOUBLE, MPI_INT, MPI_DOUBLE_INT},
    {MPI_LONG, MPI_INT, MPI_LONG_INT},
    {MPI_INT, MPI_INT, MPI_2INT},
    {MPI_SHORT, MPI_INT, MPI_SHORT_INT},
    {MPI_LONG_DOUBLE, MPI_INT, MPI_LONG_DOUBLE_INT},
    {MPI_REAL, MPI_REAL, MPI_2REAL},
    {MPI_DOUBLE_PRECISION, MPI_DOUBLE_PRECISION, MPI_2DOUBLE_PRECISION},
    {MPI_INTEGER, MPI_INTEGER, MPI_2INTEGER},
};

// What Fortran's selected_real_kind and selected_int_kind choose from, the smallest first.
struct RealKind {
  int precision;
  int range;
  MPI_Datatype real;
  MPI_Datatype complex;
};

const RealKind kRealKinds[] = {
    {6, 37, MPI_REAL4, MPI_COMPLEX8},
    {15, 307, MPI_REAL8, MPI_COMPLEX16},
#if LDBL_MANT_DIG == 64
    {18, 4931, MPI_LONG_DOUBLE, MPI_C_LONG_DOUBLE_COMPLEX},  // gfortran's kind 10
#endif
    {33, 4931, MPI_REAL16, MPI_COMPLEX32},
};

struct IntegerKind {
  int range;
  MPI_Datatype integer;
};

const IntegerKind kIntegerKinds[] = {
    {2, MPI_INTEGER1}, {4, MPI_INTEGER2}, {9, MPI_INTEGER4}, {18, MPI_INTEGER8}, {38, MPI_INTEGER16},
};

// The same handle for the same question, however often it is asked.
std::mutex f90_mutex;
std::map<std::tuple<int, int, int>, MPI_Datatype> f90_types;

MPI_Datatype f90_type(Call call, int combiner, int precision, int range, MPI_Datatype base) {
  const std::lock_guard lock(f90_mutex);
  MPI_Datatype& known = f90_types[{combiner, precision, range}];
  if (known == nullptr) {
    Recipe recipe(call, combiner);
    if (combiner != MPI_COMBINER_F90_INTEGER) recipe.integer(precision);
    recipe.integer(range);
    known = add_predefined(check_datatype(base), std::move(recipe));
  }
  return known;
}

const RealKind& check_real_kind(int precision, int range) {
  if (precision == MPI_UNDEFINED && range == MPI_UNDEFINED) {
    fail(MPI_ERR_ARG, "p and r are both MPI_UNDEFINED; one of them must be given");
  }
  for (const RealKind& kind : kRealKinds) {
    // MPI_UNDEFINED is negative, and every kind satisfies it.
    if (precision <= kind.precision && range <= kind.range) return kind;
  }
  fail(MPI_ERR_ARG,
       fmt::format("no real has {} digits and the exponent range {}; the largest has 33 and 4931", precision,
                   range));
}

}  // namespace

int type_match_size(Call call, int type_class, int size, MPI_Datatype* datatype) {
  return run(call, [&] {
    check_active();
    check_output(datatype, "datatype");
    for (const Sized& sized : kSized) {
      if (sized.type_class != type_class || sized.size != size) continue;
      *datatype = sized.datatype;
      return;
    }
    fail(MPI_ERR_ARG, fmt::format("no datatype of type class {} has {} bytes", type_class, size));
  });
}

int type_get_value_index(Call call, MPI_Datatype value, MPI_Datatype index, MPI_Datatype* pair) {
  return run(call, [&] {
    check_active();
    check_datatype(value);
    check_datatype(index);
    *check_output(pair, "pair_type") = MPI_DATATYPE_NULL;
    for (const Pair& known : kPairs) {
      if (known.value == value && known.index == index) *pair = known.pair;
    }
  });
}

int type_create_f90_real(Call call, int precision, int range, MPI_Datatype* newtype) {
  return run(call, [&] {
    check_active();
    check_output(newtype, "newtype");
    const RealKind& kind = check_real_kind(precision, range);
    *newtype = f90_type(call, MPI_COMBINER_F90_REAL, precision, range, kind.real);
  });
}

int type_create_f90_complex(Call call, int precision, int range, MPI_Datatype* newtype) {
  return run(call, [&] {
    check_active();
    check_output(newtype, "newtype");
    const RealKind& kind = check_real_kind(precision, range);
    *newtype = f90_type(call, MPI_COMBINER_F90_COMPLEX, precision, range, kind.complex);
  });
}

int type_create_f90_integer(Call call, int range, MPI_Datatype* newtype) {
  return run(call, [&] {
    check_active();
    check_output(newtype, "newtype");
    for (const IntegerKind& kind : kIntegerKinds) {
      if (range > kind.range) continue;
      *newtype = f90_type(call, MPI_COMBINER_F90_INTEGER, 0, range, kind.integer);
      return;
    }
    fail(MPI_ERR_ARG, fmt::format("no integer has the range {}; the largest has 38", range));
  });
}

}  // namespace foldlane::api
