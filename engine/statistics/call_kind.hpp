// The kinds of calls that statistics tell apart: every collective in each of its forms.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "engine/collectives/collective.hpp"
#include "engine/team/call_names.hpp"

namespace foldlane::engine {

enum class Form : std::uint8_t { blocking, nonblocking, persistent };

inline constexpr std::size_t kForms = 3;
inline constexpr std::size_t kKinds =
    kForms * std::size_t(std::count_if(kCallNames.begin(), kCallNames.end(),
                                       [](const NamedCall& row) { return row.is_collective; }));

/// A number below kKinds.
struct CallKind {
  std::size_t number;

  const NamedCall& call() const noexcept { return kCallNames[number / kForms]; }
  Form form() const noexcept { return static_cast<Form>(number % kForms); }
};

inline CallKind kind_of(const Collective& call, Form form) noexcept {
  const std::uint8_t variant =
      call.call == Call::reduce_scatter && call.blocks.are_equal() ? kEqualBlocks : std::uint8_t{0};
  std::size_t row = 0;
  while (kCallNames[row].call != call.call || kCallNames[row].variant != variant) ++row;
  return {row * kForms + static_cast<std::size_t>(form)};
}

}  // namespace foldlane::engine
