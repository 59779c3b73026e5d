// Of fft.cpp: a box of points, and the Fourier transform of lines of them.
#pragma once

#include <array>
#include <cmath>
#include <complex>
#include <cstddef>
#include <utility>
#include <vector>

using Point = std::complex<double>;
inline const double kPi = std::acos(-1.0);

// ---- Which part of the cube a rank has ----

enum Axis { kX, kY, kZ };

struct Range {
  int first, count;
};

inline Range share(int points, int part, int parts) {
  const int first = static_cast<int>(static_cast<long>(points) * part / parts);
  return {first, static_cast<int>(static_cast<long>(points) * (part + 1) / parts) - first};
}

// Points in the order of x, y, z: those along z are neighbours.
struct Box {
  std::array<Range, 3> ranges;
  std::vector<Point> points;

  Box(Range x, Range y, Range z) : ranges{x, y, z} {
    points.resize(static_cast<std::size_t>(count(kX)) * static_cast<std::size_t>(count(kY)) *
                  static_cast<std::size_t>(count(kZ)));
  }
  int count(Axis axis) const { return ranges[axis].count; }
  int size() const { return static_cast<int>(points.size()); }
  std::size_t index(int x, int y, int z) const {
    return (static_cast<std::size_t>(x) * static_cast<std::size_t>(count(kY)) + static_cast<std::size_t>(y)) *
               static_cast<std::size_t>(count(kZ)) +
           static_cast<std::size_t>(z);
  }
  std::size_t stride(Axis axis) const {
    return axis == kX ? index(1, 0, 0) : axis == kY ? index(0, 1, 0) : 1;
  }
};

// Calls what(x, y, z, point), by the places of the points in the whole cube.
template <class BoxLike, class What>
void for_each_point(BoxLike& box, const What& what) {
  for (int x = 0; x < box.count(kX); ++x)
    for (int y = 0; y < box.count(kY); ++y)
      for (int z = 0; z < box.count(kZ); ++z)
        what(box.ranges[kX].first + x, box.ranges[kY].first + y, box.ranges[kZ].first + z,
             box.points[box.index(x, y, z)]);
}

// ---- The transform of lines ----

enum Direction { kForward = -1, kBack = 1 };

class Transform {
 public:
  Transform(int length, Direction direction) : length_(static_cast<std::size_t>(length)), line_(length_) {
    for (int k = 0; k < length / 2; ++k) roots_.push_back(std::polar(1.0, direction * 2 * kPi * k / length));
  }

  // All lines of the box along this axis.
  void apply(Box& box, Axis axis) {
    const Axis one = axis == kX ? kY : kX, other = axis == kZ ? kY : kZ;
    for (int i = 0; i < box.count(one); ++i)
      for (int j = 0; j < box.count(other); ++j)
        apply(&box.points[static_cast<std::size_t>(i) * box.stride(one) +
                          static_cast<std::size_t>(j) * box.stride(other)],
              box.stride(axis));
  }

 private:
  void apply(Point* points, std::size_t stride) {
    for (std::size_t i = 0; i < length_; ++i) line_[i] = points[i * stride];
    reverse_bits();
    for (std::size_t half = 1; half < length_; half *= 2) merge(half);
    for (std::size_t i = 0; i < length_; ++i) points[i * stride] = line_[i];
  }

  // To where the transforms of even and odd points take them.
  void reverse_bits() {
    for (std::size_t i = 0, reversed = 0; i < length_; ++i) {
      if (i < reversed) std::swap(line_[i], line_[reversed]);
      std::size_t bit = length_ / 2;
      for (; bit > 0 && (reversed & bit) != 0; bit /= 2) reversed ^= bit;
      reversed |= bit;
    }
  }

  // Two transforms of `half` points that lie one behind the other become one.
  void merge(std::size_t half) {
    for (std::size_t first = 0; first < length_; first += 2 * half)
      for (std::size_t k = 0; k < half; ++k) {
        const Point even = line_[first + k], root = roots_[k * (length_ / 2 / half)];
        const Point odd = root * line_[first + half + k];
        line_[first + k] = even + odd;
        line_[first + half + k] = even - odd;
      }
  }

  std::size_t length_;
  std::vector<Point> line_, roots_;
};
