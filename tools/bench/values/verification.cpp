#include "bench/values/verification.hpp"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "bench/report/call_traits.hpp"
#include "bench/report/pattern.hpp"
#include "bench/report/shares.hpp"
#include "bench/values/block_verification.hpp"
#include "bench/values/elements.hpp"
#include "bench/values/message_verification.hpp"
#include "bench/values/test_values.hpp"
#include "kernels/fold.hpp"

namespace foldlane::bench {
namespace {

/// Whose inputs make a rank's result. The "rank" behind the last one is what reduce_local finds in its own
/// result.
struct Sources {
  int first;
  int count;  // 0: the result is undefined
};

Sources sources_of(const Case& what, int rank) {
  const std::string collective = collective_of(what.call);
  if (collective == "scan") return {0, rank + 1};
  if (collective == "exscan") return {0, rank};
  if (collective == "bcast") return {what.root, 1};
  if (collective == "reduce") return {0, rank == what.root ? what.ranks : 0};
  return {0, what.ranks};
}

class Verification {
 public:
  Verification(Job& job, const Case& what, Values values)
      : job_(job),
        what_(what),
        values_(values),
        element_bytes_(bench::element_bytes(what.type)),
        piece_count_(Window::kDataBytes / element_bytes_),
        fold_(kernels::fold_reference_function(operation(what.op), element_type(what.type).elem)) {}

  Check run() {
    check_.done = true;
    put_inputs();
    job_.call_once();
    check_results();
    return check_;
  }

 private:
  bool local() const { return what_.call == "reduce_local"; }
  std::uint64_t count() const { return what_.bytes / element_bytes_; }

  void put_inputs() {
    for (std::uint64_t first = 0; first < count(); first += piece_count_) {
      const std::size_t size = std::min<std::uint64_t>(piece_count_, count() - first);
      job_.put(Job::Buffer::data, first * element_bytes_, size * element_bytes_,
               [&](int rank, std::byte* to) { fill_values(what_, values_, rank, first, size, to); });
      if (!local()) continue;
      job_.put(
          Job::Buffer::recv, first * element_bytes_, size * element_bytes_,
          [&](int rank, std::byte* to) { fill_values(what_, values_, what_.ranks + rank, first, size, to); });
    }
  }

  /// The part of the whole result that a rank gets.
  std::pair<std::uint64_t, std::uint64_t> share_of(int rank) const {
    if (!scatters(what_.call)) return {0, count()};
    return share_of_rank(count(), what_.ranks, rank);
  }

  void check_results() {
    std::uint64_t longest = 0;
    for (int rank = 0; rank < what_.ranks; ++rank) longest = std::max(longest, share_of(rank).second);
    for (std::uint64_t offset = 0; offset < longest; offset += piece_count_) {
      const std::size_t most = std::min<std::uint64_t>(piece_count_, longest - offset);
      folded_ = {-1, 0};
      job_.get(Job::Buffer::data, offset * element_bytes_, most * element_bytes_,
               [&](int rank, const std::byte* result) { check_piece(rank, offset, most, result); });
    }
  }

  void check_piece(int rank, std::uint64_t offset, std::size_t most, const std::byte* result) {
    const auto [start, length] = share_of(rank);
    const Sources sources = local() ? Sources{rank, 2} : sources_of(what_, rank);
    if (sources.count == 0 || offset >= length) return;
    const std::size_t size = std::min<std::uint64_t>(most, length - offset);
    expect(sources, start + offset, size);
    std::uint64_t different = 0;
    for (std::size_t i = 0; i < size; ++i)
      different += std::memcmp(result + i * element_bytes_, expected_.data() + i * element_bytes_,
                               element_bytes_) != 0;
    if (values_ == Values::exact) check_.wrong_elements += different;
    if (different > 0) check_.canonical = false;
    if (collective_of(what_.call) == "allreduce") compare_ranks(rank, result, size * element_bytes_);
  }

  /// The fold of the sources' elements from `first` on; the one of the last time if nothing has changed.
  void expect(const Sources& sources, std::uint64_t first, std::size_t size) {
    const std::pair key{sources.first * Window::kMaxRanks + sources.count, first};
    if (std::exchange(folded_, key) == key) return;
    std::vector<std::vector<std::byte>> inputs(static_cast<std::size_t>(sources.count));
    std::vector<const void*> pointers;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      inputs[i].resize(size * element_bytes_);
      const int step = local() ? what_.ranks : 1;
      fill_values(what_, values_, sources.first + static_cast<int>(i) * step, first, size, inputs[i].data());
      pointers.push_back(inputs[i].data());
    }
    expected_.resize(size * element_bytes_);
    fold_(expected_.data(), pointers.data(), pointers.size(), size);
  }

  void compare_ranks(int rank, const std::byte* result, std::size_t bytes) {
    if (rank == 0) {
      of_rank_0_.assign(result, result + bytes);
    } else if (std::memcmp(of_rank_0_.data(), result, bytes) != 0) {
      check_.same_on_all_ranks = false;
    }
  }

  Job& job_;
  const Case& what_;
  Values values_;
  std::size_t element_bytes_;
  std::size_t piece_count_;
  kernels::FoldFunction fold_;
  std::pair<int, std::uint64_t> folded_{-1, 0};
  std::vector<std::byte> expected_;
  std::vector<std::byte> of_rank_0_;
  Check check_;
};

}  // namespace

Check verify(Job& job, const Case& what) {
  if (what.bytes == 0) return {};
  if (is_pattern(what.call)) return verify_messages(job, what);
  if (moves_blocks(what.call)) return verify_blocks(job, what);
  Check check = Verification(job, what, Values::exact).run();
  if (element_type(what.type).numbers == Numbers::whole || collective_of(what.call) == "bcast") return check;
  const Check rounded = Verification(job, what, Values::random).run();
  check.same_on_all_ranks = check.same_on_all_ranks && rounded.same_on_all_ranks;
  check.canonical = rounded.canonical;
  return check;
}

}  // namespace foldlane::bench
