/* The buffers that calls send from and receive into. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "probe.h"

/* What send and receive buffers are cut from. */
static unsigned char* arenas[2];

/* enum class Arenas of the driver */
enum { SMALL_PAGES, HUGE_PAGES, ALLOC_MEM };

/* Like a program: small pages are malloc's, whatever the launcher has made of it. */
static unsigned char* arena_memory(size_t bytes, int kind) {
  unsigned char* at = NULL;
  if (kind == ALLOC_MEM) return MPI_Alloc_mem((MPI_Aint)bytes, MPI_INFO_NULL, &at) == MPI_SUCCESS ? at : NULL;
  if (kind == SMALL_PAGES) return malloc(bytes);
  at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return at == MAP_FAILED ? NULL : at;
}

/* The start of a huge page, so that places in it are the same modulo any page in all jobs. */
static unsigned char* make_arena(size_t bytes, int kind) {
  const size_t huge_page = 2U << 20;
  bytes = (bytes + huge_page - 1) / huge_page * huge_page;
  unsigned char* at = arena_memory(bytes + huge_page, kind);
  if (at == NULL) return NULL;
  at += huge_page - (uintptr_t)at % huge_page;
  if (kind != ALLOC_MEM) madvise(at, bytes, kind == HUGE_PAGES ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
  memset(at, 0, bytes);
  return at;
}

void make_arenas(size_t send_bytes, size_t recv_bytes, int kind) {
  arenas[0] = make_arena(send_bytes, kind);
  arenas[1] = make_arena(recv_bytes, kind);
  if (arenas[0] == NULL || arenas[1] == NULL) die("no memory for buffers");
}

void choose_place(unsigned number) {
  now.place = number % now.places;
  const size_t offset = now.place * now.stride + now.shift + now.part;
  now.send = arenas[0] + offset;
  now.recv = arenas[1] + offset;
}

/* What an in-place call folds into must not grow without bounds: zero stays zero. */
void write_input(void) {
  size_t bytes = 0;
  unsigned char* const at = input_of_rank(&bytes);
  memset(at, 0, bytes);
}

static unsigned char* result(void) { return now.what == call_named("bcast") ? now.send : now.recv; }

static unsigned char* place_of(const char* buffer, int in) {
  size_t bytes = 0;
  if (strcmp(buffer, "send") == 0) return now.send;
  if (strcmp(buffer, "recv") == 0) return now.recv;
  if (strcmp(buffer, "sources") == 0) return (unsigned char*)sources;
  return in ? input_of_rank(&bytes) : result();
}

void move_data(const char* line, int in) {
  size_t offset = 0, length = 0;
  char buffer[8];
  if (sscanf(line, "%*s %7s %zu %zu", buffer, &offset, &length) != 3 || length > DATA_BYTES)
    die("a piece of data that cannot be read");
  unsigned char* const at = place_of(buffer, in) + offset;
  memcpy(in ? at : own_data, in ? own_data : at, length);
}
