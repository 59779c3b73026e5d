// Wrong arguments of probes and of the receives of what they have claimed, and what they do with
// MPI_PROC_NULL.
#include <cstdint>
#include <string>

#include "support/mpi_world.hpp"

namespace {

using foldlane::testing::error_string;

MPI_Request request = MPI_REQUEST_NULL;
int memory[4] = {1, 2, 3, 4};

class ProbeArgumentsTest : public ::testing::Test {
 private:
  foldlane::testing::ErrorsReturn errors_return_;
};

bool is_of_proc_null(const MPI_Status& status) {
  int count = -1;
  MPI_Get_count(&status, MPI_INT, &count);
  return status.MPI_SOURCE == MPI_PROC_NULL && status.MPI_TAG == MPI_ANY_TAG && count == 0;
}

struct ProbeArguments {
  int source = MPI_PROC_NULL;
  int tag = 1;
  MPI_Comm comm = MPI_COMM_WORLD;
  int* flag = nullptr;
  MPI_Message* message = nullptr;
  MPI_Status* status = MPI_STATUS_IGNORE;
};

struct Probe {
  const char* name;
  int (*call)(const ProbeArguments&);
};
const Probe kProbes[] = {
    {"Probe", [](const ProbeArguments& a) { return MPI_Probe(a.source, a.tag, a.comm, a.status); }},
    {"Iprobe", [](const ProbeArguments& a) { return MPI_Iprobe(a.source, a.tag, a.comm, a.flag, a.status); }},
    {"Mprobe",
     [](const ProbeArguments& a) { return MPI_Mprobe(a.source, a.tag, a.comm, a.message, a.status); }},
    {"Improbe", [](const ProbeArguments& a) {
       return MPI_Improbe(a.source, a.tag, a.comm, a.flag, a.message, a.status);
     }}};

TEST_F(ProbeArgumentsTest, Probes) {
  int flag = 0;
  MPI_Message message = MPI_MESSAGE_NULL;
  for (const Probe& probe : kProbes) {
    SCOPED_TRACE(probe.name);
    EXPECT_EQ(probe.call({.comm = MPI_COMM_NULL, .flag = &flag, .message = &message}), MPI_ERR_COMM);
    EXPECT_EQ(probe.call({.comm = reinterpret_cast<MPI_Comm>(0x7777777), .flag = &flag, .message = &message}),
              MPI_ERR_COMM);
    EXPECT_EQ(probe.call({.source = 1, .flag = &flag, .message = &message}), MPI_ERR_RANK);
    EXPECT_EQ(probe.call({.tag = -77, .flag = &flag, .message = &message}), MPI_ERR_TAG);
    const std::string text = error_string(MPI_ERR_TAG);
    EXPECT_NE(text.find(std::string("MPI_") + probe.name), std::string::npos) << text;
    MPI_Status status{};
    EXPECT_EQ(probe.call({.flag = &flag, .message = &message, .status = &status}), MPI_SUCCESS);
    EXPECT_TRUE(is_of_proc_null(status));
  }
  EXPECT_EQ(MPI_Iprobe(0, 1, MPI_COMM_WORLD, nullptr, MPI_STATUS_IGNORE), MPI_ERR_ARG);
  EXPECT_EQ(MPI_Mprobe(0, 1, MPI_COMM_WORLD, nullptr, MPI_STATUS_IGNORE), MPI_ERR_ARG);
  EXPECT_EQ(MPI_Improbe(0, 1, MPI_COMM_WORLD, nullptr, &message, MPI_STATUS_IGNORE), MPI_ERR_ARG);
  EXPECT_EQ(MPI_Improbe(0, 1, MPI_COMM_WORLD, &flag, nullptr, MPI_STATUS_IGNORE), MPI_ERR_ARG);
}

TEST_F(ProbeArgumentsTest, MessageOfProcNull) {
  for (const bool waits : {true, false}) {
    MPI_Message message = MPI_MESSAGE_NULL;
    int flag = 0;
    EXPECT_EQ(waits ? MPI_Mprobe(MPI_PROC_NULL, 1, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE)
                    : MPI_Improbe(MPI_PROC_NULL, 1, MPI_COMM_WORLD, &flag, &message, MPI_STATUS_IGNORE),
              MPI_SUCCESS);
    EXPECT_EQ(message, MPI_MESSAGE_NO_PROC);
    MPI_Status status{};
    if (waits) {
      EXPECT_EQ(MPI_Mrecv(memory, 1, MPI_INT, &message, &status), MPI_SUCCESS);
    } else {
      EXPECT_EQ(MPI_Imrecv(memory, 1, MPI_INT, &message, &request), MPI_SUCCESS);
      EXPECT_EQ(MPI_Wait(&request, &status), MPI_SUCCESS);
    }
    EXPECT_TRUE(is_of_proc_null(status));
    EXPECT_EQ(message, MPI_MESSAGE_NULL);
  }
}

TEST_F(ProbeArgumentsTest, ReceivesOfMessages) {
  MPI_Message none = MPI_MESSAGE_NULL, unknown = reinterpret_cast<MPI_Message>(0x7777777),
              no_proc = MPI_MESSAGE_NO_PROC;
  for (MPI_Message* message : {&none, &unknown}) {
    EXPECT_EQ(MPI_Mrecv(memory, 1, MPI_INT, message, MPI_STATUS_IGNORE), MPI_ERR_REQUEST);
    EXPECT_EQ(MPI_Imrecv(memory, 1, MPI_INT, message, &request), MPI_ERR_REQUEST);
    EXPECT_EQ(request, MPI_REQUEST_NULL);
  }
  EXPECT_EQ(MPI_Mrecv(memory, 1, MPI_INT, nullptr, MPI_STATUS_IGNORE), MPI_ERR_ARG);
  EXPECT_EQ(MPI_Imrecv(memory, 1, MPI_INT, nullptr, &request), MPI_ERR_ARG);
  EXPECT_EQ(MPI_Imrecv(memory, 1, MPI_INT, &no_proc, nullptr), MPI_ERR_ARG);
  EXPECT_EQ(MPI_Mrecv(memory, -1, MPI_INT, &no_proc, MPI_STATUS_IGNORE), MPI_ERR_COUNT);
  EXPECT_EQ(MPI_Mrecv(memory, 1, MPI_DATATYPE_NULL, &no_proc, MPI_STATUS_IGNORE), MPI_ERR_TYPE);
  EXPECT_EQ(MPI_Mrecv(nullptr, 1, MPI_INT, &no_proc, MPI_STATUS_IGNORE), MPI_ERR_BUFFER);
  EXPECT_EQ(MPI_Mrecv(MPI_IN_PLACE, 0, MPI_INT, &no_proc, MPI_STATUS_IGNORE), MPI_ERR_BUFFER);
  EXPECT_EQ(no_proc, MPI_MESSAGE_NO_PROC) << "a rejected call has taken the message";
}

}  // namespace
