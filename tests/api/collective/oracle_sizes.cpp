// A few datatypes and operations, among them one of the user that does not commute, at counts around every
// boundary that the engine may have, from nothing to more than a slot.
#include "support/oracle_ops.hpp"

using namespace foldlane::testing;

namespace {

constexpr std::size_t kCounts[] = {0,    1,    2,    3,    4,     5,     6,     7,     8,    9,
                                   15,   16,   17,   31,   32,    33,    63,    64,    65,   127,
                                   128,  129,  255,  257,  511,   513,   1000,  1023,  1025, 2048,
                                   4095, 4097, 8191, 8193, 16385, 32769, 65537, 131073};
constexpr std::size_t kLargeCounts[] = {1'000'003};

// The map x -> a x + b modulo 2^32, in one element: chaining such maps is associative, but not commutative.
std::int64_t chain(std::int64_t left, std::int64_t right) {
  const auto l = static_cast<std::uint64_t>(left), r = static_cast<std::uint64_t>(right);
  const std::uint64_t a = (l >> 32) * (r >> 32), b = (l >> 32) * (r & 0xffffffffU) + (l & 0xffffffffU);
  return static_cast<std::int64_t>(a << 32 | (b & 0xffffffffU));
}

void chain_all(void* in, void* inout, int* length, MPI_Datatype*) {
  for (int i = 0; i < *length; ++i) {
    auto* const right = static_cast<std::int64_t*>(inout) + i;
    *right = chain(static_cast<std::int64_t*>(in)[i], *right);
  }
}

void chain_all_wide(void* in, void* inout, MPI_Count* length, MPI_Datatype* datatype) {
  int narrow = static_cast<int>(*length);
  chain_all(in, inout, &narrow, datatype);
}

std::int64_t make_map(std::uint64_t random) {
  return static_cast<std::int64_t>(random | std::uint64_t{1} << 32);
}

template <class T>
void check_counts(const Case<T>& c) {
  for (std::size_t count : kCounts) check_all(c, count);
  for (std::size_t count : kLargeCounts) check_allreduce(c, count);
}

void check_user_operation() {
  MPI_Op narrow = MPI_OP_NULL, wide = MPI_OP_NULL;
  MPI_Op_create(chain_all, 0, &narrow);
  MPI_Op_create_c(chain_all_wide, 0, &wide);
  for (MPI_Op op : {narrow, wide}) {
    check_counts<std::int64_t>({"MPI_INT64_T with an operation of the user", MPI_INT64_T, op, make_map, chain,
                                same_number<std::int64_t>});
  }
  MPI_Op_free(&narrow);
  MPI_Op_free(&wide);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  check_counts<double>({"MPI_DOUBLE with MPI_SUM", MPI_DOUBLE, MPI_SUM, make_number<double>, sum<double>,
                        same_number<double>});
  check_counts<std::uint8_t>({"MPI_BYTE with MPI_BXOR", MPI_BYTE, MPI_BXOR, make_number<std::uint8_t>,
                              bit_xor<std::uint8_t>, same_number<std::uint8_t>});
  check_counts<Pair<double, int>>({"MPI_DOUBLE_INT with MPI_MINLOC", MPI_DOUBLE_INT, MPI_MINLOC,
                                   make_pair<double, int>, min_location<double, int>,
                                   same_pair<double, int>});
  check_user_operation();
  report_comparisons("sizes");
  MPI_Finalize();
}
