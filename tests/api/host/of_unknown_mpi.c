int MPI_Init(int* argc, char*** argv);
int MPI_Allreduce(const void* send, void* recv, int count, int type, int op, int comm);

int main(int argc, char** argv) {
  char result = 0;
  return MPI_Init(&argc, &argv) == 0 && MPI_Allreduce("x", &result, 1, 0, 0, 0) == 0 && result == 'x' ? 0 : 1;
}
