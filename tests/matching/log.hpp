// What the ranks of a program have seen, as numbers that a sum over the ranks puts together.
#pragma once

#include <cstdint>
#include <vector>

#include "matching/program.hpp"

namespace foldlane::matching {

enum class Seen : std::int64_t { nothing, message, cancelled, nobody };
/// What a rank notices by itself.
enum class Complaint : std::int64_t { none, memory, count, nobody, index, request, handle };
const char* text_of(Complaint complaint);

/// Of one call. Of a nonblocking receive it is what its request has led to.
struct Record {
  std::int64_t seen = 0;    // a Seen; the bits of what a wait or test has completed
  std::int64_t source = 0;  // rank in the communicator
  std::int64_t tag = 0;
  std::int64_t units = 0;
  std::int64_t id = 0;         // of the message, as far as its bytes go
  std::int64_t complaint = 0;  // a Complaint
};
inline constexpr std::size_t kWords = sizeof(Record) / sizeof(std::int64_t);

/// By call.
using Log = std::vector<Record>;

/// The first bytes of a message: no other of this or other programs has them.
inline std::uint32_t id_of(const Program& program, int message) {
  return (static_cast<std::uint32_t>(program.seed * 0x9e3779b1U) & 0xffff0000U) +
         static_cast<std::uint32_t>(message) + 1;
}

}  // namespace foldlane::matching
