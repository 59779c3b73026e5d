#include "api/datatype/external32.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "api/core/failure.hpp"
#include "api/datatype/datatype_store.hpp"

namespace foldlane::api {
namespace {

static_assert(std::endian::native == std::endian::little, "the conversions reverse the bytes");

using kernels::Elem;

enum class Form { same, signed_integer, unsigned_integer, truth, extended };

struct Scalar {
  Form form;
  std::size_t native_bytes;
  std::size_t external_bytes;
};

// A basic element is one scalar several times, and perhaps another one after it.
struct Basic {
  Scalar scalar;
  int times;
  Scalar index;  // without bytes unless the datatype is a pair
};

constexpr Scalar kNone{Form::same, 0, 0};
constexpr Scalar kInt{Form::same, 4, 4};
constexpr Scalar kLong{Form::signed_integer, 8, 4};
constexpr Scalar kExtended{Form::extended, 16, 16};

constexpr Scalar reversed(std::size_t bytes) { return {Form::same, bytes, bytes}; }

Basic basic_of(Elem elem) {
  switch (elem) {
    case Elem::f80:
      return {kExtended, 1, kNone};
    case Elem::c16:
    case Elem::c32:
    case Elem::c64:
    case Elem::c128:
      return {reversed(kernels::elem_bytes(elem) / 2), 2, kNone};
    case Elem::c80:
      return {kExtended, 2, kNone};
    case Elem::pair_f32_i32:
    case Elem::pair_i32_i32:
    case Elem::pair_f32_f32:
      return {kInt, 2, kNone};
    case Elem::pair_f64_f64:
      return {reversed(8), 2, kNone};
    case Elem::pair_f64_i32:
      return {reversed(8), 1, kInt};
    case Elem::pair_i16_i32:
      return {reversed(2), 1, kInt};
    case Elem::pair_i64_i32:  // MPI_LONG_INT
      return {kLong, 1, kInt};
    case Elem::pair_f80_i32:
      return {kExtended, 1, kInt};
    default:
      return {reversed(kernels::elem_bytes(elem)), 1, kNone};
  }
}

// The table of the standard gives some C types another size than this machine does.
Basic basic_of(const Datatype& type) {
  if (type.handle == MPI_LONG) return {kLong, 1, kNone};
  if (type.handle == MPI_UNSIGNED_LONG) return {{Form::unsigned_integer, 8, 4}, 1, kNone};
  if (type.handle == MPI_WCHAR) return {{Form::unsigned_integer, 4, 2}, 1, kNone};
  if (type.handle == MPI_C_BOOL || type.handle == MPI_CXX_BOOL) return {{Form::truth, 1, 4}, 1, kNone};
  return basic_of(type.elem);
}

__extension__ typedef __int128 Integer;

void copy_reversed(const std::byte* from, std::byte* to, std::size_t bytes) {
  std::reverse_copy(from, from + bytes, to);
}

Integer load(const std::byte* little_endian, std::size_t bytes, bool is_signed) {
  std::uint64_t value = 0;
  std::memcpy(&value, little_endian, bytes);
  const auto unused = static_cast<unsigned>(8 * (8 - bytes));
  if (!is_signed) return static_cast<Integer>(value);
  return static_cast<std::int64_t>(value << unused) >> unused;
}

// Copies an integer from one width to another, both little-endian.
void resize_integer(const std::byte* from, std::size_t from_bytes, std::byte* to, std::size_t to_bytes,
                    bool is_signed) {
  const Integer value = load(from, from_bytes, is_signed);
  const auto bits = static_cast<std::uint64_t>(value);
  std::memcpy(to, &bits, to_bytes);
  if (load(to, to_bytes, is_signed) != value) {
    fail(MPI_ERR_CONVERSION, fmt::format("{} does not fit into the {} bytes that external32 has for it",
                                         static_cast<std::int64_t>(value), to_bytes));
  }
}

#if defined(__x86_64__)
__extension__ typedef __float128 Quad;

void extend(const std::byte* native, std::byte* quad) {
  long double value;
  std::memcpy(&value, native, sizeof value);
  const Quad wide = value;
  std::memcpy(quad, &wide, sizeof wide);
}

void shorten(const std::byte* quad, std::byte* native) {
  Quad wide;
  std::memcpy(&wide, quad, sizeof wide);
  const auto value = static_cast<long double>(wide);
  std::memset(native, 0, sizeof value);
  std::memcpy(native, &value, 10);  // the rest is padding
}
#else  // long double is an IEEE quad
void extend(const std::byte* native, std::byte* quad) { std::memcpy(quad, native, 16); }
void shorten(const std::byte* quad, std::byte* native) { std::memcpy(native, quad, 16); }
#endif

struct Writer {
  const std::byte* native;
  std::byte* external;

  void scalar(const Scalar& scalar) {
    std::byte value[16] = {};  // in the external width, little-endian
    switch (scalar.form) {
      case Form::same:
        std::memcpy(value, native, scalar.native_bytes);
        break;
      case Form::signed_integer:
      case Form::unsigned_integer:
        resize_integer(native, scalar.native_bytes, value, scalar.external_bytes,
                       scalar.form == Form::signed_integer);
        break;
      case Form::truth:
        value[0] = std::byte{*native != std::byte{0}};
        break;
      case Form::extended:
        extend(native, value);
        break;
    }
    copy_reversed(value, external, scalar.external_bytes);
    native += scalar.native_bytes;
    external += scalar.external_bytes;
  }
};

struct Reader {
  const std::byte* external;
  std::byte* native;

  void scalar(const Scalar& scalar) {
    std::byte value[16] = {};  // in the external width, little-endian
    copy_reversed(external, value, scalar.external_bytes);
    switch (scalar.form) {
      case Form::same:
        std::memcpy(native, value, scalar.native_bytes);
        break;
      case Form::signed_integer:
      case Form::unsigned_integer:
        resize_integer(value, scalar.external_bytes, native, scalar.native_bytes,
                       scalar.form == Form::signed_integer);
        break;
      case Form::truth:
        *native = std::byte{load(value, scalar.external_bytes, false) != 0};
        break;
      case Form::extended:
        shorten(value, native);
        break;
    }
    native += scalar.native_bytes;
    external += scalar.external_bytes;
  }
};

// Counts instead of converting.
struct Measure {
  std::uint64_t bytes = 0;

  void basics(const Basic& basic, std::uint64_t count) {
    const auto times = static_cast<std::uint64_t>(basic.times);
    const std::uint64_t each = basic.scalar.external_bytes * times + basic.index.external_bytes;
    std::int64_t sum;
    if (__builtin_mul_overflow(each, count, &sum) || __builtin_add_overflow(bytes, sum, &sum)) {
      fail(MPI_ERR_COUNT, "the elements are too many: their external32 form exceeds 63 bits");
    }
    bytes = static_cast<std::uint64_t>(sum);
  }
};

template <class Stream>
void basics(Stream& stream, const Basic& basic, std::uint64_t count) {
  if constexpr (requires { stream.basics(basic, count); }) {
    stream.basics(basic, count);
  } else {
    for (; count != 0; --count) {
      for (int i = 0; i < basic.times; ++i) stream.scalar(basic.scalar);
      if (basic.index.native_bytes != 0) stream.scalar(basic.index);
    }
  }
}

template <class Stream>
void walk(Stream& stream, const Datatype& type, std::uint64_t count);

template <class Stream>
void walk_members(Stream& stream, const Contents& contents, std::uint64_t count) {
  for (; count != 0; --count) {
    for (std::size_t i = 0; i < contents.types.size(); ++i) {
      const std::int64_t length =
          contents.large_counts.empty() ? contents.integers[i + 1] : contents.large_counts[i + 1];
      walk(stream, *contents.types[i], static_cast<std::uint64_t>(length));
    }
  }
}

// A structure a million times is measured once.
void walk_members(Measure& measure, const Contents& contents, std::uint64_t count) {
  Measure one;
  walk_members<Measure>(one, contents, 1);
  measure.basics({{Form::same, 0, one.bytes}, 1, kNone}, count);
}

// The basic elements of `count` elements, in the order of packing. All constructors but the structure repeat
// one datatype as often as the sizes say.
template <class Stream>
void walk(Stream& stream, const Datatype& type, std::uint64_t count) {
  const Datatype* at = &type;
  while (at->size != 0 && count != 0) {
    if (at->contents == nullptr || at->contents->types.empty()) return basics(stream, basic_of(*at), count);
    if (at->contents->combiner == MPI_COMBINER_STRUCT) return walk_members(stream, *at->contents, count);
    const Datatype* const inner = at->contents->types.front().get();
    count *= static_cast<std::uint64_t>(at->size / inner->size);
    at = inner;
  }
}

}  // namespace

std::uint64_t external_bytes(const Datatype& type, std::uint64_t count) {
  Measure measure;
  walk(measure, type, count);
  return measure.bytes;
}

void write_external(const Datatype& type, std::uint64_t count, const std::byte* native, std::byte* external) {
  Writer writer{native, external};
  walk(writer, type, count);
}

void read_external(const Datatype& type, std::uint64_t count, const std::byte* external, std::byte* native) {
  Reader reader{external, native};
  walk(reader, type, count);
}

}  // namespace foldlane::api
