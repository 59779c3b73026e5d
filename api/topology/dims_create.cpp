// MPI_Dims_create: the factors whose largest and smallest differ least; of several such lists the one with
// the smaller large factors.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "api/core/calls.hpp"
#include "api/errors/args.hpp"

namespace foldlane::api {
namespace {

using Factors = std::vector<int>;

std::vector<int> divisors_of(int number) {
  std::vector<int> divisors, large;
  for (int d = 1; d <= number / d; ++d) {
    if (number % d != 0) continue;
    divisors.push_back(d);
    if (d != number / d) large.push_back(number / d);
  }
  divisors.insert(divisors.end(), large.rbegin(), large.rend());
  return divisors;
}

/// Chooses factors from the smallest to the largest, the best guesses first, and leaves out what cannot be
/// better than what it has.
class Search {
 public:
  Search(int product, std::size_t count) : divisors_(divisors_of(product)), best_(count, 1) {
    best_.back() = product;
    chosen_.reserve(count);
    choose(product, count);
  }

  /// From small to large.
  const Factors& best() const { return best_; }

 private:
  static int spread(const Factors& factors) { return factors.back() - factors.front(); }

  bool improves() const {
    const int own = spread(chosen_), other = spread(best_);
    if (own != other) return own < other;
    return std::lexicographical_compare(chosen_.rbegin(), chosen_.rend(), best_.rbegin(), best_.rend());
  }

  /// How large a factor may be, after the smallest.
  double limit(int smallest) const { return static_cast<double>(smallest) + spread(best_); }

  void choose(int rest, std::size_t count) {
    const int previous = chosen_.empty() ? 1 : chosen_.back();
    if (count == 1) {
      if (rest < previous) return;
      chosen_.push_back(rest);
      if (improves()) best_ = chosen_;
      chosen_.pop_back();
      return;
    }
    const double root = std::pow(rest, 1.0 / static_cast<double>(count)) * (1 + 1e-9);
    auto next = std::upper_bound(divisors_.begin(), divisors_.end(), root);
    while (next != divisors_.begin() && *--next >= previous) {
      if (rest % *next != 0) continue;
      const int smallest = chosen_.empty() ? *next : chosen_.front();
      // The others have to make up for a small one, and the largest is no less than their mean.
      const double others = std::pow(rest / *next, 1.0 / static_cast<double>(count - 1));
      if (others > limit(smallest) * (1 + 1e-9)) return;
      chosen_.push_back(*next);
      choose(rest / *next, count - 1);
      chosen_.pop_back();
    }
  }

  std::vector<int> divisors_;  // of the product, from small to large
  Factors best_;
  Factors chosen_;
};

[[noreturn]] void reject(std::string message) { fail(MPI_ERR_DIMS, std::move(message)); }

void check_dimensions(int nodes, int count, const int* dims) {
  if (nodes <= 0) reject(fmt::format("nnodes is {}; it must be positive", nodes));
  if (count < 0) reject(fmt::format("ndims is {}; it must not be negative", count));
  if (count > 0) check_output(dims, "dims");
  for (int i = 0; i < count; ++i)
    if (dims[i] < 0) reject(fmt::format("dims[{}] is {}; it must not be negative", i, dims[i]));
}

/// What is left for the free dimensions.
int check_given(int nodes, std::span<const int> dims, std::size_t free) {
  double product = 1;  // exact as far as it matters: nodes are fewer
  for (const int given : dims) product *= std::max(given, 1);
  if (free == 0 && product != nodes)
    reject(fmt::format("nnodes is {}, but the given dimensions have room for {:.0f}", nodes, product));
  if (std::fmod(nodes, product) != 0) {
    reject(fmt::format("nnodes is {}, which is no multiple of {:.0f}, the product of the given dimensions",
                       nodes, product));
  }
  return static_cast<int>(nodes / product);
}

}  // namespace

int dims_create(Call call, int nnodes, int ndims, int dims[]) {
  return run(call, [&] {
    check_active();
    check_dimensions(nnodes, ndims, dims);
    const std::span<int> all(dims, static_cast<std::size_t>(ndims));
    const auto free = static_cast<std::size_t>(std::count(all.begin(), all.end(), 0));
    const int rest = check_given(nnodes, all, free);
    if (free == 0) return;
    const Search search(rest, free);
    auto factor = search.best().rbegin();
    for (int& dimension : all)
      if (dimension == 0) dimension = *factor++;
  });
}

}  // namespace foldlane::api
