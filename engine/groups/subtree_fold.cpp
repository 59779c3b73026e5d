#include "engine/groups/subtree_fold.hpp"

#include <algorithm>
#include <bit>
#include <memory>

namespace foldlane::engine {
namespace {

/// How many of the parts are in the left half of the subtree that they make up.
std::size_t parts_of_left_half(std::span<const Members> parts) {
  const Members whole{parts.front().first, parts.back().end() - parts.front().first};
  const auto left = static_cast<int>(std::bit_floor(static_cast<unsigned>(whole.count - 1)));
  const auto middle = std::find_if(parts.begin(), parts.end(),
                                   [&](const Members& part) { return part.first == whole.first + left; });
  return static_cast<std::size_t>(middle - parts.begin());
}

/// Whether the tree over the parts is the canonical one over as many ranks.
bool is_canonical(std::span<const Members> parts) {
  if (parts.size() == 1) return true;
  const std::size_t left = parts_of_left_half(parts);
  return left == std::bit_floor(parts.size() - 1) && is_canonical(parts.first(left)) &&
         is_canonical(parts.subspan(left));
}

/// A strip of results stays in L1 beside the sources.
constexpr std::size_t kStripBytes = 4 << 10;

}  // namespace

SubtreeFold::SubtreeFold(std::span<const Members> parts) : parts_(parts.size()) {
  if (is_canonical(parts)) {
    steps_.push_back({0, parts_, 0});
  } else {
    add(parts, 0);
  }
}

/// Adds the steps that make the value of these parts, the first of which is operand `first`; returns which
/// operand it is.
std::size_t SubtreeFold::add(std::span<const Members> parts, std::size_t first) {
  if (parts.size() == 1) return first;
  if (is_canonical(parts)) {
    steps_.push_back({first, parts.size(), 0});
  } else {
    const std::size_t left = parts_of_left_half(parts);
    const std::size_t a = add(parts.first(left), first);
    const std::size_t b = add(parts.subspan(left), first + left);
    steps_.push_back({a, 2, b});
  }
  return parts_ + steps_.size() - 1;
}

void SubtreeFold::operator()(const Reduction& reduction, void* dst, const void* const* sources,
                             std::size_t count) const {
  if (steps_.size() == 1) return reduction.fold(dst, sources, parts_, count);
  const std::size_t elem_bytes = reduction.elem_bytes;
  const std::size_t strip =
      std::clamp<std::size_t>(kStripBytes / elem_bytes, 1, std::max<std::size_t>(1, count));
  const std::size_t stride_bytes = (strip * elem_bytes + 63) / 64 * 64;
  const auto scratch = std::make_unique_for_overwrite<std::byte[]>(stride_bytes * steps_.size());
  std::vector<const void*> operands(parts_ + steps_.size());
  for (std::size_t done = 0; done < count; done += strip) {
    for (std::size_t part = 0; part < parts_; ++part)
      operands[part] = static_cast<const std::byte*>(sources[part]) + done * elem_bytes;
    run_steps(reduction, static_cast<std::byte*>(dst) + done * elem_bytes, operands, scratch.get(),
              stride_bytes, std::min(strip, count - done));
  }
}

void SubtreeFold::run_steps(const Reduction& reduction, void* dst, std::vector<const void*>& operands,
                            std::byte* scratch, std::size_t stride_bytes, std::size_t count) const {
  for (std::size_t at = 0; at < steps_.size(); ++at) {
    const Step& step = steps_[at];
    void* const to = at + 1 == steps_.size() ? dst : scratch + at * stride_bytes;
    if (step.second != 0) {
      const void* const both[] = {operands[step.first], operands[step.second]};
      reduction.fold(to, both, 2, count);
    } else {
      reduction.fold(to, operands.data() + step.first, step.count, count);
    }
    operands[parts_ + at] = to;
  }
}

}  // namespace foldlane::engine
