// Datatypes: constructors, inspection, packing.
#pragma once

#include <mpi.h>

#include "api/core/call.hpp"

namespace foldlane::api {

// datatype.cpp
int type_size(Call call, MPI_Datatype datatype, int* size);
int type_size(Call call, MPI_Datatype datatype, MPI_Count* size);
int type_get_extent(Call call, MPI_Datatype datatype, MPI_Count* lower_bound, MPI_Count* extent);
int type_get_true_extent(Call call, MPI_Datatype datatype, MPI_Count* lower_bound, MPI_Count* extent);
int type_commit(Call call, MPI_Datatype* datatype);
int type_free(Call call, MPI_Datatype* datatype);
int type_get_name(Call call, MPI_Datatype datatype, char* name, int* length);
int type_set_name(Call call, MPI_Datatype datatype, const char* name);

// datatype_vector.cpp
int type_contiguous(Call call, MPI_Count count, MPI_Datatype oldtype, MPI_Datatype* newtype);
int type_vector(Call call, MPI_Count count, MPI_Count block_length, MPI_Count stride, MPI_Datatype oldtype,
                MPI_Datatype* newtype);
int type_create_hvector(Call call, MPI_Count count, MPI_Count block_length, MPI_Count stride,
                        MPI_Datatype oldtype, MPI_Datatype* newtype);
int type_create_resized(Call call, MPI_Datatype oldtype, MPI_Count lower_bound, MPI_Count extent,
                        MPI_Datatype* newtype);
int type_dup(Call call, MPI_Datatype oldtype, MPI_Datatype* newtype);

// datatype_indexed.cpp
int type_indexed(Call call, MPI_Count count, const int* lengths, const int* displacements,
                 MPI_Datatype oldtype, MPI_Datatype* newtype);
int type_indexed(Call call, MPI_Count count, const MPI_Count* lengths, const MPI_Count* displacements,
                 MPI_Datatype oldtype, MPI_Datatype* newtype);
int type_create_hindexed(Call call, MPI_Count count, const int* lengths, const MPI_Count* displacements,
                         MPI_Datatype oldtype, MPI_Datatype* newtype);
int type_create_hindexed(Call call, MPI_Count count, const MPI_Count* lengths, const MPI_Count* displacements,
                         MPI_Datatype oldtype, MPI_Datatype* newtype);
int type_create_indexed_block(Call call, MPI_Count count, MPI_Count length, const int* displacements,
                              MPI_Datatype oldtype, MPI_Datatype* newtype);
int type_create_indexed_block(Call call, MPI_Count count, MPI_Count length, const MPI_Count* displacements,
                              MPI_Datatype oldtype, MPI_Datatype* newtype);
int type_create_hindexed_block(Call call, MPI_Count count, MPI_Count length, const MPI_Count* displacements,
                               MPI_Datatype oldtype, MPI_Datatype* newtype);

// datatype_struct.cpp
int type_create_struct(Call call, MPI_Count count, const int* lengths, const MPI_Count* displacements,
                       const MPI_Datatype* types, MPI_Datatype* newtype);
int type_create_struct(Call call, MPI_Count count, const MPI_Count* lengths, const MPI_Count* displacements,
                       const MPI_Datatype* types, MPI_Datatype* newtype);

// datatype_subarray.cpp
int type_create_subarray(Call call, int dimensions, const int* sizes, const int* subsizes, const int* starts,
                         int order, MPI_Datatype oldtype, MPI_Datatype* newtype);
int type_create_subarray(Call call, int dimensions, const MPI_Count* sizes, const MPI_Count* subsizes,
                         const MPI_Count* starts, int order, MPI_Datatype oldtype, MPI_Datatype* newtype);

// datatype_darray.cpp
int type_create_darray(Call call, int size, int rank, int dimensions, const int* sizes,
                       const int* distributions, const int* arguments, const int* processes, int order,
                       MPI_Datatype oldtype, MPI_Datatype* newtype);
int type_create_darray(Call call, int size, int rank, int dimensions, const MPI_Count* sizes,
                       const int* distributions, const int* arguments, const int* processes, int order,
                       MPI_Datatype oldtype, MPI_Datatype* newtype);

// datatype_decode.cpp
int type_get_envelope(Call call, MPI_Datatype datatype, int* integers, int* addresses, int* datatypes,
                      int* combiner);
int type_get_envelope(Call call, MPI_Datatype datatype, MPI_Count* integers, MPI_Count* addresses,
                      MPI_Count* large_counts, MPI_Count* datatypes, int* combiner);
int type_get_contents(Call call, MPI_Datatype datatype, int max_integers, int max_addresses,
                      int max_datatypes, int* integers, MPI_Aint* addresses, MPI_Datatype* datatypes);
int type_get_contents(Call call, MPI_Datatype datatype, MPI_Count max_integers, MPI_Count max_addresses,
                      MPI_Count max_large_counts, MPI_Count max_datatypes, int* integers, MPI_Aint* addresses,
                      MPI_Count* large_counts, MPI_Datatype* datatypes);

// datatype_lookup.cpp
int type_match_size(Call call, int type_class, int size, MPI_Datatype* datatype);
int type_get_value_index(Call call, MPI_Datatype value, MPI_Datatype index, MPI_Datatype* pair);
int type_create_f90_real(Call call, int precision, int range, MPI_Datatype* newtype);
int type_create_f90_complex(Call call, int precision, int range, MPI_Datatype* newtype);
int type_create_f90_integer(Call call, int range, MPI_Datatype* newtype);

// pack.cpp
int pack(Call call, const void* buffer, MPI_Count count, MPI_Datatype datatype, void* packed, MPI_Count size,
         int* position, MPI_Comm comm);
int pack(Call call, const void* buffer, MPI_Count count, MPI_Datatype datatype, void* packed, MPI_Count size,
         MPI_Count* position, MPI_Comm comm);
int unpack(Call call, const void* packed, MPI_Count size, int* position, void* buffer, MPI_Count count,
           MPI_Datatype datatype, MPI_Comm comm);
int unpack(Call call, const void* packed, MPI_Count size, MPI_Count* position, void* buffer, MPI_Count count,
           MPI_Datatype datatype, MPI_Comm comm);
int pack_size(Call call, MPI_Count count, MPI_Datatype datatype, MPI_Comm comm, int* size);
int pack_size(Call call, MPI_Count count, MPI_Datatype datatype, MPI_Comm comm, MPI_Count* size);

// pack_external.cpp
int pack_external(Call call, const char* representation, const void* buffer, MPI_Count count,
                  MPI_Datatype datatype, void* packed, MPI_Count size, MPI_Count* position);
int unpack_external(Call call, const char* representation, const void* packed, MPI_Count size,
                    MPI_Count* position, void* buffer, MPI_Count count, MPI_Datatype datatype);
int pack_external_size(Call call, const char* representation, MPI_Count count, MPI_Datatype datatype,
                       MPI_Count* size);

}  // namespace foldlane::api
