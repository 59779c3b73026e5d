// Positions picked out of a group, as the arguments of MPI_Group_incl and its relatives name them.
#pragma once

#include <span>
#include <vector>

namespace foldlane::api {

/// first, last, stride.
using RankRange = int[3];

/// The positions in a group of `size` members, in the order given. Throws a Failure of class MPI_ERR_RANK if
/// one does not exist or comes twice.
std::vector<int> checked_positions(std::span<const int> positions, int size);

/// The same of what the ranges stand for. A stride of zero, or one that leads away from the end of its
/// range, is MPI_ERR_ARG.
std::vector<int> expanded_positions(std::span<const RankRange> ranges, int size);

/// The members of `ranks` at these positions, and those at all others in the order of `ranks`.
std::vector<int> picked(const std::vector<int>& ranks, const std::vector<int>& positions);
std::vector<int> left_over(const std::vector<int>& ranks, const std::vector<int>& positions);

}  // namespace foldlane::api
