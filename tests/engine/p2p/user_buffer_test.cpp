// Which buffers overlap.
#include "engine/p2p/user_buffer.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>

#include "engine/data/type_map.hpp"

namespace foldlane::engine {
namespace {

std::array<std::byte, 64> memory;

UserBuffer at(std::size_t offset, std::size_t bytes) { return {memory.data() + offset, bytes}; }

bool are_apart(const UserBuffer& a, const UserBuffer& b) {
  EXPECT_EQ(a.is_apart_from(b), b.is_apart_from(a));
  return a.is_apart_from(b);
}

TEST(UserBuffer, IsApartFromWhatSharesNoByteWithIt) {
  EXPECT_TRUE(are_apart(at(0, 8), at(16, 8)));
  EXPECT_TRUE(are_apart(at(0, 8), at(8, 8))) << "one behind the other";
  EXPECT_FALSE(are_apart(at(0, 8), at(7, 8)));
  EXPECT_FALSE(are_apart(at(0, 8), at(0, 8)));
  EXPECT_FALSE(are_apart(at(0, 32), at(8, 8))) << "one in the other";
}

TEST(UserBuffer, WithoutBytesIsApartFromAll) {
  EXPECT_TRUE(are_apart(at(8, 0), at(0, 32)));
  EXPECT_TRUE(are_apart(at(0, 0), at(0, 8)));
  EXPECT_TRUE(are_apart({}, at(0, 8)));
  EXPECT_TRUE(are_apart({}, {}));
}

TEST(UserBuffer, WithATypeMapIsApartFromNothingForSure) {
  const auto type_map = TypeMap::basic(1, 1);
  UserBuffer mapped = at(0, 8);
  mapped.type_map = &type_map;
  EXPECT_FALSE(are_apart(mapped, at(32, 8)));
}

}  // namespace
}  // namespace foldlane::engine
