// Messages of tests: where their bytes lie, what these are, and whether they have come.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/p2p/messenger.hpp"
#include "support/ranks.hpp"

namespace foldlane::testing {

/// Where a message begins or ends.
enum class Lying : std::uint8_t {
  privately,
  in_heap,   // others can read and write it there
  in_pieces  // a type map says where
};
inline constexpr Lying kLyings[] = {Lying::privately, Lying::in_heap, Lying::in_pieces};

/// On both sides of each limit: a cell's first line, a cell, a short block, a long block, a piece, a chunk,
/// what is pulled alone, and more chunks than boxes.
inline constexpr std::size_t kSizes[] = {0,     1,     31,    32,     33,     95,       96,    97,
                                         2047,  2048,  2049,  8191,   8192,   8193,     16384, 16385,
                                         32767, 32768, 32769, 131072, 131073, 300 << 10};

/// A buffer of the program.
class Page {
 public:
  Page(shm::Heap& heap, std::size_t bytes, Lying lying);
  Page(const Page&) = delete;
  Page& operator=(const Page&) = delete;
  ~Page();

  engine::UserBuffer buffer() const;
  /// What message `seed` says.
  void write(std::uint64_t seed);
  /// Empty if the first `bytes` are those of message `seed`, and nothing else has changed.
  std::string compare(std::uint64_t seed, std::size_t bytes) const;

 private:
  shm::Heap& heap_;
  std::size_t bytes_;
  std::size_t memory_bytes_;
  Lying lying_;
  std::vector<std::byte> private_;
  std::byte* memory_;
};

/// A message, or the receiving of one, with its buffer.
template <class Kind>
struct Letter : Kind {
  Letter(RankContext& context, engine::Channel& of, std::size_t bytes, Lying lying)
      : page(context.heap, bytes, lying) {
    this->channel = &of;
    this->buffer = page.buffer();
  }
  Page page;
};
using Sent = Letter<engine::Send>;
using Received = Letter<engine::Receive>;

std::unique_ptr<Sent> send(RankContext& context, engine::Channel& channel, int to, int tag, std::size_t bytes,
                           std::uint64_t seed, Lying lying = Lying::privately,
                           engine::SendMode mode = engine::SendMode::standard);
std::unique_ptr<Received> receive(RankContext& context, engine::Channel& channel, int source, int tag,
                                  std::size_t bytes, Lying lying = Lying::privately);
/// Blocks until it is over.
std::string expect_end(RankContext& context, const engine::Communication& communication,
                       engine::Delivery expected);
/// The same of a message that has come.
std::string expect_message(RankContext& context, const Received& received, int source, int tag,
                           std::size_t bytes, std::uint64_t seed);

RunOptions mail_options(int ranks, bool asleep);
std::vector<Transport> transports();

}  // namespace foldlane::testing
