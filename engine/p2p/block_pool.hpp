// Blocks of one size in this rank's heap, for messages that are too long for a cell. The one that was freed
// last is lent first: it is still in a cache.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "kernels/copy.hpp"

namespace foldlane::engine {

class BlockPool {
 public:
  using Source = std::function<std::byte*(std::size_t bytes)>;

  /// Gets memory when it is first needed, `step_bytes` at a time, up to `most_bytes`.
  BlockPool(const Source& source, std::size_t block_bytes, std::size_t step_bytes, std::size_t most_bytes)
      : source_(source), block_bytes_(block_bytes), step_bytes_(step_bytes), most_bytes_(most_bytes) {}

  /// One of which so many bytes from `first` on will be written at once, and of the next one, too. Null: all
  /// are lent, and there are to be no more.
  std::byte* take(std::size_t bytes = 0, std::size_t first = 0) {
    if (free_.empty() && !grow()) return nullptr;
    std::byte* const block = free_.back();
    free_.pop_back();
    ++lent_;
    expected_ = bytes;
    first_ = first;
    fetched_ = 0;
    return block;
  }
  void give_back(std::byte* block) {
    free_.push_back(block);
    fetched_ = 0;
    --lent_;
  }
  /// There is nothing else to do: some lines of the next block come back from who has read it, as far as it
  /// will be written if it is used like the last one. Which; a hint.
  std::span<std::byte> fetch_ahead() noexcept {
    if (fetched_ >= expected_ || free_.empty()) return {};
    const std::span lines(free_.back() + first_ + fetched_, std::min(kFetchedAtOnce, expected_ - fetched_));
    kernels::fetch_to_write(lines.data(), lines.size());
    fetched_ += lines.size();
    return lines;
  }
  std::size_t lent() const noexcept { return lent_; }
  /// There is one, lent or not: who waits for one waits for something. False if there is no memory.
  bool exists() { return bytes_ != 0 || grow(); }

  /// What comes meanwhile is not to be seen much later: far, a core gets so many lines in 0.1 us.
  static constexpr std::size_t kFetchedAtOnce = 8 * kernels::kLineBytes;

 private:
  bool grow() {
    if (bytes_ + step_bytes_ > most_bytes_) return false;
    std::byte* const memory = source_(step_bytes_);
    if (memory == nullptr) return false;
    bytes_ += step_bytes_;
    for (std::size_t end = step_bytes_; end >= block_bytes_; end -= block_bytes_)
      free_.push_back(memory + end - block_bytes_);
    return true;
  }

  const Source& source_;
  std::size_t block_bytes_;
  std::size_t step_bytes_;
  std::size_t most_bytes_;
  std::size_t bytes_ = 0;
  std::size_t lent_ = 0;
  std::size_t expected_ = 0;  // to be written of the next one
  std::size_t first_ = 0;     // from there on
  std::size_t fetched_ = 0;   // of that
  std::vector<std::byte*> free_;
};

}  // namespace foldlane::engine
