// Composition of layouts: the bounds of the whole out of the bounds of the parts, and its runs.
#include "engine/data/layout.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "engine/data/layout_runs.hpp"

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
class Layout::Bounds {
 public:
  void add(const Part& part) {
    if (part.count == 0) return;
    const Layout& layout = *part.layout;
    size_ = std::min(size_ + Wide{layout.size_bytes()} * part.count, kLargest + 1);
    const Wide last = part.displacement + Wide{part.count - 1} * part.stride;
    const Interval shift{std::min<Wide>(part.displacement, last), std::max<Wide>(part.displacement, last)};
    if (layout.size_bytes() != 0) {
      const Wide low = layout.true_lower_bound_;
      widen(memory_, {shift.low + low, shift.high + low + layout.true_extent_});
      alignment_ = std::max(alignment_, layout.alignment_);
    }
    if (layout.explicit_bounds_) {
      const Wide low = layout.lower_bound_;
      const Wide high = low + layout.extent_;
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

Layout::Layout() : runs_(std::make_shared<Runs>()), elements_{} {}

Layout::Layout(std::shared_ptr<const Runs> runs, const Bounds& bounds)
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
void Layout::settle() {
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

Layout Layout::basic(std::uint64_t bytes, std::uint64_t alignment) {
  auto runs = std::make_shared<Runs>();
  runs->list = {{0, bytes, 1, 0, nullptr}};
  runs->starts = {0};
  runs->bytes = bytes;
  Layout layout;
  layout.runs_ = std::move(runs);
  layout.extent_ = layout.true_extent_ = static_cast<std::int64_t>(bytes);
  layout.alignment_ = alignment;
  layout.settle();
  return layout;
}

std::optional<Layout> Layout::composed(std::span<const Part> parts) {
  Bounds bounds;
  for (const Part& part : parts) bounds.add(part);
  if (!bounds.valid()) return {};
  RunsBuilder builder;
  for (const Part& part : parts) {
    builder.place(part.layout->runs_, part.displacement, part.count, part.stride);
  }
  return Layout(builder.finish(), bounds);
}

std::optional<Layout> Layout::contiguous(std::uint64_t count) const {
  const Part part{this, 0, count, extent_};
  return composed({&part, 1});
}

std::optional<Layout> Layout::strided(std::uint64_t count, std::uint64_t block_length,
                                      std::int64_t stride) const {
  if (count == 0) return Layout();
  const std::optional<Layout> block = contiguous(block_length);
  if (!block) return {};
  const Part part{&*block, 0, count, stride};
  return composed({&part, 1});
}

std::optional<Layout> Layout::indexed(std::span<const Block> blocks) const {
  std::vector<Part> parts;
  parts.reserve(blocks.size());
  for (const Block& block : blocks) parts.push_back({this, block.displacement, block.count, extent_});
  return composed(parts);
}

std::optional<Layout> Layout::resized(std::int64_t lower_bound, std::int64_t extent) const {
  if (!fits(Wide{lower_bound} + extent)) return {};
  Layout layout = *this;
  layout.lower_bound_ = lower_bound;
  layout.extent_ = extent;
  layout.explicit_bounds_ = true;
  layout.settle();
  return layout;
}

}  // namespace foldlane::engine
