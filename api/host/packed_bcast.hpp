// Broadcasts of any datatype: each member may describe the same bytes by another one. What is not dense the
// host packs and unpacks, on the members that have it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "api/host/accelerator.hpp"
#include "engine/team/team.hpp"
#include "shm/base/result.hpp"

namespace foldlane::host {

/// A caller's buffer.
class PackedElements {
 public:
  PackedElements(const Accelerator& accelerator, void* buffer, std::int64_t count, Handle type, Handle comm)
      : host_(accelerator.host()),
        buffer_(static_cast<std::byte*>(buffer)),
        count_(count),
        type_(type),
        comm_(comm),
        element_bytes_(static_cast<std::int64_t>(accelerator.reductions().dense_bytes(host_.handle(type)))) {
    if (element_bytes_ == 0) [[unlikely]]
      ask_host();
  }

  bool is_dense() const noexcept { return is_dense_; }
  void* buffer() const noexcept { return buffer_; }
  std::uint64_t bytes() const noexcept { return static_cast<std::uint64_t>(count_ * element_bytes_); }

  void pack(std::byte* packed) const;
  void unpack(const std::byte* packed) const;

 private:
  void ask_host();
  /// Calls `move` for runs of elements that the host's integers can count.
  template <class Move>
  void in_runs(const Move& move) const;

  const Host& host_;
  std::byte* buffer_;
  std::int64_t count_;
  Handle type_;
  Handle comm_;
  std::int64_t element_bytes_;
  bool is_dense_ = true;
};

/// Error also: no_memory. Throws std::bad_alloc.
shm::Result<void> bcast_packed(engine::Team& team, const PackedElements& elements, int root);

}  // namespace foldlane::host
