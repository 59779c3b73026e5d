// Rotations put one after another by an MPI operation of one's own, which does not commute.
//
// A robot's arm has as many joints as the job has ranks. Each rank knows how its joint is turned, at each of
// many moments. Which way a joint points is the product of the rotations of all joints up to it, in the order
// of the ranks: MPI_Scan finds that for every joint, MPI_Reduce and MPI_Allreduce for the tip of the arm.
//
// The rotations are unit quaternions whose parts are integers modulo a prime instead of floating-point
// numbers: the same algebra without roundings, so that every result is compared exactly with the product that
// one rank computes alone.
//
//   mpicxx -std=c++17 rotations.cpp -o rotations && mpiexec -n 5 ./rotations [moments]
#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

// ---- Integers modulo a prime ----

constexpr std::uint64_t kPrime = 2147483647;  // 2^31 - 1: products fit in 64 bits

std::uint32_t modulo(std::uint64_t value) { return static_cast<std::uint32_t>(value % kPrime); }
std::uint64_t minus(std::uint64_t value) { return kPrime - value % kPrime; }

std::uint32_t power(std::uint64_t base, std::uint64_t exponent) {
  std::uint64_t result = 1;
  for (; exponent > 0; exponent /= 2) {
    if (exponent % 2 == 1) result = modulo(result * base);
    base = modulo(base * base);
  }
  return modulo(result);
}

std::uint32_t inverse(std::uint64_t value) { return power(value, kPrime - 2); }

// ---- Rotations ----

struct Rotation {
  std::uint64_t w;        // real part; all parts are below kPrime
  std::uint32_t x, y, z;  // imaginary parts; four bytes of padding follow
};

bool operator==(const Rotation& a, const Rotation& b) {
  return a.w == b.w && a.x == b.x && a.y == b.y && a.z == b.z;
}

constexpr Rotation kNone{1, 0, 0, 0};

// In each sum no more than two products, below 2^62 each, are not yet reduced: it fits in 64 bits.
Rotation operator*(const Rotation& a, const Rotation& b) {
  const std::uint64_t ax = a.x, ay = a.y, az = a.z;
  return {modulo(a.w * b.w + minus(ax * b.x) + minus(ay * b.y) + minus(az * b.z)),
          modulo(a.w * b.x + ax * b.w + modulo(ay * b.z) + minus(az * b.y)),
          modulo(a.w * b.y + minus(ax * b.z) + ay * b.w + modulo(az * b.x)),
          modulo(a.w * b.z + modulo(ax * b.y) + minus(ay * b.x) + az * b.w)};
}

std::uint32_t norm(const Rotation& a) {
  const std::uint64_t x = a.x, y = a.y, z = a.z;
  return modulo(std::uint64_t{modulo(a.w * a.w)} + modulo(x * x) + modulo(y * y) + modulo(z * z));
}

Rotation scaled(const Rotation& a, std::uint64_t factor) {
  return {modulo(a.w * factor), modulo(a.x * factor), modulo(a.y * factor), modulo(a.z * factor)};
}

// The square of a quaternion, divided by its norm, has the norm 1.
Rotation unit_of(const Rotation& any) { return scaled(any * any, inverse(norm(any))); }

// How a joint is turned. Any scrambling will do; every rank can compute what any other has.
Rotation turn_of_joint(int joint, std::size_t moment) {
  std::uint64_t state = static_cast<std::uint64_t>(joint) * 1000003 + moment * 7919 + 1;
  const auto next = [&] {
    state = state * 6364136223846793005U + 1442695040888963407U;
    return modulo(state >> 32);
  };
  Rotation any = kNone;
  do {
    any = {next(), next(), next(), next()};
  } while (norm(any) == 0);  // once in 2^31 times: it has no inverse
  return unit_of(any);
}

// ---- What MPI needs to know about them ----

// The elements of `in` come from lower ranks than those of `inout`.
void compose(void* in, void* inout, int* count, MPI_Datatype*) {
  const auto* first = static_cast<const Rotation*>(in);
  auto* second = static_cast<Rotation*>(inout);
  std::transform(first, first + *count, second, second,
                 [](const Rotation& a, const Rotation& b) { return a * b; });
}

MPI_Datatype make_rotation_type() {
  const int lengths[] = {1, 3};
  const MPI_Aint places[] = {offsetof(Rotation, w), offsetof(Rotation, x)};
  const MPI_Datatype types[] = {MPI_UINT64_T, MPI_UINT32_T};
  MPI_Datatype parts, rotation;
  MPI_Type_create_struct(2, lengths, places, types, &parts);
  MPI_Type_create_resized(parts, 0, sizeof(Rotation), &rotation);  // with the padding behind z
  MPI_Type_commit(&rotation);
  MPI_Type_free(&parts);
  return rotation;
}

// ---- The arm ----

using Turns = std::vector<Rotation>;  // one for each moment

Turns turns_of_joint(int joint, std::size_t moments) {
  Turns turns;
  for (std::size_t moment = 0; moment < moments; ++moment) turns.push_back(turn_of_joint(joint, moment));
  return turns;
}

// The product over the joints 0 to last, computed alone.
Turns direction_of_joint(int last, std::size_t moments) {
  Turns product(moments, kNone);
  for (int joint = 0; joint <= last; ++joint) {
    for (std::size_t moment = 0; moment < moments; ++moment)
      product[moment] = product[moment] * turn_of_joint(joint, moment);
  }
  return product;
}

Turns backwards(int joints, std::size_t moments) {
  Turns product(moments, kNone);
  for (int joint = joints - 1; joint >= 0; --joint) {
    for (std::size_t moment = 0; moment < moments; ++moment)
      product[moment] = product[moment] * turn_of_joint(joint, moment);
  }
  return product;
}

struct Arm {
  int rank, ranks;
  std::size_t moments;
  MPI_Datatype rotation;
  MPI_Op composition;
};

Arm make_arm(std::size_t moments) {
  Arm arm{0, 0, moments, make_rotation_type(), MPI_OP_NULL};
  MPI_Comm_rank(MPI_COMM_WORLD, &arm.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &arm.ranks);
  MPI_Op_create(compose, false, &arm.composition);
  return arm;
}

void free_arm(Arm& arm) {
  MPI_Op_free(&arm.composition);
  MPI_Type_free(&arm.rotation);
}

// ---- Checks ----

// Collective: all ranks say whether it holds for them, rank 0 tells.
bool check(const Arm& arm, bool holds, const char* what) {
  int ok = holds, all = 0;
  MPI_Allreduce(&ok, &all, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
  if (arm.rank == 0) std::printf("check   %-4s %s\n", all != 0 ? "ok" : "FAIL", what);
  return all != 0;
}

bool check_algebra(const Arm& arm, const Turns& own, const Turns& tip) {
  const auto is_unit = [](const Rotation& turn) { return norm(turn) == 1; };
  const bool units =
      std::all_of(own.begin(), own.end(), is_unit) && std::all_of(tip.begin(), tip.end(), is_unit);
  const bool ordered = arm.ranks == 1 || tip != backwards(arm.ranks, arm.moments);
  const bool ok = check(arm, units, "all rotations have the length 1");
  return check(arm, ordered, "the order of the joints matters") && ok;
}

bool check_tip(const Arm& arm, const Turns& own, const Turns& tip) {
  const int count = static_cast<int>(arm.moments);
  const int root = arm.ranks / 2;
  Turns reduced(arm.moments, kNone), everywhere(arm.moments, kNone);
  MPI_Reduce(own.data(), reduced.data(), count, arm.rotation, arm.composition, root, MPI_COMM_WORLD);
  MPI_Allreduce(own.data(), everywhere.data(), count, arm.rotation, arm.composition, MPI_COMM_WORLD);
  const bool ok = check(arm, arm.rank != root || reduced == tip, "MPI_Reduce equals the serial product");
  return check(arm, everywhere == tip, "MPI_Allreduce equals the serial product on every rank") && ok;
}

bool check_joints(const Arm& arm, const Turns& own) {
  Turns directions(arm.moments, kNone);
  MPI_Scan(own.data(), directions.data(), static_cast<int>(arm.moments), arm.rotation, arm.composition,
           MPI_COMM_WORLD);
  return check(arm, directions == direction_of_joint(arm.rank, arm.moments),
               "MPI_Scan equals the serial product up to each rank");
}

bool run(const Arm& arm) {
  const Turns own = turns_of_joint(arm.rank, arm.moments);
  const Turns tip = direction_of_joint(arm.ranks - 1, arm.moments);
  if (arm.rank == 0) {
    std::printf("arm     %d joints, %zu moments; the tip at first: %llu %u %u %u\n", arm.ranks, arm.moments,
                static_cast<unsigned long long>(tip[0].w), tip[0].x, tip[0].y, tip[0].z);
  }
  const bool algebra = check_algebra(arm, own, tip);
  const bool whole = check_tip(arm, own, tip);
  const bool parts = check_joints(arm, own);
  return algebra && whole && parts;
}

void say_usage() {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) std::fprintf(stderr, "usage: rotations [moments], from 1 to 1000000\n");
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const long moments = argc > 1 ? std::strtol(argv[1], nullptr, 10) : 1000;
  bool ok = false;
  if (moments >= 1 && moments <= 1000000) {
    Arm arm = make_arm(static_cast<std::size_t>(moments));
    ok = run(arm);
    free_arm(arm);
  } else {
    say_usage();
  }
  MPI_Finalize();
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
