/* The case that is measured, and its requests. */
#include <stdio.h>

#include "probe.h"

_Thread_local struct measured now;
int sources[MAX_SOURCES];

/* enum class Form of the driver */
enum { BLOCKING, NONBLOCKING, PERSISTENT };

/* Of the persistent form: one per place. */
static MPI_Request made[MAX_CALLS];
static unsigned number_made;

int begin(MPI_Request* request) {
  if (now.form == NONBLOCKING) return now.what->start(request);
  *request = made[now.place];
  return MPI_Start(request);
}

static int begin_and_wait(void) {
  MPI_Request request;
  const int code = begin(&request);
  return code == MPI_SUCCESS ? MPI_Wait(&request, MPI_STATUS_IGNORE) : code;
}

static int is_lacking(int code) {
  int class = MPI_SUCCESS;
  if (code == LACKING) return 1;
  MPI_Error_class(code, &class);
  return class == MPI_ERR_UNSUPPORTED_OPERATION;
}

/* Outside the time: that is what the persistent form is for. */
static void make_requests(void) {
  while (number_made < now.places && !now.lacks) {
    choose_place(number_made);
    const int code = now.what->make(&made[number_made]);
    now.lacks = is_lacking(code);
    if (now.lacks) return;
    must(code);
    ++number_made;
  }
}

void free_requests(void) {
  while (number_made > 0) must(MPI_Request_free(&made[--number_made]));
}

void set_case(const char* line) {
  char call[32], type[16], op[16];
  free_requests();
  if (sscanf(line, "case %31s %d %15s %15s %d %d %d %d %u %zu %zu %d %d %d", call, &now.form, type, op,
             &now.count, &now.root, &now.in_place, &now.fresh, &now.places, &now.stride, &now.shift,
             &now.messages, &now.slots, &now.threads) != 14 ||
      now.places > MAX_CALLS || now.messages > MAX_MESSAGES || now.threads > MAX_THREADS)
    die("a case that cannot be read");
  now.what = call_named(call);
  now.run = now.form == BLOCKING ? now.what->block : begin_and_wait;
  size_t element = 0;
  now.type = type_named(type, &element);
  now.op = op_named(op);
  now.bytes = (size_t)now.count * element;
  for (int r = 0; r < ranks; ++r) now.counts[r] = now.count / ranks + (r < now.count % ranks);
  set_blocks();
  provide_ring();
  provide_comms();
  now.lacks = 0;
  if (now.form == PERSISTENT) make_requests();
  choose_place(0);
}

int is_there(void) {
  if (now.lacks) return 0;
  const int code = now.run();
  if (is_lacking(code)) return 0;
  must(code);
  return 1;
}
