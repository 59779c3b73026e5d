#include "folds.hpp"

#include <mpi.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "moves/random/layouts.hpp"

namespace foldlane::host_test {
namespace {

constexpr const char* kNames[kFoldCalls] = {"allreduce", "reduce",         "scan",
                                            "exscan",    "reduce_scatter", "reduce_scatter_block"};

enum Operation { sum, greatest, least, own_sum, kOperations };

template <class T>
struct Type;
template <>
struct Type<std::int32_t> {
  static MPI_Datatype of() { return MPI_INT; }
};
template <>
struct Type<std::uint64_t> {
  static MPI_Datatype of() { return MPI_UINT64_T; }
};
template <>
struct Type<std::int16_t> {
  static MPI_Datatype of() { return MPI_SHORT; }
};
template <>
struct Type<float> {
  static MPI_Datatype of() { return MPI_FLOAT; }
};
template <>
struct Type<double> {
  static MPI_Datatype of() { return MPI_DOUBLE; }
};
constexpr int kTypes = 5;

template <class T>
T folded(int operation, T a, T b) {
  if (operation == greatest) return std::max(a, b);
  return operation == least ? std::min(a, b) : static_cast<T>(a + b);
}

/// So small that sums are exact in every type.
template <class T>
T element(const Fold& fold, int member, int i) {
  return static_cast<T>(
      (fold.seed + static_cast<std::uint64_t>(member) * 31 + static_cast<std::uint64_t>(i) * 7) % 64);
}

/// Elements from `first` on, of so many members.
template <class T>
std::vector<T> expected(const Fold& fold, int members, int first, int count) {
  std::vector<T> all(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    T folding = element<T>(fold, 0, first + i);
    for (int member = 1; member < members; ++member)
      folding = folded(fold.operation, folding, element<T>(fold, member, first + i));
    moves::at(all, i) = folding;
  }
  return all;
}

template <class T>
MPI_Op operation_of(const Fold& fold) {
  if (fold.operation == sum) return MPI_SUM;
  if (fold.operation == greatest) return MPI_MAX;
  if (fold.operation == least) return MPI_MIN;
  MPI_Op own;
  MPI_Op_create(
      [](void* in, void* inout, int* count, MPI_Datatype*) {
        for (int i = 0; i < *count; ++i) static_cast<T*>(inout)[i] += static_cast<T*>(in)[i];
      },
      1, &own);
  return own;
}

std::vector<int> counts_of(const Fold& fold, int members) {
  std::vector<int> counts(static_cast<std::size_t>(members), fold.count);
  for (int member = 0; member < members && fold.call == FoldCall::reduce_scatter; ++member)
    moves::at(counts, member) = static_cast<int>((fold.seed >> (member % 48)) % 3) * fold.count;
  return counts;
}

template <class T>
class Run {
 public:
  Run(const Fold& fold, const moves::Circle& circle)
      : fold_(fold),
        circle_(circle),
        size_(static_cast<int>(circle.own.size())),
        counts_(counts_of(fold, size_)),
        before_(std::accumulate(counts_.begin(), counts_.begin() + circle.rank, 0)) {}

  bool is_right() {
    make_call();
    return !has_result() || std::equal(wanted_.begin(), wanted_.end(), out_.begin());
  }

 private:
  bool is_scatter() const { return fold_.call >= FoldCall::reduce_scatter; }
  bool has_result() const {
    if (fold_.call == FoldCall::reduce) return circle_.rank == fold_.root;
    return fold_.call != FoldCall::exscan || circle_.rank > 0;
  }

  void make_call() {
    const int inputs = is_scatter() ? std::accumulate(counts_.begin(), counts_.end(), 0) : fold_.count;
    const int results = is_scatter() ? moves::at(counts_, circle_.rank) : fold_.count;
    int members = size_;
    if (fold_.call == FoldCall::scan) members = circle_.rank + 1;
    if (fold_.call == FoldCall::exscan) members = circle_.rank;
    wanted_ = expected<T>(fold_, members, is_scatter() ? before_ : 0, results);
    in_.resize(static_cast<std::size_t>(inputs) + 1);
    for (int i = 0; i < inputs; ++i) moves::at(in_, i) = element<T>(fold_, circle_.rank, i);
    const bool in_place = fold_.in_place && (fold_.call != FoldCall::reduce || circle_.rank == fold_.root);
    out_ = in_place ? in_ : std::vector<T>(static_cast<std::size_t>(results) + 1);
    pass(in_place ? MPI_IN_PLACE : static_cast<const void*>(in_.data()));
  }

  void pass(const void* in) {
    T* const out = out_.data();
    const MPI_Datatype type = Type<T>::of();
    MPI_Op op = operation_of<T>(fold_);
    const MPI_Comm comm = circle_.comm;
    if (fold_.call == FoldCall::allreduce) MPI_Allreduce(in, out, fold_.count, type, op, comm);
    if (fold_.call == FoldCall::reduce) MPI_Reduce(in, out, fold_.count, type, op, fold_.root, comm);
    if (fold_.call == FoldCall::scan) MPI_Scan(in, out, fold_.count, type, op, comm);
    if (fold_.call == FoldCall::exscan) MPI_Exscan(in, out, fold_.count, type, op, comm);
    if (fold_.call == FoldCall::reduce_scatter) MPI_Reduce_scatter(in, out, counts_.data(), type, op, comm);
    if (fold_.call == FoldCall::reduce_scatter_block)
      MPI_Reduce_scatter_block(in, out, fold_.count, type, op, comm);
    if (fold_.operation == own_sum) MPI_Op_free(&op);
  }

  const Fold& fold_;
  const moves::Circle& circle_;
  int size_;
  std::vector<int> counts_;
  int before_;
  std::vector<T> in_, out_, wanted_;
};

}  // namespace

std::string Fold::text() const {
  return std::string(kNames[static_cast<int>(call)]) + " of " + std::to_string(count) + " elements of type " +
         std::to_string(type) + ", operation " + std::to_string(operation) + (in_place ? ", in place" : "");
}

bool Fold::has_own_operation() const { return operation == own_sum; }

Fold draw_fold(matching::Random& random, int members) {
  constexpr int kCounts[] = {0, 1, 2, 15, 100, 1000, 5000, 40'000};
  return {static_cast<FoldCall>(random.below(kFoldCalls)),
          random.below(kTypes),
          random.below(kOperations),
          kCounts[random.below(random.chance(20) ? 8 : 6)],
          random.below(members),
          random.chance(30),
          random.next()};
}

bool is_right(const Fold& fold, const moves::Circle& circle) {
  switch (fold.type) {
    case 0:
      return Run<std::int32_t>(fold, circle).is_right();
    case 1:
      return Run<std::uint64_t>(fold, circle).is_right();
    case 2:
      return Run<std::int16_t>(fold, circle).is_right();
    case 3:
      return Run<float>(fold, circle).is_right();
    default:
      return Run<double>(fold, circle).is_right();
  }
}

}  // namespace foldlane::host_test
