#include "bench/values/block_verification.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include "bench/report/call_traits.hpp"
#include "bench/report/pattern.hpp"
#include "bench/values/elements.hpp"
#include "bench/values/test_values.hpp"

namespace foldlane::bench {
namespace {

/// What must lie in a place for one block: the block of this number of whose vector, in which each rank has
/// as many blocks as there are places.
struct BlockOrigin {
  int source;
  int block;
};

class BlockVerification {
 public:
  BlockVerification(Job& job, const Case& what)
      : job_(job),
        what_(what),
        element_bytes_(bench::element_bytes(what.type)),
        per_block_(what.bytes / element_bytes_) {}

  Check run() {
    check_.done = true;
    in_pieces([&](std::uint64_t first, std::size_t size) { put(first, size); });
    job_.call_once();
    in_pieces([&](std::uint64_t first, std::size_t size) { compare(first, size); });
    return check_;
  }

 private:
  /// Of the vectors, whose elements are counted through all blocks.
  template <class Action>
  void in_pieces(const Action& action) const {
    const std::uint64_t all = per_block_ * static_cast<std::uint64_t>(slots_of(what_));
    const std::uint64_t most = Window::kDataBytes / element_bytes_;
    for (std::uint64_t first = 0; first < all; first += most) action(first, std::min(most, all - first));
  }

  /// In place the input is in the buffer that receives, but for the ranks and calls that do not work in
  /// place: for them it is one more thing that must be overwritten.
  void put(std::uint64_t first, std::size_t size) {
    const auto fill = [&](int rank, std::byte* to) {
      fill_values(what_, Values::random, rank, first, size, to);
    };
    put(Job::Buffer::send, first, size, fill);
    put(Job::Buffer::recv, first, size, [&](int rank, std::byte* to) {
      what_.in_place ? fill(rank, to) : void(std::memset(to, 0, size * element_bytes_));
    });
  }

  template <class Fill>
  void put(Job::Buffer buffer, std::uint64_t first, std::size_t size, const Fill& fill) {
    job_.put(buffer, first * element_bytes_, size * element_bytes_, fill);
  }

  void compare(std::uint64_t first, std::size_t size) {
    job_.get(Job::Buffer::recv, first * element_bytes_, size * element_bytes_,
             [&](int rank, const std::byte* received) {
               if (receives(rank)) compare(rank, first, size, received);
             });
  }

  /// The root of a scatter in place keeps its block where it is.
  bool receives(int rank) const {
    if (gathers_at_root(what_.call)) return rank == what_.root;
    return !scatters_from_root(what_.call) || rank != what_.root || !what_.in_place;
  }

  void compare(int rank, std::uint64_t first, std::size_t size, const std::byte* received) {
    const std::uint64_t blocks =
        scatters_from_root(what_.call) ? 1 : static_cast<std::uint64_t>(slots_of(what_));
    const std::uint64_t end = std::min(first + size, blocks * per_block_);
    for (std::uint64_t done = first, part = 0; done < end; done += part) {
      const std::uint64_t within = done % per_block_;
      part = std::min(end - done, per_block_ - within);
      compare_block(origin_of(rank, static_cast<int>(done / per_block_)), within, part,
                    received + (done - first) * element_bytes_);
    }
  }

  BlockOrigin origin_of(int rank, int place) const {
    if (is_among_neighbours(what_.call)) return origin_in_ring(rank, place);
    if (scatters_from_root(what_.call)) return {what_.root, rank};
    if (!gathers(what_.call)) return {place, rank};
    const bool is_in_place = what_.in_place && (!has_root(what_.call) || place == what_.root);
    return {place, is_in_place ? place : 0};
  }

  /// The first block is of and for the rank before, the second that behind; what leaves in one direction
  /// comes in from the opposite one, also where both are the same rank.
  BlockOrigin origin_in_ring(int rank, int place) const {
    const int distance = place == 0 ? what_.ranks - 1 : 1;
    return {(rank + distance) % what_.ranks, gathers(what_.call) ? 0 : 1 - place};
  }

  void compare_block(const BlockOrigin& origin, std::uint64_t within, std::size_t size,
                     const std::byte* received) {
    expected_.resize(size * element_bytes_);
    const std::uint64_t first = static_cast<std::uint64_t>(origin.block) * per_block_ + within;
    fill_values(what_, Values::random, origin.source, first, size, expected_.data());
    for (std::size_t i = 0; i < size * element_bytes_; i += element_bytes_)
      check_.wrong_elements += std::memcmp(received + i, expected_.data() + i, element_bytes_) != 0;
  }

  Job& job_;
  const Case& what_;
  std::size_t element_bytes_;
  std::uint64_t per_block_;  // elements
  std::vector<std::byte> expected_;
  Check check_;
};

}  // namespace

Check verify_blocks(Job& job, const Case& what) { return BlockVerification(job, what).run(); }

}  // namespace foldlane::bench
