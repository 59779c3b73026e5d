// A team whose members pull from each other's memory, without a kernel.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "model/handoff_program.hpp"

namespace foldlane::model {

/// Where the kernel copies nothing, after it has let that rank try.
struct Refused {
  const std::byte* begin = nullptr;
  const std::byte* end = nullptr;
  std::size_t from_bytes = ~std::size_t{0};  // so much at a time, wherever it is to go
  bool pushes = false;
};
inline Refused refused;

struct PullingTeam : Team {
  using Team::Team;
  struct Transfer : Team::Transfer {
    static bool has_ended(int) { return false; }
    static bool pull(int, std::uint64_t from, std::byte* to, std::size_t bytes) {
      if (Execution::current().is_draining()) return false;  // what it has read may be no address
      if ((to >= refused.begin && to < refused.end) || bytes >= refused.from_bytes) return false;
      const auto* const place = reinterpret_cast<const std::byte*>(from);
      will_read(place, bytes);
      std::copy(place, place + bytes, to);
      return true;
    }
    static bool push(int, std::uint64_t to, const std::byte* from, std::size_t bytes) {
      if (refused.pushes || Execution::current().is_draining()) return false;
      auto* const place = reinterpret_cast<std::byte*>(to);
      will_read(from, bytes);
      will_write(place, bytes);
      std::copy(from, from + bytes, place);
      return true;
    }
  };
};

}  // namespace foldlane::model
