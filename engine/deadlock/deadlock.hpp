// Which ranks can only be released by each other: pure, over what was read of all ranks.
#pragma once

#include <cstdint>
#include <vector>

namespace foldlane::engine {

/// Any set of the ranks of a job.
class RankSet {
 public:
  static constexpr int kBits = 64;  // of a word

  explicit RankSet(int ranks) : words_((static_cast<std::size_t>(ranks) + kBits - 1) / kBits) {}

  void add(int rank) noexcept { words_[at(rank)] |= bit(rank); }
  void remove(int rank) noexcept { words_[at(rank)] &= ~bit(rank); }
  bool has(int rank) const noexcept { return (words_[at(rank)] & bit(rank)) != 0; }
  bool empty() const noexcept;
  bool is_within(const RankSet& other) const noexcept;

  std::uint64_t& word(std::size_t index) noexcept { return words_[index]; }
  std::size_t words() const noexcept { return words_.size(); }
  /// In order.
  std::vector<int> list() const;

 private:
  static std::size_t at(int rank) noexcept { return static_cast<std::size_t>(rank / kBits); }
  static std::uint64_t bit(int rank) noexcept { return std::uint64_t{1} << rank % kBits; }

  std::vector<std::uint64_t> words_;
};

/// What a rank is doing.
struct RankStanding {
  enum class Kind : std::uint8_t {
    runs,   // as far as is known
    waits,  // until one of `awaited` does something
    ended,  // its process is gone, and it was no failure
  };
  Kind kind = Kind::runs;
  std::uint64_t serial = 0;  // of its wait
  RankSet awaited{0};

  bool operator==(const RankStanding& other) const noexcept {
    return kind == other.kind && serial == other.serial;
  }
};

/// All waiting ranks that none of those that run can release, not even by releasing others; none: no
/// deadlock. By rank.
std::vector<int> find_deadlock(const std::vector<RankStanding>& ranks);

}  // namespace foldlane::engine
