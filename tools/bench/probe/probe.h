/* What the files of the measurement program share: a section per file. */
#pragma once

#include <mpi.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

/* These names must not meet those of a library of MPI. */
#pragma GCC visibility push(hidden)

/* ---- probe.c ---- */

extern int rank, ranks;

/* Ranks and, behind them, their other threads have a CPU each, in turn. */
void run_on_cpu_of(int runner);
void die(const char* what);
void die_of(int code); /* with MPI's text for it */

static inline void must(int code) {
  if (code != MPI_SUCCESS) die_of(code);
}

/* ---- window.c ---- */

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
extern struct line* lines;        /* one per rank */
extern struct stamps* own_stamps; /* of this rank: one per call */
extern unsigned char* own_data;   /* of this rank: DATA_BYTES, for `put` and `get` */

int connect_to(const char* name);
/* Maps the file that the driver sends. */
void receive_window(int driver);

/* ---- calls.c ---- */

/* A collective in its forms, or a pattern of messages; forms that it does not have are NULL. */
struct call {
  const char* name;
  int (*block)(void);
  int (*start)(MPI_Request*); /* nonblocking */
  int (*make)(MPI_Request*);  /* persistent */
};

/* Instead of a code of MPI, which are not negative. */
enum { LACKING = -1 };

const struct call* call_named(const char* name);
MPI_Datatype type_named(const char* name, size_t* bytes);
MPI_Op op_named(const char* name);

/* ---- messages.c ---- */

enum { MAX_MESSAGES = 64, MAX_SOURCES = 16 * MAX_RANKS };

int run_pingpong(void);
int run_stream(void);
int run_bidirectional(void);
int run_exchange(void);
int run_incast(void);
int run_unexpected(void);

/* ---- blocks.c ---- */

/* Arguments of calls that move blocks of the same size with counts, displacements and types of each. */
struct blocks {
  int counts[MAX_RANKS], places[MAX_RANKS], bytes_before[MAX_RANKS];
  MPI_Datatype types[MAX_RANKS];
};
extern struct blocks blocks;

void set_blocks(void);
/* What the call takes from this rank: where it lies, and how much it is. */
unsigned char* input_of_rank(size_t* bytes);

/* ---- ring.c ---- */

extern MPI_Comm ring; /* none until a case has needed it */

/* Collective, if the case goes by it. */
void provide_ring(void);
void free_ring(void);

/* ---- case.c ---- */

enum { MAX_THREADS = 64 };

/* The case that is measured. */
struct measured {
  const struct call* what;
  int form;
  int lacks;        /* this MPI has no such call */
  int (*run)(void); /* one call, in its form, until it is complete */
  MPI_Datatype type;
  MPI_Op op;
  int count, root, in_place, fresh;
  unsigned places, place;
  int messages;                /* of a pattern: of a sender; else 1 */
  int slots;                   /* messages, or blocks of a call that moves them, that a buffer has room for */
  int threads, thread;         /* that run it at once; 0: not at MPI_THREAD_MULTIPLE */
  MPI_Comm comm;               /* of messages */
  size_t bytes, stride, shift; /* of one of them; place n of a buffer is n x stride + shift */
  size_t part;                 /* where in a place that of the thread begins */
  unsigned turns;              /* places that were taken so far */
  unsigned char* send;
  unsigned char* recv;
  int counts[MAX_RANKS];
};
extern _Thread_local struct measured now; /* each thread has its own */
extern int sources[MAX_SOURCES]; /* who sent what the last run with wildcards received, in that order */

void set_case(const char* line);
/* Whether this MPI has the call, which is found out by making one. */
int is_there(void);
/* Begins a call in a form that is not blocking. */
int begin(MPI_Request* request);
void free_requests(void);

/* ---- threads.c ---- */

typedef struct stamps work_of_thread(int warm_up, int number);

/* Collective: a communicator for each thread of the case. */
void provide_comms(void);
void free_comms(void);
/* By all threads of the case at once; from the first entry to the last exit. */
struct stamps in_threads(work_of_thread* work, int warm_up, int number);

/* ---- buffers.c ---- */

void make_arenas(size_t send_bytes, size_t recv_bytes, int kind);
void choose_place(unsigned number);
void write_input(void);
void move_data(const char* line, int in);

/* ---- measure.c ---- */

extern int uses_counter; /* else the system's clock */
extern uint64_t
    lead;          /* how far ahead a common start lies, in ticks: it must have reached everybody by then */
extern int yields; /* more ranks than CPUs: spinning would take away what is waited for */

void run_stamped(int warm_up, int number);
void run_back_to_back(int warm_up, int number);
void run_once(void);

/* ---- load.c ---- */

/* From now on ranks compute beside the call. */
void set_load(const char* line);

/* ---- commands.c ---- */

/* Does what one line says. The answer is "ok" and the CPU time that this took, or "lacks". */
void obey(const char* line, char* answer, size_t capacity);

#pragma GCC visibility pop
