// Calls over several nodes whose results differ from member to member.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "api/host/nodes/across_nodes.hpp"
#include "kernels/copy.hpp"

namespace foldlane::host {
namespace {

using engine::BlockCounts;
using engine::Prefix;
using engine::Reduction;
using Result = shm::Result<void>;

}  // namespace

/// The blocks of one node after the other are folded on this one, and each member keeps those of its column.
Result AcrossNodes::reduce_scatter(const void* send, void* recv, const BlockCounts& counts,
                                   const Reduction& reduction) {
  const int members = team_.size();
  std::size_t kept = 0, start = 0;
  for (int node = 0; node < placement_.nodes(); ++node)
    kept += static_cast<std::size_t>(counts[node * members + index()]);
  std::byte* own = own_.room_for(kept * reduction.elem_bytes);
  for (int node = 0; node < placement_.nodes(); ++node) {
    std::vector<std::int64_t> blocks;
    for (int i = 0; i < members; ++i) blocks.push_back(counts[node * members + i]);
    const auto* const from = static_cast<const std::byte*>(send) + start * reduction.elem_bytes;
    Result folded = engine::reduce_scatter(team_, from, own, BlockCounts(blocks.data()), reduction);
    if (!folded.ok()) return folded;
    own += static_cast<std::size_t>(blocks[static_cast<std::size_t>(index())]) * reduction.elem_bytes;
    for (const std::int64_t block : blocks) start += static_cast<std::size_t>(block);
  }
  return fold_blocks(reduction, counts, static_cast<std::byte*>(recv));
}

/// Of all nodes' values of this member's block. In a round each node gets a piece of its block.
Result AcrossNodes::fold_blocks(const Reduction& reduction, const BlockCounts& counts, std::byte* recv) {
  const auto nodes = static_cast<std::size_t>(placement_.nodes());
  std::vector<std::size_t> lengths;
  for (int node = 0; node < placement_.nodes(); ++node)
    lengths.push_back(static_cast<std::size_t>(counts[node * team_.size() + index()]));
  const std::size_t longest = *std::max_element(lengths.begin(), lengths.end());
  const std::size_t most =
      std::min(longest, std::max<std::size_t>(1, chunk_bytes(placement_.nodes()) / reduction.elem_bytes));
  std::byte* const given = result_.room_for(nodes * most * reduction.elem_bytes);
  std::byte* const taken = all_.room_for(nodes * most * reduction.elem_bytes);
  for (std::size_t done = 0; done < longest; done += most) {
    std::vector<int> bytes;
    for (const std::size_t length : lengths)
      bytes.push_back(
          static_cast<int>(std::min(most, length - std::min(done, length)) * reduction.elem_bytes));
    const auto piece_bytes = static_cast<std::size_t>(bytes[static_cast<std::size_t>(seat_.node)]);
    const Parts to(std::move(bytes)), from(std::vector<int>(nodes, static_cast<int>(piece_bytes)));
    const std::byte* own = own_.room_for(0);
    for (std::size_t node = 0; node < nodes; own += lengths[node++] * reduction.elem_bytes)
      kernels::copy(given + to.start(static_cast<int>(node)), own + done * reduction.elem_bytes,
                    static_cast<std::size_t>(to.bytes(static_cast<int>(node))));
    if (Result swapped = column_.swap(given, to, taken, from); !swapped.ok()) return swapped;
    if (piece_bytes > 0)
      fold_all(reduction, taken, piece_bytes, piece_bytes / reduction.elem_bytes,
               recv + done * reduction.elem_bytes);
  }
  return {};
}

Result AcrossNodes::scan(const void* send, void* recv, std::size_t count, const Reduction& reduction,
                         Prefix prefix) {
  const std::size_t most = std::max<std::size_t>(1, chunk_bytes(placement_.nodes()) / reduction.elem_bytes);
  Result folded;
  for (std::size_t done = 0; done < count && folded.ok(); done += most)
    folded = scan_chunk(static_cast<const std::byte*>(send) + done * reduction.elem_bytes,
                        static_cast<std::byte*>(recv) + done * reduction.elem_bytes,
                        std::min(most, count - done), reduction, prefix);
  return folded;
}

/// The values of the nodes before this one, and then the prefix on this one.
Result AcrossNodes::scan_chunk(const std::byte* send, std::byte* recv, std::size_t count,
                               const Reduction& reduction, Prefix prefix) {
  const std::size_t bytes = count * reduction.elem_bytes;
  const auto before = static_cast<std::size_t>(seat_.node);
  std::byte* const own = own_.room_for(bytes);
  std::byte* const values = all_.room_for(before * bytes);
  std::byte* const here = result_.room_for(bytes);
  Result known = engine::reduce(team_, send, index() == 0 ? own : nullptr, count, reduction, 0);
  if (known.ok()) known = engine::scan(team_, send, here, count, reduction, prefix);
  if (known.ok() && index() == 0) known = pass_to_later_nodes(own, bytes, values);
  if (known.ok() && before > 0) known = on_node_.broadcast(values, before * bytes, 0);
  std::vector<const void*> sources;
  for (std::size_t node = 0; node < before; ++node) sources.push_back(values + node * bytes);
  if (prefix == Prefix::inclusive || index() > 0) sources.push_back(here);
  if (known.ok() && !sources.empty()) reduction.fold(recv, sources.data(), sources.size(), count);
  return known;
}

/// And get theirs from those before.
Result AcrossNodes::pass_to_later_nodes(const std::byte* own, std::size_t bytes, std::byte* values) {
  const auto nodes = static_cast<std::size_t>(placement_.nodes()),
             here = static_cast<std::size_t>(seat_.node);
  std::vector<int> to(nodes), from(nodes);
  std::fill(to.begin() + seat_.node + 1, to.end(), static_cast<int>(bytes));
  std::fill_n(from.begin(), here, static_cast<int>(bytes));
  return column_.swap(own, Parts::prefixes(std::move(to)), values, Parts(std::move(from)));
}

}  // namespace foldlane::host
