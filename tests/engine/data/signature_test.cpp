// Signatures: equal for equal sequences of elements however they were composed, different for others.
#include "engine/data/signature.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <vector>

namespace {

using foldlane::engine::concatenated;
using foldlane::engine::repeated;
using foldlane::engine::Signature;

Signature one(std::uint64_t code) { return {1, code}; }

Signature of(const std::vector<std::uint64_t>& codes) {
  Signature result{0, 0};
  for (std::uint64_t code : codes) result = concatenated(result, one(code));
  return result;
}

TEST(Signature, UniformSequencesKeepTheirCode) {
  EXPECT_EQ(repeated(one(13), 7), (Signature{7, 13}));
  EXPECT_EQ(concatenated(repeated(one(13), 7), one(13)), (Signature{8, 13}));
  EXPECT_EQ(repeated(one(0), 3), (Signature{3, 0}));
  EXPECT_EQ(repeated(one(13), std::uint64_t{1} << 62), (Signature{std::uint64_t{1} << 62, 13}));
}

TEST(Signature, NothingChangesNothing) {
  const Signature nothing{0, 0};
  EXPECT_EQ(repeated(one(4), 0), nothing);
  EXPECT_EQ(repeated(nothing, 9), nothing);
  EXPECT_EQ(concatenated(nothing, one(4)), one(4));
  EXPECT_EQ(concatenated(one(4), nothing), one(4));
}

TEST(Signature, AllWaysToASequenceAreEqual) {
  const Signature whole = of({1, 2, 1, 2, 1, 2, 5, 5});
  EXPECT_EQ(concatenated(repeated(of({1, 2}), 3), repeated(one(5), 2)), whole);
  EXPECT_EQ(concatenated(of({1, 2}), of({1, 2})), of({1, 2, 1, 2}));
  EXPECT_EQ(concatenated(one(1), concatenated(repeated(of({2, 1}), 2), of({2, 5, 5}))), whole);
  EXPECT_EQ(repeated(of({1, 2}), 1000000), repeated(repeated(of({1, 2}), 1000), 1000));
}

Signature like(std::uint64_t code, std::uint64_t alike) { return {1, code, alike}; }

TEST(Signature, TellsWhatMessagesTakeElementsFor) {
  const Signature signed_one = like(2, 2), unsigned_one = like(7, 2), other = like(13, 13);
  EXPECT_EQ(concatenated(signed_one, unsigned_one).alike, 2u) << "of one kind";
  EXPECT_FALSE(is_uniform(concatenated(signed_one, unsigned_one)));
  const auto both = [&](const Signature& number) { return repeated(concatenated(number, other), 5); };
  EXPECT_EQ(both(signed_one).alike, both(unsigned_one).alike);
  EXPECT_NE(both(signed_one).hash, both(unsigned_one).hash);
  EXPECT_NE(both(signed_one).alike, repeated(concatenated(other, signed_one), 5).alike);
}

TEST(Signature, IsOfAnythingIfAnyElementIs) {
  const Signature anything = like(5, foldlane::engine::kAnything), number = like(13, 13);
  for (const Signature& each : {concatenated(anything, number), concatenated(number, anything),
                                repeated(concatenated(number, anything), 3)})
    EXPECT_EQ(each.alike, foldlane::engine::kAnything);
}

// All sequences of up to 8 elements of 3 codes, code 0 among them.
TEST(Signature, DifferentSequencesDiffer) {
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::vector<std::uint64_t>> seen;
  std::vector<std::vector<std::uint64_t>> sequences{{}};
  for (std::size_t i = 0; i < sequences.size() && sequences[i].size() <= 8; ++i) {
    const Signature signature = of(sequences[i]);
    ASSERT_TRUE(seen.try_emplace({signature.elements, signature.hash}, sequences[i]).second);
    for (std::uint64_t code = 0; code < 3; ++code) {
      std::vector<std::uint64_t> longer = sequences[i];
      longer.push_back(code);
      sequences.push_back(std::move(longer));
    }
  }
}

}  // namespace
