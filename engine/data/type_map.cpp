// Composition of type maps: the bounds of the whole out of the bounds of the parts, and its runs.
#include "engine/data/type_map.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "engine/data/type_map_runs.hpp"

namespace foldlane::engine {
namespace {

__extension__ typedef __int128 Wide;  // products of two 64-bit numbers do not overflow in it

constexpr Wide kLargest = std::numeric_limits<std::int64_t>::max();
constexpr Wide kSmallest = std::numeric_limits<std::int64_t>::min();

bool fits(Wide value) { return value >= kSmallest && value <= kLargest; }

struct Interval {
  Wide low;
  Wide high;
};

void widen(std::optional<Interval>& hull, Interval more) {
  if (!hull) hull = more;
  hull = {std::min(hull->low, more.low), std::max(hull->high, more.high)};
}

}  // namespace

// Collects the bounds of parts; any of them may leave the range of 64 bits, which valid() tells.
class TypeMap::Bounds {
 public:
  void add(const Part& part) {
    if (part.count == 0) return;
    const TypeMap& type_map = *part.type_map;
    size_ = std::min(size_ + Wide{type_map.size_bytes()} * part.count, kLargest + 1);
    const Wide last = part.displacement + Wide{part.count - 1} * part.stride;
    const Interval shift{std::min<Wide>(part.displacement, last), std::max<Wide>(part.displacement, last)};
    if (type_map.size_bytes() != 0) {
      const Wide low = type_map.true_lower_bound_;
      widen(memory_, {shift.low + low, shift.high + low + type_map.true_extent_});
      alignment_ = std::max(alignment_, type_map.alignment_);
    }
    if (type_map.explicit_bounds_) {
      const Wide low = type_map.lower_bound_;
      const Wide high = low + type_map.extent_;
      widen_markers({shift.low + low, shift.high + low}, {shift.low + high, shift.high + high});
    }
  }

  bool valid() const {
    const Wide true_extent = true_high() - true_low();
    return size_ <= kLargest && fits(true_low()) && fits(true_high()) && fits(true_extent) && fits(low()) &&
           fits(high()) && fits(high() - low());
  }

  Wide true_low() const { return memory_ ? memory_->low : 0; }
  Wide true_high() const { return memory_ ? memory_->high : 0; }
  Wide low() const { return lower_markers_ ? lower_markers_->low : true_low(); }
  Wide high() const {
    if (upper_markers_) return upper_markers_->high;
    const Wide step = alignment_;
    return true_low() + (true_high() - true_low() + step - 1) / step * step;
  }
  std::uint64_t alignment() const { return alignment_; }
  bool explicit_bounds() const { return lower_markers_.has_value(); }

 private:
  void widen_markers(Interval lower, Interval upper) {
    widen(lower_markers_, lower);
    widen(upper_markers_, upper);
  }

  Wide size_ = 0;
  std::optional<Interval> memory_;
  std::optional<Interval> lower_markers_, upper_markers_;
  std::uint64_t alignment_ = 1;
};

TypeMap::TypeMap() : runs_(std::make_shared<Runs>()), elements_{} {}

TypeMap::TypeMap(std::shared_ptr<const Runs> runs, const Bounds& bounds)
    : runs_(std::move(runs)),
      lower_bound_(static_cast<std::int64_t>(bounds.low())),
      extent_(static_cast<std::int64_t>(bounds.high() - bounds.low())),
      true_lower_bound_(static_cast<std::int64_t>(bounds.true_low())),
      true_extent_(static_cast<std::int64_t>(bounds.true_high() - bounds.true_low())),
      alignment_(bounds.alignment()),
      explicit_bounds_(bounds.explicit_bounds()) {
  settle();
}

// What follows from the runs and the extent.
void TypeMap::settle() {
  constexpr std::uint64_t kNoEnd = std::numeric_limits<std::uint64_t>::max();
  const std::vector<Run>& list = runs_->list;
  if (list.size() == 1 && list.front().count == 1) {
    const Run& only = list.front();
    elements_ = {only.offset, only.block_bytes, kNoEnd, extent_, only.inner};
  } else {
    elements_ = {0, runs_->bytes, kNoEnd, extent_, runs_};
  }
  dense_ = lower_bound_ == 0 && extent_ == static_cast<std::int64_t>(runs_->bytes) &&
           (list.empty() || (elements_.inner == nullptr && elements_.offset == 0));
}

TypeMap TypeMap::basic(std::uint64_t bytes, std::uint64_t alignment) {
  auto runs = std::make_shared<Runs>();
  runs->list = {{0, bytes, 1, 0, nullptr}};
  runs->starts = {0};
  runs->bytes = bytes;
  TypeMap type_map;
  type_map.runs_ = std::move(runs);
  type_map.extent_ = type_map.true_extent_ = static_cast<std::int64_t>(bytes);
  type_map.alignment_ = alignment;
  type_map.settle();
  return type_map;
}

std::optional<TypeMap> TypeMap::composed(std::span<const Part> parts) {
  Bounds bounds;
  for (const Part& part : parts) bounds.add(part);
  if (!bounds.valid()) return {};
  RunsBuilder builder;
  for (const Part& part : parts) {
    builder.place(part.type_map->runs_, part.displacement, part.count, part.stride);
  }
  return TypeMap(builder.finish(), bounds);
}

std::optional<TypeMap> TypeMap::contiguous(std::uint64_t count) const {
  const Part part{this, 0, count, extent_};
  return composed({&part, 1});
}

std::optional<TypeMap> TypeMap::strided(std::uint64_t count, std::uint64_t block_length,
                                        std::int64_t stride) const {
  if (count == 0) return TypeMap();
  const std::optional<TypeMap> block = contiguous(block_length);
  if (!block) return {};
  const Part part{&*block, 0, count, stride};
  return composed({&part, 1});
}

std::optional<TypeMap> TypeMap::indexed(std::span<const Block> blocks) const {
  std::vector<Part> parts;
  parts.reserve(blocks.size());
  for (const Block& block : blocks) parts.push_back({this, block.displacement, block.count, extent_});
  return composed(parts);
}

std::optional<TypeMap> TypeMap::resized(std::int64_t lower_bound, std::int64_t extent) const {
  if (!fits(Wide{lower_bound} + extent)) return {};
  TypeMap type_map = *this;
  type_map.lower_bound_ = lower_bound;
  type_map.extent_ = extent;
  type_map.explicit_bounds_ = true;
  type_map.settle();
  return type_map;
}

}  // namespace foldlane::engine
