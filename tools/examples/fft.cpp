// Which waves a field consists of: the Fourier transform in three dimensions, and back.
//
// A transform along one direction needs whole lines of points. So the cube is cut into pencils: in one
// direction each rank has all points, in the two others its share, and ranks stand in rows and columns
// (MPI_Cart_create). After a transform along z the ranks of a row exchange parts of their pencils, which then
// lie along y; after that the ranks of a column do, and they lie along x. Forward, MPI_Alltoallw takes each
// part from where it lies and puts it where it belongs: a subarray is a datatype. On the way back parts are
// packed, as many programs do it, and go by MPI_Alltoallv.
//
// The field is the sum of three waves, so the answer is known: three points that are not zero. Lines are
// transformed by the same function whoever has them, so every bit must be as in a serial run, which rank 0
// makes.
//
//   mpicxx -std=c++17 -O2 fft.cpp -o fft && mpiexec -n 4 ./fft [points per side, a power of two]
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>

#include "fft_pencils.hpp"

namespace {

// ---- The field, and what must come out ----

struct Wave {
  int x, y, z;  // periods along each axis
  double amplitude;
};
constexpr Wave kWaves[] = {{1, 2, 3, 1.0}, {3, 0, 1, 0.5}, {2, 1, 0, 0.25}};

void fill(Box& box, int side) {
  for_each_point(box, [side](int x, int y, int z, Point& point) {
    for (const Wave& wave : kWaves) {
      const int phase = (wave.x * x + wave.y * y + wave.z * z) % side;
      point += std::polar(wave.amplitude, 2 * kPi * phase / side);
    }
  });
}

// How far points may be off, derived and not tuned, in roundings (half of epsilon each). A transform merges
// log2 n times along each axis. Relative to the norm of all points, a merge adds at most 16: a root is off by
// 9, since its angle, up to pi, comes of three operations; a product of complex numbers by another 2.3, a sum
// by one. The field is made with such angles, too, which counts as one merge more. No point is off by more
// than the norm of all errors; the norm of the field is less than 2 per point.
double tolerance(int side, int transforms) {
  const double merges = 3 * std::log2(side) * transforms + 1;
  return merges * 16 * std::numeric_limits<double>::epsilon() / 2 * 2;
}

bool check(bool ok, const char* text) {
  std::printf("check   %-4s %s\n", ok ? "ok" : "FAIL", text);
  return ok;
}

bool check_difference(double difference, double allowed, const char* what) {
  char text[160];
  std::snprintf(text, sizeof text, "%s: largest difference %.1e, allowed %.1e", what, difference, allowed);
  return check(difference <= allowed, text);
}

// How far the points, divided by their number, are from being the waves and else nothing.
double largest_error(const Box& whole, int side) {
  const double points = std::pow(side, 3);
  double largest = 0;
  for_each_point(whole, [&](int x, int y, int z, const Point& point) {
    Point expected = 0;
    for (const Wave& wave : kWaves)
      if (wave.x == x && wave.y == y && wave.z == z) expected = wave.amplitude;
    largest = std::max(largest, std::abs(point / points - expected));
  });
  return largest;
}

bool check_waves(const Box& whole, int side) {
  const Range all{0, side};
  Box serial(all, all, all);
  fill(serial, side);
  Transform transform(side, kForward);
  for (const Axis axis : {kZ, kY, kX}) transform.apply(serial, axis);
  for (const Wave& wave : kWaves) {
    const Point found = whole.points[whole.index(wave.x, wave.y, wave.z)] / std::pow(side, 3);
    std::printf("result  wave (%d, %d, %d): amplitude %.12f\n", wave.x, wave.y, wave.z, std::abs(found));
  }
  const std::size_t bytes = whole.points.size() * sizeof(Point);
  const bool same = std::memcmp(whole.points.data(), serial.points.data(), bytes) == 0;
  return check(same, "every bit is as in the serial run") &
         check_difference(largest_error(whole, side), tolerance(side, 1), "the waves and nothing else");
}

bool check_way_back(const Pencils& pencils, const Box& field, const Box& back, int side) {
  double mine = 0, largest = 0;
  for (std::size_t i = 0; i < field.points.size(); ++i)
    mine = std::max(mine, std::abs(back.points[i] / std::pow(side, 3) - field.points[i]));
  MPI_Reduce(&mine, &largest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  // Errors of all points may come together in one: the norm of a field of n points is the root of n per
  // point.
  const double allowed = tolerance(side, 2) * std::sqrt(std::pow(side, 3));
  return pencils.rank() != 0 || check_difference(largest, allowed, "the way back leads to the field");
}

bool is_power_of_two(int number) { return number > 0 && (number & (number - 1)) == 0; }

bool run(int side) {
  const Pencils pencils(side);
  if (side < 4 || !is_power_of_two(side) || !pencils.fit()) {
    if (pencils.rank() == 0)
      std::fprintf(stderr,
                   "usage: fft [points per side: a power of two, at least 4 and the rows of ranks]\n");
    return false;
  }
  if (pencils.rank() == 0)
    std::printf("cube    %d x %d x %d points on %d x %d ranks\n", side, side, side, pencils.rows(),
                pencils.columns());
  Box field = pencils.along_z();
  fill(field, side);
  const Box waves = pencils.forward(field);
  const Box whole = pencils.collect(waves);
  int ok = pencils.rank() != 0 || check_waves(whole, side);
  ok = check_way_back(pencils, field, pencils.back(waves), side) && ok;
  MPI_Bcast(&ok, 1, MPI_INT, 0, MPI_COMM_WORLD);
  return ok != 0;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const bool ok = run(argc > 1 ? std::atoi(argv[1]) : 64);
  MPI_Finalize();
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
