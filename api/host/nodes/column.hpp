// What the host carries between nodes: the bytes of a column, whose members are one of each node.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "api/host/explanation.hpp"
#include "api/host/host.hpp"
#include "api/host/nodes/parts.hpp"
#include "shm/base/result.hpp"

namespace foldlane::host {

class Column {
 public:
  using Result = shm::Result<void>;

  /// Collective over `comm`, whose members of the same `number` (0 and up) are a column; kNone: in no column.
  static constexpr int kNone = -1;
  Column(const Host& host, Explanation& explanation, Handle comm, int number, int node, int nodes);
  Column(const Column&) = delete;
  Column& operator=(const Column&) = delete;
  /// All of its members do that in one call of the host's.
  ~Column();

  // Of its members alone, which are known by their nodes. Bytes are those of one member.
  Result meet();
  Result broadcast(void* data, std::size_t bytes, int root);
  Result gather(const void* own, std::size_t bytes, void* all, int root);
  Result gather_all(const void* own, std::size_t bytes, void* all);
  /// `own` has so many bytes for each member, and `all` gets them.
  Result swap(const void* own, std::size_t bytes, void* all);

  /// Of a column of two: each gets what the other one gives, in pieces that travel at the same time.
  /// `arrived` is told of each that has come and gone, in their order: what is given may be overwritten so
  /// far.
  using Arrived = std::function<void(std::size_t start, std::size_t bytes)>;
  Result trade(
      const void* given, void* taken, std::size_t bytes, std::size_t piece_bytes,
      const Arrived& arrived = [](std::size_t, std::size_t) {});

  // With other bytes on each node. What a member gives lies in its part of `all`, where it gets the others'.
  Result gather_all(std::byte* all, const Parts& parts);
  Result gather(std::byte* all, const Parts& parts, int root);
  Result scatter(std::byte* all, const Parts& parts, int root);
  /// Of what is given each node gets its part, and of what is taken each gives one.
  Result swap(const std::byte* given, const Parts& to, std::byte* taken, const Parts& from);

 private:
  Result done(const char* call, int code) const;
  std::size_t others() const noexcept { return static_cast<std::size_t>(nodes_ - 1); }

  const Host& host_;
  Explanation& explanation_;
  int node_;
  int nodes_;
  Handle comm_ = 0;
  std::vector<Handle> requests_;  // of a trade
};

}  // namespace foldlane::host
