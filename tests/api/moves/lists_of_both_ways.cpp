// Calls whose members go different ways at a time: some members' blocks are announced in lines, others' in
// slots or tables, and the buffers of some are dense, so that they go straight from their arguments, and of
// others not. All results, and what lies between their blocks.
#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "support/expect.h"

namespace {

enum class Call : std::uint8_t { allgatherv, alltoallv, alltoallw };
constexpr const char* kNames[] = {"MPI_Allgatherv", "MPI_Alltoallv", "MPI_Alltoallw"};

using Ints = std::vector<int>;

int rank_, ranks_;
MPI_Datatype apart_;  // an int, and room for another one

/// Sets of ranks, by their bits.
struct Case {
  Call call;
  int longest;
  unsigned long_givers, apart_takers;

  bool gives_long(int from) const { return (long_givers >> from & 1) != 0; }
  int stride() const { return (apart_takers >> rank_ & 1) != 0 ? 2 : 1; }
  std::string text() const {
    return std::string(kNames[static_cast<int>(call)]) + " of up to " + std::to_string(longest) +
           " ints by ranks " + std::to_string(long_givers) + ", apart of " + std::to_string(apart_takers);
  }
  /// Not all of a long list are long. Some blocks are empty.
  int ints(int from, int to) const {
    if (call == Call::allgatherv) to = 0;
    const int mixed = 3 * from + to;
    if (gives_long(from) && mixed % 4 != 3) return longest - mixed % 2;
    return mixed % 5;
  }
  int word(int from, int to, int i) const {
    return 10'000'000 * from + (call == Call::allgatherv ? 0 : 200'000 * to) + i;
  }
};

/// Blocks in the reverse order, with an int between; in ints of their datatype.
struct Side {
  template <class IntsOf>
  explicit Side(const IntsOf& ints_of) : places(static_cast<std::size_t>(ranks_)) {
    for (int other = 0; other < ranks_; ++other) counts.push_back(ints_of(other));
    for (std::size_t i = counts.size(); i-- > 0; end += counts[i] + 1) places[i] = end;
  }
  Ints bytes(int stride) const {
    Ints before;
    for (const int place : places) before.push_back(place * stride * static_cast<int>(sizeof(int)));
    return before;
  }

  Ints counts, places;
  int end = 0;
};

Ints given(const Case& c, const Side& side) {
  Ints words(static_cast<std::size_t>(side.end), -1);
  for (int to = 0; to < ranks_; ++to) {
    const auto at = static_cast<std::size_t>(to);
    for (int i = 0; i < side.counts[at]; ++i)
      words[static_cast<std::size_t>(side.places[at] + i)] = c.word(rank_, to, i);
  }
  return words;
}

Ints wanted(const Case& c, const Side& side) {
  Ints words(static_cast<std::size_t>(side.end * c.stride()), -1);
  for (int from = 0; from < ranks_; ++from) {
    const auto at = static_cast<std::size_t>(from);
    for (int i = 0; i < side.counts[at]; ++i)
      words[static_cast<std::size_t>((side.places[at] + i) * c.stride())] = c.word(from, rank_, i);
  }
  return words;
}

void make(const Case& c, const Side& sent, const Ints& in, const Side& taken, Ints& out) {
  const MPI_Datatype type = c.stride() == 2 ? apart_ : MPI_INT;
  const auto own = static_cast<std::size_t>(rank_);
  if (c.call == Call::allgatherv) {
    MPI_Allgatherv(in.data() + sent.places[own], sent.counts[own], MPI_INT, out.data(), taken.counts.data(),
                   taken.places.data(), type, MPI_COMM_WORLD);
  } else if (c.call == Call::alltoallv) {
    MPI_Alltoallv(in.data(), sent.counts.data(), sent.places.data(), MPI_INT, out.data(), taken.counts.data(),
                  taken.places.data(), type, MPI_COMM_WORLD);
  } else {
    const std::vector<MPI_Datatype> ints(sent.counts.size(), MPI_INT), types(sent.counts.size(), type);
    const Ints from = sent.bytes(1), to = taken.bytes(c.stride());
    MPI_Alltoallw(in.data(), sent.counts.data(), from.data(), ints.data(), out.data(), taken.counts.data(),
                  to.data(), types.data(), MPI_COMM_WORLD);
  }
}

void run(const Case& c) {
  const Side sent([&](int to) { return c.ints(rank_, to); });
  const Side taken([&](int from) { return c.ints(from, rank_); });
  const Ints in = given(c, sent), expected = wanted(c, taken);
  Ints out(expected.size(), -1);
  make(c, sent, in, taken, out);
  expect_that(out == expected, c.text());
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
  MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &apart_);
  MPI_Type_commit(&apart_);
  // One rank, every other one, all but one; of bytes what fills a line, a slot, and a table of either length.
  const unsigned all = (1U << ranks_) - 1;
  for (const int longest : {1, 40, 3000, 5000, 9000})
    for (const unsigned givers : {0U, 1U, 2U, 0x55U & all, 0xaaU & all, all & ~1U, all >> 1})
      for (const unsigned takers : {0U, 2U, 0x55U & all})
        for (const Call call : {Call::allgatherv, Call::alltoallv, Call::alltoallw})
          run({call, longest, givers, takers});
  MPI_Type_free(&apart_);
  MPI_Finalize();
  return 0;
}
