// Wrong arguments of all calls that send or receive: each gives its error class, names the call, leaves the
// null handle where a request was to be, and nothing has been sent. With MPI_PROC_NULL each succeeds.
#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "support/mpi_world.hpp"

namespace {

using foldlane::testing::error_string;

MPI_Request request = MPI_REQUEST_NULL;
std::array<int, 4> memory{1, 2, 3, 4};
std::array<int, 4> other{5, 6, 7, 8};

/// What all these calls have, right but for what a test changes: nobody is sent to.
struct Arguments {
  const void* buffer = memory.data();
  MPI_Count count = 1;
  MPI_Datatype type = MPI_INT;
  int partner = MPI_PROC_NULL;
  int tag = 1;
  MPI_Comm comm = MPI_COMM_WORLD;
  MPI_Request* request = &::request;
  MPI_Status* status = MPI_STATUS_IGNORE;

  void* out() const { return const_cast<void*>(buffer); }
  int n() const { return static_cast<int>(count); }
};

struct Callee {
  const char* name;  // without MPI_
  bool sends;
  bool requests;
  int (*call)(const Arguments&);
};

#define SENDS(name)                                                                                   \
  {#name, true, false,                                                                                \
   [](const Arguments& a) { return MPI_##name(a.buffer, a.n(), a.type, a.partner, a.tag, a.comm); }}, \
  {                                                                                                   \
#name "_c", true, false,                                                                          \
        [](const Arguments&                                                                           \
               a) { return MPI_##name##_c(a.buffer, a.count, a.type, a.partner, a.tag, a.comm); }     \
  }
#define REQUESTS(name, sends, buffer)                                                                        \
  {#name, sends, true,                                                                                       \
   [](const Arguments& a) {                                                                                  \
     return MPI_##name(a.buffer, a.n(), a.type, a.partner, a.tag, a.comm, a.request);                        \
   }},                                                                                                       \
  {                                                                                                          \
#name "_c", sends, true,                                                                                 \
        [](const Arguments&                                                                                  \
               a) { return MPI_##name##_c(a.buffer, a.count, a.type, a.partner, a.tag, a.comm, a.request); } \
  }
#define BOTH_WAYS(name, requests, tail)                                                                    \
  {#name, true, requests,                                                                                  \
   [](const Arguments& a) {                                                                                \
     return MPI_##name(a.buffer, a.n(), a.type, a.partner, a.tag, other.data(), 1, MPI_INT, MPI_PROC_NULL, \
                       1, a.comm, tail);                                                                   \
   }},                                                                                                     \
      {#name, false, requests,                                                                             \
       [](const Arguments& a) {                                                                            \
         return MPI_##name(other.data(), 1, MPI_INT, MPI_PROC_NULL, 1, a.out(), a.n(), a.type, a.partner,  \
                           a.tag, a.comm, tail);                                                           \
       }},                                                                                                 \
      {#name "_c", true, requests,                                                                         \
       [](const Arguments& a) {                                                                            \
         return MPI_##name##_c(a.buffer, a.count, a.type, a.partner, a.tag, other.data(), 1, MPI_INT,      \
                               MPI_PROC_NULL, 1, a.comm, tail);                                            \
       }},                                                                                                 \
      {#name "_replace", true, requests,                                                                   \
       [](const Arguments& a) {                                                                            \
         return MPI_##name##_replace(a.out(), a.n(), a.type, a.partner, a.tag, MPI_PROC_NULL, 1, a.comm,   \
                                     tail);                                                                \
       }},                                                                                                 \
      {#name "_replace", false, requests,                                                                  \
       [](const Arguments& a) {                                                                            \
         return MPI_##name##_replace(a.out(), a.n(), a.type, MPI_PROC_NULL, 1, a.partner, a.tag, a.comm,   \
                                     tail);                                                                \
       }},                                                                                                 \
  {                                                                                                        \
#name "_replace_c", false, requests, [](const Arguments& a) {                                            \
      return MPI_##name##_replace_c(a.out(), a.count, a.type, MPI_PROC_NULL, 1, a.partner, a.tag, a.comm,    \
                                    tail);                                                                   \
    } \
  }

const Callee kCalls[] = {
    SENDS(Send),
    SENDS(Ssend),
    SENDS(Rsend),
    SENDS(Bsend),
    REQUESTS(Isend, true, buffer),
    REQUESTS(Issend, true, buffer),
    REQUESTS(Irsend, true, buffer),
    REQUESTS(Ibsend, true, buffer),
    REQUESTS(Send_init, true, buffer),
    REQUESTS(Ssend_init, true, buffer),
    REQUESTS(Rsend_init, true, buffer),
    REQUESTS(Bsend_init, true, buffer),
    REQUESTS(Irecv, false, out()),
    REQUESTS(Recv_init, false, out()),
    {"Recv", false, false,
     [](const Arguments& a) { return MPI_Recv(a.out(), a.n(), a.type, a.partner, a.tag, a.comm, a.status); }},
    {"Recv_c", false, false,
     [](const Arguments& a) {
       return MPI_Recv_c(a.out(), a.count, a.type, a.partner, a.tag, a.comm, a.status);
     }},
    BOTH_WAYS(Sendrecv, false, a.status),
    BOTH_WAYS(Isendrecv, true, a.request),
};

bool is_wide(const Callee& callee) { return std::string(callee.name).ends_with("_c"); }

MPI_Comm freed_comm() {
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  const MPI_Comm handle = comm;
  MPI_Comm_free(&comm);
  return handle;
}

template <class Handle>
Handle garbage() {
  return reinterpret_cast<Handle>(std::uintptr_t{0x7777777});
}

class P2pArguments : public ::testing::Test {
 protected:
  /// `says` is what the message must name, besides the call.
  static void expect_error(int expected, const Callee& callee, const Arguments& arguments, const char* says) {
    SCOPED_TRACE(std::string(callee.name) + (callee.sends ? ", what is sent" : ", what is received"));
    request = garbage<MPI_Request>();
    EXPECT_EQ(callee.call(arguments), expected);
    if (callee.requests && arguments.request != nullptr) {
      EXPECT_EQ(request, MPI_REQUEST_NULL) << "a request was left behind";
    }
    const std::string message = error_string(expected);
    EXPECT_NE(message.find(std::string("MPI_") + callee.name), std::string::npos) << message;
    EXPECT_NE(message.find(says), std::string::npos) << message;
  }

  void TearDown() override {
    int flag = -1;
    EXPECT_EQ(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE), MPI_SUCCESS);
    EXPECT_EQ(flag, 0) << "a rejected call has sent something";
    EXPECT_EQ(memory, (std::array<int, 4>{1, 2, 3, 4}));
  }

 private:
  foldlane::testing::ErrorsReturn errors_return_;
};

TEST_F(P2pArguments, Communicator) {
  for (MPI_Comm comm : {MPI_COMM_NULL, freed_comm(), garbage<MPI_Comm>()}) {
    for (const Callee& callee : kCalls) expect_error(MPI_ERR_COMM, callee, {.comm = comm}, "communicator");
  }
}

TEST_F(P2pArguments, Count) {
  for (const Callee& callee : kCalls) {
    expect_error(MPI_ERR_COUNT, callee, {.count = -1}, "-1");
    if (is_wide(callee))
      expect_error(MPI_ERR_COUNT, callee, {.count = std::numeric_limits<MPI_Count>::max()}, "count");
  }
}

TEST_F(P2pArguments, Datatype) {
  MPI_Datatype uncommitted = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(2, MPI_INT, &uncommitted);
  for (MPI_Datatype type : {MPI_DATATYPE_NULL, garbage<MPI_Datatype>(), uncommitted}) {
    for (const Callee& callee : kCalls) expect_error(MPI_ERR_TYPE, callee, {.type = type}, "datatype");
  }
  MPI_Type_free(&uncommitted);
}

TEST_F(P2pArguments, Tag) {
  for (const Callee& callee : kCalls) {
    expect_error(MPI_ERR_TAG, callee, {.tag = -77}, "-77");
    if (callee.sends) expect_error(MPI_ERR_TAG, callee, {.tag = MPI_ANY_TAG}, "tag");
  }
}

TEST_F(P2pArguments, Rank) {
  for (const Callee& callee : kCalls) {
    expect_error(MPI_ERR_RANK, callee, {.partner = 1}, callee.sends ? "dest is 1" : "source is 1");
    expect_error(MPI_ERR_RANK, callee, {.partner = -77}, "-77");
    if (callee.sends) expect_error(MPI_ERR_RANK, callee, {.partner = MPI_ANY_SOURCE}, "dest");
  }
}

TEST_F(P2pArguments, Buffer) {
  for (const Callee& callee : kCalls) {
    for (MPI_Datatype type : {MPI_INT, MPI_DOUBLE_INT}) {
      expect_error(MPI_ERR_BUFFER, callee, {.buffer = nullptr, .type = type}, "null");
      expect_error(MPI_ERR_BUFFER, callee, {.buffer = MPI_IN_PLACE, .type = type}, "MPI_IN_PLACE");
    }
    expect_error(MPI_ERR_BUFFER, callee, {.buffer = MPI_IN_PLACE, .count = 0}, "MPI_IN_PLACE");
    expect_error(MPI_ERR_BUFFER, callee, {.buffer = MPI_BUFFER_AUTOMATIC}, "MPI_BUFFER_AUTOMATIC");
  }
}

TEST_F(P2pArguments, NoPlaceForTheRequest) {
  for (const Callee& callee : kCalls) {
    if (callee.requests) expect_error(MPI_ERR_ARG, callee, {.request = nullptr}, "request");
  }
}

bool is_of_proc_null(const MPI_Status& status) {
  int count = -1;
  MPI_Get_count(&status, MPI_INT, &count);
  return status.MPI_SOURCE == MPI_PROC_NULL && status.MPI_TAG == MPI_ANY_TAG && count == 0;
}

TEST_F(P2pArguments, ProcNull) {
  for (const Callee& callee : kCalls) {
    SCOPED_TRACE(callee.name);
    MPI_Status status{};
    ASSERT_EQ(callee.call({.status = &status}), MPI_SUCCESS);
    const std::string name = callee.name;
    const bool receives = name.find("recv") != std::string::npos || name.find("Recv") != std::string::npos;
    if (callee.requests) {
      if (name.find("_init") != std::string::npos) {
        EXPECT_EQ(MPI_Start(&request), MPI_SUCCESS);
      }
      EXPECT_EQ(MPI_Wait(&request, &status), MPI_SUCCESS);
      if (request != MPI_REQUEST_NULL) {
        EXPECT_EQ(MPI_Request_free(&request), MPI_SUCCESS);
      }
    }
    if (receives) {
      EXPECT_TRUE(is_of_proc_null(status));
    }
    EXPECT_EQ(callee.call({.buffer = nullptr, .count = 0}), MPI_SUCCESS);
    if (callee.requests) {
      EXPECT_EQ(MPI_Request_free(&request), MPI_SUCCESS);
    }
  }
}

}  // namespace
