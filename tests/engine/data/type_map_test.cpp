// TypeMaps against a naive map: one entry per byte, composed and copied byte by byte.
#include "engine/data/type_map.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace {

using foldlane::engine::TypeMap;

constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

// The offsets of the bytes in the order of packing, and the bounds by the definition of the standard.
struct ByteMap {
  std::vector<std::int64_t> bytes;
  std::int64_t alignment = 1;
  bool marked = false;
  std::int64_t lower = 0, upper = 0;

  void add(const ByteMap& part, std::int64_t displacement) {
    for (std::int64_t byte : part.bytes) bytes.push_back(byte + displacement);
    if (!part.bytes.empty()) alignment = std::max(alignment, part.alignment);
    if (!part.marked) return;
    const std::int64_t low = part.lower + displacement, high = part.upper + displacement;
    lower = marked ? std::min(lower, low) : low;
    upper = marked ? std::max(upper, high) : high;
    marked = true;
  }
  std::int64_t true_lower() const {
    return bytes.empty() ? 0 : *std::min_element(bytes.begin(), bytes.end());
  }
  std::int64_t true_upper() const {
    return bytes.empty() ? 0 : *std::max_element(bytes.begin(), bytes.end()) + 1;
  }
  std::int64_t lb() const { return marked ? lower : true_lower(); }
  std::int64_t extent() const {
    if (marked) return upper - lower;
    std::int64_t bytes_between = true_upper() - true_lower();
    while (bytes_between % alignment != 0) ++bytes_between;
    return bytes_between;
  }
};

struct Both {
  TypeMap type_map;
  ByteMap map;
};

Both basic(int bytes) {
  Both both{TypeMap::basic(static_cast<std::uint64_t>(bytes), static_cast<std::uint64_t>(bytes)), {}};
  for (int i = 0; i < bytes; ++i) both.map.bytes.push_back(i);
  both.map.alignment = bytes;
  return both;
}

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  std::int64_t in(std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(engine_);
  }

  Both type(int depth) {
    if (depth == 0) return basic(1 << in(0, 4));
    switch (in(0, 4)) {
      case 0:
        return contiguous(type(depth - 1));
      case 1:
        return strided(type(depth - 1));
      case 2:
        return indexed(type(depth - 1));
      case 3:
        return resized(type(depth - 1));
      default:
        return structure(depth);
    }
  }

 private:
  Both contiguous(const Both& child) {
    const std::int64_t count = in(0, 3);
    Both both{child.type_map.contiguous(static_cast<std::uint64_t>(count)).value(), {}};
    for (std::int64_t i = 0; i < count; ++i) both.map.add(child.map, i * child.map.extent());
    return both;
  }
  Both strided(const Both& child) {
    const std::int64_t count = in(0, 3), length = in(0, 3), stride = in(-20, 40);
    Both both{
        child.type_map.strided(static_cast<std::uint64_t>(count), static_cast<std::uint64_t>(length), stride)
            .value(),
        {}};
    for (std::int64_t i = 0; i < count; ++i) {
      for (std::int64_t j = 0; j < length; ++j) both.map.add(child.map, i * stride + j * child.map.extent());
    }
    return both;
  }
  Both indexed(const Both& child) {
    std::vector<TypeMap::Block> blocks(static_cast<std::size_t>(in(0, 5)));
    ByteMap map;
    const std::int64_t regular = in(0, 1) * in(1, 30);  // half of them with one distance
    for (std::size_t k = 0; k < blocks.size(); ++k) {
      blocks[k].displacement = regular != 0 ? static_cast<std::int64_t>(k) * regular : in(-40, 80);
      blocks[k].count = static_cast<std::uint64_t>(regular != 0 ? 1 : in(0, 2));
      for (std::int64_t i = 0; i < static_cast<std::int64_t>(blocks[k].count); ++i) {
        map.add(child.map, blocks[k].displacement + i * child.map.extent());
      }
    }
    return {child.type_map.indexed(blocks).value(), map};
  }
  Both structure(int depth) {
    std::vector<Both> children;
    std::vector<TypeMap::Part> parts;
    ByteMap map;
    for (std::int64_t k = in(0, 3); k > 0; --k) children.push_back(type(depth - 1));
    for (const Both& child : children) {
      const std::int64_t displacement = in(-30, 60), count = in(0, 2);
      parts.push_back(
          {&child.type_map, displacement, static_cast<std::uint64_t>(count), child.type_map.extent()});
      for (std::int64_t i = 0; i < count; ++i) map.add(child.map, displacement + i * child.map.extent());
    }
    return {TypeMap::composed(parts).value(), map};
  }
  Both resized(Both child) {
    const std::int64_t lower = in(-10, 10), extent = in(-8, 50);
    child.map.marked = true;
    child.map.lower = lower;
    child.map.upper = lower + extent;
    return {child.type_map.resized(lower, extent).value(), child.map};
  }

  std::mt19937 engine_;
};

// The buffer of some elements, every byte different enough from its neighbours, with guards around.
class Memory {
 public:
  Memory(const ByteMap& map, std::int64_t count) : map_(map), count_(count) {
    std::int64_t low = 0, high = 1;
    for (std::int64_t i = 0; i < count; ++i) {
      low = std::min(low, map.true_lower() + i * map.extent());
      high = std::max(high, map.true_upper() + i * map.extent());
    }
    origin_ = 16 - low;
    bytes_.resize(static_cast<std::size_t>(high - low) + 32);
  }

  void fill() {
    for (std::size_t i = 0; i < bytes_.size(); ++i) bytes_[i] = static_cast<std::byte>(i * 7 + (i >> 8) + 1);
  }
  std::byte* buffer() { return bytes_.data() + origin_; }
  std::byte& packed_byte(std::uint64_t index) {
    const std::uint64_t size = map_.bytes.size();
    const std::int64_t element = static_cast<std::int64_t>(index / size);
    return bytes_[static_cast<std::size_t>(origin_ + element * map_.extent() + map_.bytes[index % size])];
  }
  const std::vector<std::byte>& bytes() const { return bytes_; }

 private:
  const ByteMap& map_;
  std::int64_t count_;
  std::int64_t origin_;
  std::vector<std::byte> bytes_;
};

constexpr std::byte kGuard{0xA5};

void check_pack(const Both& both, std::int64_t count, std::uint64_t offset, std::size_t bytes) {
  Memory memory(both.map, count);
  memory.fill();
  std::vector<std::byte> packed(bytes + 2, kGuard), expected = packed;
  for (std::size_t i = 0; i < bytes; ++i) expected[i + 1] = memory.packed_byte(offset + i);
  both.type_map.pack(packed.data() + 1, memory.buffer(), offset, bytes);
  ASSERT_EQ(packed, expected) << "pack " << bytes << " from " << offset;
}

void check_unpack(const Both& both, std::int64_t count, std::uint64_t offset, std::size_t bytes) {
  Memory memory(both.map, count), expected(both.map, count);
  memory.fill();
  expected.fill();
  std::vector<std::byte> packed(bytes);
  for (std::size_t i = 0; i < bytes; ++i) packed[i] = static_cast<std::byte>(i * 13 + 5);
  for (std::size_t i = 0; i < bytes; ++i) expected.packed_byte(offset + i) = packed[i];
  both.type_map.unpack(memory.buffer(), packed.data(), offset, bytes);
  ASSERT_EQ(memory.bytes(), expected.bytes()) << "unpack " << bytes << " to " << offset;
}

void check(const Both& both, Random& random) {
  ASSERT_EQ(both.type_map.size_bytes(), both.map.bytes.size());
  ASSERT_EQ(both.type_map.lower_bound(), both.map.lb());
  ASSERT_EQ(both.type_map.extent(), both.map.extent());
  ASSERT_EQ(both.type_map.true_lower_bound(), both.map.true_lower());
  ASSERT_EQ(both.type_map.true_extent(), both.map.true_upper() - both.map.true_lower());
  bool in_place = both.map.lb() == 0 && both.map.extent() == static_cast<std::int64_t>(both.map.bytes.size());
  for (std::size_t i = 0; i < both.map.bytes.size(); ++i) {
    in_place = in_place && both.map.bytes[i] == static_cast<std::int64_t>(i);
  }
  ASSERT_EQ(both.type_map.dense(), in_place);
  const std::int64_t count = 3;
  const auto total = static_cast<std::int64_t>(both.map.bytes.size()) * count;
  for (int trial = 0; trial < 12; ++trial) {
    const std::int64_t begin = trial == 0 ? 0 : random.in(0, total);
    const std::int64_t bytes = trial == 0 ? total : random.in(0, total - begin);
    check_pack(both, count, static_cast<std::uint64_t>(begin), static_cast<std::size_t>(bytes));
    check_unpack(both, count, static_cast<std::uint64_t>(begin), static_cast<std::size_t>(bytes));
  }
}

TEST(TypeMap, RandomNestingsEqualTheNaiveMap) {
  for (unsigned seed = 0; seed < 3000; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    check(random.type(static_cast<int>(random.in(0, 4))), random);
    if (::testing::Test::HasFatalFailure()) return;
  }
}

TEST(TypeMap, ContiguousOfContiguousIsOneBlock) {
  const TypeMap type_map = TypeMap::basic(4, 4).contiguous(5).value().contiguous(7).value();
  ASSERT_EQ(type_map.runs().list.size(), 1U);
  EXPECT_EQ(type_map.runs().list[0].count, 1U);
  EXPECT_EQ(type_map.runs().list[0].block_bytes, 140U);
  EXPECT_TRUE(type_map.dense());
}

TEST(TypeMap, VectorIsOneRun) {
  const TypeMap type_map = TypeMap::basic(8, 8).strided(1000, 2, 64).value();
  ASSERT_EQ(type_map.runs().list.size(), 1U);
  EXPECT_EQ(type_map.runs().list[0].block_bytes, 16U);
  EXPECT_EQ(type_map.runs().list[0].count, 1000U);
  EXPECT_EQ(type_map.runs().list[0].stride, 64);
  EXPECT_EQ(type_map.extent(), 999 * 64 + 16);
  EXPECT_FALSE(type_map.dense());
}

TEST(TypeMap, EquallySpacedBlocksAreOneRun) {
  std::vector<TypeMap::Block> blocks;
  for (std::int64_t i = 0; i < 500; ++i) blocks.push_back({i * 24, 1});
  EXPECT_EQ(TypeMap::basic(8, 8).indexed(blocks).value().runs().list.size(), 1U);
}

TEST(TypeMap, NeighboursCoalesce) {
  const std::vector<TypeMap::Block> blocks = {{0, 2}, {8, 1}, {12, 3}};
  const TypeMap type_map = TypeMap::basic(4, 4).indexed(blocks).value();
  ASSERT_EQ(type_map.runs().list.size(), 1U);
  EXPECT_TRUE(type_map.dense());
}

// Pairs of runs that would be one if their distances, or what is in their blocks, did not differ.
TEST(TypeMap, DifferentRunsStayApart) {
  const TypeMap real = TypeMap::basic(8, 8), letter = TypeMap::basic(1, 1);
  const TypeMap narrow = real.strided(3, 1, 10).value(), wide = real.strided(2, 1, 20).value();
  const TypeMap::Part vectors[] = {{&narrow, 0, 1, 0}, {&wide, 30, 1, 0}};
  EXPECT_EQ(TypeMap::composed(vectors).value().runs().list.size(), 2U);

  const TypeMap::Block near[] = {{0, 1}, {2, 3}}, far[] = {{0, 1}, {4, 3}};
  const TypeMap first = letter.indexed(near).value().resized(0, 16).value();
  const TypeMap second = letter.indexed(far).value().resized(0, 16).value();
  const TypeMap::Part structures[] = {{&first, 0, 2, 16}, {&second, 32, 2, 16}};
  EXPECT_EQ(TypeMap::composed(structures).value().runs().list.size(), 2U);
  const TypeMap::Part equal[] = {{&first, 0, 2, 16}, {&first, 32, 2, 16}};
  EXPECT_EQ(TypeMap::composed(equal).value().runs().list.size(), 1U);
}

TEST(TypeMap, ABlockElsewhereIsNotDense) {
  const TypeMap::Block block{8, 1};
  EXPECT_FALSE(TypeMap::basic(8, 8).indexed({&block, 1}).value().resized(0, 8).value().dense());
}

TEST(TypeMap, ABillionStructuresTakeNoMemory) {
  const TypeMap real = TypeMap::basic(8, 8), letter = TypeMap::basic(1, 1);
  const TypeMap::Part members[] = {{&letter, 0, 1, 1}, {&real, 8, 1, 8}, {&letter, 20, 1, 1}};
  const TypeMap structure = TypeMap::composed(members).value();
  const TypeMap many = structure.contiguous(1'000'000'000).value();
  EXPECT_EQ(many.runs().list.size(), 1U);
  EXPECT_EQ(many.size_bytes(), 10'000'000'000U);
  EXPECT_EQ(many.extent(), 24'000'000'000);
  const std::byte source[24]{std::byte{7}};
  std::byte packed{};
  // The last element stands in `source`; reaching it must not visit the others.
  const auto* const buffer = reinterpret_cast<const std::byte*>(reinterpret_cast<std::uintptr_t>(source) -
                                                                std::uintptr_t{24} * 999'999'999);
  many.pack(&packed, buffer, 9'999'999'990U, 1);
  EXPECT_EQ(packed, std::byte{7});
}

TEST(TypeMap, DeepNestingIsBounded) {
  const TypeMap one = TypeMap::basic(1, 1);
  TypeMap nested = one;
  for (int level = 0; level < 5000; ++level) {
    const TypeMap::Part parts[] = {{&nested, 0, 1, 0}, {&one, 2 * (level + 1) + level % 3, 1, 1}};
    nested = TypeMap::composed(parts).value();
    ASSERT_LT(nested.runs().depth, 200U);
  }
  EXPECT_EQ(nested.size_bytes(), 5001U);
}

TEST(TypeMap, AbsoluteAddresses) {
  const int value = 0x01020304;
  int copy = 0;
  const TypeMap::Block block{static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(&value)), 1};
  const TypeMap type_map = TypeMap::basic(4, 4).indexed({&block, 1}).value();
  type_map.pack(reinterpret_cast<std::byte*>(&copy), nullptr, 0, 4);
  EXPECT_EQ(copy, value);
}

TEST(TypeMap, OverflowIsRefused) {
  const TypeMap real = TypeMap::basic(8, 8);
  EXPECT_TRUE(real.contiguous(kMax / 8).has_value());
  EXPECT_FALSE(real.contiguous(kMax / 8 + 1).has_value());
  EXPECT_FALSE(real.contiguous(kMax).has_value());
  EXPECT_FALSE(real.strided(kMax, 1, kMax).has_value());
  EXPECT_FALSE(real.strided(3, 1, std::numeric_limits<std::int64_t>::min()).has_value());
  EXPECT_FALSE(real.resized(kMax, 1).has_value());
  const TypeMap::Block apart[] = {{-kMax, 1}, {kMax - 8, 1}};
  EXPECT_FALSE(real.indexed(apart).has_value());
  const TypeMap::Block edge{kMax - 7, 1};
  EXPECT_FALSE(real.indexed({&edge, 1}).has_value());
  EXPECT_TRUE(real.strided(0, kMax, kMax).has_value());
  const TypeMap low = real.resized(-kMax, 1).value(), high = real.resized(kMax - 1, 1).value();
  const TypeMap::Part markers[] = {{&low, 0, 1, 0}, {&high, 0, 1, 0}};
  EXPECT_FALSE(TypeMap::composed(markers).has_value());
  const TypeMap::Part twice[] = {{&real, 0, kMax / 8, 0}, {&real, 0, kMax / 8, 0}};
  EXPECT_FALSE(TypeMap::composed(twice).has_value());
}

TEST(TypeMap, NothingAtAll) {
  const TypeMap nothing = TypeMap::basic(4, 4).contiguous(0).value();
  EXPECT_EQ(nothing.size_bytes(), 0U);
  EXPECT_EQ(nothing.extent(), 0);
  EXPECT_TRUE(nothing.dense());
  nothing.pack(nullptr, nullptr, 0, 0);
}

}  // namespace
