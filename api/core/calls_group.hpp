// The group calls behind the generated entry points.
#pragma once

#include <mpi.h>

#include "api/core/call.hpp"

namespace foldlane::api {

// group.cpp
int comm_group(Call call, MPI_Comm comm, MPI_Group* group);
int group_size(Call call, MPI_Group group, int* size);
int group_rank(Call call, MPI_Group group, int* rank);
int group_translate_ranks(Call call, MPI_Group group1, int n, const int* ranks1, MPI_Group group2,
                          int* ranks2);
int group_compare(Call call, MPI_Group group1, MPI_Group group2, int* result);
int group_free(Call call, MPI_Group* group);

// group_create.cpp
int group_union(Call call, MPI_Group group1, MPI_Group group2, MPI_Group* newgroup);
int group_intersection(Call call, MPI_Group group1, MPI_Group group2, MPI_Group* newgroup);
int group_difference(Call call, MPI_Group group1, MPI_Group group2, MPI_Group* newgroup);
int group_incl(Call call, MPI_Group group, int n, const int* ranks, MPI_Group* newgroup);
int group_excl(Call call, MPI_Group group, int n, const int* ranks, MPI_Group* newgroup);
int group_range_incl(Call call, MPI_Group group, int n, int (*ranges)[3], MPI_Group* newgroup);
int group_range_excl(Call call, MPI_Group group, int n, int (*ranges)[3], MPI_Group* newgroup);

}  // namespace foldlane::api
