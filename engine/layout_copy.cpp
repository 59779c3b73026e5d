// Layout::pack and unpack: one walk over the runs, in either direction.
#include <algorithm>
#include <cstring>

#include "engine/layout.hpp"

namespace foldlane::engine {
namespace {

// Addresses are integers here: an element may lie anywhere around the buffer argument, which may be null.
using Address = std::uintptr_t;

struct Packing {
  using Packed = std::byte*;
  static void copy(Address memory, Packed packed, std::size_t bytes) {
    std::memcpy(packed, reinterpret_cast<const std::byte*>(memory), bytes);
  }
};

struct Unpacking {
  using Packed = const std::byte*;
  static void copy(Address memory, Packed packed, std::size_t bytes) {
    std::memcpy(reinterpret_cast<std::byte*>(memory), packed, bytes);
  }
};

template <class Direction>
class Walk {
 public:
  explicit Walk(typename Direction::Packed packed) : packed_(packed) {}

  /// `bytes` packed bytes of `run` from `offset` on.
  void run(const Run& run, Address base, std::uint64_t offset, std::uint64_t bytes) {
    std::uint64_t index = 0;
    if (offset >= run.block_bytes) {
      index = offset / run.block_bytes;
      offset %= run.block_bytes;
    }
    if (offset != 0) {
      const std::uint64_t part = std::min(bytes, run.block_bytes - offset);
      block(run, at(run, base, index++), offset, part);
      bytes -= part;
    }
    if (bytes >= run.block_bytes) {
      const std::uint64_t whole = bytes / run.block_bytes;
      blocks(run, at(run, base, index), whole);
      index += whole;
      bytes -= whole * run.block_bytes;
    }
    if (bytes != 0) block(run, at(run, base, index), 0, bytes);
  }

 private:
  // Unsigned, because only the sum needs to be an address.
  static Address at(const Run& run, Address base, std::uint64_t index) {
    return base + static_cast<Address>(run.offset) + static_cast<Address>(run.stride) * index;
  }

  void copy(Address memory, std::size_t bytes) {
    Direction::copy(memory, packed_, bytes);
    packed_ += bytes;
  }

  void block(const Run& run, Address memory, std::uint64_t offset, std::uint64_t bytes) {
    if (run.inner == nullptr) return copy(memory + offset, bytes);
    const Runs& runs = *run.inner;
    std::size_t i = 0;
    if (offset != 0) {
      const auto next = std::upper_bound(runs.starts.begin(), runs.starts.end(), offset);
      i = static_cast<std::size_t>(next - runs.starts.begin()) - 1;
      offset -= runs.starts[i];
    }
    for (; bytes != 0; ++i, offset = 0) {
      const Run& inner = runs.list[i];
      const std::uint64_t part = std::min(bytes, inner.block_bytes * inner.count - offset);
      this->run(inner, memory, offset, part);
      bytes -= part;
    }
  }

  void blocks(const Run& run, Address memory, std::uint64_t count) {
    if (run.inner != nullptr) {
      for (; count != 0; --count, memory += static_cast<Address>(run.stride)) {
        block(run, memory, 0, run.block_bytes);
      }
      return;
    }
    switch (run.block_bytes) {  // the sizes of basic elements become single instructions
      case 1:
        return spans<1>(run, memory, count);
      case 2:
        return spans<2>(run, memory, count);
      case 4:
        return spans<4>(run, memory, count);
      case 8:
        return spans<8>(run, memory, count);
      case 16:
        return spans<16>(run, memory, count);
      default:
        for (; count != 0; --count, memory += static_cast<Address>(run.stride)) copy(memory, run.block_bytes);
    }
  }

  template <std::size_t kBytes>
  void spans(const Run& run, Address memory, std::uint64_t count) {
    for (; count != 0; --count, memory += static_cast<Address>(run.stride)) copy(memory, kBytes);
  }

  typename Direction::Packed packed_;
};

}  // namespace

void Layout::pack(std::byte* packed, const std::byte* buffer, std::uint64_t offset, std::size_t bytes) const {
  const auto base = reinterpret_cast<Address>(buffer);
  if (bytes == 0) return;
  if (dense_) return Packing::copy(base + offset, packed, bytes);
  Walk<Packing>(packed).run(elements_, base, offset, bytes);
}

void Layout::unpack(std::byte* buffer, const std::byte* packed, std::uint64_t offset,
                    std::size_t bytes) const {
  const auto base = reinterpret_cast<Address>(buffer);
  if (bytes == 0) return;
  if (dense_) return Unpacking::copy(base + offset, packed, bytes);
  Walk<Unpacking>(packed).run(elements_, base, offset, bytes);
}

}  // namespace foldlane::engine
