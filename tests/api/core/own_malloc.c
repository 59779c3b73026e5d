/* A program with an allocator of its own, which mimalloc cannot stand in for. */
#include <mpi.h>
#include <stddef.h>
#include <string.h>

static _Alignas(64) unsigned char memory[64 << 20];
static size_t used;

/* The libraries call these. */
#pragma GCC visibility push(default)

void* malloc(size_t bytes) {
  unsigned char* const block = memory + used;
  const size_t taken = 64 + (bytes + 63) / 64 * 64; /* its size stands before it */
  if (taken > sizeof memory - used) return NULL;
  memcpy(block, &bytes, sizeof bytes);
  used += taken;
  return block + 64;
}
void free(void* block) { (void)block; }
void* calloc(size_t count, size_t bytes) { return malloc(count * bytes); } /* never used before: zero */
void* realloc(void* block, size_t bytes) {
  void* const grown = malloc(bytes);
  size_t old = 0;
  if (block == NULL || grown == NULL) return grown;
  memcpy(&old, (unsigned char*)block - 64, sizeof old);
  return memcpy(grown, block, old < bytes ? old : bytes);
}

#pragma GCC visibility pop

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Finalize();
  return 0;
}
