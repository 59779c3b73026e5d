// The memory of the kernels' cases: streams that together fill half of a cache, or twice the largest one.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "kernels/elem.hpp"

namespace foldlane::perf {

/// Where the data of a case are.
struct Level {
  std::string name;   // "L1", "L2", "L3", "DRAM"
  std::size_t bytes;  // of all streams together
};

/// Of this machine; a level whose size is unknown is left out.
const std::vector<Level>& levels();

class Streams {
 public:
  /// Cut from one region that all cases share, whose elements are ones. The region is in huge pages if the
  /// kernel gives any.
  Streams(const Level& level, std::size_t sources, kernels::Elem elem);

  std::size_t bytes() const { return bytes_; }  // of one stream, a multiple of kRoofBytes
  void* result() const { return result_; }
  const void* const* sources() const { return sources_.data(); }

 private:
  std::size_t bytes_;
  std::vector<const void*> sources_;
  std::byte* result_;
};

}  // namespace foldlane::perf
