// TypeMap::pack and unpack: one walk over the runs, in either direction.
#include <algorithm>
#include <cstring>
#include <type_traits>

#include "engine/data/type_map.hpp"
#include "kernels/copy.hpp"

namespace foldlane::engine {
namespace {

// Addresses are integers here: an element may lie anywhere around the buffer argument, which may be null.
using Address = std::uintptr_t;

/// A number of bytes that is known when the library is built.
template <std::size_t kBytes>
using Fixed = std::integral_constant<std::size_t, kBytes>;

template <std::size_t kBytes>
void copy_bytes(std::byte* to, const std::byte* from, Fixed<kBytes>) {
  std::memcpy(to, from, kBytes);
}

/// The first and the last kPart bytes, which may overlap.
template <std::size_t kPart>
void copy_ends(std::byte* to, const std::byte* from, std::size_t bytes) {
  std::byte head[kPart], tail[kPart];
  std::memcpy(head, from, kPart);
  std::memcpy(tail, from + bytes - kPart, kPart);
  std::memcpy(to, head, kPart);
  std::memcpy(to + bytes - kPart, tail, kPart);
}

// A call of memcpy takes as long as copying the few bytes that most blocks have.
void copy_bytes(std::byte* to, const std::byte* from, std::size_t bytes) {
  if (bytes > 128) {
    kernels::copy(to, from, bytes);
  } else if (bytes >= 16) {
    for (std::size_t i = 0; i + 16 < bytes; i += 16) std::memcpy(to + i, from + i, 16);
    std::memcpy(to + bytes - 16, from + bytes - 16, 16);
  } else if (bytes >= 8) {
    copy_ends<8>(to, from, bytes);
  } else if (bytes >= 4) {
    copy_ends<4>(to, from, bytes);
  } else {
    for (std::size_t i = 0; i < bytes; ++i) to[i] = from[i];
  }
}

/// Calls `body` with the size, as a Fixed if it is one of those that programs use.
template <class Body>
void with_size(std::size_t bytes, const Body& body) {
  switch (bytes) {
    case 1:
      return body(Fixed<1>());
    case 2:
      return body(Fixed<2>());
    case 4:
      return body(Fixed<4>());
    case 8:
      return body(Fixed<8>());
    case 12:
      return body(Fixed<12>());
    case 16:
      return body(Fixed<16>());
    case 24:
      return body(Fixed<24>());
    case 32:
      return body(Fixed<32>());
    case 64:
      return body(Fixed<64>());
    default:
      return body(bytes);
  }
}

struct Packing {
  using Memory = const std::byte*;
  using Packed = std::byte*;
  static void copy(const std::byte* memory, std::byte* packed, auto bytes) {
    copy_bytes(packed, memory, bytes);
  }
};

struct Unpacking {
  using Memory = std::byte*;
  using Packed = const std::byte*;
  static void copy(std::byte* memory, const std::byte* packed, auto bytes) {
    copy_bytes(memory, packed, bytes);
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

  static typename Direction::Memory pointer(Address memory) {
    return reinterpret_cast<typename Direction::Memory>(memory);
  }

  void copy(Address memory, auto bytes) {
    Direction::copy(pointer(memory), packed_, bytes);
    packed_ += bytes;
  }

  void block(const Run& run, Address memory, std::uint64_t offset, std::uint64_t bytes) {
    if (run.inner == nullptr) return copy(memory + offset, bytes);
    const Runs& runs = *run.inner;
    if (!runs.spans.empty()) return spans(runs.spans, memory, offset, bytes);
    std::size_t i = 0;
    if (offset != 0) {
      i = find(runs.starts, offset);
      offset -= runs.starts[i];
    }
    for (; bytes != 0; ++i, offset = 0) {
      const Run& inner = runs.list[i];
      const std::uint64_t part = std::min(bytes, inner.block_bytes * inner.count - offset);
      this->run(inner, memory, offset, part);
      bytes -= part;
    }
  }

  /// The last of `starts` that is not behind `offset`.
  static std::size_t find(const std::vector<std::uint64_t>& starts, std::uint64_t offset) {
    return static_cast<std::size_t>(std::upper_bound(starts.begin(), starts.end(), offset) - starts.begin()) -
           1;
  }

  void spans(const Spans& spans, Address memory, std::uint64_t offset, std::uint64_t bytes) {
    const std::uint64_t end = offset + bytes;
    std::size_t first = find(spans.starts, offset);
    const std::size_t last = find(spans.starts, end);
    if (const std::uint64_t skipped = offset - spans.starts[first]; skipped != 0) {
      const std::uint64_t part = std::min(bytes, spans.bytes(first) - skipped);
      copy(memory + static_cast<Address>(spans.offsets[first++]) + skipped, part);
      if (part == bytes) return;
    }
    whole_spans(spans, memory, first, last);
    if (const std::uint64_t rest = end - spans.starts[last]; rest != 0)
      copy(memory + static_cast<Address>(spans.offsets[last]), rest);
  }

  void whole_spans(const Spans& spans, Address memory, std::size_t first, std::size_t last) {
    auto* const start = packed_;
    packed_ += spans.starts[last] - spans.starts[first];
    if (spans.block_bytes != 0) return equal_spans(spans, memory, start, first, last);
    const std::uint64_t* const starts = spans.starts.data();
    const std::int64_t* const offsets = spans.offsets.data();
    auto* __restrict packed = start;
    for (std::size_t i = first; i < last; ++i) {
      const std::uint64_t bytes = starts[i + 1] - starts[i];
      Direction::copy(pointer(memory + static_cast<Address>(offsets[i])), packed, bytes);
      packed += bytes;
    }
  }

  static void equal_spans(const Spans& spans, Address memory, typename Direction::Packed start,
                          std::size_t first, std::size_t last) {
    const std::int64_t* const offsets = spans.offsets.data();
    with_size(spans.block_bytes, [=](auto bytes) {
      auto* __restrict packed = start;
#pragma GCC unroll 4
      for (std::size_t i = first; i < last; ++i, packed += bytes)
        Direction::copy(pointer(memory + static_cast<Address>(offsets[i])), packed, bytes);
    });
  }

  void blocks(const Run& run, Address memory, std::uint64_t count) {
    const auto stride = static_cast<Address>(run.stride);
    if (run.inner == nullptr) {
      column(memory, stride, packed_, run.block_bytes, run.block_bytes, count);
      packed_ += run.block_bytes * count;
    } else if (const Spans& spans = run.inner->spans; is_structure(spans, run.stride)) {
      columns(spans, run, memory, count);
    } else {
      for (; count != 0; --count, memory += stride) block(run, memory, 0, run.block_bytes);
    }
  }

  // A structure of a few blocks: block by block, some structures at a time, so that the second block finds
  // them in the cache.
  static constexpr std::size_t kFewSpans = 16;
  static constexpr std::uint64_t kAtATime = 64;

  // Elements that overlap keep their order, so that what is unpacked last stays.
  static bool is_structure(const Spans& spans, std::int64_t stride) {
    if (spans.empty() || spans.count() > kFewSpans) return false;
    const Address origin = static_cast<Address>(spans.offsets.front());
    std::int64_t low = 0, high = 0;  // from there
    for (std::size_t i = 0; i < spans.count(); ++i) {
      const auto from = static_cast<std::int64_t>(static_cast<Address>(spans.offsets[i]) - origin);
      low = std::min(low, from);
      high = std::max(high, from + static_cast<std::int64_t>(spans.bytes(i)));
    }
    return stride >= high - low || stride <= low - high;
  }

  void columns(const Spans& spans, const Run& run, Address memory, std::uint64_t count) {
    const auto stride = static_cast<Address>(run.stride);
    while (count != 0) {
      const std::uint64_t some = std::min(count, kAtATime);
      for (std::size_t i = 0; i < spans.count(); ++i) {
        column(memory + static_cast<Address>(spans.offsets[i]), stride, packed_ + spans.starts[i],
               run.block_bytes, spans.bytes(i), some);
      }
      packed_ += run.block_bytes * some;
      memory += stride * some;
      count -= some;
    }
  }

  /// Blocks at equal distances in memory and in the packed form.
  static void column(Address memory, Address stride, typename Direction::Packed packed, std::size_t step,
                     std::size_t block_bytes, std::uint64_t count) {
    with_size(block_bytes, [=](auto bytes) {
      if (step == bytes) return copy_column(memory, stride, packed, bytes, bytes, count);
      copy_column(memory, stride, packed, step, bytes, count);
    });
  }

  // Memory and packed form do not overlap; several small blocks are then moved by one instruction.
  static void copy_column(Address memory, Address stride, typename Direction::Packed packed, auto step,
                          auto bytes, std::uint64_t count) {
    auto* __restrict to = packed;
#pragma GCC unroll 4
    for (std::uint64_t i = 0; i < count; ++i, memory += stride, to += step) {
      auto* __restrict from = pointer(memory);
      Direction::copy(from, to, bytes);
    }
  }

  typename Direction::Packed packed_;
};

}  // namespace

void TypeMap::pack(std::byte* packed, const std::byte* buffer, std::uint64_t offset,
                   std::size_t bytes) const {
  const auto base = reinterpret_cast<Address>(buffer);
  if (bytes == 0) return;
  if (dense_) return Packing::copy(buffer + offset, packed, bytes);
  Walk<Packing>(packed).run(elements_, base, offset, bytes);
}

void TypeMap::unpack(std::byte* buffer, const std::byte* packed, std::uint64_t offset,
                     std::size_t bytes) const {
  const auto base = reinterpret_cast<Address>(buffer);
  if (bytes == 0) return;
  if (dense_) return Unpacking::copy(buffer + offset, packed, bytes);
  Walk<Unpacking>(packed).run(elements_, base, offset, bytes);
}

}  // namespace foldlane::engine
