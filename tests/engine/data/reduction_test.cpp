#include "engine/data/reduction.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace foldlane::engine {
namespace {

constexpr std::size_t kText = 64;

/// Writes the expression it evaluates, so that the test sees the tree itself.
void bracket(void* context, const void* in, void* inout, std::size_t count) {
  ++*static_cast<int*>(context);
  for (std::size_t i = 0; i < count; ++i) {
    const std::string left = static_cast<const char*>(in) + i * kText;
    char* const right = static_cast<char*>(inout) + i * kText;
    const std::string text = "(" + left + right + ")";
    text.copy(right, kText - 1);
    right[text.size()] = '\0';
  }
}

std::vector<std::vector<char>> letters(std::size_t k) {
  std::vector<std::vector<char>> sources(k, std::vector<char>(2 * kText));
  for (std::size_t i = 0; i < k; ++i) {
    sources[i][0] = static_cast<char>('a' + i);
    sources[i][kText] = static_cast<char>('A' + i);
  }
  return sources;
}

std::string tree(std::size_t k, std::size_t element, int dst_is_source) {
  auto sources = letters(k);
  std::vector<const void*> pointers;
  for (auto& source : sources) pointers.push_back(source.data());
  std::vector<char> separate(2 * kText);
  char* dst = dst_is_source < 0 ? separate.data() : sources[static_cast<std::size_t>(dst_is_source)].data();
  int calls = 0;
  const Reduction reduction{kText, nullptr, {bracket, &calls}};
  reduction.fold(dst, pointers.data(), k, 2);
  EXPECT_EQ(calls, static_cast<int>(k) - 1);
  return dst + element * kText;
}

TEST(UserFold, EvaluatesTheCanonicalTree) {
  EXPECT_EQ(tree(1, 0, -1), "a");
  EXPECT_EQ(tree(2, 0, -1), "(ab)");
  EXPECT_EQ(tree(3, 0, -1), "((ab)c)");
  EXPECT_EQ(tree(4, 0, -1), "((ab)(cd))");
  EXPECT_EQ(tree(5, 0, -1), "(((ab)(cd))e)");
  EXPECT_EQ(tree(7, 1, -1), "(((AB)(CD))((EF)G))");
  EXPECT_EQ(tree(8, 0, -1), "(((ab)(cd))((ef)(gh)))");
  EXPECT_EQ(tree(13, 0, -1), "((((ab)(cd))((ef)(gh)))(((ij)(kl))m))");
}

TEST(UserFold, DestinationMayBeAnySource) {
  for (int source = 0; source < 7; ++source) EXPECT_EQ(tree(7, 0, source), "(((ab)(cd))((ef)g))") << source;
}

}  // namespace
}  // namespace foldlane::engine
