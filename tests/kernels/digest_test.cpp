// One constant per element type that every ISA level, and every architecture, must reproduce: all ops,
// several tree shapes, nasty inputs. f80, c80 and pair_f80_i32 are absent: long double is another format on
// another machine.
#include <gtest/gtest.h>

#include <array>
#include <cinttypes>
#include <cstdio>
#include <vector>

#include "buffers.hpp"
#include "kernels/fold.hpp"

namespace foldlane::kernels::testing {
namespace {

/// FNV-1a over 64 bits.
std::uint64_t mix(std::uint64_t digest, const std::vector<unsigned char>& bytes) {
  for (unsigned char byte : bytes) digest = (digest ^ byte) * 0x100000001b3u;
  return digest;
}

std::vector<std::vector<unsigned char>> inputs(Elem elem, std::size_t k, std::size_t bytes, Random& random) {
  std::vector<std::vector<unsigned char>> sources(k, std::vector<unsigned char>(bytes));
  for (auto& source : sources) {
    fill_ordinary(source.data(), elem, bytes, random);
    fill_nasty(source.data(), bytes / 2, random);
  }
  return sources;
}

std::uint64_t digest_of(Elem elem) {
  constexpr std::size_t kCount = 201;
  Random random(static_cast<unsigned>(elem) + 1);
  std::uint64_t digest = 0xcbf29ce484222325u;
  for (int o = 0; o < kOpCount; ++o) {
    const FoldFunction fold = fold_function(static_cast<Op>(o), elem);
    if (fold == nullptr) continue;
    for (std::size_t k : {1u, 2u, 3u, 4u, 5u, 7u, 8u, 13u, 64u, 100u}) {
      const auto sources = inputs(elem, k, kCount * elem_bytes(elem), random);
      std::vector<const void*> pointers;
      for (const auto& source : sources) pointers.push_back(source.data());
      std::vector<unsigned char> result(kCount * elem_bytes(elem));
      fold(result.data(), pointers.data(), k, kCount);
      digest = mix(digest, result);
    }
  }
  return digest;
}

struct Expected {
  Elem elem;
  std::uint64_t digest;
};

constexpr std::array kExpected{
    Expected{Elem::i8, 0x19c02ed74db4748b},           Expected{Elem::i16, 0x1cc884b2b3c74cfb},
    Expected{Elem::i32, 0x1d438ccf710c6946},          Expected{Elem::i64, 0x3e6e649625a9788b},
    Expected{Elem::i128, 0x535589df14251182},         Expected{Elem::u8, 0xfcb53c7be920b3c5},
    Expected{Elem::u16, 0x76efa0b39d770156},          Expected{Elem::u32, 0xd853ba17690d071e},
    Expected{Elem::u64, 0x450dafe201c3668e},          Expected{Elem::u128, 0x7c16fc385b581729},
    Expected{Elem::bf16, 0x3cf7166b4b33f496},         Expected{Elem::f16, 0x443417193c17d971},
    Expected{Elem::f32, 0x357da080f288e76e},          Expected{Elem::f64, 0xa28443daad40e9f1},
    Expected{Elem::f128, 0xd47a221cefff9b60},         Expected{Elem::c16, 0xf0d1aaa2e3ea8dba},
    Expected{Elem::c32, 0xce393e10a091125f},          Expected{Elem::c64, 0x004be5ca921fa5ef},
    Expected{Elem::c128, 0x7de1bcd6ced5af3e},         Expected{Elem::pair_f32_i32, 0x2fe68e681f229f28},
    Expected{Elem::pair_f64_i32, 0xc2da6b13643fde15}, Expected{Elem::pair_i64_i32, 0xea38cb794c4b4948},
    Expected{Elem::pair_i32_i32, 0xdf7de935b39aab3e}, Expected{Elem::pair_i16_i32, 0x3c4a7019d545b418},
    Expected{Elem::pair_f32_f32, 0xd339d9ddfd6ba2c5}, Expected{Elem::pair_f64_f64, 0x96d2c107813a979e},
};

TEST(Digest, IsTheSameAtEveryLevelAndOnEveryArchitecture) {
  for (const Expected& expected : kExpected) {
    const std::uint64_t digest = digest_of(expected.elem);
    std::printf("digest %-14s 0x%016" PRIx64 "\n", name(expected.elem), digest);
    EXPECT_EQ(digest, expected.digest) << name(expected.elem);
  }
}

}  // namespace
}  // namespace foldlane::kernels::testing
