// Whose buffer is used, which arguments are wrong, and what comes back.
#include "p2p/buffers.hpp"

namespace foldlane::testing {
namespace {

TEST_F(Buffers, WhatIsAttachedComesBack) {
  for (const Holder& holder : holders()) {
    SCOPED_TRACE(holder.name);
    for (const bool wide : {false, true}) {
      void* address = nullptr;
      MPI_Count size = -1;
      EXPECT_EQ(holder.attach(memory_.data(), 1000, wide), MPI_SUCCESS);
      EXPECT_EQ(holder.attach(memory_.data(), 1000, wide), MPI_ERR_BUFFER);
      EXPECT_NE(error_string(MPI_ERR_BUFFER).find(holder.name), std::string::npos);
      EXPECT_EQ(holder.detach(&address, &size), MPI_SUCCESS);
      EXPECT_TRUE(address == memory_.data() && size == 1000);
      EXPECT_EQ(holder.detach(&address, &size), MPI_SUCCESS);
      EXPECT_TRUE(address == nullptr && size == 0);
    }
  }
}

TEST_F(Buffers, AutomaticOnesHaveNoSize) {
  for (const Holder& holder : holders()) {
    SCOPED_TRACE(holder.name);
    EXPECT_EQ(holder.attach(MPI_BUFFER_AUTOMATIC, 77), MPI_SUCCESS);
    for (int i = 0; i < 100; ++i) ASSERT_EQ(send(), MPI_SUCCESS);
    for (int i = 0; i < 100; ++i) receive();
    void* address = nullptr;
    int size = -1;
    EXPECT_EQ(holder.detach(&address, &size), MPI_SUCCESS);
    EXPECT_TRUE(address == MPI_BUFFER_AUTOMATIC && size == 0);
  }
}

TEST_F(Buffers, WrongArguments) {
  void* address = nullptr;
  MPI_Count size = 0;
  for (const Holder& holder : holders()) {
    SCOPED_TRACE(holder.name);
    EXPECT_EQ(holder.attach(memory_.data(), -1), MPI_ERR_ARG);
    EXPECT_EQ(holder.attach(memory_.data(), -1, true), MPI_ERR_ARG);
    EXPECT_EQ(holder.attach(nullptr, 10), MPI_ERR_BUFFER);
    EXPECT_EQ(holder.attach(MPI_IN_PLACE, 10), MPI_ERR_BUFFER);
    EXPECT_EQ(holder.detach(nullptr, &size), MPI_ERR_ARG);
    EXPECT_EQ(holder.detach(&address, static_cast<int*>(nullptr)), MPI_ERR_ARG);
    EXPECT_EQ(holder.iflush(nullptr), MPI_ERR_ARG);
  }
  for (const Holder& holder : {Holder{"", reinterpret_cast<MPI_Comm>(0x7777), MPI_SESSION_NULL},
                               Holder{"", MPI_COMM_NULL, reinterpret_cast<MPI_Session>(0x7777)}}) {
    const int expected = holder.session == MPI_SESSION_NULL ? MPI_ERR_COMM : MPI_ERR_SESSION;
    MPI_Request request = MPI_REQUEST_NULL;
    EXPECT_EQ(holder.attach(memory_.data(), 10), expected);
    EXPECT_EQ(holder.detach(&address, &size), expected);
    EXPECT_EQ(holder.flush(), expected);
    EXPECT_EQ(holder.iflush(&request), expected);
  }
}

TEST_F(Buffers, ASizeThatIsNoIntStaysAttached) {
  const MPI_Count huge = MPI_Count{3} << 30;
  for (const Holder& holder : holders()) {
    SCOPED_TRACE(holder.name);
    void* address = nullptr;
    int narrow = -1;
    MPI_Count size = -1;
    EXPECT_EQ(holder.attach(memory_.data(), huge, true), MPI_SUCCESS);
    EXPECT_EQ(holder.detach(&address, &narrow), MPI_ERR_VALUE_TOO_LARGE);
    EXPECT_NE(error_string(MPI_ERR_VALUE_TOO_LARGE).find("_c"), std::string::npos);
    EXPECT_EQ(holder.detach(&address, &size), MPI_SUCCESS);
    EXPECT_EQ(size, huge);
  }
}

TEST_F(Buffers, WithoutOneNothingCanBeSent) {
  MPI_Request request = MPI_REQUEST_NULL;
  EXPECT_EQ(send(), MPI_ERR_BUFFER);
  EXPECT_NE(error_string(MPI_ERR_BUFFER).find("MPI_Buffer_attach"), std::string::npos);
  EXPECT_EQ(MPI_Ibsend(data_.data(), 1, MPI_CHAR, 0, 0, comm_, &request), MPI_ERR_BUFFER);
  EXPECT_EQ(request, MPI_REQUEST_NULL);
  EXPECT_EQ(MPI_Bsend_init(data_.data(), 1, MPI_CHAR, 0, 0, comm_, &request), MPI_SUCCESS);
  EXPECT_EQ(MPI_Start(&request), MPI_ERR_BUFFER);
  EXPECT_EQ(MPI_Request_free(&request), MPI_SUCCESS);
}

TEST_F(Buffers, ThatOfTheCommunicatorThenThatOfTheSessionThenThatOfTheProcess) {
  MPI_Comm copy = MPI_COMM_NULL;
  MPI_Comm_dup(comm_, &copy);
  const std::vector<Holder> all = holders();
  void* address = nullptr;
  MPI_Count size = -1;
  EXPECT_EQ(all[0].attach(memory_.data(), 3 * kRoom), MPI_SUCCESS);
  EXPECT_EQ(send(), MPI_SUCCESS);
  receive();
  EXPECT_EQ(all[1].attach(nullptr, 0), MPI_SUCCESS);
  for (MPI_Comm comm : {comm_, copy}) {
    EXPECT_EQ(send(comm), MPI_ERR_BUFFER);
    EXPECT_NE(error_string(MPI_ERR_BUFFER).find("the session"), std::string::npos);
  }
  EXPECT_EQ(send(MPI_COMM_SELF), MPI_SUCCESS);
  receive(MPI_COMM_SELF);
  EXPECT_EQ(all[2].attach(data_.data(), 10), MPI_SUCCESS);
  EXPECT_EQ(send(), MPI_ERR_BUFFER);
  EXPECT_NE(error_string(MPI_ERR_BUFFER).find("the communicator"), std::string::npos);
  EXPECT_EQ(all[1].detach(&address, &size), MPI_SUCCESS);
  EXPECT_EQ(send(), MPI_ERR_BUFFER);
  EXPECT_EQ(send(copy), MPI_SUCCESS);
  receive(copy);
  for (const Holder& holder : {all[0], all[2]}) EXPECT_EQ(holder.detach(&address, &size), MPI_SUCCESS);
  MPI_Comm_free(&copy);
}

TEST_F(Buffers, AGroupStillKnowsItsSession) {
  MPI_Group group = MPI_GROUP_NULL, part = MPI_GROUP_NULL;
  MPI_Comm split = MPI_COMM_NULL, made = MPI_COMM_NULL;
  const int ranks[] = {0};
  MPI_Comm_split(comm_, 0, 0, &split);
  MPI_Comm_group(split, &group);
  MPI_Group_incl(group, 1, ranks, &part);
  MPI_Comm_create_from_group(part, "made", MPI_INFO_NULL, MPI_ERRORS_RETURN, &made);
  EXPECT_EQ(MPI_Session_attach_buffer(session_, memory_.data(), kRoom), MPI_SUCCESS);
  for (MPI_Comm* comm : {&split, &made}) {
    EXPECT_EQ(send(*comm), MPI_SUCCESS);
    receive(*comm);
    MPI_Comm_free(comm);
  }
  MPI_Group_free(&group);
  MPI_Group_free(&part);
}

}  // namespace
}  // namespace foldlane::testing
