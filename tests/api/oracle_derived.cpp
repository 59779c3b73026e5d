// Operations of the user on derived datatypes, none of them commutative: every reduction against the
// canonical tree, with gaps and bounds of all kinds; what a function of the user may do; and broadcasts
// between layouts.
#include <type_traits>

#include "oracle_comm.hpp"

using namespace foldlane::testing;

namespace {

constexpr std::size_t kCounts[] = {0, 1, 2, 3, 5, 17, 64, 300, 1025, 4097, 20'011};

MPI_Datatype given_type = MPI_DATATYPE_NULL;  // what the functions below must be called with

void check_call(MPI_Count length, MPI_Datatype datatype) {
  if (length < 1) give_up("the user's function was called for " + std::to_string(length) + " elements");
  if (datatype != given_type) give_up("the user's function was called with another datatype handle");
}

MPI_Datatype committed(MPI_Datatype type) {
  MPI_Type_commit(&type);
  return type;
}

MPI_Datatype contiguous(int count, MPI_Datatype of) {
  MPI_Datatype type;
  MPI_Type_contiguous(count, of, &type);
  return committed(type);
}

MPI_Datatype resized(MPI_Datatype of, MPI_Aint lower_bound, MPI_Aint extent) {
  MPI_Datatype type;
  MPI_Type_create_resized(of, lower_bound, extent, &type);
  MPI_Type_free(&of);
  return committed(type);
}

MPI_Datatype structure(std::vector<int> lengths, std::vector<MPI_Aint> displacements,
                       std::vector<MPI_Datatype> types) {
  MPI_Datatype type;
  MPI_Type_create_struct(static_cast<int>(lengths.size()), lengths.data(), displacements.data(), types.data(),
                         &type);
  return committed(type);
}

/// All reductions of the interface; the subject's handles are freed.
template <class T>
void check(Subject<T> subject,
           const std::vector<std::size_t>& counts = {std::begin(kCounts), std::end(kCounts)}) {
  given_type = subject.datatype;
  for (const std::size_t count : counts) CommWalk<T>(subject, MPI_COMM_WORLD, count).run();
  MPI_Type_free(&subject.datatype);
  MPI_Op_free(&subject.op);
}

MPI_Op narrow(MPI_User_function* function) {
  MPI_Op op;
  MPI_Op_create(function, 0, &op);
  return op;
}

MPI_Op wide(MPI_User_function_c* function) {
  MPI_Op op;
  MPI_Op_create_c(function, 0, &op);
  return op;
}

/// Elements whose memory is a T: the function assigns whole objects, as programs do.
template <class T, T (*kCombine)(const T&, const T&)>
void fold_objects(void* in, void* inout, int* length, MPI_Datatype* datatype) {
  check_call(*length, *datatype);
  for (int i = 0; i < *length; ++i) {
    T& right = static_cast<T*>(inout)[i];
    right = kCombine(static_cast<const T*>(in)[i], right);
  }
}

template <class T, T (*kCombine)(const T&, const T&)>
void fold_objects_wide(void* in, void* inout, MPI_Count* length, MPI_Datatype* datatype) {
  int count = static_cast<int>(*length);
  fold_objects<T, kCombine>(in, inout, &count, datatype);
}

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

// The same in an object that wants a line of its own, as those for vector instructions do.
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

// What functions of the user may do.

struct Four {
  std::uint32_t words[4];
};

Four make_four(std::uint64_t random) {
  const Matrix matrix = make_matrix(random);
  return {{matrix.m[0], matrix.m[1], matrix.m[2], matrix.m[3]}};
}

Four weigh(const Four& left, const Four& right) {
  Four result;
  for (int i = 0; i < 4; ++i) result.words[i] = (left.words[i] + right.words[i]) * 3 + left.words[i];
  return result;
}

void fold_by_calls(void* in, void* inout, int* length, MPI_Datatype* datatype) {
  check_call(*length, *datatype);
  auto* const left = static_cast<std::uint32_t*>(in);
  auto* const right = static_cast<std::uint32_t*>(inout);
  MPI_Reduce_local(in, inout, 4 * *length, MPI_UINT32_T, MPI_SUM);
  for (int i = 0; i < 4 * *length; ++i) right[i] *= 3;
  MPI_Reduce_local(left, right, 4 * *length, MPI_UINT32_T, MPI_SUM);
}

void make_and_free(void* in, void* inout, int* length, MPI_Datatype* datatype) {
  fold_by_calls(in, inout, length, datatype);
  std::vector<MPI_Datatype> types(300);
  std::vector<MPI_Op> ops(300);
  for (MPI_Datatype& type : types) type = contiguous(3, MPI_INT);
  for (MPI_Op& op : ops) op = narrow(make_and_free);
  for (MPI_Datatype& type : types) MPI_Type_free(&type);
  for (MPI_Op& op : ops) MPI_Op_free(&op);
  *length = -5;  // what a function does to its arguments does not matter
  *datatype = MPI_DATATYPE_NULL;
}

MPI_Datatype doomed_type;
MPI_Op doomed_op;
std::vector<MPI_Datatype> successors;

// Elements with a gap behind them.
void free_own_handles(void* in, void* inout, int* length, MPI_Datatype* datatype) {
  check_call(*length, *datatype);
  for (int i = 0; i < *length; ++i) {
    Four left, right;
    std::memcpy(&left, static_cast<char*>(in) + 20 * i, sizeof left);
    std::memcpy(&right, static_cast<char*>(inout) + 20 * i, sizeof right);
    right = weigh(left, right);
    std::memcpy(static_cast<char*>(inout) + 20 * i, &right, sizeof right);
  }
  if (doomed_op == MPI_OP_NULL) return;
  MPI_Type_free(&doomed_type);
  MPI_Op_free(&doomed_op);
  // What takes the place of the freed type looks different.
  for (int i = 0; i < 20; ++i) successors.push_back(resized(contiguous(1, MPI_CHAR), -3, 5));
}

void check_freed_handles() {
  for (const std::size_t count : {1ul, 100ul, 3000ul, 50'000ul}) {
    Subject<Four> subject{"elements whose handles are freed", resized(contiguous(4, MPI_UINT32_T), 0, 20),
                          MPI_OP_NULL, make_four, weigh};
    subject.extent = 20;
    const Inputs<Four> inputs(subject, world_size(), count);
    Buffer<Four> data(subject, inputs.of(my_rank())), wanted(subject, inputs.tree(0, world_size()));
    given_type = doomed_type = subject.datatype;
    doomed_op = narrow(free_own_handles);
    MPI_Allreduce(MPI_IN_PLACE, data.data(), static_cast<int>(count), doomed_type, doomed_op, MPI_COMM_WORLD);
    ++compared_calls;
    if (!data.same(wanted)) give_up("handles freed by the user's function: differing bytes");
    for (MPI_Datatype& type : successors) MPI_Type_free(&type);
    successors.clear();
    if (doomed_op == MPI_OP_NULL) continue;
    MPI_Type_free(&doomed_type);  // this rank had nothing to fold
    MPI_Op_free(&doomed_op);
  }
}

void check_functions() {
  const auto type = [] { return contiguous(4, MPI_UINT32_T); };
  check<Four>({"elements folded by MPI_Reduce_local", type(), narrow(fold_by_calls), make_four, weigh});
  check<Four>({"elements whose function makes objects", type(), narrow(make_and_free), make_four, weigh},
              {1, 3, 40, 5000});
  // Every rank has a function of its own, and handles of its own.
  for (int i = 0; i < my_rank(); ++i) static_cast<void>(narrow(fold_by_calls));
  const MPI_Op own = my_rank() % 2 == 0 ? narrow(fold_by_calls) : wide(fold_objects_wide<Four, weigh>);
  check<Four>({"elements with a function per rank", type(), own, make_four, weigh});
  check_freed_handles();
}

void never_called(void*, void*, int*, MPI_Datatype*) { give_up("a function was called without data"); }

void check_nothing() {
  for (MPI_Datatype type : {contiguous(0, MPI_INT), resized(contiguous(0, MPI_INT), -4, 12)}) {
    MPI_Op op = narrow(never_called);
    char buffer[100] = {};
    const std::vector<int> counts(static_cast<std::size_t>(world_size()), 2);
    MPI_Allreduce(MPI_IN_PLACE, buffer, 5, type, op, MPI_COMM_WORLD);
    MPI_Reduce(buffer, buffer + 50, 5, type, op, 0, MPI_COMM_WORLD);
    MPI_Reduce_scatter(buffer, buffer + 50, counts.data(), type, op, MPI_COMM_WORLD);
    MPI_Reduce_scatter_block(buffer, buffer + 50, 3, type, op, MPI_COMM_WORLD);
    MPI_Scan(buffer, buffer + 50, 5, type, op, MPI_COMM_WORLD);
    MPI_Exscan(buffer, buffer + 50, 5, type, op, MPI_COMM_WORLD);
    MPI_Reduce_local(buffer, buffer + 50, 5, type, op);
    MPI_Bcast(buffer, 5, type, 0, MPI_COMM_WORLD);
    for (const char byte : buffer)
      if (byte != 0) give_up("a call without data wrote");
    compared_calls += 8;
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
    const auto call = [&](const char* name, const std::vector<Parts>& expected, auto&& body) {
      Buffer<Parts> data(model, inputs.of(my_rank())), wanted(model, expected);
      MPI_Aint address;
      MPI_Get_address(data.data(), &address);
      re_at = address;
      im_at = address + 32;
      given_type = resized(structure({1, 1}, {re_at, im_at}, {MPI_DOUBLE, MPI_DOUBLE}), 0, 48);
      body(given_type, data.data());
      ++compared_calls;
      if (!data.same(wanted)) give_up(std::string(name) + " at MPI_BOTTOM: differing bytes");
      MPI_Type_free(&given_type);
    };
    const std::vector<Parts> all = inputs.tree(0, world_size());
    const int last = world_size() - 1;
    const MPI_Op op = model.op;
    call("MPI_Allreduce", all, [&](MPI_Datatype type, void*) {
      MPI_Allreduce(MPI_IN_PLACE, MPI_BOTTOM, length, type, op, MPI_COMM_WORLD);
    });
    call("MPI_Reduce", my_rank() == last ? all : inputs.of(my_rank()), [&](MPI_Datatype type, void*) {
      MPI_Reduce(my_rank() == last ? MPI_IN_PLACE : MPI_BOTTOM, MPI_BOTTOM, length, type, op, last,
                 MPI_COMM_WORLD);
    });
    call("MPI_Scan", inputs.tree(0, my_rank() + 1), [&](MPI_Datatype type, void*) {
      MPI_Scan(MPI_IN_PLACE, MPI_BOTTOM, length, type, op, MPI_COMM_WORLD);
    });
    call("MPI_Bcast", inputs.of(last),
         [&](MPI_Datatype type, void*) { MPI_Bcast(MPI_BOTTOM, length, type, last, MPI_COMM_WORLD); });
    MPI_Op_free(&model.op);
  }
}

// Broadcasts between layouts with equal signatures.

struct Shape {
  MPI_Datatype datatype;
  int per_pair;  // elements for two doubles
  std::vector<Span> spans;
  std::ptrdiff_t extent;
};

std::vector<Shape> shapes_of_pairs() {
  MPI_Datatype vector, indexed;
  MPI_Type_vector(2, 1, 3, MPI_DOUBLE, &vector);
  const int below[] = {-2, 1};
  MPI_Type_create_indexed_block(2, 1, below, MPI_DOUBLE, &indexed);
  return {{MPI_DOUBLE, 2, {{0, 8}}, 8},
          {contiguous(2, MPI_DOUBLE), 1, {{0, 16}}, 16},
          {committed(vector), 1, {{0, 8}, {24, 8}}, 32},
          {resized(indexed, -64, 96), 1, {{-16, 8}, {8, 8}}, 96},
          {resized(contiguous(1, MPI_DOUBLE), 0, 24), 2, {{0, 8}}, 24}};
}

/// Every rank has the shape behind that of the rank before.
void check_bcast_of_shapes() {
  const std::vector<Shape> shapes = shapes_of_pairs();
  for (std::size_t turn = 0; turn < shapes.size(); ++turn) {
    const Shape& own = shapes[(turn + static_cast<std::size_t>(my_rank())) % shapes.size()];
    for (const std::size_t pairs : {0ul, 1ul, 2ul, 3ul, 4ul, 100ul, 1000ul, 16'384ul, 50'001ul}) {
      const std::size_t elements = pairs * static_cast<std::size_t>(own.per_pair);
      Subject<double> one{"", own.datatype, MPI_OP_NULL, nullptr, nullptr, own.spans, own.extent};
      Subject<Parts> two{"", own.datatype, MPI_OP_NULL, nullptr, nullptr, own.spans, own.extent};
      for (int root = 0; root < world_size(); ++root) {
        std::vector<double> values;
        for (std::size_t i = 0; i < 2 * pairs; ++i)
          values.push_back(static_cast<double>(scramble(static_cast<std::uint64_t>(root), i)));
        const auto compare = [&](auto& subject, const auto& content) {
          Buffer data(subject, content.size()), wanted(subject, content);
          if (my_rank() == root) data.put(content.data(), content.size());
          MPI_Bcast(data.data(), static_cast<int>(elements), own.datatype, root, MPI_COMM_WORLD);
          ++compared_calls;
          if (!data.same(wanted)) give_up("MPI_Bcast between layouts: differing bytes");
        };
        std::vector<Parts> parts;
        for (std::size_t i = 0; i < pairs; ++i) parts.push_back({values[2 * i], values[2 * i + 1]});
        if (own.per_pair == 2) compare(one, values);
        if (own.per_pair == 1) compare(two, parts);
      }
    }
  }
}

// A pair has the signature of a structure with its two members; its padding is no data.
void check_bcast_of_pairs() {
  struct Pair {
    double value;
    int index;
  };
  const MPI_Datatype members = resized(structure({1, 1}, {0, 8}, {MPI_DOUBLE, MPI_INT}), 0, sizeof(Pair));
  const MPI_Datatype several = contiguous(2, MPI_DOUBLE_INT), duplicate = [] {
    MPI_Datatype type;
    MPI_Type_dup(MPI_DOUBLE_INT, &type);
    return type;
  }();
  const struct {
    MPI_Datatype datatype;
    int per_element;
  } forms[] = {{MPI_DOUBLE_INT, 1}, {members, 1}, {several, 2}, {duplicate, 1}};
  for (const int pairs : {2, 4, 100, 40'000}) {
    for (int turn = 0; turn < 4; ++turn) {
      const auto& own = forms[(turn + my_rank()) % 4];
      for (int root = 0; root < world_size(); ++root) {
        std::vector<Pair> data(static_cast<std::size_t>(pairs));
        const auto value = [root](int i) { return root * 1e6 + i; };
        for (int i = 0; i < pairs && my_rank() == root; ++i)
          data[static_cast<std::size_t>(i)] = {value(i), i - root};
        MPI_Bcast(data.data(), pairs / own.per_element, own.datatype, root, MPI_COMM_WORLD);
        ++compared_calls;
        for (int i = 0; i < pairs; ++i) {
          const Pair& pair = data[static_cast<std::size_t>(i)];
          if (pair.value != value(i) || pair.index != i - root) give_up("MPI_Bcast of pairs: wrong data");
        }
      }
    }
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
  check_functions();
  check_nothing();
  check_addresses();
  check_bcast_of_shapes();
  check_bcast_of_pairs();
  report_comparisons("derived datatypes");
  MPI_Finalize();
}
