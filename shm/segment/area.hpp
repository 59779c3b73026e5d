// What the layers above keep in the segment. They register areas; offsets, sizes, who commits them when, and
// the hash by which builds that differ refuse each other, follow from the list.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace foldlane::shm {

enum class Keeper : std::uint32_t {
  job,   // there is one, after the launcher's lines; committed with them
  rank,  // there is one in every rank's partition, on its NUMA node
};

enum class Commit : std::uint32_t {
  by_creator,  // before any rank is there: peers look at it before its rank has joined
  by_rank,     // when its rank joins; its elements are whole pages
  as_needed,   // when its rank joins the first chunk, then more, by its rank (Segment::commit_elements)
  one_by_one,  // any of them, by whoever uses it first (Segment::commit_some)
};

/// How large an area is, and whose; a part of the header.
struct AreaShape {
  std::uint64_t element_bytes;
  std::uint64_t elements;  // 0: not wanted in this job
  Keeper keeper;
  Commit commit;
};

/// A field of an element.
struct Field {
  std::string_view name;
  std::uint64_t offset;
  std::uint64_t bytes;
};

struct Area {
  std::string_view name;
  AreaShape shape;
  std::span<const Field> fields = {};  // none: bytes, as many as the creator of the segment decides
};

inline constexpr std::uint32_t kMostAreas = 9;
/// Areas begin where no prefetcher fetches a neighbour's line with theirs: it fetches pairs.
inline constexpr std::uint64_t kAreaAlignment = 128;

/// Of what two builds must agree on: the structs of this layer, and the areas with their fields, in order.
/// Not of how many elements there are, nor of the size of those without fields: that is in the header, and is
/// to be read there.
std::uint64_t layout_hash(std::span<const Area> areas);

}  // namespace foldlane::shm
