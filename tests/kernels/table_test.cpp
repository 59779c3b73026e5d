// Every vector fold against the scalar reference, bit by bit: all valid (op, elem), all tree shapes, counts
// around vector and strip boundaries, any alignment, destination apart from or equal to a source, guard pages
// around all.
#include <gtest/gtest.h>

#include <memory>
#include <numeric>
#include <vector>

#include "buffers.hpp"
#include "kernels/fold.hpp"

namespace foldlane::kernels::testing {
namespace {

constexpr std::size_t kVectorBytes = 64;   // the widest register of any level
constexpr std::size_t kStripBytes = 2048;  // of scratch; a strip of bf16 is half as long in memory
constexpr std::size_t kMaxBytes = 2 * kStripBytes + 2 * kVectorBytes;
constexpr std::size_t kMaxSources = 257;
constexpr std::size_t kPadding = 64;
constexpr unsigned char kCanary = 0xa5;

std::vector<std::size_t> source_counts() {
  return {1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 16, 17, 31, 32, 33, 64, 100, 255, kMaxSources};
}

/// Every count up to two vectors for the shapes that stand in registers, boundaries only for the others.
std::vector<std::size_t> counts(std::size_t k, std::size_t elem_bytes) {
  const std::size_t lanes = kVectorBytes / elem_bytes;
  const std::size_t strip = kStripBytes / elem_bytes;
  std::vector<std::size_t> list{0, 1, 2, 3, lanes - 1, lanes, lanes + 1, 4 * lanes + 1, 5 * lanes - 1};
  if (k <= 9) {
    list.resize(2 * lanes + 2);
    std::iota(list.begin(), list.end(), std::size_t{0});
    list.push_back(4 * lanes - 1);
    list.push_back(9 * lanes + 1);
  }
  for (std::size_t boundary : {strip / 2, strip, 2 * strip}) {
    list.push_back(boundary - 1);
    list.push_back(boundary + 1);
  }
  return list;
}

/// One case of the table: inputs, what the reference makes of them, and the places they are put at.
class Table {
 public:
  Table() {
    for (std::size_t i = 0; i <= kMaxSources; ++i) {
      places_.push_back(std::make_unique<GuardedPages>(kMaxBytes + 2 * kPadding));
    }
  }

  void prepare(Op op, Elem elem, std::size_t k) {
    op_ = op;
    elem_ = elem;
    elem_bytes_ = elem_bytes(elem);
    inputs_.assign(k, std::vector<unsigned char>(kMaxBytes));
    std::vector<const void*> sources;
    for (std::size_t s = 0; s < k; ++s) {
      fill(inputs_[s], s);
      sources.push_back(inputs_[s].data());
    }
    expected_.resize(kMaxBytes);
    fold_reference_function(op, elem)(expected_.data(), sources.data(), k, kMaxBytes / elem_bytes_);
  }

  /// Runs the fold with the destination in place of source `alias`, or apart from all if alias == k.
  void check(std::size_t count, std::size_t alias) {
    const std::size_t bytes = count * elem_bytes_;
    const std::size_t k = inputs_.size();
    std::vector<const void*> sources;
    for (std::size_t s = 0; s < k; ++s) {
      unsigned char* at = place(s, bytes);
      std::memcpy(at, inputs_[s].data(), bytes);
      sources.push_back(at);
    }
    unsigned char* dst =
        alias == k ? place(k, bytes) : static_cast<unsigned char*>(const_cast<void*>(sources[alias]));
    fold_function(op_, elem_)(dst, sources.data(), k, count);
    ASSERT_TRUE(bytes == 0 || std::memcmp(dst, expected_.data(), bytes) == 0)
        << name(op_) << ' ' << name(elem_) << " k=" << k << " count=" << count << " alias=" << alias
        << ": first difference at byte " << first_difference(dst, bytes);
    check_canaries(dst, bytes, *places_[alias]);
    for (std::size_t s = 0; s < k; ++s) {
      ASSERT_TRUE(s == alias || bytes == 0 || std::memcmp(sources[s], inputs_[s].data(), bytes) == 0)
          << "source " << s << " was written";
    }
  }

  Random& random() { return random_; }

 private:
  /// Element 3i is nasty, 3i + 1 is ordinary, 3i + 2 ordinary with one nasty source: a NaN in most columns
  /// would hide everything else.
  void fill(std::vector<unsigned char>& input, std::size_t source) {
    fill_ordinary(input.data(), elem_, input.size(), random_);
    std::vector<unsigned char> nasty(input.size());
    fill_nasty(nasty.data(), nasty.size(), random_);
    for (std::size_t i = 0; (i + 1) * elem_bytes_ <= input.size(); ++i) {
      const bool spoil = i % 3 == 0 || (i % 3 == 2 && i % inputs_.size() == source);
      if (spoil) std::memcpy(&input[i * elem_bytes_], &nasty[i * elem_bytes_], elem_bytes_);
    }
  }

  /// A position that ends at the guard page half of the time, and up to 63 bytes before it otherwise.
  unsigned char* place(std::size_t index, std::size_t bytes) {
    const GuardedPages& pages = *places_[index];
    std::memset(pages.begin(), kCanary, static_cast<std::size_t>(pages.end() - pages.begin()));
    const std::size_t gap = random_() % 2 == 0 ? 0 : random_() % kPadding;
    return pages.end() - gap - bytes;
  }

  std::size_t first_difference(const unsigned char* dst, std::size_t bytes) const {
    return static_cast<std::size_t>(std::mismatch(dst, dst + bytes, expected_.data()).first - dst);
  }

  static void check_canaries(const unsigned char* dst, std::size_t bytes, const GuardedPages& pages) {
    const auto is_canary = [](unsigned char byte) { return byte == kCanary; };
    ASSERT_TRUE(std::all_of(dst + bytes, static_cast<const unsigned char*>(pages.end()), is_canary));
    ASSERT_TRUE(std::all_of(dst - kPadding, dst, is_canary));
  }

  Op op_{};
  Elem elem_{};
  std::size_t elem_bytes_ = 0;
  Random random_{20240229};
  std::vector<std::unique_ptr<GuardedPages>> places_;
  std::vector<std::vector<unsigned char>> inputs_;
  std::vector<unsigned char> expected_;
};

void check_shape(Table& table, Op op, Elem elem, std::size_t k) {
  table.prepare(op, elem, k);
  for (std::size_t count : counts(k, elem_bytes(elem))) {
    table.check(count, k);
    table.check(count, table.random()() % k);
    if (::testing::Test::HasFatalFailure()) return;
  }
  if (k > 17) return;
  for (std::size_t alias = 0; alias < k; ++alias) table.check(kStripBytes / elem_bytes(elem) + 1, alias);
}

class VectorEqualsReference : public ::testing::TestWithParam<int> {};

TEST_P(VectorEqualsReference, ForEveryOpShapeCountAndPlace) {
  const Elem elem = static_cast<Elem>(GetParam());
  Table table;
  for (int o = 0; o < kOpCount; ++o) {
    const Op op = static_cast<Op>(o);
    // Where the reference itself is handed out there is nothing to compare: reference_test has those types.
    if (!valid(op, elem) || fold_function(op, elem) == fold_reference_function(op, elem)) continue;
    for (std::size_t k : source_counts()) {
      check_shape(table, op, elem, k);
      if (HasFatalFailure()) return;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Elems, VectorEqualsReference, ::testing::Range(0, kElemCount),
                         [](const auto& of) { return name(static_cast<Elem>(of.param)); });

TEST(Table, CountZeroTouchesNothing) {
  const std::vector<unsigned char> input(kVectorBytes, 1), untouched(kVectorBytes, kCanary);
  for_each_valid([&](Op op, Elem elem) {
    const std::vector<const void*> inputs(9, input.data()), nothing(9, nullptr);
    for (std::size_t k = 1; k <= nothing.size(); ++k) {
      std::vector<unsigned char> result = untouched;
      fold_function(op, elem)(result.data(), inputs.data(), k, 0);
      EXPECT_EQ(result, untouched) << name(op) << ' ' << name(elem) << " k=" << k;
      fold_function(op, elem)(nullptr, nothing.data(), k, 0);  // faults if it looks
    }
  });
}

/// The deepest recursion that is promised (1024 sources) and one that is not a power of two beyond it.
TEST(Table, ThousandsOfSources) {
  const std::vector<std::uint32_t> ones(700, 1u);
  for (std::size_t k : {std::size_t{1024}, std::size_t{4099}}) {
    const std::vector<const void*> sources(k, ones.data());
    std::vector<std::uint32_t> result(ones.size());
    fold_function(Op::sum, Elem::u32)(result.data(), sources.data(), k, result.size());
    EXPECT_EQ(result, std::vector<std::uint32_t>(ones.size(), static_cast<std::uint32_t>(k)));
  }
}

TEST(Table, ValidExactlyWhereTheOpHasAMeaning) {
  const auto expected = [](Op op, Elem elem) {
    const std::string type = name(elem);
    const std::string what = name(op);
    if (type.starts_with("pair")) return what.ends_with("loc");
    if (what.ends_with("loc")) return false;
    if (type.starts_with("i") || type.starts_with("u")) return true;
    if (what == "sum" || what == "prod") return true;
    return !type.starts_with("c") && (what == "min" || what == "max");
  };
  int combinations = 0;
  for (int e = 0; e < kElemCount; ++e) {
    for (int o = 0; o < kOpCount; ++o) {
      const Op op = static_cast<Op>(o);
      const Elem elem = static_cast<Elem>(e);
      EXPECT_EQ(valid(op, elem), expected(op, elem)) << name(op) << ' ' << name(elem);
      EXPECT_EQ(fold_function(op, elem) != nullptr, valid(op, elem));
      EXPECT_EQ(fold_reference_function(op, elem) != nullptr, valid(op, elem));
      combinations += valid(op, elem);
    }
  }
  EXPECT_EQ(combinations, 10 * 10 + 6 * 4 + 5 * 2 + 8 * 2);
}

TEST(Table, AFoldOfOneSourceIsACopyUnlessElementsHavePadding) {
  constexpr std::size_t kCount = 5;
  for (int e = 0; e < kElemCount; ++e) {
    const Elem elem = static_cast<Elem>(e);
    const std::vector<unsigned char> source(kCount * elem_bytes(elem), 0xff);
    std::vector<unsigned char> result(source.size());
    const void* sources[] = {source.data()};
    const FoldFunction fold = fold_function(valid(Op::sum, elem) ? Op::sum : Op::minloc, elem);
    fold(result.data(), sources, 1, kCount);
    EXPECT_EQ(result != source, has_padding(elem)) << name(elem);
  }
}

}  // namespace
}  // namespace foldlane::kernels::testing
