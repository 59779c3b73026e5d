#include "collectives/matrix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "engine/job/areas.hpp"
#include "engine/team/team.hpp"
#include "support/inputs.hpp"

namespace foldlane::testing {
namespace {

using kernels::Elem;
using kernels::Op;

constexpr std::byte kGuard{0xa5};
constexpr std::size_t kGuardBytes = 67;  // odd: user buffers have no alignment

std::uint32_t scramble(std::uint64_t value) {
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9U;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebU;
  return static_cast<std::uint32_t>(value >> 32);
}

std::uint32_t word_at(const std::byte* from) {
  std::uint32_t word;
  std::memcpy(&word, from, sizeof word);
  return word;
}

void combine_word(const std::byte* in, std::byte* inout) {
  const std::uint32_t word = word_at(in) * 31 + word_at(inout) * 17 + 7;
  std::memcpy(inout, &word, sizeof word);
}

std::byte* moved(const void* buffer, std::int64_t offset) {
  return reinterpret_cast<std::byte*>(reinterpret_cast<std::uintptr_t>(buffer) +
                                      static_cast<std::uintptr_t>(offset));
}

/// What assigning a C structure does besides: the bytes that no member owns go along.
void assign_gaps(const Form& form, const std::byte* in, std::byte* inout) {
  for (std::int64_t at = 0; at < form.extent; ++at) {
    const bool owned = std::any_of(form.spans.begin(), form.spans.end(), [at](const Form::Span& span) {
      return at >= span.offset && at - span.offset < static_cast<std::int64_t>(span.bytes);
    });
    if (!owned) inout[at] = in[at];
  }
}

/// The caller's function: finds the words of an element by the form alone.
void combine(void* context, const void* in, void* inout, std::size_t count) {
  const Form& form = *static_cast<const Form*>(context);
  for (std::size_t i = 0; i < count; ++i) {
    const std::int64_t start = static_cast<std::int64_t>(i) * form.extent;
    if (form.assigned) assign_gaps(form, moved(in, start), moved(inout, start));
    for (const Form::Span& span : form.spans) {
      for (std::size_t at = 0; at < span.bytes; at += 4) {
        const std::int64_t offset = start + span.offset + static_cast<std::int64_t>(at);
        combine_word(moved(in, offset), moved(inout, offset));
      }
    }
  }
}

}  // namespace

std::vector<Setting> settings_for(const std::vector<int>& ranks) {
  std::vector<Setting> all;
  for (const int count : ranks) {
    all.push_back({Transport::threads, count});
#if !defined(__SANITIZE_THREAD__)  // it sees one process only
    all.push_back({Transport::processes, count});
#endif
  }
  return all;
}

std::vector<std::size_t> boundary_counts(std::size_t elem_bytes, const shm::SegmentShape& shape) {
  const std::size_t slot_bytes = engine::capacity_of(shape).slot_bytes;
  const std::size_t ring_bytes = engine::kSlots * slot_bytes;
  std::set<std::size_t> counts{0, 1, 2, 3, 7};
  for (const std::size_t bytes :
       {engine::Team::kOneLineBytes, engine::Team::kInlineBytes,
        std::size_t{8192} / std::max(1u, shape.ranks - 1), slot_bytes, ring_bytes + slot_bytes}) {
    const std::size_t edge = bytes / elem_bytes;
    counts.insert({edge > 0 ? edge - 1 : 0, edge, edge + 1});
  }
  return {counts.begin(), counts.end()};
}

std::vector<std::pair<Op, Elem>> valid_pairs() {
  std::vector<std::pair<Op, Elem>> pairs;
  for (int op = 0; op <= static_cast<int>(Op::maxloc); ++op) {
    for (int elem = 0; elem < kernels::kElemCount; ++elem) {
      if (kernels::valid(static_cast<Op>(op), static_cast<Elem>(elem))) {
        pairs.emplace_back(static_cast<Op>(op), static_cast<Elem>(elem));
      }
    }
  }
  return pairs;
}

std::vector<std::int64_t> equal_blocks(std::size_t count, int ranks) {
  return std::vector<std::int64_t>(static_cast<std::size_t>(ranks), static_cast<std::int64_t>(count) / ranks);
}

std::vector<std::int64_t> unequal_blocks(std::size_t count, int ranks, bool one_member) {
  std::vector<std::int64_t> blocks(static_cast<std::size_t>(ranks), 0);
  if (one_member) {
    blocks[static_cast<std::size_t>(ranks) / 2] = static_cast<std::int64_t>(count);
    return blocks;
  }
  const auto steps = static_cast<std::size_t>(ranks) * (static_cast<std::size_t>(ranks) - 1) / 2;
  for (std::size_t rank = 0; rank < blocks.size() && steps > 0; ++rank) {
    blocks[rank] = static_cast<std::int64_t>(count * rank / steps);
  }
  return blocks;
}

std::size_t sum(const std::vector<std::int64_t>& blocks) {
  std::size_t total = 0;
  for (const std::int64_t block : blocks) total += static_cast<std::size_t>(block);
  return total;
}

Form Form::packed(std::size_t bytes) {
  return {fmt::format("{} packed bytes", bytes),
          {{0, bytes}},
          static_cast<std::int64_t>(bytes),
          bytes,
          {},
          false};
}

Form Form::spread(std::string name, std::vector<Span> spans, std::int64_t lower_bound, std::int64_t extent) {
  Form form{std::move(name), std::move(spans), extent, 0, {}, false};
  std::vector<engine::TypeMap::Block> blocks;
  for (const Span& span : form.spans) {
    form.packed_bytes += span.bytes;
    blocks.push_back({span.offset, span.bytes});
  }
  form.type_map = engine::TypeMap::basic(1, 1).indexed(blocks)->resized(lower_bound, extent);
  return form;
}

Material::Material(Op op, Elem elem, int ranks, std::size_t most)
    : form_(Form::packed(kernels::elem_bytes(elem))), builtin_({op, elem}), most_(most) {
  form_.name = fmt::format("{} on {}", kernels::name(op), kernels::name(elem));
  reduction_ = engine::Reduction::of(op, elem);
  for (int rank = 0; rank < ranks; ++rank) {
    inputs_.push_back(
        make_input(elem, most, static_cast<std::uint64_t>(rank) * 100 + static_cast<std::uint64_t>(op)));
  }
}

Material::Material(Form form, int ranks, std::size_t most) : form_(std::move(form)), most_(most) {
  reduction_.elem_bytes = form_.packed_bytes;
  reduction_.user = {combine, &form_};
  if (form_.type_map) reduction_.type_map = &*form_.type_map;
  for (int rank = 0; rank < ranks; ++rank) {
    std::vector<std::byte> input(most * form_.packed_bytes);
    for (std::size_t at = 0; at < input.size(); at += 4) {
      const std::uint32_t word = scramble((static_cast<std::uint64_t>(rank) + 1) << 32 | at);
      std::memcpy(input.data() + at, &word, sizeof word);
    }
    inputs_.push_back(std::move(input));
  }
}

bool Material::has_padding() const {
  if (!builtin_) return false;
  const auto [op, elem] = *builtin_;
  return op == Op::minloc || op == Op::maxloc || elem == Elem::f80 || elem == Elem::c80;
}

std::vector<std::byte> Material::expected(int first, int end) const {
  if (first == end) return std::vector<std::byte>(input(0).size());
  // A team of one copies. The fold of one input is that input too, but writes its own padding.
  const bool copied = end - first == 1 && (inputs_.size() == 1 || !has_padding());
  if (copied) return input(first);
  if (builtin_) {
    std::vector<const void*> sources;
    for (int rank = first; rank < end; ++rank) sources.push_back(input(rank).data());
    std::vector<std::byte> result(input(0).size());
    kernels::fold_reference_function(builtin_->first, builtin_->second)(result.data(), sources.data(),
                                                                        sources.size(), most_);
    return result;
  }
  int half = 1;
  while (2 * half < end - first) half *= 2;
  const std::vector<std::byte> left = expected(first, first + half);
  std::vector<std::byte> right = expected(first + half, end);
  for (std::size_t at = 0; at < right.size(); at += 4) combine_word(left.data() + at, right.data() + at);
  return right;
}

Image::Image(const Form& form, std::size_t count) : form_(form) {
  std::int64_t low = form.spans.front().offset, high = low;
  for (const Form::Span& span : form.spans) {
    const std::int64_t last = count > 0 ? static_cast<std::int64_t>(count - 1) * form.extent : 0;
    low = std::min({low, span.offset, span.offset + last});
    high = std::max({high, span.offset, span.offset + last}) + static_cast<std::int64_t>(span.bytes);
  }
  low_ = low - static_cast<std::int64_t>(kGuardBytes);
  memory_.assign(static_cast<std::size_t>(high - low_) + kGuardBytes, kGuard);
}

std::byte* Image::at(std::int64_t offset) { return moved(memory_.data(), offset - low_); }

void Image::put(std::size_t first, const std::byte* packed, std::size_t count) {
  for (std::size_t i = first; i < first + count; ++i) {
    for (const Form::Span& span : form_.spans) {
      std::memcpy(at(static_cast<std::int64_t>(i) * form_.extent + span.offset), packed, span.bytes);
      packed += span.bytes;
    }
  }
}

void Image::clear(std::size_t first, std::size_t count) {
  for (std::size_t i = first; i < first + count; ++i) {
    for (const Form::Span& span : form_.spans)
      std::memset(at(static_cast<std::int64_t>(i) * form_.extent + span.offset), 0, span.bytes);
  }
}

}  // namespace foldlane::testing
