// Grouped folds on machines we do not have, all ranks in one thread: the same bits as the serial fold in the
// canonical order, whatever the groups. The operation is not associative: it notices any other tree.
#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <numeric>

#include "engine/algorithms/fold_grouped.hpp"
#include "engine/algorithms/inline_grouped.hpp"
#include "support/counted_crowd.hpp"

namespace foldlane::engine {
namespace {

using testing::CountedCrowd;
using testing::seats_on;

std::uint64_t combine(std::uint64_t a, std::uint64_t b) {
  return (std::rotl(a, 7) + 3 * b) * 0x9e3779b97f4a7c15U;
}

void combine_all(void*, const void* in, void* inout, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    std::uint64_t a = 0, b = 0;
    std::memcpy(&a, static_cast<const std::byte*>(in) + i * sizeof a, sizeof a);
    std::memcpy(&b, static_cast<const std::byte*>(inout) + i * sizeof b, sizeof b);
    const std::uint64_t both = combine(a, b);
    std::memcpy(static_cast<std::byte*>(inout) + i * sizeof both, &both, sizeof both);
  }
}

const Reduction kTreeHash{.elem_bytes = sizeof(std::uint64_t), .user = {combine_all, nullptr}};

using Vector = std::vector<std::uint64_t>;

std::uint64_t input(int rank, std::size_t i) { return static_cast<std::uint64_t>(rank) * 1'000'003 + i; }

std::uint64_t serial(int lo, int hi, std::size_t i) {
  if (hi - lo == 1) return input(lo, i);
  const int mid = lo + static_cast<int>(std::bit_floor(static_cast<unsigned>(hi - lo - 1)));
  return combine(serial(lo, mid, i), serial(mid, hi, i));
}

std::byte* bytes(Vector& values) { return reinterpret_cast<std::byte*>(values.data()); }

struct Machine {
  const char* topology;
  int ranks;
};

void PrintTo(const Machine& machine, std::ostream* os) { *os << machine.ranks << " on " << machine.topology; }

class Grouped : public ::testing::TestWithParam<Machine> {
 protected:
  static std::vector<Vector> inputs(const CountedCrowd& crowd, std::size_t count) {
    std::vector<Vector> data;
    for (int rank = 0; rank < crowd.size(); ++rank) {
      data.emplace_back(count);
      for (std::size_t i = 0; i < count; ++i) data.back()[i] = input(rank, i);
    }
    return data;
  }
  static Vector expected(const CountedCrowd& crowd, std::size_t count) {
    Vector result;
    for (std::size_t i = 0; i < count; ++i) result.push_back(serial(0, crowd.size(), i));
    return result;
  }
};

TEST_P(Grouped, AllreduceThroughSlots) {
  CountedCrowd crowd(seats_on(GetParam().topology, GetParam().ranks), true, 4096);
  ASSERT_NE(crowd.team(0).hierarchy(), nullptr);
  const std::size_t chunk_count = GroupedPlaces::largest_chunk(*crowd.team(0).hierarchy(), 4096, {8, 8});
  for (const std::size_t count : {1u, 8u, 33u, 200u, 1000u, 3001u}) {
    auto data = inputs(crowd, count);
    ASSERT_TRUE(crowd.run([&](int rank) {
      auto& own = data[static_cast<std::size_t>(rank)];
      return fold_grouped(crowd.team(rank),
                          {bytes(own), bytes(own), count, &kTreeHash, kNobody, nullptr, chunk_count, false});
    })) << count;
    const Vector result = expected(crowd, count);
    for (const Vector& own : data) ASSERT_EQ(own, result) << count;
  }
}

TEST_P(Grouped, AllreduceBesideTheEpoch) {
  CountedCrowd crowd(seats_on(GetParam().topology, GetParam().ranks), true, 4096);
  ASSERT_NE(crowd.team(0).hierarchy(), nullptr);
  const std::size_t most = 7 / crowd.team(0).hierarchy()->most_values();
  for (std::size_t count = 0; count <= most; ++count) {
    auto data = inputs(crowd, count);
    ASSERT_TRUE(crowd.run([&](int rank) {
      auto& own = data[static_cast<std::size_t>(rank)];
      return fold_inline_grouped(crowd.team(rank),
                                 {bytes(own), bytes(own), count, &kTreeHash, kNobody, 0, count});
    })) << count;
    const Vector result = expected(crowd, count);
    for (const Vector& own : data) ASSERT_EQ(own, result) << count;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Machines, Grouped,
    ::testing::Values(Machine{"package:2 l3:8 core:8", 128}, Machine{"package:1 l3:24 core:8", 192},
                      Machine{"package:4 l3:1 core:32", 128}, Machine{"package:2 l3:1 numa:2 core:28", 112},
                      Machine{"package:2 l3:1 numa:4 core:14", 112}, Machine{"package:2 l3:8 core:8", 100},
                      Machine{"package:3 l3:2 core:5", 30}, Machine{"package:2 l3:1 core:5", 10},
                      Machine{"package:2 l3:1 core:8", 16}));

}  // namespace
}  // namespace foldlane::engine
