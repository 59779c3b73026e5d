// How elements are combined: a predefined kernel or a caller's function, behind one `fold`.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/data/type_map.hpp"
#include "kernels/fold.hpp"
#include "kernels/widening.hpp"

namespace foldlane::engine {

/// A caller's operation: inout[i] = in[i] op inout[i] for `count` elements as the caller's buffers hold them,
/// called with operands in canonical order.
struct UserFold {
  void (*call)(void* context, const void* in, void* inout, std::size_t count);
  void* context;
};

/// Either `builtin` or `user.call` is set. Must outlive the calls it is passed to.
struct Reduction {
  std::size_t elem_bytes = 0;  // packed
  kernels::FoldFunction builtin = nullptr;
  UserFold user{};
  /// Where the bytes of an element are in the buffers of a caller and of its function; null: packed.
  const TypeMap* type_map = nullptr;
  /// Of `builtin`: how partial results are kept; null: as elements.
  const kernels::Widening* widening = nullptr;
  bool has_padding = false;     // of elements of `builtin`: not even a fold of one source is a copy
  std::uint16_t operation = 0;  // what members must agree on (call_info.hpp); the numbers are the caller's
  std::uint16_t type = 0;

  /// Without what members must agree on.
  static Reduction of(kernels::Op op, kernels::Elem elem) {
    return {.elem_bytes = kernels::elem_bytes(elem),
            .builtin = kernels::fold_function(op, elem),
            .widening = kernels::widening(op, elem),
            .has_padding = kernels::has_padding(elem)};
  }

  std::size_t value_bytes() const { return widening != nullptr ? widening->value_bytes : elem_bytes; }

  /// dst[i] = the canonical tree over sources[0..k)[i], all of them packed. dst may be exactly one of the
  /// sources.
  void fold(void* dst, const void* const* sources, std::size_t k, std::size_t count) const;

  /// fold into elements [start, start + count) of a caller's buffer, through a small buffer of its own: with
  /// stores that bypass the caches, or unpacking where there is a type map. Advances the pointers in
  /// `sources`.
  void fold_through(std::byte* recv, std::size_t start, const void** sources, std::size_t k,
                    std::size_t count) const;

  /// inout = in op inout on a caller's buffers, without the scratch memory that a deeper tree of a caller's
  /// function needs.
  void fold_two(const void* in, void* inout, std::size_t count) const;
};

/// Elements of a first strip, so that all others begin with a line: no line is written in two ways.
std::size_t elements_to_line(const std::byte* to, std::size_t elem_bytes, std::size_t most);

}  // namespace foldlane::engine
