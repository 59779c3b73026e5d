#include "bench/values/message_verification.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include "bench/report/pattern.hpp"
#include "bench/values/elements.hpp"
#include "bench/values/test_values.hpp"

namespace foldlane::bench {
namespace {

/// What must lie in a place for one message: of whom, and from which place of the sender. Nobody's is none.
struct Origin {
  int source = kNobody;
  int slot = 0;

  static constexpr int kNobody = -1;
  static constexpr int kImpossible = -2;  // no message that was sent
};

class MessageVerification {
 public:
  MessageVerification(Job& job, const Case& what)
      : job_(job),
        what_(what),
        pattern_(pattern_of(what)),
        element_bytes_(bench::element_bytes(what.type)),
        per_message_(what.bytes / element_bytes_) {}

  Check run() {
    check_.done = true;
    const auto in_pieces = [&](const auto& action) {
      const std::uint64_t all = per_message_ * static_cast<std::uint64_t>(pattern_.slots);
      const std::uint64_t most = Window::kDataBytes / element_bytes_;
      for (std::uint64_t first = 0; first < all; first += most) action(first, std::min(most, all - first));
    };
    in_pieces([&](std::uint64_t first, std::size_t size) { put(first, size); });
    job_.call_once();
    origins_ = origins();
    in_pieces([&](std::uint64_t first, std::size_t size) { compare(first, size); });
    return check_;
  }

 private:
  void put(std::uint64_t first, std::size_t size) {
    job_.put(Job::Buffer::data, first * element_bytes_, size * element_bytes_,
             [&](int rank, std::byte* to) { fill_values(what_, Values::random, rank, first, size, to); });
    job_.put(Job::Buffer::recv, first * element_bytes_, size * element_bytes_,
             [&](int, std::byte* to) { std::memset(to, 0, size * element_bytes_); });
  }

  void compare(std::uint64_t first, std::size_t size) {
    job_.get(Job::Buffer::recv, first * element_bytes_, size * element_bytes_,
             [&](int rank, const std::byte* received) { compare(rank, first, size, received); });
  }

  void compare(int rank, std::uint64_t first, std::size_t size, const std::byte* received) {
    for (std::size_t done = 0, part = 0; done < size; done += part) {
      const std::uint64_t within = (first + done) % per_message_;
      part = std::min<std::uint64_t>(size - done, per_message_ - within);
      const auto place = static_cast<std::size_t>((first + done) / per_message_);
      compare_message(origins_[static_cast<std::size_t>(rank)][place], within, part,
                      received + done * element_bytes_);
    }
  }

  void compare_message(const Origin& origin, std::uint64_t within, std::size_t size,
                       const std::byte* received) {
    if (origin.source == Origin::kNobody) return;
    if (origin.source == Origin::kImpossible) {
      check_.wrong_elements += size;
      return;
    }
    expected_.resize(size * element_bytes_);
    const std::uint64_t first = static_cast<std::uint64_t>(origin.slot) * per_message_ + within;
    fill_values(what_, Values::random, origin.source, first, size, expected_.data());
    for (std::size_t i = 0; i < size * element_bytes_; i += element_bytes_)
      check_.wrong_elements += std::memcmp(received + i, expected_.data() + i, element_bytes_) != 0;
  }

  /// By rank, then by place.
  std::vector<std::vector<Origin>> origins() {
    std::vector<std::vector<Origin>> all;
    for (int rank = 0; rank < what_.ranks; ++rank) {
      std::vector<Origin>& own = all.emplace_back();
      for (int place = 0; place < pattern_.slots; ++place) own.push_back({source_of(rank), place});
    }
    if (what_.call == "incast") all.front() = origins_by_arrival();
    return all;
  }

  int source_of(int rank) const {
    if (what_.call == "exchange") return (rank + what_.ranks - 1) % what_.ranks;
    if (what_.call == "incast") return Origin::kNobody;
    const bool both_ways = what_.call == "pingpong" || what_.call == "bidirectional";
    return both_ways || rank % 2 == 1 ? rank ^ 1 : Origin::kNobody;
  }

  /// The n-th message that came from a rank is the n-th that it sent; later ones take the places of earlier
  /// ones.
  std::vector<Origin> origins_by_arrival() {
    std::vector<int> sources(static_cast<std::size_t>(pattern_.steps));
    const std::size_t bytes = sources.size() * sizeof(int);
    job_.get(Job::Buffer::sources, 0, bytes, [&](int rank, const std::byte* from) {
      if (rank == 0) std::memcpy(sources.data(), from, bytes);
    });
    std::vector<Origin> places(static_cast<std::size_t>(pattern_.slots));
    std::vector<int> received(static_cast<std::size_t>(what_.ranks), 0);
    for (std::size_t i = 0; i < sources.size(); ++i) {
      Origin& place = places[i % places.size()];
      place = {Origin::kImpossible, 0};
      if (sources[i] < 1 || sources[i] >= what_.ranks) continue;
      int& number = received[static_cast<std::size_t>(sources[i])];
      if (number < pattern_.messages) place = {sources[i], number % pattern_.slots};
      ++number;
    }
    return places;
  }

  Job& job_;
  const Case& what_;
  Pattern pattern_;
  std::size_t element_bytes_;
  std::uint64_t per_message_;  // elements
  std::vector<std::vector<Origin>> origins_;
  std::vector<std::byte> expected_;
  Check check_;
};

}  // namespace

Check verify_messages(Job& job, const Case& what) { return MessageVerification(job, what).run(); }

}  // namespace foldlane::bench
