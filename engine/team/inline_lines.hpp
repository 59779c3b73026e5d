// What travels beside the epoch: each member has a ring of inline lines.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

#include "engine/data/type_map.hpp"
#include "engine/team/agreement.hpp"
#include "engine/team/membership.hpp"
#include "engine/team/readers.hpp"
#include "engine/team/transfer.hpp"
#include "kernels/copy.hpp"

namespace foldlane::engine {

template <class Atoms>
class BasicInlineLines {
 public:
  using Lines = BasicTeamLines<Atoms>;

  BasicInlineLines(const BasicMembership<Atoms>& membership, const BasicAgreement<Atoms>& agreement)
      : membership_(membership),
        agreement_(agreement),
        shifted_(static_cast<std::size_t>(membership.size())) {
    if (membership.size() > kMostTabled) return;
    tabled_bytes_ = Lines::kOneLinePayloadBytes;
    payloads_.reserve(Lines::kInlineLines * shifted_.size());
    for (std::uint64_t epoch = 0; epoch < Lines::kInlineLines; ++epoch) {
      rows_[epoch] = payloads_.data() + payloads_.size();
      for (int member = 0; member < membership.size(); ++member)
        payloads_.push_back(payload(member, epoch, 0));
    }
  }
  BasicInlineLines(const BasicInlineLines&) = delete;
  BasicInlineLines& operator=(const BasicInlineLines&) = delete;

  /// Needs inline_free(epoch) awaited. At most Lines::kPayloadBytes, packed from the start of a caller's
  /// buffer.
  void show(std::uint64_t epoch, const void* data, std::size_t bytes, const TypeMap* type_map = nullptr) {
    const auto& membership = membership_;
    auto& line = membership.own_lines().inline_lines[epoch % Lines::kInlineLines];
    std::byte* const place = line.payload + Lines::Inline::start_of(bytes);
    fetch_both(line, bytes);
    Atoms::writes(place, bytes);
    if (bytes == 0 || data == kNoInput) {
      // nothing but the mark
    } else if (type_map != nullptr) {
      type_map->pack(place, static_cast<const std::byte*>(data), 0, bytes);
    } else if (bytes == sizeof(double)) [[likely]] {  // without calling memcpy
      std::memcpy(place, data, sizeof(double));
    } else {
      std::memcpy(place, data, bytes);
    }
    publish(line, epoch, bytes);
  }
  /// The same for what `pack(place)` writes.
  template <class Pack>
  void show_packed(std::uint64_t epoch, std::size_t bytes, const Pack& pack) {
    auto& line = own_line(epoch);
    std::byte* const place = line.payload + Lines::Inline::start_of(bytes);
    fetch_both(line, bytes);
    Atoms::writes(place, bytes);
    pack(place);
    publish(line, epoch, bytes);
  }
  /// The same beside a number, which readers find before they know how many bytes there are: at most
  /// kBytesBesideNumber.
  template <class Pack>
  void show_with(std::uint64_t epoch, std::uint64_t number, std::size_t bytes, const Pack& pack) {
    auto& line = own_line(epoch);
    std::byte* const place = line.payload + start_beside_number(bytes);
    fetch_both(line, bytes + sizeof number);
    Atoms::writes(place, bytes);
    pack(place);
    std::byte* const at = line.payload + kBytesBesideNumber;
    Atoms::writes(at, sizeof number);
    std::memcpy(at, &number, sizeof number);
    publish(line, epoch, bytes + sizeof number);
  }
  template <class Value>
  void show_value_with(std::uint64_t epoch, std::uint64_t number, const Value& value) {
    show_with(epoch, number, sizeof value,
              [&](std::byte* place) { std::memcpy(place, &value, sizeof value); });
    static_assert(sizeof value <= kBytesBesideNumber && std::is_trivially_copyable_v<Value>);
  }
  static constexpr std::size_t kBytesBesideNumber = Lines::kPayloadBytes - sizeof(std::uint64_t);
  /// The epoch that my line of `epoch` was last used in.
  std::uint64_t last_use(std::uint64_t epoch) const noexcept { return used_[epoch % Lines::kInlineLines]; }

  /// Of so many bytes.
  const std::byte* payload(int member, std::uint64_t epoch, std::size_t bytes) const noexcept {
    return membership_.lines(member).inline_lines[epoch % Lines::kInlineLines].payload +
           Lines::Inline::start_of(bytes);
  }

  /// The same of all members, for who reads one after the other.
  class Payloads {
   public:
    Payloads(const BasicMembership<Atoms>& membership, const std::byte* of_first) noexcept
        : membership_(membership), offset_(of_first - start_of(0)) {}
    const std::byte* of(int member) const noexcept { return start_of(member) + offset_; }

   private:
    const std::byte* start_of(int member) const noexcept {
      return reinterpret_cast<const std::byte*>(&membership_.lines(member));
    }

    const BasicMembership<Atoms>& membership_;
    std::ptrdiff_t offset_;
  };
  Payloads payloads(std::uint64_t epoch, std::size_t bytes) const noexcept {
    return {membership_, payload(0, epoch, bytes)};
  }

  /// What show_with() showed.
  std::uint64_t number(int member, std::uint64_t epoch) const noexcept {
    const std::byte* const at = payload(member, epoch, Lines::kPayloadBytes) + kBytesBesideNumber;
    std::uint64_t number;
    Atoms::reads(at, sizeof number);
    std::memcpy(&number, at, sizeof number);
    return number;
  }
  const std::byte* payload_beside_number(int member, std::uint64_t epoch, std::size_t bytes) const noexcept {
    return payload(member, epoch, Lines::kPayloadBytes) + start_beside_number(bytes);
  }
  template <class Value>
  void read_beside_number(int member, std::uint64_t epoch, Value& value) const noexcept {
    const std::byte* const place = payload_beside_number(member, epoch, sizeof value);
    Atoms::reads(place, sizeof value);
    std::memcpy(&value, place, sizeof value);
  }

  /// For who only reads, while it reads the line of `epoch`: a later one, which its writer may have filled
  /// already, comes meanwhile (gather of 8 bytes by two ranks, back to back, without and with, far: 260 and
  /// 142 ns, near: 60 and 52; with a barrier after each, far: the same). Only where nobody else reads it:
  /// each early reader is one more that the writer must take the line back from.
  void fetch_later(int member, std::uint64_t epoch) const noexcept {
    constexpr std::uint64_t kAhead = 4;
    kernels::prefetch(payload(member, epoch + kAhead, 0), shm::kLineBytes);
  }

  /// To be written by this member itself, after its show().
  std::byte* own_payload(std::uint64_t epoch, std::size_t bytes) const noexcept {
    return membership_.own_lines().inline_lines[epoch % Lines::kInlineLines].payload +
           Lines::Inline::start_of(bytes);
  }

  /// The same as a value. Needs shown(member, epoch) awaited.
  template <class Value>
  void read(int member, std::uint64_t epoch, Value& value) const noexcept {
    const std::byte* const place = payload(member, epoch, sizeof value);
    Atoms::reads(place, sizeof value);
    std::memcpy(&value, place, sizeof value);
  }

  /// The sources of a fold of `wanted` bytes from `offset` on of the `bytes` that all members show, but for
  /// this member's: its own buffer, or its line if that is null.
  const void* const* sources(std::uint64_t epoch, const std::byte* own, std::size_t bytes, std::size_t offset,
                             std::size_t wanted) noexcept {
    const int rank = membership_.rank();
    for (int member = 0; member < membership_.size(); ++member) {
      if (member != rank || own == nullptr) Atoms::reads(payload(member, epoch, bytes) + offset, wanted);
    }
    if (own == nullptr) own = payload(rank, epoch, bytes);
    const auto here = static_cast<std::size_t>(rank);
    if (offset == 0 && bytes <= tabled_bytes_) [[likely]] {
      const void** const payloads = rows_[epoch % Lines::kInlineLines];
      payloads[here] = own;
      return payloads;
    }
    for (int member = 0; member < membership_.size(); ++member)
      shifted_[static_cast<std::size_t>(member)] = payload(member, epoch, bytes) + offset;
    shifted_[here] = own + offset;
    return shifted_.data();
  }

  /// Who reads my line of `epoch`, to be filled in.
  std::vector<int>& note_readers(std::uint64_t epoch) {
    return readers_[epoch % Lines::kInlineLines].begin(epoch);
  }
  /// Of its last use. Null: everybody may have read it.
  const Readers* readers(std::uint64_t epoch) const noexcept {
    const Readers& readers = readers_[epoch % Lines::kInlineLines];
    return readers.epoch != 0 && readers.epoch == used_[epoch % Lines::kInlineLines] ? &readers : nullptr;
  }

 private:
  using Line = typename Lines::Inline;

  Line& own_line(std::uint64_t epoch) noexcept {
    return membership_.own_lines().inline_lines[epoch % Lines::kInlineLines];
  }
  /// Where a payload takes two lines they come at the same time: stores would wait for one after the other
  /// (allreduce of 64 B, hot, far: 0.34 and 0.23 us, which is what 8 B take).
  [[gnu::always_inline]] static void fetch_both(Line& line, std::size_t bytes) noexcept {
    if (bytes > Lines::kOneLinePayloadBytes)
      kernels::fetch_to_write(reinterpret_cast<std::byte*>(&line), sizeof line);
  }
  [[gnu::always_inline]] void publish(Line& line, std::uint64_t epoch, std::size_t bytes) noexcept {
    used_[epoch % Lines::kInlineLines] = epoch;
    membership_.signals().publish(line.mark, agreement_.mark(epoch));  // [H2.rel]
    fetch_ahead(own_line(epoch + 1), bytes);
  }
  /// The next line comes back from who has read it while this member waits for the others. The store of its
  /// mark would wait for that, and so would they (8 B, hot, far, with time between the calls, by launch:
  /// allreduce 1.04 to 1.5 x as fast, bcast 1.2 to 1.6; allreduces one behind the other 1.0). Of two lines
  /// the readers' prefetchers would take the next ones away again (64 B: 1.09 to 1.15 x the time).
  [[gnu::always_inline]] static void fetch_ahead(Line& line, std::size_t bytes) noexcept {
    if (bytes <= Lines::kOneLinePayloadBytes)
      kernels::fetch_to_write(line.payload + Line::start_of(0), shm::kLineBytes);
  }
  /// With the number in the mark's line, if they fit there.
  static constexpr std::size_t start_beside_number(std::size_t bytes) noexcept {
    return Line::start_of(bytes + sizeof(std::uint64_t));
  }

  const BasicMembership<Atoms>& membership_;
  const BasicAgreement<Atoms>& agreement_;
  /// In larger teams the table would take more memory than it saves time.
  static constexpr int kMostTabled = 64;

  std::size_t tabled_bytes_ = 0;                          // payloads of so many are in the table
  std::vector<const void*> payloads_;                     // where they begin: by line, and there by member
  std::array<const void**, Lines::kInlineLines> rows_{};  // of that table
  std::array<std::uint64_t, Lines::kInlineLines> used_{};
  std::vector<const void*> shifted_;
  std::array<Readers, Lines::kInlineLines> readers_{};
};

}  // namespace foldlane::engine
