// Wrong arguments of nonblocking and persistent collectives, and of the calls that start them: each gives its
// error class and says what to do, leaves the null handle where a request was to be, and changes nothing.
#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "support/mpi_world.hpp"

namespace {

using foldlane::testing::error_string;

/// A call with everything right but the communicator and the request.
struct Requesting {
  const char* name;
  std::function<int(MPI_Comm, MPI_Request*)> call;
};

int in = 1, out = 0;
const int counts[] = {1};

std::vector<Requesting> nonblocking() {
  return {
      {"Ibarrier", [](MPI_Comm c, MPI_Request* r) { return MPI_Ibarrier(c, r); }},
      {"Ibcast", [](MPI_Comm c, MPI_Request* r) { return MPI_Ibcast(&out, 1, MPI_INT, 0, c, r); }},
      {"Ireduce",
       [](MPI_Comm c, MPI_Request* r) { return MPI_Ireduce(&in, &out, 1, MPI_INT, MPI_SUM, 0, c, r); }},
      {"Iallreduce",
       [](MPI_Comm c, MPI_Request* r) { return MPI_Iallreduce(&in, &out, 1, MPI_INT, MPI_SUM, c, r); }},
      {"Ireduce_scatter",
       [](MPI_Comm c, MPI_Request* r) {
         return MPI_Ireduce_scatter(&in, &out, counts, MPI_INT, MPI_SUM, c, r);
       }},
      {"Ireduce_scatter_block",
       [](MPI_Comm c, MPI_Request* r) {
         return MPI_Ireduce_scatter_block(&in, &out, 1, MPI_INT, MPI_SUM, c, r);
       }},
      {"Iscan", [](MPI_Comm c, MPI_Request* r) { return MPI_Iscan(&in, &out, 1, MPI_INT, MPI_SUM, c, r); }},
      {"Iexscan",
       [](MPI_Comm c, MPI_Request* r) { return MPI_Iexscan(&in, &out, 1, MPI_INT, MPI_SUM, c, r); }},
  };
}

std::vector<Requesting> persistent(MPI_Info info = MPI_INFO_NULL) {
  return {
      {"Barrier_init", [=](MPI_Comm c, MPI_Request* r) { return MPI_Barrier_init(c, info, r); }},
      {"Bcast_init",
       [=](MPI_Comm c, MPI_Request* r) { return MPI_Bcast_init(&out, 1, MPI_INT, 0, c, info, r); }},
      {"Reduce_init",
       [=](MPI_Comm c, MPI_Request* r) {
         return MPI_Reduce_init(&in, &out, 1, MPI_INT, MPI_SUM, 0, c, info, r);
       }},
      {"Allreduce_init",
       [=](MPI_Comm c, MPI_Request* r) {
         return MPI_Allreduce_init(&in, &out, 1, MPI_INT, MPI_SUM, c, info, r);
       }},
      {"Reduce_scatter_init",
       [=](MPI_Comm c, MPI_Request* r) {
         return MPI_Reduce_scatter_init(&in, &out, counts, MPI_INT, MPI_SUM, c, info, r);
       }},
      {"Reduce_scatter_block_init",
       [=](MPI_Comm c, MPI_Request* r) {
         return MPI_Reduce_scatter_block_init(&in, &out, 1, MPI_INT, MPI_SUM, c, info, r);
       }},
      {"Scan_init",
       [=](MPI_Comm c, MPI_Request* r) { return MPI_Scan_init(&in, &out, 1, MPI_INT, MPI_SUM, c, info, r); }},
      {"Exscan_init",
       [=](MPI_Comm c, MPI_Request* r) {
         return MPI_Exscan_init(&in, &out, 1, MPI_INT, MPI_SUM, c, info, r);
       }},
  };
}

std::vector<Requesting> all() {
  std::vector<Requesting> calls = nonblocking();
  for (const Requesting& call : persistent()) calls.push_back(call);
  return calls;
}

MPI_Comm freed_comm() {
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  const MPI_Comm handle = comm;
  MPI_Comm_free(&comm);
  return handle;
}

MPI_Request garbage() { return reinterpret_cast<MPI_Request>(std::uintptr_t{0x7777777}); }

MPI_Request persistent_sum() {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Allreduce_init(&in, &out, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
  return request;
}

class FormArguments : public ::testing::Test {
 private:
  foldlane::testing::ErrorsReturn errors_return_;
};

}  // namespace

TEST_F(FormArguments, NoPlaceForTheRequest) {
  for (const Requesting& each : all()) {
    EXPECT_EQ(each.call(MPI_COMM_WORLD, nullptr), MPI_ERR_ARG) << each.name;
    const std::string message = error_string(MPI_ERR_ARG);
    EXPECT_NE(message.find(std::string("MPI_") + each.name), std::string::npos) << message;
    EXPECT_NE(message.find("request"), std::string::npos) << message;
  }
}

TEST_F(FormArguments, CommunicatorThatIsNone) {
  for (const MPI_Comm comm : {MPI_COMM_NULL, freed_comm()}) {
    for (const Requesting& each : all()) {
      MPI_Request request = garbage();
      EXPECT_EQ(each.call(comm, &request), MPI_ERR_COMM) << each.name;
      EXPECT_EQ(request, MPI_REQUEST_NULL) << each.name << " left a request behind";
    }
  }
}

TEST_F(FormArguments, InfoThatIsNone) {
  MPI_Info info = MPI_INFO_NULL;
  MPI_Info_create(&info);
  const MPI_Info stale = info;
  MPI_Info_free(&info);
  for (const Requesting& each : persistent(stale)) {
    MPI_Request request = garbage();
    EXPECT_EQ(each.call(MPI_COMM_WORLD, &request), MPI_ERR_INFO) << each.name;
    EXPECT_EQ(request, MPI_REQUEST_NULL) << each.name << " left a request behind";
  }
}

TEST_F(FormArguments, EverythingElse) {
  const MPI_Comm world = MPI_COMM_WORLD;
  const auto refuses = [](int expected, const std::function<int(MPI_Request*)>& call) {
    MPI_Request request = garbage();
    EXPECT_EQ(call(&request), expected);
    EXPECT_EQ(request, MPI_REQUEST_NULL) << "a refused call left a request behind";
  };
  using Request = MPI_Request*;
  const MPI_Info no = MPI_INFO_NULL;
  refuses(MPI_ERR_COUNT, [&](Request r) { return MPI_Ibcast(&out, -1, MPI_INT, 0, world, r); });
  refuses(MPI_ERR_TYPE, [&](Request r) { return MPI_Ibcast(&out, 1, MPI_DATATYPE_NULL, 0, world, r); });
  refuses(MPI_ERR_ROOT, [&](Request r) { return MPI_Ibcast(&out, 1, MPI_INT, 1, world, r); });
  refuses(MPI_ERR_BUFFER, [&](Request r) { return MPI_Ibcast(nullptr, 1, MPI_INT, 0, world, r); });
  refuses(MPI_ERR_OP,
          [&](Request r) { return MPI_Iallreduce(&in, &out, 1, MPI_INT, MPI_OP_NULL, world, r); });
  refuses(MPI_ERR_OP, [&](Request r) { return MPI_Iscan(&in, &out, 1, MPI_FLOAT, MPI_BAND, world, r); });
  refuses(MPI_ERR_BUFFER, [&](Request r) { return MPI_Iallreduce(&in, &in, 1, MPI_INT, MPI_SUM, world, r); });
  refuses(MPI_ERR_COUNT,
          [&](Request r) { return MPI_Allreduce_init(&in, &out, -1, MPI_INT, MPI_SUM, world, no, r); });
  refuses(MPI_ERR_ROOT,
          [&](Request r) { return MPI_Reduce_init(&in, &out, 1, MPI_INT, MPI_SUM, 7, world, no, r); });
  refuses(MPI_ERR_ARG, [&](Request r) {
    return MPI_Reduce_scatter_init(&in, &out, nullptr, MPI_INT, MPI_SUM, world, no, r);
  });
}

TEST_F(FormArguments, StartOfWhatCannotBeStarted) {
  MPI_Request request = MPI_REQUEST_NULL;
  EXPECT_EQ(MPI_Start(&request), MPI_ERR_REQUEST);
  EXPECT_NE(error_string(MPI_ERR_REQUEST).find("MPI_REQUEST_NULL"), std::string::npos);
  EXPECT_EQ(MPI_Start(nullptr), MPI_ERR_ARG);
  ASSERT_EQ(MPI_Iallreduce(&in, &out, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request), MPI_SUCCESS);
  EXPECT_EQ(MPI_Start(&request), MPI_ERR_REQUEST);
  EXPECT_NE(error_string(MPI_ERR_REQUEST).find("not persistent"), std::string::npos);
  EXPECT_EQ(MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);
}

TEST_F(FormArguments, StartOfAnActiveOne) {
  MPI_Request request = persistent_sum();
  EXPECT_EQ(MPI_Start(&request), MPI_SUCCESS);
  EXPECT_EQ(MPI_Start(&request), MPI_ERR_REQUEST);
  EXPECT_NE(error_string(MPI_ERR_REQUEST).find("active already"), std::string::npos);
  EXPECT_EQ(MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);
  EXPECT_EQ(MPI_Start(&request), MPI_SUCCESS);
  EXPECT_EQ(MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);
  EXPECT_EQ(MPI_Request_free(&request), MPI_SUCCESS);
  EXPECT_EQ(request, MPI_REQUEST_NULL);
}

/// Nothing is started if anything is wrong.
TEST_F(FormArguments, StartallWithDuplicatesOrNulls) {
  MPI_Request first = persistent_sum(), second = persistent_sum();
  MPI_Request twice[] = {first, second, first}, null[] = {first, MPI_REQUEST_NULL};
  EXPECT_EQ(MPI_Startall(3, twice), MPI_ERR_REQUEST);
  EXPECT_NE(error_string(MPI_ERR_REQUEST).find("twice"), std::string::npos);
  EXPECT_EQ(MPI_Startall(2, null), MPI_ERR_REQUEST);
  EXPECT_EQ(MPI_Startall(-1, null), MPI_ERR_COUNT);
  EXPECT_EQ(MPI_Startall(2, nullptr), MPI_ERR_ARG);
  EXPECT_EQ(MPI_Startall(2, twice), MPI_SUCCESS);
  EXPECT_EQ(MPI_Waitall(2, twice, MPI_STATUSES_IGNORE), MPI_SUCCESS);
  for (MPI_Request* request : {&first, &second}) EXPECT_EQ(MPI_Request_free(request), MPI_SUCCESS);
}

TEST_F(FormArguments, CollectivesCannotBeCancelled) {
  MPI_Request request = persistent_sum();
  EXPECT_EQ(MPI_Cancel(&request), MPI_ERR_REQUEST);
  EXPECT_EQ(MPI_Start(&request), MPI_SUCCESS);
  EXPECT_EQ(MPI_Cancel(&request), MPI_ERR_REQUEST);
  EXPECT_NE(error_string(MPI_ERR_REQUEST).find("cannot be cancelled"), std::string::npos);
  EXPECT_EQ(MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);
  EXPECT_EQ(MPI_Request_free(&request), MPI_SUCCESS);
}
