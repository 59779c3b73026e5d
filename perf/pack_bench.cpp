// Packing and unpacking of datatypes against the loop that a programmer would write by hand. Both are timed
// in turns, so that what the machine does meanwhile befalls both; "x_hand" is the ratio of the medians.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "engine/data/type_map.hpp"
#include "perf/cases.hpp"

namespace foldlane::perf {
namespace {

using engine::TypeMap;

/// Memory, its packed form, and the two ways between them.
struct Subject {
  TypeMap type_map;
  std::vector<double> memory;
  std::vector<double> packed;
  std::vector<int> displacements;  // of the blocks, in doubles
  std::vector<int> lengths;
  std::size_t stride = 0;  // of a vector, in doubles

  std::byte* memory_bytes() { return reinterpret_cast<std::byte*>(memory.data()); }
  std::byte* packed_bytes() { return reinterpret_cast<std::byte*>(packed.data()); }
  std::size_t bytes() const { return packed.size() * sizeof(double); }
};

/// Blocks with gaps of random lengths between them.
Subject indexed(std::size_t bytes, const auto& length_of) {
  Subject subject;
  std::mt19937 random(1);
  std::size_t place = 0, packed = 0;
  std::vector<TypeMap::Block> blocks;
  while (packed < bytes / sizeof(double)) {
    const auto length = static_cast<std::size_t>(length_of(random));
    subject.displacements.push_back(static_cast<int>(place));
    subject.lengths.push_back(static_cast<int>(length));
    blocks.push_back({static_cast<std::int64_t>(place * sizeof(double)), length});
    place += length + 1 + random() % (2 * length);
    packed += length;
  }
  subject.memory.assign(place, 1.0);
  subject.packed.assign(packed, 0.0);
  subject.type_map = *TypeMap::basic(sizeof(double), sizeof(double)).indexed(blocks);
  return subject;
}

template <int kLength>
Subject equal_blocks(std::size_t bytes) {
  return indexed(bytes, [](auto&) { return kLength; });
}

Subject unequal_blocks(std::size_t bytes) {
  return indexed(bytes, [](auto& random) { return 1 + random() % 16; });
}

template <int kLength>
Subject strided_blocks(std::size_t bytes) {
  Subject subject;
  const std::size_t blocks = bytes / sizeof(double) / kLength;
  subject.stride = 2 * kLength;
  subject.memory.assign(blocks * subject.stride, 1.0);
  subject.packed.assign(blocks * kLength, 0.0);
  subject.type_map =
      *TypeMap::basic(sizeof(double), sizeof(double))
           .strided(blocks, kLength, static_cast<std::int64_t>(subject.stride * sizeof(double)));
  return subject;
}

struct Particle {
  double mass;
  float charge;
  int kind;
  double unsent;
  double place[3];
};
constexpr std::size_t kParticleDoubles = sizeof(Particle) / sizeof(double);
constexpr std::size_t kSentDoubles = kParticleDoubles - 1;

Subject structures(std::size_t bytes) {
  Subject subject;
  const std::size_t count = bytes / sizeof(double) / kSentDoubles;
  subject.memory.assign(count * kParticleDoubles, 1.0);
  subject.packed.assign(count * kSentDoubles, 0.0);
  const TypeMap f64 = TypeMap::basic(8, 8), f32 = TypeMap::basic(4, 4);
  const TypeMap::Part parts[] = {{&f64, offsetof(Particle, mass), 1, 8},
                                 {&f32, offsetof(Particle, charge), 1, 4},
                                 {&f32, offsetof(Particle, kind), 1, 4},
                                 {&f64, offsetof(Particle, place), 3, 8}};
  subject.type_map = *TypeMap::composed(parts);
  return subject;
}

// ---- by hand: `copy` takes an element of memory and its place in the packed form

template <int kLength>
void walk_indexed(Subject& subject, const auto& copy) {
  double *memory = subject.memory.data(), *packed = subject.packed.data();
  const int* const displacements = subject.displacements.data();
  const std::size_t blocks = subject.displacements.size();
  for (std::size_t block = 0; block < blocks; ++block)
    for (int i = 0; i < kLength; ++i) copy(memory[displacements[block] + i], *packed++);
}

void walk_lengths(Subject& subject, const auto& copy) {
  double *memory = subject.memory.data(), *packed = subject.packed.data();
  const int *const displacements = subject.displacements.data(), *const lengths = subject.lengths.data();
  const std::size_t blocks = subject.displacements.size();
  for (std::size_t block = 0; block < blocks; ++block)
    for (int i = 0; i < lengths[block]; ++i) copy(memory[displacements[block] + i], *packed++);
}

template <int kLength>
void walk_strided(Subject& subject, const auto& copy) {
  double *memory = subject.memory.data(), *packed = subject.packed.data();
  const std::size_t blocks = subject.packed.size() / kLength, stride = subject.stride;
  for (std::size_t block = 0; block < blocks; ++block, memory += stride)
    for (int i = 0; i < kLength; ++i) copy(memory[i], *packed++);
}

void walk_structures(Subject& subject, const auto& copy) {
  double *memory = subject.memory.data(), *packed = subject.packed.data();
  const std::size_t count = subject.packed.size() / kSentDoubles;
  for (std::size_t n = 0; n < count; ++n, memory += kParticleDoubles, packed += kSentDoubles) {
    copy(memory[0], packed[0]);
    copy(memory[1], packed[1]);  // charge and kind
    for (std::size_t i = 0; i < 3; ++i) copy(memory[3 + i], packed[2 + i]);
  }
}

void put(const double& memory, double& packed) { packed = memory; }
void take(double& memory, const double& packed) { memory = packed; }

// ---- cases

double timed_ns(const auto& action) {
  const auto start = std::chrono::steady_clock::now();
  action();
  benchmark::ClobberMemory();
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

void run_in_turns(benchmark::State& state, const auto& ours, const auto& by_hand) {
  std::vector<double> own_ns, hand_ns;
  for (auto _ : state) {
    hand_ns.push_back(timed_ns(by_hand));
    own_ns.push_back(timed_ns(ours));
    state.SetIterationTime(own_ns.back() * 1e-9);
  }
  state.counters["x_hand"] = median(own_ns) / median(hand_ns);
}

template <class Make, class Walk>
void add_case(const std::string& name, std::size_t bytes, const Make& make, const Walk& walk) {
  const auto add = [&](const char* direction, const auto& run) {
    const std::string full = std::string(direction) + "/" + name + "/" + std::to_string(bytes >> 10) + "KiB";
    benchmark::RegisterBenchmark(full.c_str(), run)->UseManualTime()->Iterations(201);
  };
  add("pack", [=](benchmark::State& state) {
    Subject subject = make(bytes);
    run_in_turns(
        state,
        [&] { subject.type_map.pack(subject.packed_bytes(), subject.memory_bytes(), 0, subject.bytes()); },
        [&] { walk(subject, [](auto& memory, auto& packed) { put(memory, packed); }); });
  });
  add("unpack", [=](benchmark::State& state) {
    Subject subject = make(bytes);
    run_in_turns(
        state,
        [&] { subject.type_map.unpack(subject.memory_bytes(), subject.packed_bytes(), 0, subject.bytes()); },
        [&] { walk(subject, [](auto& memory, auto& packed) { take(memory, packed); }); });
  });
}

template <int kLength>
void add_equal_blocks(std::size_t bytes) {
  const std::string length = std::to_string(kLength);
  add_case("indexed_" + length, bytes, equal_blocks<kLength>,
           [](Subject& subject, const auto& copy) { walk_indexed<kLength>(subject, copy); });
  add_case("vector_" + length, bytes, strided_blocks<kLength>,
           [](Subject& subject, const auto& copy) { walk_strided<kLength>(subject, copy); });
}

}  // namespace

void register_cases() {
  for (const std::size_t bytes : {64U << 10, 512U << 10, 4U << 20}) {
    add_equal_blocks<1>(bytes);
    add_equal_blocks<2>(bytes);
    add_equal_blocks<3>(bytes);
    add_equal_blocks<8>(bytes);
    add_equal_blocks<16>(bytes);
    add_case("indexed_1_to_16", bytes, unequal_blocks,
             [](Subject& subject, const auto& copy) { walk_lengths(subject, copy); });
    add_case("structs", bytes, structures,
             [](Subject& subject, const auto& copy) { walk_structures(subject, copy); });
  }
  benchmark::AddCustomContext("x_hand", "time of TypeMap::pack or unpack / time of the loop by hand");
}

}  // namespace foldlane::perf
