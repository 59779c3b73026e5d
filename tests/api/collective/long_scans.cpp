// Scans that fit no line, most of which the first of two ranks gives and keeps: of numbers and of elements
// with padding, which the library folds, and of a caller's operation that does not commute, on dense elements
// and on such with gaps. Every byte is compared with a serial fold, gaps included; callers write to what they
// gave as soon as they may.
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "support/expect.h"
#include "support/forms.hpp"

namespace {

using namespace foldlane::testing;
using Bytes = std::vector<std::byte>;

constexpr std::byte kUntouched{0x55}, kGiven{0xaa}, kCleared{0};  // gaps
int rank;

/// x -> slope * x + shift, modulo 2^32. Done one after the other they are no other such function in another
/// order.
struct Affine {
  std::uint32_t slope;
  std::uint32_t shift;
};
Affine after(const Affine& first, const Affine& second) {
  return {first.slope * second.slope, first.slope * second.shift + first.shift};
}
Affine affine_of(int from, std::uint32_t i) {
  const auto who = static_cast<std::uint32_t>(from);
  return {2 * i + 4 * who + 1, i + 7 * who};
}

struct Least {
  double value;
  int place;
};
static_assert(sizeof(Least) > sizeof(double) + sizeof(int));
Least least_of(int from, std::uint32_t i) {
  return {static_cast<double>((7 * i + 5 * static_cast<std::uint32_t>(from)) % 11), from};
}
Least lesser(const Least& first, const Least& second) { return second.value < first.value ? second : first; }

long number_of(int from, std::uint32_t i) { return 7L * i + 1'000'003L * from; }
long plus(long first, long second) { return first + second; }

void fold_affine(void* in, void* inout, int* length, MPI_Datatype* type) {
  MPI_Aint lower = 0, extent = 0;
  MPI_Type_get_extent(*type, &lower, &extent);
  for (MPI_Aint at = 0; at < *length * extent; at += extent) {
    Affine first, second;
    std::memcpy(&first, static_cast<std::byte*>(in) + at, sizeof first);
    std::memcpy(&second, static_cast<std::byte*>(inout) + at, sizeof second);
    second = after(first, second);
    std::memcpy(static_cast<std::byte*>(inout) + at, &second, sizeof second);
  }
}

struct Kind {
  std::string name;
  MPI_Datatype type;
  MPI_Op op;
  std::size_t extent;
  bool has_padding;  // which the library clears, wherever it comes from
};

/// Of elements that `make` makes and `write` puts where they belong.
template <class Make, class Write>
Bytes elements(const Kind& kind, int count, std::byte gaps, const Make& make, const Write& write) {
  Bytes bytes(static_cast<std::size_t>(count) * kind.extent, gaps);
  for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(count); ++i)
    write(bytes.data() + i * kind.extent, make(i));
  return bytes;
}
void write_affine(std::byte* to, const Affine& value) { std::memcpy(to, &value, sizeof value); }
void write_number(std::byte* to, long value) { std::memcpy(to, &value, sizeof value); }
void write_least(std::byte* to, const Least& value) {
  std::memcpy(to + offsetof(Least, value), &value.value, sizeof value.value);
  std::memcpy(to + offsetof(Least, place), &value.place, sizeof value.place);
}

/// What the ranks up to `last` give, folded in order.
template <class Element, class Fold>
auto folded(int last, const Element& element, const Fold& fold) {
  return [=](std::uint32_t i) {
    auto result = element(0, i);
    for (int from = 1; from <= last; ++from) result = fold(result, element(from, i));
    return result;
  };
}

struct Result {
  Bytes place;
  Bytes& bytes() { return place; }
};

void scan(const Kind& kind, Bytes given, const Bytes& expected, int count, bool in_place) {
  Result result{in_place ? given : Bytes(given.size(), kUntouched)};
  const void* const from = in_place ? MPI_IN_PLACE : given.data();
  expect(perform(result, kScan, from, result.place.data(), count, kind.type, kind.op, MPI_COMM_WORLD) ==
         MPI_SUCCESS);
  std::fill(given.begin(), given.end(), std::byte{0});
  expect_that(result.place == expected, "MPI_Scan, " + kind.name + ", " + std::to_string(count) +
                                            " elements, " + form_name() + (in_place ? ", in place" : ""));
}

template <class Element, class Fold, class Write>
void scan_in_both_places(const Kind& kind, int count, const Element& element, const Fold& fold,
                         const Write& write) {
  const auto own = [&](std::uint32_t i) { return element(rank, i); };
  const Bytes given = elements(kind, count, kGiven, own, write);
  for (const bool in_place : {false, true}) {
    const std::byte gaps = kind.has_padding ? kCleared : in_place ? kGiven : kUntouched;
    scan(kind, given, elements(kind, count, gaps, folded(rank, element, fold), write), count, in_place);
  }
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  Kind dense{"a caller's operation", MPI_DATATYPE_NULL, MPI_OP_NULL, sizeof(Affine), false};
  MPI_Type_contiguous(2, MPI_UINT32_T, &dense.type);
  MPI_Type_commit(&dense.type);
  MPI_Op_create(fold_affine, 0, &dense.op);
  Kind gaps{"the same with gaps", MPI_DATATYPE_NULL, dense.op, sizeof(Affine) + 4, false};
  MPI_Type_create_resized(dense.type, 0, static_cast<MPI_Aint>(gaps.extent), &gaps.type);
  MPI_Type_commit(&gaps.type);
  const Kind numbers{"MPI_SUM of MPI_LONG", MPI_LONG, MPI_SUM, sizeof(long), false};
  const Kind padded{"MPI_MINLOC of MPI_DOUBLE_INT", MPI_DOUBLE_INT, MPI_MINLOC, sizeof(Least), true};

  // In a box, through slots, and on both sides of a piece and of what may be pulled; some rounds are trials.
  constexpr std::array kCounts{30, 125, 256, 512, 1024, 1025, 4097, 20'000, 131'073};
  constexpr int kRounds = 3;
  in_all_forms([&] {
    for (int round = 0; round < kRounds; ++round)
      for (const int count : kCounts) {
        scan_in_both_places(dense, count, affine_of, after, write_affine);
        scan_in_both_places(gaps, count, affine_of, after, write_affine);
        scan_in_both_places(numbers, count, number_of, plus, write_number);
        scan_in_both_places(padded, count, least_of, lesser, write_least);
      }
  });
  MPI_Type_free(&gaps.type);
  MPI_Type_free(&dense.type);
  MPI_Op_free(&dense.op);
  MPI_Finalize();
  return 0;
}
