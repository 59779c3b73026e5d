#include "side.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace foldlane::moves {
namespace {

constexpr unsigned char kCanary = 0xa5;

void lay(const Layout& layout, int elements, const unsigned char* from, unsigned char* to) {
  if (layout.is_dense()) {
    std::memcpy(to, from, static_cast<std::size_t>(elements) * layout.element);
    return;
  }
  for (int i = 0; i < elements; ++i, from += layout.element)
    std::memcpy(to + layout.place_of(i), from, layout.element);
}

}  // namespace

Noise::Noise() : bytes_(kBeginnings + kLongest) {
  matching::Random random(1);
  for (std::size_t i = 0; i + 8 <= bytes_.size(); i += 8) {
    const std::uint64_t word = random.next();
    std::memcpy(bytes_.data() + i, &word, sizeof word);
  }
}

void Side::add(const Layout& layout, int elements, Passage passage, std::size_t offset,
               bool places_in_bytes) {
  blocks_.push_back({&layout, elements, offset, passage});
  bytes_ = std::max(bytes_, offset + layout.span_of(elements));
  counts_.push_back(elements / layout.per_type());
  places_.push_back(static_cast<int>(places_in_bytes ? offset : offset / layout.extent));
  large_counts_.push_back(counts_.back());
  large_places_.push_back(places_.back());
  types_.push_back(layout.type);
}

std::vector<unsigned char> Side::image(const Noise& noise, const Move& move, int round, int mine,
                                       bool turned) const {
  std::vector<unsigned char> image(bytes_ + 2 * kGuard, kCanary);
  for (const Block& block : blocks_) {
    Passage passage = block.passage;
    if (turned) std::swap(passage.from, passage.to);
    if (passage.leads_nowhere() || (mine != kAll && passage.from != mine)) continue;
    lay(*block.layout, block.elements, noise.from(move.bytes_of(passage, round)),
        image.data() + kGuard + block.offset);
  }
  return image;
}

}  // namespace foldlane::moves
