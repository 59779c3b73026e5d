/* A rank of a program with the mistake that its argument names: what it says on stderr is the test's business
   (mistakes_test.cpp). */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "support/expect.h"

static int rank;

static void keep_nothing(void) {
  MPI_Datatype type;
  MPI_Type_vector(2, 1, 3, MPI_INT, &type);
  MPI_Type_free(&type);
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_free(&comm);
}

static void no_operation(void* in, void* inout, int* count, MPI_Datatype* type) {
  (void)in, (void)inout, (void)count, (void)type;
}

static int make_type_while_copying(MPI_Comm comm, int key, void* extra, void* value, void* copied,
                                   int* flag) {
  (void)comm, (void)key, (void)extra, (void)value, (void)copied;
  MPI_Datatype type;
  MPI_Type_contiguous(3, MPI_INT, &type);
  MPI_Type_free(&type);
  *flag = 0;
  return MPI_SUCCESS;
}

static void handle(MPI_Comm* comm, int* code, ...) { (void)comm, (void)code; }

/* One of each kind. */
static void keep_all_kinds(void) {
  MPI_Datatype type;
  MPI_Type_vector(2, 1, 3, MPI_INT, &type);
  MPI_Type_commit(&type);
  MPI_Type_contiguous(3, MPI_INT, &type);
  MPI_Type_set_name(type, "three");
  int key;
  MPI_Comm_create_keyval(make_type_while_copying, MPI_COMM_NULL_DELETE_FN, &key, NULL);
  MPI_Comm_set_attr(MPI_COMM_WORLD, key, NULL);
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Request request;
  MPI_Comm_idup(MPI_COMM_WORLD, &comm, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Comm_set_name(comm, "second");
  MPI_Comm_delete_attr(MPI_COMM_WORLD, key);
  MPI_Group group;
  MPI_Comm_group(MPI_COMM_WORLD, &group);
  MPI_Info info;
  MPI_Info_create(&info);
  MPI_Op op;
  MPI_Op_create(no_operation, 1, &op);
  MPI_Errhandler handler;
  MPI_Comm_create_errhandler(handle, &handler);
  MPI_Comm_set_errhandler(comm, handler);
  MPI_Comm_create_errhandler(handle, &handler);
  MPI_Comm_set_errhandler(comm, handler);
  MPI_Errhandler_free(&handler); /* the communicator has it still */
  MPI_Message message;
  MPI_Send(&key, 1, MPI_INT, rank, 4, MPI_COMM_WORLD);
  MPI_Mprobe(rank, 4, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
  MPI_Send_init(&key, 1, MPI_INT, rank, 5, MPI_COMM_WORLD, &request);
  MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &request);
}

static void keep_many(void) {
  for (int i = 0; i < 13; ++i) {
    MPI_Datatype type;
    MPI_Type_contiguous(i, MPI_INT, &type);
  }
}

/* Rank 0 leaves them to itself; that some are done already changes nothing. */
static void leave_requests(void) {
  static int data[16];
  if (rank != 0) return;
  MPI_Request request;
  MPI_Issend(&data[0], 1, MPI_INT, 0, 3, MPI_COMM_WORLD, &request);
  MPI_Irecv(&data[1], 1, MPI_INT, 0, 3, MPI_COMM_WORLD, &request);
  MPI_Irecv(&data[2], 2, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
  MPI_Ibarrier(MPI_COMM_SELF, &request);
  MPI_Recv_init(&data[4], 1, MPI_INT, 0, 9, MPI_COMM_WORLD, &request);
  MPI_Request_free(&request);
  MPI_Irecv(&data[5], 1, MPI_INT, 0, 10, MPI_COMM_WORLD, &request);
  MPI_Request_free(&request); /* goes on, and is nobody's */
}

static void leave_many_requests(void) {
  static int data[12];
  MPI_Request request;
  for (int i = 0; i < 12 && rank == 0; ++i) MPI_Irecv(&data[i], 1, MPI_INT, 0, i, MPI_COMM_WORLD, &request);
}

/* One element of each, one behind the other. */
static MPI_Datatype record_of(int members, const MPI_Datatype* types) {
  int lengths[4] = {1, 1, 1, 1};
  MPI_Aint places[4] = {0, 8, 16, 24};
  MPI_Datatype record;
  MPI_Type_create_struct(members, lengths, places, types, &record);
  MPI_Type_commit(&record);
  return record;
}

/* Types of several kinds of elements, of which rank 1 notices what differs, and nothing else. */
static void mix_kinds(void) {
  const MPI_Datatype types[] = {MPI_INT, MPI_DOUBLE, MPI_INT, MPI_DOUBLE};
  const MPI_Datatype alike[] = {MPI_UNSIGNED, MPI_DOUBLE, MPI_INTEGER, MPI_DOUBLE};
  const MPI_Datatype with_bytes[] = {MPI_INT, MPI_BYTE};
  const MPI_Datatype three[] = {MPI_INT, MPI_DOUBLE, MPI_DOUBLE};
  MPI_Datatype record = record_of(2, types), twice = record_of(4, types), turned = record_of(2, types + 1);
  MPI_Datatype unsigned_twice = record_of(4, alike), blob = record_of(2, with_bytes);
  MPI_Datatype longer = record_of(3, three);
  double data[32] = {0};
  const struct {
    int sent;
    MPI_Datatype send_type;
    int wanted;
    MPI_Datatype receive_type;
  } calls[] = {
      {2, record, 2, record},         {2, record, 1, twice},   {1, twice, 2, record},
      {2, record, 1, unsigned_twice}, {1, record, 1, longer},  {1, record, 3, record},
      {1, record, 12, MPI_BYTE},      {1, blob, 5, MPI_BYTE},  {1, MPI_INT, 1, record},
      {1, blob, 1, record}, /* from here on they differ */
      {1, record, 1, turned},         {3, MPI_INT, 1, record}, {2, record, 3, MPI_DOUBLE},
  };
  for (int i = 0; i < (int)(sizeof calls / sizeof calls[0]); ++i) {
    if (rank == 0) {
      MPI_Send(data, calls[i].sent, calls[i].send_type, 1, i, MPI_COMM_WORLD);
    } else {
      MPI_Recv(data, calls[i].wanted, calls[i].receive_type, 0, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
  }
}

/* Rank 0 sends two messages of one type, and then what the others do not notice. */
static void mix_types(void) {
  double data[8] = {0};
  if (rank == 0) {
    for (int i = 0; i < 2; ++i) MPI_Send(data, 1, MPI_DOUBLE, 1, i, MPI_COMM_WORLD);
    MPI_Send(data, 0, MPI_DOUBLE, 1, 2, MPI_COMM_WORLD);
    MPI_Send(data, 8, MPI_BYTE, 1, 3, MPI_COMM_WORLD);
    MPI_Send(data, 1, MPI_DOUBLE, 1, 4, MPI_COMM_WORLD);
    MPI_Send(data, 1, MPI_INTEGER, 1, 5, MPI_COMM_WORLD);
    MPI_Send(data, 1, MPI_LONG, 1, 6, MPI_COMM_WORLD);
    MPI_Send(data, 1, MPI_DOUBLE, 1, 7, MPI_COMM_WORLD);
    MPI_Send(data, 1, MPI_FLOAT, 1, 8, MPI_COMM_WORLD);
  } else {
    MPI_Request request;
    MPI_Datatype pairs;
    MPI_Type_contiguous(2, MPI_DOUBLE, &pairs);
    MPI_Type_commit(&pairs);
    MPI_Recv(data, 2, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Irecv(data, 2, MPI_INT, 0, 1, MPI_COMM_WORLD, &request); /* the same again */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Recv(data, 2, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* no elements */
    MPI_Recv(data, 2, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* bytes are anything */
    MPI_Recv(data, 8, MPI_PACKED, 0, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(data, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(data, 1, MPI_UINT64_T, 0, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(data, 1, pairs, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(data, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Type_free(&pairs);
  }
}

/* Rank 0's first two messages come too early, the last one does not. */
static void send_too_early(void) {
  int data = 0;
  if (rank == 0) {
    MPI_Rsend(&data, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    MPI_Rsend(&data, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
    MPI_Send(&data, 0, MPI_INT, 1, 2, MPI_COMM_WORLD);
    MPI_Recv(&data, 0, MPI_INT, 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Rsend(&data, 1, MPI_INT, 1, 4, MPI_COMM_WORLD);
  } else {
    MPI_Request request;
    MPI_Recv(&data, 0, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(&data, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(&data, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Irecv(&data, 1, MPI_INT, 0, 4, MPI_COMM_WORLD, &request);
    MPI_Send(&data, 0, MPI_INT, 0, 3, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
}

/* Rank 0 sends messages that nobody asks for, without waiting for their end. */
static void lose(MPI_Comm comm, int first_tag, int messages, int bytes) {
  static char data[1 << 20];
  for (int i = 0; i < messages && rank == 0; ++i) {
    MPI_Request request;
    MPI_Isend(data, bytes, MPI_BYTE, 1, first_tag + i, comm, &request);
    MPI_Request_free(&request);
  }
}

static void lose_one(void) { lose(MPI_COMM_WORLD, 3, 1, 4); }
static void lose_ten(void) { lose(MPI_COMM_WORLD, 0, 10, 4); }
static void lose_twelve(void) { lose(MPI_COMM_WORLD, 0, 12, 4); }

/* One that goes by each way. Rank 1 receives the one behind them, and loses one of its own. */
static void lose_all_lengths(void) {
  static const int kBytes[] = {0, 97, 8 << 10, 100000, 1 << 20};
  for (int i = 0; i < 5; ++i) lose(MPI_COMM_WORLD, 2 * i, 1, kBytes[i]);
  char byte = 0;
  if (rank == 0) MPI_Send(&byte, 1, MPI_BYTE, 1, 5, MPI_COMM_WORLD);
  if (rank == 1) MPI_Recv(&byte, 1, MPI_BYTE, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank == 1) MPI_Send(&byte, 1, MPI_BYTE, 0, 6, MPI_COMM_SELF);
}

/* Rank 1 has received a message on one of the communicators, and nothing on the other one. */
static void lose_with_communicators(void) {
  char byte = 0;
  MPI_Comm comms[2];
  for (int i = 0; i < 2; ++i) MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
  MPI_Comm_set_name(comms[0], "pair");
  lose(comms[0], 1, 12, 4);
  if (rank == 0) MPI_Send(&byte, 1, MPI_BYTE, 1, 0, comms[0]);
  if (rank == 1) MPI_Recv(&byte, 1, MPI_BYTE, 0, 0, comms[0], MPI_STATUS_IGNORE);
  MPI_Comm_free(&comms[0]);
  lose(comms[1], 7, 1, 100000);
  MPI_Comm_free(&comms[1]);
  lose(MPI_COMM_WORLD, 9, 1, 4);
}

/* One communicator is not freed, and the other one stays for a send that nobody receives. */
static void lose_without_departure(void) {
  char byte = 0;
  MPI_Comm comms[2];
  for (int i = 0; i < 2; ++i) MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
  MPI_Comm_set_name(comms[0], "kept");
  lose(comms[0], 1, 1, 4);
  if (rank == 0) MPI_Send(&byte, 1, MPI_BYTE, 1, 0, comms[0]);
  if (rank == 1) MPI_Recv(&byte, 1, MPI_BYTE, 0, 0, comms[0], MPI_STATUS_IGNORE);
  lose(comms[1], 2, 1, 1 << 20);
  MPI_Comm_free(&comms[1]);
}

/* usage: mistakes_rank MISTAKE */
int main(int argc, char** argv) {
  static const struct {
    const char* name;
    void (*make)(void);
  } mistakes[] = {
      {"nothing", keep_nothing},
      {"all-kinds", keep_all_kinds},
      {"many", keep_many},
      {"requests", leave_requests},
      {"many-requests", leave_many_requests},
      {"types", mix_types},
      {"kinds", mix_kinds},
      {"ready", send_too_early},
      {"lost-one", lose_one},
      {"lost-ten", lose_ten},
      {"lost-twelve", lose_twelve},
      {"lost-lengths", lose_all_lengths},
      {"lost-freed", lose_with_communicators},
      {"lost-kept", lose_without_departure},
  };
  expect(argc == 2);
  if (strcmp(argv[1], "session") == 0) {
    MPI_Session session;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
    return 0;
  }
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const size_t count = sizeof mistakes / sizeof mistakes[0];
  size_t i = 0;
  while (i < count && strcmp(argv[1], mistakes[i].name) != 0) ++i;
  expect_that(i < count, "unknown mistake");
  mistakes[i].make();
  MPI_Finalize();
  return 0;
}
