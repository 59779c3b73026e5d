#include "p2p/mail.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace foldlane::testing {
namespace {

using engine::Delivery;
using engine::TypeMap;

constexpr std::byte kUntouched{0xee};
constexpr std::size_t kPieceBytes = 7;
constexpr std::size_t kPieceStride = 11;

const TypeMap& pieces() {
  static const TypeMap map = [] {
    const TypeMap::Block blocks[] = {{2, kPieceBytes}};
    return *TypeMap::basic(1, 1).indexed(blocks)->resized(0, kPieceStride);
  }();
  return map;
}

std::byte byte_of(std::uint64_t seed, std::size_t i) {
  return static_cast<std::byte>(seed * 131 + i * 7 + (i >> 8) * 3 + 1);
}

std::size_t memory_for(std::size_t bytes, Lying lying) {
  return lying == Lying::in_pieces ? (bytes / kPieceBytes + 1) * kPieceStride : bytes;
}

}  // namespace

Page::Page(shm::Heap& heap, std::size_t bytes, Lying lying)
    : heap_(heap),
      bytes_(bytes),
      memory_bytes_(memory_for(bytes, lying)),
      lying_(lying),
      private_(lying == Lying::in_heap ? 0 : memory_bytes_ + 1),
      memory_(private_.data()) {
  if (lying == Lying::in_heap) {
    auto memory = heap.allocate(bytes);
    if (!memory.ok()) throw std::runtime_error(memory.error().message);
    memory_ = static_cast<std::byte*>(memory.value());
  }
  std::fill_n(memory_, memory_bytes_, kUntouched);
}

Page::~Page() {
  if (lying_ == Lying::in_heap) static_cast<void>(heap_.deallocate(memory_));
}

engine::UserBuffer Page::buffer() const {
  return {memory_, bytes_, lying_ == Lying::in_pieces ? &pieces() : nullptr, 0};
}

void Page::write(std::uint64_t seed) {
  std::vector<std::byte> packed(bytes_);
  for (std::size_t i = 0; i < bytes_; ++i) packed[i] = byte_of(seed, i);
  buffer().copy_from(packed.data(), 0, bytes_);
}

std::string Page::compare(std::uint64_t seed, std::size_t bytes) const {
  std::vector<std::byte> expected(memory_bytes_, kUntouched);
  std::vector<std::byte> packed(bytes);
  for (std::size_t i = 0; i < bytes; ++i) packed[i] = byte_of(seed, i);
  engine::UserBuffer place = buffer();
  place.address = expected.data();
  place.copy_from(packed.data(), 0, bytes);
  const auto differs = std::mismatch(expected.begin(), expected.end(), memory_).first;
  if (differs == expected.end()) return "";
  return fmt::format("byte {} of a buffer for {} is wrong; ", differs - expected.begin(), bytes_);
}

std::unique_ptr<Sent> send(RankContext& context, engine::Channel& channel, int to, int tag, std::size_t bytes,
                           std::uint64_t seed, Lying lying, engine::SendMode mode) {
  auto letter = std::make_unique<Sent>(context, channel, bytes, lying);
  letter->page.write(seed);
  letter->to = to;
  letter->tag = tag;
  letter->mode = mode;
  context.messenger.start(*letter);
  return letter;
}

std::unique_ptr<Received> receive(RankContext& context, engine::Channel& channel, int source, int tag,
                                  std::size_t bytes, Lying lying) {
  auto letter = std::make_unique<Received>(context, channel, bytes, lying);
  letter->source = source;
  letter->tag = tag;
  context.messenger.start(*letter);
  return letter;
}

std::string expect_end(RankContext& context, const engine::Communication& communication, Delivery expected) {
  wait_for(context.messenger, communication);
  if (communication.delivery() == expected) return "";
  return fmt::format("ended as {} instead of {}; ", static_cast<int>(communication.delivery()),
                     static_cast<int>(expected));
}

std::string expect_message(RankContext& context, const Received& received, int source, int tag,
                           std::size_t bytes, std::uint64_t seed) {
  const bool fits = bytes <= received.buffer.bytes;
  std::string problems = expect_end(context, received, fits ? Delivery::done : Delivery::truncated);
  const engine::Envelope& came = received.envelope;
  if (came.source != static_cast<std::uint32_t>(source) || came.tag != tag || came.bytes != bytes)
    problems += fmt::format("{} bytes of {} with tag {} instead of {} of {} with {}; ", came.bytes,
                            came.source, came.tag, bytes, source, tag);
  return problems + received.page.compare(seed, std::min<std::size_t>(bytes, received.buffer.bytes));
}

RunOptions mail_options(int ranks, bool asleep) {
  RunOptions options{.shape = tiny_shape(ranks)};
  options.shape.heap_bytes = 64 << 20;
  if (asleep) options.ladder = shm::Ladder{0, 0, 3'600'000'000'000, 3'600'000'000'000};
  return options;
}

std::vector<Transport> transports() {
#if defined(__SANITIZE_THREAD__)  // it sees one process only
  return {Transport::threads};
#else
  return {Transport::threads, Transport::processes};
#endif
}

}  // namespace foldlane::testing
