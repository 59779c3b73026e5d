// Attached buffers and buffered sends of one rank to itself: whose buffer is used, what fits into it, and
// when the program has it back. A message of kLong bytes stays in the buffer until it is received.
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

#include "support/mpi_world.hpp"

namespace foldlane::testing {

inline constexpr int kLong = 20'000;  // bytes
inline constexpr int kRoom = kLong + MPI_BSEND_OVERHEAD;

/// What a program may attach to, in one form.
struct Holder {
  const char* name;
  MPI_Comm comm;
  MPI_Session session;

  int attach(void* memory, MPI_Count size, bool wide = false) const {
    const int narrow = static_cast<int>(size);
    if (session != MPI_SESSION_NULL)
      return wide ? MPI_Session_attach_buffer_c(session, memory, size)
                  : MPI_Session_attach_buffer(session, memory, narrow);
    if (comm != MPI_COMM_NULL)
      return wide ? MPI_Comm_attach_buffer_c(comm, memory, size)
                  : MPI_Comm_attach_buffer(comm, memory, narrow);
    return wide ? MPI_Buffer_attach_c(memory, size) : MPI_Buffer_attach(memory, narrow);
  }
  int detach(void* address, MPI_Count* size) const {
    if (session != MPI_SESSION_NULL) return MPI_Session_detach_buffer_c(session, address, size);
    return comm != MPI_COMM_NULL ? MPI_Comm_detach_buffer_c(comm, address, size)
                                 : MPI_Buffer_detach_c(address, size);
  }
  int detach(void* address, int* size) const {
    if (session != MPI_SESSION_NULL) return MPI_Session_detach_buffer(session, address, size);
    return comm != MPI_COMM_NULL ? MPI_Comm_detach_buffer(comm, address, size)
                                 : MPI_Buffer_detach(address, size);
  }
  int flush() const {
    if (session != MPI_SESSION_NULL) return MPI_Session_flush_buffer(session);
    return comm != MPI_COMM_NULL ? MPI_Comm_flush_buffer(comm) : MPI_Buffer_flush();
  }
  int iflush(MPI_Request* request) const {
    if (session != MPI_SESSION_NULL) return MPI_Session_iflush_buffer(session, request);
    return comm != MPI_COMM_NULL ? MPI_Comm_iflush_buffer(comm, request) : MPI_Buffer_iflush(request);
  }
};

class Buffers : public ::testing::Test {
 protected:
  Buffers() : memory_(3 * kRoom), data_(kLong) { std::iota(data_.begin(), data_.end(), '\0'); }
  void SetUp() override {
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session_);
    MPI_Group group;
    MPI_Group_from_session_pset(session_, "mpi://SELF", &group);
    ASSERT_EQ(MPI_Comm_create_from_group(group, "buffers", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm_),
              MPI_SUCCESS);
    MPI_Group_free(&group);
  }
  void TearDown() override {
    if (comm_ != MPI_COMM_NULL) MPI_Comm_free(&comm_);
    if (session_ != MPI_SESSION_NULL) MPI_Session_finalize(&session_);
    void* address = nullptr;
    int size = -1;
    EXPECT_EQ(MPI_Buffer_detach(&address, &size), MPI_SUCCESS);
    EXPECT_TRUE(address == nullptr && size == 0) << "the test has left a buffer behind";
  }

  std::vector<Holder> holders() const {
    return {{"process", MPI_COMM_NULL, MPI_SESSION_NULL},
            {"session", MPI_COMM_NULL, session_},
            {"communicator", comm_, MPI_SESSION_NULL}};
  }
  int send(MPI_Comm comm, int tag = 0) const {
    return MPI_Bsend(data_.data(), kLong, MPI_CHAR, 0, tag, comm);
  }
  int send() const { return send(comm_); }
  static void receive(MPI_Comm comm, int tag = 0) {
    std::vector<char> got(kLong);
    MPI_Status status;
    ASSERT_EQ(MPI_Recv(got.data(), kLong, MPI_CHAR, 0, tag, comm, &status), MPI_SUCCESS);
    for (int i = 0; i < kLong; ++i) ASSERT_EQ(got[static_cast<std::size_t>(i)], static_cast<char>(i)) << i;
  }
  void receive() const { receive(comm_); }

  MPI_Session session_ = MPI_SESSION_NULL;
  MPI_Comm comm_ = MPI_COMM_NULL;  // of the session
  std::vector<char> memory_;
  std::vector<char> data_;

 private:
  ErrorsReturn errors_return_;
};

}  // namespace foldlane::testing
