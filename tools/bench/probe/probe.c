/* The measurement program of `foldlane bench`: plain MPI, the same source for every implementation.
 *
 *   probe SOCKET CPUS CLOCK
 *     SOCKET  abstract UNIX socket of the driver; each rank connects, is given a file to map, and then does
 * what the lines it reads say (see `obey`), asleep in read() in between, so that other implementations can be
 * measured meanwhile CPUS    "0,1": rank r runs on the CPU at place r modulo their number; "-": wherever it
 * is put CLOCK   "counter": the CPU's time stamp counter, if it is the same on all CPUs; "system":
 * CLOCK_MONOTONIC
 *
 * Ranks start a stamped call together: rank 0 names a time a little ahead and all spin until then. Neither
 * this nor anything else between two calls uses the MPI under test. */
#define _GNU_SOURCE
#include <mpi.h>
#if MPI_VERSION < 4 && defined(OPEN_MPI)
#include <mpi-ext.h>
#endif
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <x86intrin.h>
#endif

/* The map of the shared file; tools/bench/measure/window.hpp is its other half. */
enum { LINE = 128, MAX_RANKS = 256, MAX_CALLS = 4096, DATA_BYTES = 1 << 18 };
struct line {
  _Atomic uint64_t turn;
  _Atomic uint64_t start;
  char rest[LINE - 16];
};
struct stamps {
  uint64_t entry;
  uint64_t exit;
};
static struct line* lines;        /* one per rank */
static struct stamps* own_stamps; /* of this rank: one per call */
static unsigned char* own_data;   /* of this rank: DATA_BYTES, for `put` and `get` */

static int rank, ranks;
static int uses_counter;

/* What send and receive buffers are cut from. */
static unsigned char* arenas[2];

/* A collective in its forms; those that it does not have are NULL. */
struct call {
  const char* name;
  int (*block)(void);
  int (*start)(MPI_Request*); /* nonblocking */
  int (*make)(MPI_Request*);  /* persistent */
};
/* enum class Form of the driver */
enum { BLOCKING, NONBLOCKING, PERSISTENT };

/* The case that is measured. */
static struct {
  const struct call* what;
  int form;
  int lacks;        /* this MPI has no such call */
  int (*run)(void); /* one call, in its form, until it is complete */
  MPI_Datatype type;
  MPI_Op op;
  int count, root, in_place, fresh;
  unsigned places, place;
  size_t bytes, stride, shift; /* place n of a buffer is n x stride + shift */
  unsigned char* send;
  unsigned char* recv;
  int counts[MAX_RANKS];
} now;

static void die(const char* what) {
  fprintf(stderr, "probe: rank %d: %s\n", rank, what);
  _exit(3);
}

static uint64_t ticks(void) {
#if defined(__x86_64__)
  unsigned core;
  if (uses_counter) return __rdtscp(&core);
#elif defined(__aarch64__)
  uint64_t value;
  if (uses_counter) {
    __asm__ volatile("isb; mrs %0, cntvct_el0" : "=r"(value));
    return value;
  }
#endif
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000U + (uint64_t)time.tv_nsec;
}

/* ---- the calls ---------------------------------------------------------------------------------------- */

static const void* input(void) { return now.in_place ? MPI_IN_PLACE : now.send; }
static const void* input_of_root(void) { return now.in_place && rank == now.root ? MPI_IN_PLACE : now.send; }

/* Instead of a code of MPI, which are not negative. */
enum { LACKING = -1 };

#if MPI_VERSION >= 4
#define MAKE(Name, request, ...) MPI_##Name##_init(__VA_ARGS__, MPI_INFO_NULL, request)
#elif defined(OMPI_HAVE_MPI_EXT_PCOLLREQ)
#define MAKE(Name, request, ...) MPIX_##Name##_init(__VA_ARGS__, MPI_INFO_NULL, request)
#else
#define MAKE(Name, request, ...) ((void)(request), LACKING)
#endif

#define FORMS(name, Name, ...)                                                                \
  static int block_##name(void) { return MPI_##Name(__VA_ARGS__); }                           \
  static int start_##name(MPI_Request* request) { return MPI_I##name(__VA_ARGS__, request); } \
  static int make_##name(MPI_Request* request) { return MAKE(Name, request, __VA_ARGS__); }

FORMS(allreduce, Allreduce, input(), now.recv, now.count, now.type, now.op, MPI_COMM_WORLD)
FORMS(reduce, Reduce, input_of_root(), now.recv, now.count, now.type, now.op, now.root, MPI_COMM_WORLD)
FORMS(reduce_scatter, Reduce_scatter, input(), now.recv, now.counts, now.type, now.op, MPI_COMM_WORLD)
FORMS(reduce_scatter_block, Reduce_scatter_block, input(), now.recv, now.counts[0], now.type, now.op,
      MPI_COMM_WORLD)
FORMS(scan, Scan, input(), now.recv, now.count, now.type, now.op, MPI_COMM_WORLD)
FORMS(exscan, Exscan, input(), now.recv, now.count, now.type, now.op, MPI_COMM_WORLD)
FORMS(bcast, Bcast, now.send, now.count, now.type, now.root, MPI_COMM_WORLD)
FORMS(barrier, Barrier, MPI_COMM_WORLD)

static int block_reduce_local(void) {
  return MPI_Reduce_local(now.send, now.recv, now.count, now.type, now.op);
}

#define ROW(name) \
  { #name, block_##name, start_##name, make_##name }
static const struct call calls[] = {
    ROW(allreduce),
    ROW(reduce),
    ROW(reduce_scatter),
    ROW(reduce_scatter_block),
    ROW(scan),
    ROW(exscan),
    ROW(bcast),
    ROW(barrier),
    {"reduce_local", block_reduce_local, NULL, NULL},
};

/* ---- requests ----------------------------------------------------------------------------------------- */

/* Of the persistent form: one per place. */
static MPI_Request made[MAX_CALLS];
static unsigned number_made;

static int begin(MPI_Request* request) {
  if (now.form == NONBLOCKING) return now.what->start(request);
  *request = made[now.place];
  return MPI_Start(request);
}

static int begin_and_wait(void) {
  MPI_Request request;
  const int code = begin(&request);
  return code == MPI_SUCCESS ? MPI_Wait(&request, MPI_STATUS_IGNORE) : code;
}

static MPI_Datatype type_named(const char* name, size_t* bytes) {
  const struct {
    const char* name;
    MPI_Datatype type;
    size_t bytes;
  } types[] = {
      {"int8", MPI_INT8_T, 1},     {"int16", MPI_INT16_T, 2},   {"int32", MPI_INT32_T, 4},
      {"int64", MPI_INT64_T, 8},   {"uint8", MPI_UINT8_T, 1},   {"uint16", MPI_UINT16_T, 2},
      {"uint32", MPI_UINT32_T, 4}, {"uint64", MPI_UINT64_T, 8}, {"float", MPI_FLOAT, 4},
      {"double", MPI_DOUBLE, 8},
  };
  for (size_t i = 0; i < sizeof types / sizeof *types; ++i) {
    *bytes = types[i].bytes;
    if (strcmp(types[i].name, name) == 0) return types[i].type;
  }
  die("unknown type");
  return MPI_DATATYPE_NULL;
}

static MPI_Op op_named(const char* name) {
  const struct {
    const char* name;
    MPI_Op op;
  } ops[] = {{"sum", MPI_SUM},   {"prod", MPI_PROD}, {"max", MPI_MAX},  {"min", MPI_MIN},
             {"band", MPI_BAND}, {"bor", MPI_BOR},   {"bxor", MPI_BXOR}};
  for (size_t i = 0; i < sizeof ops / sizeof *ops; ++i)
    if (strcmp(ops[i].name, name) == 0) return ops[i].op;
  die("unknown operation");
  return MPI_OP_NULL;
}

/* ---- measuring ---------------------------------------------------------------------------------------- */

/* How far ahead a common start lies, in ticks: it must have reached everybody by then. */
static uint64_t lead;
/* More ranks than CPUs: spinning would take away what is waited for. */
static int yields;

static void pause_or_yield(void) {
  if (yields) {
    sched_yield();
    return;
  }
#if defined(__x86_64__)
  _mm_pause();
#endif
}

static void await_turn(int of, uint64_t turn) {
  while (atomic_load_explicit(&lines[of].turn, memory_order_acquire) < turn) pause_or_yield();
}

static void start_together(void) {
  const uint64_t turn = atomic_load_explicit(&lines[rank].turn, memory_order_relaxed) + 1;
  if (rank != 0) {
    atomic_store_explicit(&lines[rank].turn, turn, memory_order_release);
    await_turn(0, turn);
  } else {
    for (int other = 1; other < ranks; ++other) await_turn(other, turn);
    atomic_store_explicit(&lines[0].start, ticks() + lead, memory_order_relaxed);
    atomic_store_explicit(&lines[0].turn, turn, memory_order_release);
  }
  const uint64_t start = atomic_load_explicit(&lines[0].start, memory_order_relaxed);
  while (ticks() < start) pause_or_yield();
}

static void choose_place(unsigned number) {
  now.place = number % now.places;
  const size_t offset = now.place * now.stride + now.shift;
  now.send = arenas[0] + offset;
  now.recv = arenas[1] + offset;
}

/* A slice goes on where the one before ended, so that rotating buffers are cold. */
static void next_place(void) {
  static unsigned number;
  if (now.places > 1) choose_place(number++);
}

/* What an in-place call folds into must not grow without bounds: zero stays zero. */
static void write_input(void) { memset(now.in_place ? now.recv : now.send, 0, now.bytes); }

static void must(int code) {
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  if (code == MPI_SUCCESS) return;
  MPI_Error_string(code, text, &length);
  die(text);
}

static void run_stamped(int warm_up, int number) {
  for (int i = 0; i < warm_up + number; ++i) {
    next_place();
    if (now.fresh) write_input();
    start_together();
    const uint64_t entry = ticks();
    const int code = now.run();
    const uint64_t exit = ticks();
    must(code);
    if (i >= warm_up) own_stamps[i - warm_up] = (struct stamps){entry, exit};
  }
}

static void run_back_to_back(int warm_up, int number) {
  for (int i = 0; i < warm_up; ++i) {
    next_place();
    must(now.run());
  }
  start_together();
  own_stamps[0].entry = ticks();
  for (int i = 0; i < number; ++i) {
    next_place();
    if (now.fresh) write_input();
    must(now.run());
  }
  own_stamps[0].exit = ticks();
}

static long long cpu_ns(void) {
  struct timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return (long long)time.tv_sec * 1000000000 + time.tv_nsec;
}

/* ---- computing beside a call -------------------------------------------------------------------------- */

/* What `load` says: microseconds of computing between start and wait, and between two tests (0: none), and by
 * how much the last rank is late, which then does not compute but waits. */
static struct {
  int communicates;
  double compute, test_every, late;
} load;

/* Nothing that needs memory; a chain, so that every step waits for the one before. */
static void work_steps(uint64_t steps) {
  static uint64_t state = 1;
  uint64_t value = state;
  for (; steps > 0; --steps) {
    value = value * 6364136223846793005U + 1442695040888963407U;
    __asm__ volatile("" : "+r"(value));
  }
  state = value;
}

static double now_us(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e6 + (double)time.tv_nsec * 1e-3;
}

static double steps_per_us;

/* The best of a few tries: a step may take longer than it needs, never less. */
static void calibrate(void) {
  enum { TRIES = 10, STEPS = 200000 };
  for (int i = 0; i < TRIES; ++i) {
    const double before = now_us();
    work_steps(STEPS);
    const double rate = STEPS / (now_us() - before);
    if (rate > steps_per_us) steps_per_us = rate;
  }
}

static void work(double us) { work_steps((uint64_t)(us * steps_per_us)); }

static int compute(MPI_Request* request) {
  const int tests = load.communicates && load.test_every > 0;
  const double step = tests ? load.test_every : load.compute;
  int done = 0;
  for (double left = load.compute; left > 0; left -= step) {
    work(left < step ? left : step);
    const int code = tests && !done ? MPI_Test(request, &done, MPI_STATUS_IGNORE) : MPI_SUCCESS;
    if (code != MPI_SUCCESS) return code;
  }
  return MPI_SUCCESS;
}

static int run_loaded(void) {
  const int late = load.late > 0 && rank == ranks - 1;
  MPI_Request request = MPI_REQUEST_NULL;
  if (late) work(load.late);
  int code = load.communicates ? begin(&request) : MPI_SUCCESS;
  if (code == MPI_SUCCESS && !late) code = compute(&request);
  if (code == MPI_SUCCESS && load.communicates) code = MPI_Wait(&request, MPI_STATUS_IGNORE);
  return code;
}

/* ---- commands ----------------------------------------------------------------------------------------- */

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

static void free_requests(void) {
  while (number_made > 0) must(MPI_Request_free(&made[--number_made]));
}

static const struct call* call_named(const char* name) {
  for (size_t i = 0; i < sizeof calls / sizeof *calls; ++i)
    if (strcmp(calls[i].name, name) == 0) return &calls[i];
  die("unknown call");
  return NULL;
}

static void set_case(const char* line) {
  char call[32], type[16], op[16];
  free_requests();
  if (sscanf(line, "case %31s %d %15s %15s %d %d %d %d %u %zu %zu", call, &now.form, type, op, &now.count,
             &now.root, &now.in_place, &now.fresh, &now.places, &now.stride, &now.shift) != 11 ||
      now.places > MAX_CALLS)
    die("a case that cannot be read");
  now.what = call_named(call);
  now.run = now.form == BLOCKING ? now.what->block : begin_and_wait;
  size_t element = 0;
  now.type = type_named(type, &element);
  now.op = op_named(op);
  now.bytes = (size_t)now.count * element;
  for (int r = 0; r < ranks; ++r) now.counts[r] = now.count / ranks + (r < now.count % ranks);
  now.lacks = 0;
  if (now.form == PERSISTENT) make_requests();
  choose_place(0);
}

/* Whether this MPI has the call, which is found out by making one. */
static int is_there(void) {
  if (now.lacks) return 0;
  const int code = now.run();
  if (is_lacking(code)) return 0;
  must(code);
  return 1;
}

/* The buffer that `put` fills before a call, and the one with its result. */
static unsigned char* filled(void) {
  const int leaf = now.what->block == block_reduce && rank != now.root;
  return now.in_place && !leaf ? now.recv : now.send;
}
static unsigned char* result(void) { return now.what->block == block_bcast ? now.send : now.recv; }

static void move_data(const char* line, int in) {
  size_t offset = 0, length = 0;
  char buffer[8];
  if (sscanf(line, "%*s %7s %zu %zu", buffer, &offset, &length) != 3 || length > DATA_BYTES)
    die("a piece of data that cannot be read");
  unsigned char* const at = (strcmp(buffer, "recv") == 0 ? now.recv : in ? filled() : result()) + offset;
  memcpy(in ? at : own_data, in ? own_data : at, length);
}

/* Does what one line says. The answer is "ok" and the CPU time that this took, or "lacks". */
static void obey(const char* line, char* answer, size_t capacity) {
  const long long before = cpu_ns();
  int warm_up = 0, number = 0, stamped = 0, kind = 0, there = 1;
  size_t send_bytes = 0, recv_bytes = 0;
  unsigned long long ahead = 0;
  if (sscanf(line, "arenas %zu %zu %d", &send_bytes, &recv_bytes, &kind) == 3) {
    arenas[0] = make_arena(send_bytes, kind);
    arenas[1] = make_arena(recv_bytes, kind);
    if (arenas[0] == NULL || arenas[1] == NULL) die("no memory for buffers");
  } else if (sscanf(line, "pace %llu %d", &ahead, &yields) == 2) {
    lead = ahead;
  } else if (strncmp(line, "case ", 5) == 0) {
    set_case(line);
  } else if (sscanf(line, "run %d %d %d", &warm_up, &number, &stamped) == 3) {
    if (now.in_place) write_input();
    (stamped ? run_stamped : run_back_to_back)(warm_up, number);
    choose_place(0);
  } else if (strncmp(line, "put ", 4) == 0) {
    move_data(line, 1);
  } else if (strncmp(line, "get ", 4) == 0) {
    move_data(line, 0);
  } else if (sscanf(line, "load %d %lf %lf %lf", &load.communicates, &load.compute, &load.test_every,
                    &load.late) == 4) {
    if (steps_per_us == 0) calibrate();
    now.run = run_loaded;
  } else if (strncmp(line, "try", 3) == 0) {
    there = is_there();
  } else if (strncmp(line, "once", 4) == 0) {
    must(now.run());
  } else {
    die("a command that cannot be read");
  }
  if (there) {
    snprintf(answer, capacity, "ok %lld\n", cpu_ns() - before);
  } else {
    snprintf(answer, capacity, "lacks\n");
  }
}

/* ---- joining the driver ------------------------------------------------------------------------------- */

/* What the launchers call the rank, needed before MPI_Init: memory should be touched on the right CPU. */
static int rank_in_environment(void) {
  static const char* const names[] = {"FOLDLANE_RANK", "OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (getenv(names[i]) != NULL) return atoi(getenv(names[i]));
  return -1;
}

static void run_on(const char* cpus) {
  int number = 1;
  cpu_set_t mask;
  if (*cpus == '-') return;
  for (const char* c = cpus; *c; ++c) number += *c == ',';
  for (int skip = rank % number; skip > 0; --skip) cpus = strchr(cpus, ',') + 1;
  CPU_ZERO(&mask);
  CPU_SET((size_t)atoi(cpus), &mask);
  if (sched_setaffinity(0, sizeof mask, &mask) != 0) die("cannot run on the CPU it was given");
}

static int connect_to(const char* name) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  const int driver = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const size_t length = strlen(name);
  if (length + 1 > sizeof address.sun_path) die("the socket's name is too long");
  memcpy(address.sun_path + 1, name, length);
  if (connect(driver, (struct sockaddr*)&address,
              (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + length)) != 0)
    die("the driver is not there");
  return driver;
}

static int receive_file(int driver) {
  char byte;
  char room[CMSG_SPACE(sizeof(int))];
  struct iovec data = {&byte, 1};
  struct msghdr message = {
      .msg_iov = &data, .msg_iovlen = 1, .msg_control = room, .msg_controllen = sizeof room};
  if (recvmsg(driver, &message, 0) != 1 || CMSG_FIRSTHDR(&message) == NULL) die("the driver sent no file");
  int fd;
  memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof fd);
  return fd;
}

static void map_window(int fd) {
  struct stat file;
  if (fstat(fd, &file) != 0) die("the driver's file cannot be read");
  unsigned char* const at = mmap(NULL, (size_t)file.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (at == MAP_FAILED) die("the driver's file cannot be mapped");
  lines = (struct line*)at;
  own_stamps = (struct stamps*)(at + MAX_RANKS * LINE) + (size_t)rank * MAX_CALLS;
  own_data =
      at + MAX_RANKS * LINE + (size_t)ranks * MAX_CALLS * sizeof(struct stamps) + (size_t)rank * DATA_BYTES;
  close(fd);
}

int main(int argc, char** argv) {
  if (argc != 4) die("usage: probe SOCKET CPUS CLOCK (it is started by foldlane bench)");
  const int early_rank = rank = rank_in_environment();
  if (early_rank >= 0) run_on(argv[2]);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  if (rank != early_rank) run_on(argv[2]);
  uses_counter = strcmp(argv[3], "counter") == 0;

  const int driver = connect_to(argv[1]);
  map_window(receive_file(driver));
  char line[256];
  FILE* const commands = fdopen(driver, "r");
  dprintf(driver, "rank %d of %d\n", rank, ranks);
  while (fgets(line, sizeof line, commands) != NULL && strncmp(line, "quit", 4) != 0) {
    char answer[64];
    obey(line, answer, sizeof answer);
    if (write(driver, answer, strlen(answer)) < 0) break;
  }
  free_requests();
  return MPI_Finalize();
}
