/* Calls that only move data: each rank has a block of now.bytes for each other, or one for all, or gets one
 * of each. */
#include <string.h>

#include "probe.h"

struct blocks blocks;

void set_blocks(void) {
  for (int r = 0; r < ranks; ++r) {
    blocks.counts[r] = now.count;
    blocks.types[r] = now.type;
    /* What an int cannot say belongs to a call that reads none of them: the driver refuses such blocks
     * (suite.cpp). */
    blocks.places[r] = (int)((size_t)r * (size_t)now.count);
    blocks.bytes_before[r] = (int)((size_t)r * now.bytes);
  }
}

static int begins_with(const char* text) { return strncmp(now.what->name, text, strlen(text)) == 0; }
static int gives_one(void) {
  return begins_with("gather") || begins_with("allgather") || begins_with("neighbor_allgather");
}

/* Of calls with a root only that one can work in place, and of a scatter it is what the root gets. */
static int is_in_place(void) {
  const int is_rooted = strcmp(now.what->name, "reduce") == 0 || begins_with("gather");
  return now.in_place && !begins_with("scatter") && (rank == now.root || !is_rooted);
}

unsigned char* input_of_rank(size_t* bytes) {
  unsigned char* const at = is_in_place() ? now.recv : now.send;
  *bytes = gives_one() ? now.bytes : now.bytes * (size_t)now.slots;
  return is_in_place() && gives_one() ? at + (size_t)rank * now.bytes : at;
}
