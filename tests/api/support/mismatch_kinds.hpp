// The kinds of mismatched calls.
#pragma once

#include "support/mismatch.hpp"

namespace foldlane::testing {

// ---- calls of one rank, with the text that messages have for them

Side barrier_side();
Side bcast_side(int count, MPI_Datatype type, int root, const std::string& text);
Side reduce_side(int count, MPI_Datatype type, MPI_Op op, int root, const std::string& text);
Side allreduce_side(int count, MPI_Datatype type, MPI_Op op, const std::string& text);
Side reduce_scatter_side(std::vector<int> counts, const std::string& text);
Side block_side(int count, const std::string& text);
Side scan_side(int count);
Side exscan_side(int count);
Side dup_side();
Side split_side();
Side create_side();
Side free_side();
Side twice_side(const Side& one);

/// All kinds, for communicators of `size` ranks.
std::vector<Mismatch> all_mismatches(int size);

/// A few of them, for the other kinds of communicators.
std::vector<Mismatch> some_mismatches();

}  // namespace foldlane::testing
