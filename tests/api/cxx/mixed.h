/* What the two halves of a program in C and C++ call of each other. */
#pragma once

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/* In C: uses what C++ made, and makes what C++ uses. */
void c_uses(MPI_Comm comm, MPI_Datatype pair, MPI_Op sum, int keyval);
MPI_Comm c_communicator(void);
MPI_Datatype c_datatype(void);
MPI_Op c_operation(void);
int c_keyval(void);
extern int c_value;

#ifdef __cplusplus
}
#endif
