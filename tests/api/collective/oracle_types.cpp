// All predefined operations on all predefined datatypes, each through every reduction of the interface.
#include "support/oracle_ops.hpp"

using namespace foldlane::testing;

namespace {

constexpr std::size_t kCounts[] = {1, 19};

struct Named {
  const char* name;
  MPI_Datatype datatype;
};

#define NAMED(datatype) \
  Named { #datatype, datatype }

template <class T>
void run(Named type, const char* op_name, MPI_Op op, T (*make)(std::uint64_t), T (*combine)(T, T),
         bool (*same)(const T&, const T&)) {
  if (type.datatype == MPI_DATATYPE_NULL) return;  // of another MPI
  const Case<T> c{std::string(type.name) + " with " + op_name, type.datatype, op, make, combine, same};
  for (std::size_t count : kCounts) check_all(c, count);
}

#define RUN(op, make, combine, same) run<T>(type, #op, op, make, combine, same)

template <class T>
void arithmetic(Named type) {
  RUN(MPI_SUM, make_number<T>, sum<T>, same_number<T>);
  RUN(MPI_PROD, make_number<T>, product<T>, same_number<T>);
  RUN(MPI_MIN, make_number<T>, minimum<T>, same_number<T>);
  RUN(MPI_MAX, make_number<T>, maximum<T>, same_number<T>);
}

template <class T>
void bits(Named type) {
  RUN(MPI_BAND, make_number<T>, bit_and<T>, same_number<T>);
  RUN(MPI_BOR, make_number<T>, bit_or<T>, same_number<T>);
  RUN(MPI_BXOR, make_number<T>, bit_xor<T>, same_number<T>);
}

template <class T>
void logic(Named type, T (*make)(std::uint64_t)) {
  RUN(MPI_LAND, make, logical_and<T>, same_number<T>);
  RUN(MPI_LOR, make, logical_or<T>, same_number<T>);
  RUN(MPI_LXOR, make, logical_xor<T>, same_number<T>);
}

template <class T>
void integer(Named type) {
  arithmetic<T>(type);
  bits<T>(type);
  logic<T>(type, make_number<T>);
}

template <class T>
void fortran_integer(Named type) {
  arithmetic<T>(type);
  bits<T>(type);
}

template <class Part>
void complex_number(Named type) {
  using T = Complex<Part>;
  RUN(MPI_SUM, make_complex<Part>, complex_sum<Part>, same_complex<Part>);
  RUN(MPI_PROD, make_complex<Part>, complex_product<Part>, same_complex<Part>);
}

template <class V, class I>
void pair_of(Named type) {
  using T = Pair<V, I>;
  RUN(MPI_MINLOC, (make_pair<V, I>), (min_location<V, I>), (same_pair<V, I>));
  RUN(MPI_MAXLOC, (make_pair<V, I>), (max_location<V, I>), (same_pair<V, I>));
}

void c_integers() {
  integer<short>(NAMED(MPI_SHORT));
  integer<int>(NAMED(MPI_INT));
  integer<long>(NAMED(MPI_LONG));
  integer<long long>(NAMED(MPI_LONG_LONG));
  integer<unsigned short>(NAMED(MPI_UNSIGNED_SHORT));
  integer<unsigned>(NAMED(MPI_UNSIGNED));
  integer<unsigned long>(NAMED(MPI_UNSIGNED_LONG));
  integer<unsigned long long>(NAMED(MPI_UNSIGNED_LONG_LONG));
  integer<signed char>(NAMED(MPI_SIGNED_CHAR));
  integer<unsigned char>(NAMED(MPI_UNSIGNED_CHAR));
  integer<std::int8_t>(NAMED(MPI_INT8_T));
  integer<std::int16_t>(NAMED(MPI_INT16_T));
  integer<std::int32_t>(NAMED(MPI_INT32_T));
  integer<std::int64_t>(NAMED(MPI_INT64_T));
  integer<std::uint8_t>(NAMED(MPI_UINT8_T));
  integer<std::uint16_t>(NAMED(MPI_UINT16_T));
  integer<std::uint32_t>(NAMED(MPI_UINT32_T));
  integer<std::uint64_t>(NAMED(MPI_UINT64_T));
}

void other_integers() {
  integer<MPI_Aint>(NAMED(MPI_AINT));
  integer<MPI_Count>(NAMED(MPI_COUNT));
  integer<MPI_Offset>(NAMED(MPI_OFFSET));
  fortran_integer<std::int32_t>(NAMED(MPI_INTEGER));
  fortran_integer<std::int8_t>(NAMED(MPI_INTEGER1));
  fortran_integer<std::int16_t>(NAMED(MPI_INTEGER2));
  fortran_integer<std::int32_t>(NAMED(MPI_INTEGER4));
  fortran_integer<std::int64_t>(NAMED(MPI_INTEGER8));
  fortran_integer<Int128>(NAMED(MPI_INTEGER16));
  bits<std::uint8_t>(NAMED(MPI_BYTE));
}

void floats() {
  arithmetic<float>(NAMED(MPI_FLOAT));
  arithmetic<double>(NAMED(MPI_DOUBLE));
  arithmetic<long double>(NAMED(MPI_LONG_DOUBLE));
  arithmetic<float>(NAMED(MPI_REAL));
  arithmetic<double>(NAMED(MPI_DOUBLE_PRECISION));
  arithmetic<Half>(NAMED(MPI_REAL2));
  arithmetic<float>(NAMED(MPI_REAL4));
  arithmetic<double>(NAMED(MPI_REAL8));
  arithmetic<Quad>(NAMED(MPI_REAL16));
}

void complex_numbers() {
  complex_number<float>(NAMED(MPI_C_FLOAT_COMPLEX));
  complex_number<double>(NAMED(MPI_C_DOUBLE_COMPLEX));
  complex_number<long double>(NAMED(MPI_C_LONG_DOUBLE_COMPLEX));
  complex_number<float>(NAMED(MPI_CXX_FLOAT_COMPLEX));
  complex_number<double>(NAMED(MPI_CXX_DOUBLE_COMPLEX));
  complex_number<long double>(NAMED(MPI_CXX_LONG_DOUBLE_COMPLEX));
  complex_number<float>(NAMED(MPI_COMPLEX));
  complex_number<double>(NAMED(MPI_DOUBLE_COMPLEX));
  complex_number<Half>(NAMED(MPI_COMPLEX4));
  complex_number<float>(NAMED(MPI_COMPLEX8));
  complex_number<double>(NAMED(MPI_COMPLEX16));
  complex_number<Quad>(NAMED(MPI_COMPLEX32));
}

void logicals() {
  logic<std::uint8_t>(NAMED(MPI_C_BOOL), make_logical);
  logic<std::uint8_t>(NAMED(MPI_CXX_BOOL), make_logical);
  logic<std::uint32_t>(NAMED(MPI_LOGICAL), make_logical);
  logic<std::uint8_t>(NAMED(MPI_LOGICAL1), make_logical);
  logic<std::uint16_t>(NAMED(MPI_LOGICAL2), make_logical);
  logic<std::uint32_t>(NAMED(MPI_LOGICAL4), make_logical);
  logic<std::uint64_t>(NAMED(MPI_LOGICAL8), make_logical);
  logic<Uint128>(NAMED(MPI_LOGICAL16), make_logical);
}

void pairs() {
  pair_of<float, int>(NAMED(MPI_FLOAT_INT));
  pair_of<double, int>(NAMED(MPI_DOUBLE_INT));
  pair_of<long, int>(NAMED(MPI_LONG_INT));
  pair_of<int, int>(NAMED(MPI_2INT));
  pair_of<short, int>(NAMED(MPI_SHORT_INT));
  pair_of<long double, int>(NAMED(MPI_LONG_DOUBLE_INT));
  pair_of<float, float>(NAMED(MPI_2REAL));
  pair_of<double, double>(NAMED(MPI_2DOUBLE_PRECISION));
  pair_of<int, int>(NAMED(MPI_2INTEGER));
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  c_integers();
  other_integers();
  floats();
  complex_numbers();
  logicals();
  pairs();
  report_comparisons("datatypes and operations");
  MPI_Finalize();
}
