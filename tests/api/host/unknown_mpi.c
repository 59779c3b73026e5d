/* A library with the name of MPICH's that is none of the MPIs that Foldlane knows. */
#include <stdio.h>
#include <string.h>

int MPI_Init(int* argc, char*** argv);
int MPI_Allreduce(const void* send, void* recv, int count, int type, int op, int comm);

int PMPI_Init(int* argc, char*** argv) { return (void)argc, (void)argv, 0; }
int PMPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  *provided = required;
  return PMPI_Init(argc, argv);
}
int PMPI_Get_library_version(char* text, int* length) {
  strcpy(text, "Another MPI 1.0");
  *length = (int)strlen(text);
  return 0;
}
int PMPI_Allreduce(const void* send, void* recv, int count, int type, int op, int comm) {
  (void)type, (void)op, (void)comm;
  memcpy(recv, send, (size_t)count);
  return 0;
}
int MPI_Init(int* argc, char*** argv) { return PMPI_Init(argc, argv); }
int MPI_Allreduce(const void* send, void* recv, int count, int type, int op, int comm) {
  return PMPI_Allreduce(send, recv, count, type, op, comm);
}
