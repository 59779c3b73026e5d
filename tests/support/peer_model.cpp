#include "support/peer_model.hpp"

#include <algorithm>
#include <bit>

#include "support/traffic.hpp"

namespace foldlane::testing {
namespace {

using Seats = std::vector<engine::Seat>;

double lines_of(std::size_t bytes) { return static_cast<double>((bytes + 63) / 64); }

class Clocks {
 public:
  explicit Clocks(const Seats& seats) : seats_(seats), now_(seats.size()) {}

  double last() const { return *std::max_element(now_.begin(), now_.end()); }
  double now(std::size_t rank) const { return now_[rank]; }

  /// Writes a message; returns when it is there.
  double send(std::size_t from, std::size_t bytes) {
    return now_[from] += kMeasuredCosts.own_line * lines_of(bytes);
  }
  void receive(std::size_t to, std::size_t from, double sent, std::size_t bytes, bool cached = false) {
    const int distance = Traffic::distance(seats_[to], seats_[from]);
    now_[to] = std::max(now_[to], sent + kMeasuredCosts.handoff[distance]) +
               kMeasuredCosts.line[cached ? 0 : distance] * lines_of(bytes);
  }
  void wait_until(std::size_t rank, double ns) { now_[rank] = std::max(now_[rank], ns); }

  /// All ranks of a list swap messages with partners at `step`.
  template <class Partner>
  void swap_all(std::size_t ranks, std::size_t bytes, const Partner& partner) {
    std::vector<double> sent(ranks);
    for (std::size_t rank = 0; rank < ranks; ++rank) sent[rank] = send(rank, bytes);
    for (std::size_t rank = 0; rank < ranks; ++rank) receive(rank, partner(rank), sent[partner(rank)], bytes);
  }
  /// Ranks beyond the largest power of two give their input to one below it, or get the result from there.
  void fold_rest(std::size_t power, std::size_t bytes, bool back) {
    for (std::size_t rank = power; rank < now_.size(); ++rank) {
      const std::size_t from = back ? rank - power : rank, to = back ? rank : rank - power;
      receive(to, from, send(from, bytes), bytes);
    }
  }

 private:
  const Seats& seats_;
  std::vector<double> now_;
};

}  // namespace

double ring_ns(const Seats& seats, std::size_t bytes) {
  Clocks clocks(seats);
  const std::size_t ranks = seats.size();
  for (std::size_t step = 0; step < 2 * (ranks - 1); ++step)
    clocks.swap_all(ranks, (bytes + ranks - 1) / ranks,
                    [ranks](std::size_t r) { return (r + ranks - 1) % ranks; });
  return clocks.last();
}

double recursive_doubling_ns(const Seats& seats, std::size_t bytes) {
  Clocks clocks(seats);
  const std::size_t power = std::bit_floor(seats.size());
  clocks.fold_rest(power, bytes, false);
  for (std::size_t mask = 1; mask < power; mask *= 2)
    clocks.swap_all(power, bytes, [mask](std::size_t r) { return r ^ mask; });
  clocks.fold_rest(power, bytes, true);
  return clocks.last();
}

double rabenseifner_ns(const Seats& seats, std::size_t bytes) {
  Clocks clocks(seats);
  const std::size_t power = std::bit_floor(seats.size());
  clocks.fold_rest(power, bytes, false);
  for (std::size_t mask = 1; mask < power; mask *= 2)
    clocks.swap_all(power, bytes / 2 / mask, [mask](std::size_t r) { return r ^ mask; });
  for (std::size_t mask = power / 2; mask > 0; mask /= 2)
    clocks.swap_all(power, bytes / 2 / mask, [mask](std::size_t r) { return r ^ mask; });
  clocks.fold_rest(power, bytes, true);
  return clocks.last();
}

double release_gather_ns(const Seats& seats, std::size_t bytes) {
  constexpr std::size_t kCellBytes = 8 << 10;
  constexpr std::size_t kCells = 4;
  const std::size_t children = bytes <= 2048 ? 4 : 2;
  Clocks clocks(seats);
  std::vector<double> released;  // by cell
  for (std::size_t start = 0; start < bytes; start += kCellBytes) {
    const std::size_t cell = std::min(kCellBytes, bytes - start);
    std::vector<double> sent(seats.size());
    for (std::size_t rank = seats.size(); rank-- > 0;) {
      if (released.size() >= kCells) clocks.wait_until(rank, released[released.size() - kCells]);
      sent[rank] = clocks.send(rank, cell);
      for (std::size_t child = rank * children + 1; child <= rank * children + children; ++child) {
        if (child < seats.size()) clocks.receive(rank, child, sent[child], cell);
      }
      sent[rank] = clocks.now(rank);
    }
    for (std::size_t rank = 1; rank < seats.size(); ++rank) {
      const bool cached = Traffic::distance(seats[rank], seats[rank - 1]) == 0;
      clocks.receive(rank, 0, sent[0], cell, cached);
    }
    released.push_back(clocks.last());
  }
  return clocks.last();
}

}  // namespace foldlane::testing
