// What fits into an attached buffer, and when the program has its memory back.
#include "p2p/buffers.hpp"

namespace foldlane::testing {
namespace {

TEST_F(Buffers, WhatTheStandardCountsFits) {
  int bytes = -1;
  MPI_Pack_size(kLong, MPI_CHAR, comm_, &bytes);
  for (int messages = 1; messages <= 3; ++messages) {
    const int room = messages * (bytes + MPI_BSEND_OVERHEAD);
    ASSERT_EQ(MPI_Buffer_attach(memory_.data(), room), MPI_SUCCESS);
    for (int i = 0; i < messages; ++i) EXPECT_EQ(send(), MPI_SUCCESS);
    EXPECT_EQ(send(), MPI_ERR_BUFFER);
    const std::string message = error_string(MPI_ERR_BUFFER);
    for (const int number : {kLong, kRoom, room})
      EXPECT_NE(message.find(std::to_string(number)), std::string::npos) << message;
    // Once one is received there is room again, without any other call.
    receive();
    EXPECT_EQ(send(), MPI_SUCCESS);
    for (int i = 0; i < messages; ++i) receive();
    void* address = nullptr;
    int size = -1;
    EXPECT_EQ(MPI_Buffer_detach(&address, &size), MPI_SUCCESS);
  }
}

TEST_F(Buffers, ThePackedBytesCountNotTheExtent) {
  MPI_Datatype sparse = MPI_DATATYPE_NULL;
  MPI_Type_vector(8, 1, 2000, MPI_CHAR, &sparse);
  MPI_Type_commit(&sparse);
  ASSERT_EQ(MPI_Buffer_attach(memory_.data(), 8 + MPI_BSEND_OVERHEAD), MPI_SUCCESS);
  EXPECT_EQ(MPI_Bsend(data_.data(), 1, sparse, 0, 0, comm_), MPI_SUCCESS);
  MPI_Type_free(&sparse);
  char got[8];
  MPI_Recv(got, 8, MPI_CHAR, 0, 0, comm_, MPI_STATUS_IGNORE);
  for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(got[i], data_[i * 2000]);
  void* address = nullptr;
  int size = -1;
  MPI_Buffer_detach(&address, &size);
}

TEST_F(Buffers, TheProgramsBufferIsFreeAtOnce) {
  MPI_Buffer_attach(memory_.data(), 3 * kRoom);
  std::vector<char> sent = data_;
  MPI_Request requests[2];
  MPI_Status status;
  EXPECT_EQ(MPI_Ibsend(sent.data(), kLong, MPI_CHAR, 0, 1, comm_, &requests[0]), MPI_SUCCESS);
  EXPECT_EQ(MPI_Bsend_init(sent.data(), kLong, MPI_CHAR, 0, 2, comm_, &requests[1]), MPI_SUCCESS);
  EXPECT_EQ(MPI_Start(&requests[1]), MPI_SUCCESS);
  std::fill(sent.begin(), sent.end(), 'x');
  EXPECT_EQ(MPI_Cancel(&requests[0]), MPI_SUCCESS);
  EXPECT_EQ(MPI_Wait(&requests[0], &status), MPI_SUCCESS);
  int flag = -1;
  EXPECT_EQ(MPI_Test_cancelled(&status, &flag), MPI_SUCCESS);
  EXPECT_EQ(flag, 0);
  EXPECT_EQ(MPI_Wait(&requests[1], &status), MPI_SUCCESS);
  receive(comm_, 2);
  receive(comm_, 1);
  sent = data_;
  EXPECT_EQ(MPI_Start(&requests[1]), MPI_SUCCESS);
  EXPECT_EQ(MPI_Request_free(&requests[1]), MPI_SUCCESS);
  receive(comm_, 2);
  void* address = nullptr;
  int size = -1;
  MPI_Buffer_detach(&address, &size);
}

TEST_F(Buffers, FlushesWaitForWhatIsInside) {
  for (const Holder& holder : holders()) {
    SCOPED_TRACE(holder.name);
    MPI_Request request = MPI_REQUEST_NULL;
    int flag = -1;
    EXPECT_EQ(holder.flush(), MPI_SUCCESS);  // of none
    EXPECT_EQ(holder.iflush(&request), MPI_SUCCESS);
    EXPECT_EQ(MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);
    holder.attach(memory_.data(), 3 * kRoom);
    send();
    EXPECT_EQ(holder.iflush(&request), MPI_SUCCESS);
    send();  // is not waited for
    for (int i = 0; i < 10; ++i) {
      EXPECT_EQ(MPI_Test(&request, &flag, MPI_STATUS_IGNORE), MPI_SUCCESS);
      EXPECT_EQ(flag, 0);
    }
    EXPECT_EQ(MPI_Cancel(&request), MPI_ERR_REQUEST);
    receive();
    EXPECT_EQ(MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);
    EXPECT_EQ(holder.iflush(&request), MPI_SUCCESS);
    EXPECT_EQ(MPI_Request_free(&request), MPI_SUCCESS);
    receive();
    EXPECT_EQ(holder.flush(), MPI_SUCCESS);
    void* address = nullptr;
    int size = -1;
    holder.detach(&address, &size);
  }
}

/// A message under way whose receive is posted.
class Pending {
 public:
  explicit Pending(MPI_Comm comm) : got_(kLong) {
    MPI_Irecv(got_.data(), kLong, MPI_CHAR, 0, 0, comm, &request_);
  }
  Pending(const Pending&) = delete;
  Pending& operator=(const Pending&) = delete;
  ~Pending() { EXPECT_EQ(MPI_Wait(&request_, MPI_STATUS_IGNORE), MPI_SUCCESS); }

  void check() {
    MPI_Wait(&request_, MPI_STATUS_IGNORE);
    for (int i = 0; i < kLong; ++i) ASSERT_EQ(got_[static_cast<std::size_t>(i)], static_cast<char>(i)) << i;
  }

 private:
  std::vector<char> got_;
  MPI_Request request_ = MPI_REQUEST_NULL;
};

TEST_F(Buffers, TheMemoryIsTheProgramsAgain) {
  void* address = nullptr;
  int size = -1;
  for (const Holder& holder : holders()) {  // by detaching
    SCOPED_TRACE(holder.name);
    Pending pending(comm_);
    holder.attach(memory_.data(), kRoom);
    send();
    EXPECT_EQ(holder.detach(&address, &size), MPI_SUCCESS);
    std::fill(memory_.begin(), memory_.end(), 'x');
    pending.check();
  }
  {  // with the communicator
    Pending pending(comm_);
    MPI_Comm_attach_buffer(comm_, memory_.data(), kRoom);
    send();
    EXPECT_EQ(MPI_Comm_free(&comm_), MPI_SUCCESS);
    std::fill(memory_.begin(), memory_.end(), 'x');
    pending.check();
  }
  // with the session
  MPI_Session_attach_buffer(session_, memory_.data(), kRoom);
  EXPECT_EQ(MPI_Session_finalize(&session_), MPI_SUCCESS);
  std::fill(memory_.begin(), memory_.end(), 'x');
}

TEST_F(Buffers, TheCommunicatorMayBeFreedBeforeItsMessageHasLeft) {
  MPI_Comm copy = MPI_COMM_NULL;
  MPI_Comm_dup(comm_, &copy);
  MPI_Buffer_attach(memory_.data(), kRoom);
  Pending pending(copy);
  send(copy);
  MPI_Comm_free(&copy);
  pending.check();
  void* address = nullptr;
  int size = -1;
  EXPECT_EQ(MPI_Buffer_detach(&address, &size), MPI_SUCCESS);
}

}  // namespace
}  // namespace foldlane::testing
