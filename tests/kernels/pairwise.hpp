// The canonical order, built independently of kernels/ and the other way round: bottom up, neighbours
// pairwise, an odd one out climbing unpaired.
#pragma once

#include <cstddef>
#include <vector>

namespace foldlane::kernels::testing {

template <class T, class Combine>
T pairwise(std::vector<T> row, Combine combine) {
  for (std::size_t size = row.size(); size > 1; size = (size + 1) / 2) {
    for (std::size_t i = 0; i + 1 < size; i += 2) row[i / 2] = combine(row[i], row[i + 1]);
    if (size % 2 == 1) row[size / 2] = row[size - 1];
  }
  return row.at(0);
}

}  // namespace foldlane::kernels::testing
