// Operations of the user on derived datatypes, none of them commutative: every reduction against the
// canonical tree, with gaps and bounds of all kinds, and at absolute addresses.
#include "support/oracle_derived.hpp"

using namespace foldlane::testing;

namespace {

// 2 x 2 matrices.

struct Matrix {
  unsigned m[4];
};

Matrix make_matrix(std::uint64_t random) {
  return {{static_cast<unsigned>(random), static_cast<unsigned>(random >> 16),
           static_cast<unsigned>(random >> 32), static_cast<unsigned>(random >> 48)}};
}

Matrix product(const Matrix& a, const Matrix& b) {
  return {{a.m[0] * b.m[0] + a.m[1] * b.m[2], a.m[0] * b.m[1] + a.m[1] * b.m[3],
           a.m[2] * b.m[0] + a.m[3] * b.m[2], a.m[2] * b.m[1] + a.m[3] * b.m[3]}};
}

// An object that wants a line of its own, as those for vector instructions do.
struct alignas(64) Lined {
  unsigned m[16];
};

Lined make_lined(std::uint64_t random) {
  Lined lined{};
  for (std::size_t i = 0; i < 16; ++i) lined.m[i] = static_cast<unsigned>(scramble(random, i));
  return lined;
}
Lined mix_lined(const Lined& a, const Lined& b) {
  Lined result{};
  for (std::size_t i = 0; i < 16; ++i) result.m[i] = a.m[i] * 31 + b.m[15 - i] * 17 + 7;
  return result;
}

void fold_lined(void* in, void* inout, int* length, MPI_Datatype* datatype) {
  const auto address = reinterpret_cast<std::uintptr_t>(in) | reinterpret_cast<std::uintptr_t>(inout);
  if (address % alignof(Lined) != 0) give_up("elements of 64 bytes are not aligned");
  fold_objects<Lined, mix_lined>(in, inout, length, datatype);
}

void check_matrices() {
  check<Lined>({"lines", contiguous(16, MPI_UNSIGNED), narrow(fold_lined), make_lined, mix_lined});
  const MPI_Datatype fields = structure({1, 1, 2}, {0, 4, 8}, {MPI_UNSIGNED, MPI_UNSIGNED, MPI_UNSIGNED});
  check<Matrix>(
      {"matrices", contiguous(4, MPI_UNSIGNED), narrow(fold_objects<Matrix, product>), make_matrix, product});
  check<Matrix>(
      {"matrices as structures", fields, wide(fold_objects_wide<Matrix, product>), make_matrix, product});
}

// Affine maps x -> a x + b, with padding behind a and a member behind b that takes no part.

struct alignas(64) Map {
  std::uint32_t a;
  std::uint64_t b;
  std::uint64_t unused[3];
};
struct MapValue {
  std::uint32_t a;
  std::uint32_t b_low, b_high;
};

std::uint64_t b_of(const MapValue& map) { return std::uint64_t{map.b_high} << 32 | map.b_low; }
MapValue map_of(std::uint32_t a, std::uint64_t b) {
  return {a, static_cast<std::uint32_t>(b), static_cast<std::uint32_t>(b >> 32)};
}
MapValue make_map(std::uint64_t random) { return map_of(static_cast<std::uint32_t>(random), random * 7); }
MapValue chain(const MapValue& l, const MapValue& r) { return map_of(l.a * r.a, l.a * b_of(r) + b_of(l)); }

void fold_maps(void* in, void* inout, int* length, MPI_Datatype* datatype) {
  check_call(*length, *datatype);
  const auto address = reinterpret_cast<std::uintptr_t>(in) | reinterpret_cast<std::uintptr_t>(inout);
  if (address % alignof(Map) != 0) give_up("elements of 64 bytes are not aligned");
  for (int i = 0; i < *length; ++i) {
    const Map left = static_cast<Map*>(in)[i], right = static_cast<Map*>(inout)[i];
    static_cast<Map*>(inout)[i] = {left.a * right.a, left.a * right.b + left.b, {1, 2, 3}};
  }
}

void check_maps() {
  const MPI_Datatype fields = structure({1, 1}, {0, 8}, {MPI_UINT32_T, MPI_UINT64_T});
  Subject<MapValue> subject{"maps", resized(fields, 0, sizeof(Map)), narrow(fold_maps), make_map, chain};
  subject.spans = {{0, 4}, {8, 8}};
  subject.extent = sizeof(Map);
  given_type = subject.datatype;
  // Not through Reduce_local, whose caller's buffers the function writes whole, with what takes no part.
  for (const std::size_t count : kCounts)
    CommWalk<MapValue>(subject, MPI_COMM_WORLD, count).run_collectives();
  MPI_Type_free(&subject.datatype);
  MPI_Op_free(&subject.op);
}

// Texts of 8 characters, 11 apart: the first ones of the left and the last ones of the right, shifted.

struct Text {
  char letters[8];
};

Text make_text(std::uint64_t random) {
  Text text;
  for (char& letter : text.letters) {
    letter = static_cast<char>('a' + random % 26);
    random /= 26;
  }
  return text;
}

Text join(const Text& left, const Text& right) {
  Text text;
  std::memcpy(text.letters, left.letters, 3);
  std::memcpy(text.letters + 3, right.letters + 4, 4);
  text.letters[7] = static_cast<char>('a' + (left.letters[7] * 3 + right.letters[0] * 5) % 26);
  return text;
}

void fold_texts(void* in, void* inout, MPI_Count* length, MPI_Datatype* datatype) {
  check_call(*length, *datatype);
  MPI_Aint lower_bound, extent;
  MPI_Type_get_extent(*datatype, &lower_bound, &extent);
  for (MPI_Count i = 0; i < *length; ++i) {
    Text left, right;
    std::memcpy(&left, static_cast<char*>(in) + i * extent, sizeof left);
    std::memcpy(&right, static_cast<char*>(inout) + i * extent, sizeof right);
    right = join(left, right);
    std::memcpy(static_cast<char*>(inout) + i * extent, &right, sizeof right);
  }
}

void check_texts() {
  for (const MPI_Aint extent : {11, 8, 100, -8, -11}) {
    Subject<Text> subject{"texts, " + std::to_string(extent) + " apart",
                          resized(contiguous(8, MPI_CHAR), 0, extent), wide(fold_texts), make_text, join};
    subject.extent = extent;
    check(subject);
  }
}

// Complex numbers whose parts are apart.

struct Parts {
  double re, im;
};

Parts make_parts(std::uint64_t random) {
  return {1 + static_cast<double>(random % 1000) / 3000,
          static_cast<double>(random / 1000 % 1000) / 2000 - 0.3};
}
Parts times(const Parts& a, const Parts& b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re + a.re};
}

std::ptrdiff_t re_at, im_at, parts_extent;

void fold_parts(void* in, void* inout, int* length, MPI_Datatype* datatype) {
  check_call(*length, *datatype);
  const auto part = [](void* base, int i, std::ptrdiff_t offset) -> double& {
    return *reinterpret_cast<double*>(reinterpret_cast<std::uintptr_t>(base) +
                                      static_cast<std::uintptr_t>(i * parts_extent + offset));
  };
  for (int i = 0; i < *length; ++i) {
    const Parts result =
        times({part(in, i, re_at), part(in, i, im_at)}, {part(inout, i, re_at), part(inout, i, im_at)});
    part(inout, i, re_at) = result.re;
    part(inout, i, im_at) = result.im;
  }
}

Subject<Parts> parts_subject(const char* name, MPI_Datatype datatype, std::ptrdiff_t re, std::ptrdiff_t im,
                             std::ptrdiff_t extent) {
  re_at = re;
  im_at = im;
  parts_extent = extent;
  Subject<Parts> subject{name, datatype, narrow(fold_parts), make_parts, times};
  subject.spans = {{re, 8}, {im, 8}};
  subject.extent = extent;
  return subject;
}

void check_parts() {
  MPI_Datatype vector, indexed, backwards;
  MPI_Type_vector(2, 1, 3, MPI_DOUBLE, &vector);
  check(parts_subject("strided parts", committed(vector), 0, 24, 32));
  const int below[] = {-2, 1}, swapped[] = {3, 0};
  MPI_Type_create_indexed_block(2, 1, below, MPI_DOUBLE, &indexed);
  check(parts_subject("parts below and above", committed(indexed), -16, 8, 32));
  MPI_Type_create_indexed_block(2, 1, below, MPI_DOUBLE, &indexed);
  check(parts_subject("parts with a lower bound", resized(indexed, -64, 96), -16, 8, 96));
  MPI_Type_create_indexed_block(2, 1, swapped, MPI_DOUBLE, &backwards);
  check(parts_subject("parts backwards", committed(backwards), 24, 0, 32));
  MPI_Type_create_indexed_block(2, 1, below, MPI_DOUBLE, &indexed);
  check(parts_subject("parts that go down", resized(indexed, 0, -48), -16, 8, -48));
}

// Elements larger than a share of a slot, and larger than a slot.

constexpr std::size_t kWords = 80'000;
std::size_t block_words;

std::uint32_t mix(std::uint32_t left, std::uint32_t right) { return left * 31 + right * 17 + 7; }

void fold_blocks(void* in, void* inout, int* length, MPI_Datatype* datatype) {
  check_call(*length, *datatype);
  const std::size_t words = static_cast<std::size_t>(*length) * block_words;
  for (std::size_t i = 0; i < words; ++i) {
    auto& right = static_cast<std::uint32_t*>(inout)[i];
    right = mix(static_cast<std::uint32_t*>(in)[i], right);
  }
}

template <std::size_t kSize>
struct Block {
  std::uint32_t words[kSize];
};

template <std::size_t kSize>
Block<kSize> make_block(std::uint64_t random) {
  Block<kSize> block;
  for (std::size_t i = 0; i < kSize; ++i) block.words[i] = static_cast<std::uint32_t>(scramble(random, i));
  return block;
}

template <std::size_t kSize>
Block<kSize> mix_blocks(const Block<kSize>& left, const Block<kSize>& right) {
  Block<kSize> block;
  for (std::size_t i = 0; i < kSize; ++i) block.words[i] = mix(left.words[i], right.words[i]);
  return block;
}

template <std::size_t kSize>
void check_block() {
  block_words = kSize;
  check<Block<kSize>>(
      {"blocks of " + std::to_string(kSize) + " words", contiguous(static_cast<int>(kSize), MPI_UINT32_T),
       narrow(fold_blocks), make_block<kSize>, mix_blocks<kSize>},
      {0, 1, 2, 5});
}

void never_called(void*, void*, int*, MPI_Datatype*) { give_up("a function was called without data"); }

void check_nothing() {
  for (MPI_Datatype type : {contiguous(0, MPI_INT), resized(contiguous(0, MPI_INT), -4, 12)}) {
    MPI_Op op = narrow(never_called);
    char buffer[100] = {};
    const std::vector<int> counts(static_cast<std::size_t>(world_size()), 2);
    in_all_forms([&] {
      perform_idle(kAllreduce, MPI_IN_PLACE, buffer, 5, type, op, MPI_COMM_WORLD);
      perform_idle(kReduce, buffer, buffer + 50, 5, type, op, 0, MPI_COMM_WORLD);
      perform_idle(kReduceScatter, buffer, buffer + 50, counts.data(), type, op, MPI_COMM_WORLD);
      perform_idle(kReduceScatterBlock, buffer, buffer + 50, 3, type, op, MPI_COMM_WORLD);
      perform_idle(kScan, buffer, buffer + 50, 5, type, op, MPI_COMM_WORLD);
      perform_idle(kExscan, buffer, buffer + 50, 5, type, op, MPI_COMM_WORLD);
      MPI_Reduce_local(buffer, buffer + 50, 5, type, op);
      perform_idle(kBcast, buffer, 5, type, 0, MPI_COMM_WORLD);
      compared_calls += 8;
    });
    for (const char byte : buffer)
      if (byte != 0) give_up("a call without data wrote");
    MPI_Type_free(&type);
    MPI_Op_free(&op);
  }
}

// Absolute addresses: every rank has its own, with an equal signature.

void check_addresses() {
  for (const int length : {1, 3, 500, 30'000}) {
    const auto size = static_cast<std::size_t>(length);
    Subject<Parts> model = parts_subject("absolute parts", MPI_DATATYPE_NULL, 0, 32, 48);
    const Inputs<Parts> inputs(model, world_size(), size);
    const auto call_once = [&](const char* name, const std::vector<Parts>& expected, auto&& body) {
      Buffer<Parts> data(model, inputs.of(my_rank())), wanted(model, expected);
      MPI_Aint address;
      MPI_Get_address(data.data(), &address);
      re_at = address;
      im_at = address + 32;
      given_type = resized(structure({1, 1}, {re_at, im_at}, {MPI_DOUBLE, MPI_DOUBLE}), 0, 48);
      body(given_type, data);
      ++compared_calls;
      if (!data.same(wanted)) give_up(std::string(name) + " at MPI_BOTTOM: differing bytes");
      MPI_Type_free(&given_type);
    };
    const auto call = [&](const char* name, const std::vector<Parts>& expected, auto&& body) {
      in_all_forms([&] { call_once(name, expected, body); });
    };
    const std::vector<Parts> all = inputs.tree(0, world_size());
    const int last = world_size() - 1;
    const MPI_Op op = model.op;
    call("MPI_Allreduce", all, [&](MPI_Datatype type, Buffer<Parts>& data) {
      perform(data, kAllreduce, MPI_IN_PLACE, MPI_BOTTOM, length, type, op, MPI_COMM_WORLD);
    });
    call("MPI_Reduce", my_rank() == last ? all : inputs.of(my_rank()),
         [&](MPI_Datatype type, Buffer<Parts>& data) {
           perform(data, kReduce, my_rank() == last ? MPI_IN_PLACE : MPI_BOTTOM, MPI_BOTTOM, length, type, op,
                   last, MPI_COMM_WORLD);
         });
    call("MPI_Scan", inputs.tree(0, my_rank() + 1), [&](MPI_Datatype type, Buffer<Parts>& data) {
      perform(data, kScan, MPI_IN_PLACE, MPI_BOTTOM, length, type, op, MPI_COMM_WORLD);
    });
    call("MPI_Bcast", inputs.of(last), [&](MPI_Datatype type, Buffer<Parts>& data) {
      perform(data, kBcast, MPI_BOTTOM, length, type, last, MPI_COMM_WORLD);
    });
    MPI_Op_free(&model.op);
  }
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  check_matrices();
  check_maps();
  check_texts();
  check_parts();
  check_block<20'000>();
  check_block<kWords>();
  check_nothing();
  check_addresses();
  report_comparisons("derived datatypes");
  MPI_Finalize();
}
