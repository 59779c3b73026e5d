// All ranks send to all at a time: Sendrecv and its kin around a ring, everybody to everybody in all modes on
// communicators of every kind, buffered sends out of a buffer that is just large enough.
#include "p2p/messages.hpp"

using namespace foldlane::testing;

namespace {

using Bytes = std::vector<unsigned char>;

int rank_in(MPI_Comm comm) {
  int rank = -1;
  MPI_Comm_rank(comm, &rank);
  return rank;
}
/// How many ranks can be sent to.
int partners(MPI_Comm comm) {
  int inter = 0, size = 0;
  MPI_Comm_test_inter(comm, &inter);
  inter != 0 ? MPI_Comm_remote_size(comm, &size) : MPI_Comm_size(comm, &size);
  return size;
}

// ---- rings

struct Ring {
  MPI_Comm comm;
  int next, before;

  explicit Ring(MPI_Comm comm_) : comm(comm_) {
    const int rank = rank_in(comm), size = partners(comm);
    next = (rank + 1) % size;
    before = (rank + size - 1) % size;
  }
};

/// One call around the ring. `got` holds what is sent if it is to be replaced.
struct Around {
  const char* name;
  bool replaces;
  void (*call)(const Ring&, const Bytes& data, Bytes& got, MPI_Status*);
};

int length(const Bytes& bytes) { return static_cast<int>(bytes.size()); }

const Around kAround[] = {
    {"Sendrecv", false,
     [](const Ring& ring, const Bytes& data, Bytes& got, MPI_Status* status) {
       MPI_Sendrecv(data.data(), length(data), MPI_BYTE, ring.next, 1, got.data(), length(got), MPI_BYTE,
                    ring.before, 1, ring.comm, status);
     }},
    {"Sendrecv_replace", true,
     [](const Ring& ring, const Bytes&, Bytes& got, MPI_Status* status) {
       MPI_Sendrecv_replace(got.data(), length(got), MPI_BYTE, ring.next, 1, ring.before, 1, ring.comm,
                            status);
     }},
    {"Isendrecv", false,
     [](const Ring& ring, const Bytes& data, Bytes& got, MPI_Status* status) {
       MPI_Request request;
       MPI_Isendrecv(data.data(), length(data), MPI_BYTE, ring.next, 1, got.data(), length(got), MPI_BYTE,
                     MPI_ANY_SOURCE, 1, ring.comm, &request);
       MPI_Wait(&request, status);
     }},
    {"Isendrecv_replace", true, [](const Ring& ring, const Bytes&, Bytes& got, MPI_Status* status) {
       MPI_Request request;
       MPI_Isendrecv_replace(got.data(), length(got), MPI_BYTE, ring.next, 1, ring.before, MPI_ANY_TAG,
                             ring.comm, &request);
       MPI_Wait(&request, status);
     }}};

void check_rings(MPI_Comm comm) {
  const Ring ring(comm);
  for (const Around& around : kAround) {
    for (const int bytes : kSizes) {
      const Bytes data = content(rank_in(comm), bytes, static_cast<std::size_t>(bytes));
      Bytes got = around.replaces ? data : Bytes(data.size());
      MPI_Status status{};
      around.call(ring, data, got, &status);
      check_status(status, ring.before, 1, got.size());
      check_content(got, ring.before, bytes);
    }
  }
}

/// Only what lies in the type is replaced.
void check_replacing_a_type(MPI_Comm comm) {
  const Ring ring(comm);
  MPI_Datatype every_second = MPI_DATATYPE_NULL;
  MPI_Type_vector(1000, 1, 2, MPI_INT, &every_second);
  MPI_Type_commit(&every_second);
  for (const bool waits : {true, false}) {
    std::vector<int> data(2000, rank_in(comm));
    MPI_Request request = MPI_REQUEST_NULL;
    if (waits) {
      MPI_Sendrecv_replace(data.data(), 1, every_second, ring.next, 1, ring.before, 1, comm,
                           MPI_STATUS_IGNORE);
    } else {
      MPI_Isendrecv_replace(data.data(), 1, every_second, ring.next, 1, ring.before, 1, comm, &request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    for (std::size_t i = 0; i < data.size(); ++i)
      check_that(data[i] == (i % 2 == 0 ? ring.before : rank_in(comm)), "the wrong elements were replaced");
  }
  MPI_Type_free(&every_second);
}

/// A chain: the ends have nobody beside them.
void check_chain(MPI_Comm comm) {
  const int rank = rank_in(comm), size = partners(comm);
  const int up = rank + 1 == size ? MPI_PROC_NULL : rank + 1, down = rank == 0 ? MPI_PROC_NULL : rank - 1;
  int got = -1;
  MPI_Status status{};
  MPI_Sendrecv(&rank, 1, MPI_INT, up, 1, &got, 1, MPI_INT, down, 1, comm, &status);
  check_that(got == rank - 1, "the chain is broken");
  check_status(status, down, down == MPI_PROC_NULL ? MPI_ANY_TAG : 1, rank == 0 ? 0 : sizeof got);
  got = rank;
  MPI_Sendrecv_replace(&got, 1, MPI_INT, down, 1, up, 1, comm, &status);
  check_that(got == (up == MPI_PROC_NULL ? rank : up), "the chain is broken backwards");
}

/// A receive that is too small does not keep the send from its partner.
void check_truncation(MPI_Comm comm) {
  const Ring ring(comm);
  const int data[2] = {1, 2};
  int got = 0;
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  expect_error(
      MPI_Sendrecv(data, 2, MPI_INT, ring.next, 1, &got, 1, MPI_INT, ring.before, 1, comm, MPI_STATUS_IGNORE),
      MPI_ERR_TRUNCATE, {"sent 8 bytes", "room for 4"});
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Isendrecv(data, 2, MPI_INT, ring.next, 1, &got, 1, MPI_INT, ring.before, 1, comm, &request);
  expect_error(MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_ERR_TRUNCATE, {"sent 8 bytes", "room for 4"});
  MPI_Isendrecv(data, 1, MPI_INT, ring.next, 1, &got, 1, MPI_INT, ring.before, 1, comm, &request);
  check_that(MPI_Cancel(&request) == MPI_ERR_REQUEST, "it could be cancelled");
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_ARE_FATAL);
}

// ---- everybody to everybody

void check_everybody(MPI_Comm comm) {
  const int own = rank_in(comm), others = partners(comm);
  for (const int bytes : {0, 8, 97, 5000, 20'000, 300'000}) {
    const auto length = static_cast<std::size_t>(bytes);
    const Bytes data = content(own, bytes, length);
    std::vector<Bytes> got(static_cast<std::size_t>(others), Bytes(length));
    std::vector<MPI_Request> requests(2 * static_cast<std::size_t>(others));
    for (int i = 0; i < others; ++i) {
      const auto at = static_cast<std::size_t>(i);
      MPI_Irecv(got[at].data(), bytes, MPI_BYTE, i, 4, comm, &requests[at]);
    }
    for (int i = 0; i < others; ++i) {
      const int to = (own + i) % others;
      auto* const send = i % 2 == 0 ? MPI_Isend : MPI_Issend;
      send(data.data(), bytes, MPI_BYTE, to, 4, comm, &requests[static_cast<std::size_t>(others + to)]);
    }
    std::vector<MPI_Status> statuses(requests.size());
    MPI_Waitall(2 * others, requests.data(), statuses.data());
    for (int i = 0; i < others; ++i) {
      const auto at = static_cast<std::size_t>(i);
      check_status(statuses[at], i, 4, length);
      check_content(got[at], i, bytes);
    }
  }
}

/// As many messages from each, received in the order of their coming.
void check_anybody(MPI_Comm comm) {
  constexpr int kRounds = 30;
  const int own = rank_in(comm), others = partners(comm);
  std::vector<int> numbers(static_cast<std::size_t>(others), 0);
  std::vector<MPI_Request> requests;
  std::vector<int> data(kRounds);
  for (int round = 0; round < kRounds; ++round) {
    data[static_cast<std::size_t>(round)] = 1000 * own + round;
    for (int to = 0; to < others; ++to) {
      requests.push_back(MPI_REQUEST_NULL);
      MPI_Isend(&data[static_cast<std::size_t>(round)], 1, MPI_INT, to, round, comm, &requests.back());
    }
  }
  for (int i = 0; i < kRounds * others; ++i) {
    int got = -1;
    MPI_Status status{};
    MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &status);
    int& number = numbers[static_cast<std::size_t>(status.MPI_SOURCE)];
    check_that(got == 1000 * status.MPI_SOURCE + number, "a message has overtaken another one");
    check_status(status, status.MPI_SOURCE, number++, sizeof got);
  }
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  MPI_Barrier(comm);  // nobody sends anything else before all have received
}

/// Before anybody receives. The buffer has no byte more than the standard wants, the data are overwritten at
/// once, and the buffer as soon as it is back.
void check_buffered(MPI_Comm comm) {
  const int own = rank_in(comm), others = partners(comm);
  int room = 0;
  for (const int bytes : kSizes) {
    int packed = 0;
    MPI_Pack_size(bytes, MPI_BYTE, comm, &packed);
    room += others * (packed + MPI_BSEND_OVERHEAD);
  }
  std::vector<char> buffer(static_cast<std::size_t>(room));
  MPI_Comm_attach_buffer(comm, buffer.data(), room);
  for (int round = 0; round < 3; ++round) {
    for (const int bytes : kSizes) {
      Bytes data = content(own, bytes, static_cast<std::size_t>(bytes));
      for (int to = 0; to < others; ++to) MPI_Bsend(data.data(), bytes, MPI_BYTE, to, bytes, comm);
      std::fill(data.begin(), data.end(), static_cast<unsigned char>(0xee));
    }
    for (int i = 0; i < others; ++i) {
      const int from = (own + i) % others;
      for (const int bytes : kSizes) receive_checked(comm, from, bytes, bytes);
    }
    MPI_Barrier(comm);  // all have been received: there is room for as many again
  }
  void* address = nullptr;
  int size = -1;
  MPI_Comm_detach_buffer(comm, &address, &size);
  check_that(address == buffer.data() && size == room, "another buffer came back");
}

void check_every_way(MPI_Comm comm) {
  check_everybody(comm);
  check_anybody(comm);
  check_buffered(comm);
}

// ---- communicators of every kind

void check_halves() {
  MPI_Comm half = MPI_COMM_NULL, inter = MPI_COMM_NULL;
  const int color = my_rank() % 2;
  MPI_Comm_split(MPI_COMM_WORLD, color, -my_rank(), &half);  // in the opposite order
  check_every_way(half);
  check_rings(half);
  if (world_size() > 1) {
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, (world_size() - 1) - (world_size() - 1 - (1 - color)) % 2,
                         5, &inter);
    check_every_way(inter);
    MPI_Comm copy = duplicate(inter);
    check_everybody(copy);
    MPI_Comm_free(&copy);
    MPI_Comm_free(&inter);
  }
  MPI_Comm_free(&half);
}

void check_session() {
  MPI_Session session = MPI_SESSION_NULL;
  MPI_Group group = MPI_GROUP_NULL;
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
  MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
  MPI_Comm_create_from_group(group, "exchange", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
  check_every_way(comm);
  check_rings(comm);
  MPI_Comm_free(&comm);
  MPI_Group_free(&group);
  MPI_Session_finalize(&session);
}

}  // namespace

int main() {
  MPI_Init(nullptr, nullptr);
  on_duplicate("rings", check_rings);
  on_duplicate("replacing a type", check_replacing_a_type);
  on_duplicate("a chain", check_chain);
  on_duplicate("truncation", check_truncation);
  on_duplicate("everybody", check_every_way);
  begin_case("world");
  check_every_way(MPI_COMM_WORLD);
  begin_case("halves");
  check_halves();
  begin_case("session");
  check_session();
  MPI_Finalize();
  return 0;
}
