// Sessions of a job of one rank: with and without MPI_Init, their calls, their errors. Most cases run in a
// process of their own, because MPI starts once per process.
#include <gtest/gtest.h>
#include <mpi.h>

#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "support/expect.h"

namespace {

constexpr int kPassed = 77;

int flag_of(int (*call)(int*)) {
  int flag = -1;
  expect(call(&flag) == MPI_SUCCESS);
  return flag;
}

MPI_Session begin(MPI_Errhandler handler = MPI_ERRORS_RETURN, const char* level = nullptr) {
  MPI_Info info = MPI_INFO_NULL;
  if (level != nullptr) {
    expect(MPI_Info_create(&info) == MPI_SUCCESS);
    expect(MPI_Info_set(info, "thread_level", level) == MPI_SUCCESS);
  }
  MPI_Session session = MPI_SESSION_NULL;
  expect(MPI_Session_init(info, handler, &session) == MPI_SUCCESS && session != MPI_SESSION_NULL);
  if (level != nullptr) MPI_Info_free(&info);
  return session;
}

void end(MPI_Session session) {
  expect(MPI_Session_finalize(&session) == MPI_SUCCESS && session == MPI_SESSION_NULL);
}

MPI_Comm communicator_of(MPI_Session session, const char* set = "mpi://WORLD") {
  MPI_Group group = MPI_GROUP_NULL;
  MPI_Comm comm = MPI_COMM_NULL;
  expect(MPI_Group_from_session_pset(session, set, &group) == MPI_SUCCESS);
  expect(MPI_Comm_create_from_group(group, "session_test", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm) ==
         MPI_SUCCESS);
  expect(MPI_Group_free(&group) == MPI_SUCCESS);
  return comm;
}

int sum_on(MPI_Comm comm) {
  const int one = 1;
  int sum = 0;
  expect(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm) == MPI_SUCCESS);
  return sum;
}

std::string value_of(MPI_Info info, const char* key) {
  char text[MPI_MAX_INFO_VAL];
  int length = sizeof text, found = 0;
  expect(MPI_Info_get_string(info, key, &length, text, &found) == MPI_SUCCESS);
  return found != 0 ? text : "(missing)";
}

std::string message_of(int code) {
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  expect(MPI_Error_string(code, text, &length) == MPI_SUCCESS);
  return text;
}

class SessionDeathTest : public ::testing::Test {
 protected:
  SessionDeathTest() { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

#define EXPECT_PASSES(...)  \
  EXPECT_EXIT(              \
      {                     \
        __VA_ARGS__;        \
        std::exit(kPassed); \
      },                    \
      ::testing::ExitedWithCode(kPassed), "^$")

void be_without_init() {
  MPI_Session session = begin();
  int size = 0;
  expect(MPI_Type_size(MPI_INT, &size) == MPI_SUCCESS && size == 4);
  expect(flag_of(MPI_Initialized) == 0 && flag_of(MPI_Finalized) == 0);
  for (const char* set : {"mpi://WORLD", "mpi://SELF"}) {
    MPI_Comm comm = communicator_of(session, set);
    expect(sum_on(comm) == 1);
    expect(MPI_Comm_free(&comm) == MPI_SUCCESS);
  }
  end(session);
  expect(flag_of(MPI_Initialized) == 0 && flag_of(MPI_Finalized) == 0);
}

TEST_F(SessionDeathTest, WorkWithoutInit) { EXPECT_PASSES(be_without_init()); }

TEST_F(SessionDeathTest, BeginAgainAfterTheLastHasEnded) {
  EXPECT_PASSES(for (int round = 0; round < 3; ++round) be_without_init());
}

void be_several() {
  MPI_Session first = begin(), second = begin();
  expect(first != second);
  MPI_Comm comm = communicator_of(second);
  end(first);
  expect(sum_on(comm) == 1);
  end(second);
}

TEST_F(SessionDeathTest, SeveralAtATime) { EXPECT_PASSES(be_several()); }

void be_inside_of_init() {
  MPI_Init(nullptr, nullptr);
  MPI_Session session = begin();
  MPI_Comm comm = communicator_of(session);
  expect(sum_on(comm) == 1 && sum_on(MPI_COMM_WORLD) == 1);
  MPI_Comm_free(&comm);
  end(session);
  expect(sum_on(MPI_COMM_WORLD) == 1);
  MPI_Finalize();
}

TEST_F(SessionDeathTest, InsideOfInitAndFinalize) { EXPECT_PASSES(be_inside_of_init()); }

void outlive_finalize() {
  MPI_Session session = begin();
  MPI_Comm comm = communicator_of(session);
  MPI_Init(nullptr, nullptr);
  expect(sum_on(MPI_COMM_WORLD) == 1 && sum_on(comm) == 1);
  MPI_Finalize();
  expect(flag_of(MPI_Initialized) == 1 && flag_of(MPI_Finalized) == 1);
  expect(sum_on(comm) == 1);
  end(session);
  session = begin();
  comm = communicator_of(session);
  expect(sum_on(comm) == 1);
  end(session);
}

TEST_F(SessionDeathTest, AroundInitAndFinalizeAndAfterThem) { EXPECT_PASSES(outlive_finalize()); }

TEST_F(SessionDeathTest, InitAfterTheLastSession) {
  EXPECT_PASSES({
    end(begin());
    MPI_Init(nullptr, nullptr);
    expect(sum_on(MPI_COMM_WORLD) == 1);
    MPI_Finalize();
  });
}

TEST_F(SessionDeathTest, TheCommunicatorsOfInitDoNotExistInSessions) {
  EXPECT_EXIT(
      {
        begin();
        sum_on(MPI_COMM_WORLD);
      },
      ::testing::ExitedWithCode(MPI_ERR_COMM),
      "^foldlane: rank 0: MPI_Allreduce: MPI_COMM_WORLD exists only between MPI_Init and MPI_Finalize");
  EXPECT_EXIT(
      {
        begin();
        int level = 0;
        MPI_Query_thread(&level);
      },
      ::testing::ExitedWithCode(MPI_ERR_OTHER), "MPI_Query_thread: called before MPI_Init");
}

TEST_F(SessionDeathTest, NothingWorksAfterTheLastSession) {
  EXPECT_EXIT(
      {
        int size = 0;
        end(begin());
        MPI_Type_size(MPI_INT, &size);
      },
      ::testing::ExitedWithCode(MPI_ERR_OTHER),
      "^foldlane: MPI_Type_size: called after the last session was finalized");
  EXPECT_EXIT(
      {
        MPI_Session session = begin();
        MPI_Comm comm = communicator_of(session);
        end(session);
        MPI_Barrier(comm);
      },
      ::testing::ExitedWithCode(MPI_ERR_OTHER), "MPI_Barrier: called after the last session was finalized");
}

/// The predefined attributes that the communicator has.
std::vector<int> attributes_of(MPI_Comm comm) {
  std::vector<int> found;
  for (int key = MPI_TAG_UB; key <= MPI_UNIVERSE_SIZE; ++key) {
    void* value = nullptr;
    int flag = -1;
    expect(MPI_Comm_get_attr(comm, key, &value, &flag) == MPI_SUCCESS);
    if (flag != 0) found.push_back(key);
  }
  return found;
}

/// A communicator made of others has what they have.
void ask_attributes() {
  MPI_Session session = begin();
  MPI_Init(nullptr, nullptr);
  const std::vector<int> of_world = attributes_of(MPI_COMM_WORLD);
  expect(of_world.size() > 3);
  for (MPI_Comm from : {communicator_of(session), MPI_COMM_WORLD}) {
    const auto expected = from == MPI_COMM_WORLD ? of_world : std::vector<int>{MPI_TAG_UB};
    MPI_Comm dup = MPI_COMM_NULL, part = MPI_COMM_NULL;
    expect(MPI_Comm_dup(from, &dup) == MPI_SUCCESS && MPI_Comm_split(dup, 0, 0, &part) == MPI_SUCCESS);
    for (MPI_Comm comm : {from, dup, part}) expect(attributes_of(comm) == expected);
    expect(MPI_Comm_free(&dup) == MPI_SUCCESS && MPI_Comm_free(&part) == MPI_SUCCESS);
  }
  MPI_Finalize();
  end(session);
}

TEST_F(SessionDeathTest, CommunicatorsHaveOnePredefinedAttribute) { EXPECT_PASSES(ask_attributes()); }

MPI_Session seen = nullptr;
int seen_code = MPI_SUCCESS;
void note(MPI_Session* session, int* code, ...) {
  seen = *session;
  seen_code = *code;
}

MPI_Comm seen_comm = nullptr;
void note_comm(MPI_Comm* comm, int* code, ...) {
  seen_comm = *comm;
  seen_code = *code;
}

void fail_to_begin() {
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  MPI_Info info = MPI_INFO_NULL;
  MPI_Session session = MPI_SESSION_NULL;
  expect(MPI_Session_create_errhandler(note, &handler) == MPI_SUCCESS);
  MPI_Info_create(&info);
  MPI_Info_set(info, "thread_level", "plenty");
  expect(MPI_Session_init(info, handler, &session) == MPI_ERR_INFO_VALUE);
  expect(seen == MPI_SESSION_NULL && seen_code == MPI_ERR_INFO_VALUE && session == MPI_SESSION_NULL);
  expect(message_of(seen_code).find("thread_level is \"plenty\"; it must be MPI_THREAD_SINGLE") !=
         std::string::npos);
  expect(MPI_Session_init(MPI_INFO_NULL, handler, nullptr) == MPI_ERR_ARG && seen_code == MPI_ERR_ARG);
  expect(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, nullptr) == MPI_ERR_ARG);
  MPI_Info_free(&info);
  expect(MPI_Session_init(info, handler, &session) == MPI_SUCCESS);
  expect(MPI_Session_get_num_psets(session, MPI_INFO_NULL, nullptr) == MPI_ERR_ARG && seen == session);
  end(session);
}

TEST_F(SessionDeathTest, TheHandlerGivenHasTheErrorsOfInit) {
  EXPECT_PASSES(fail_to_begin());
  MPI_Session session = MPI_SESSION_NULL;
  EXPECT_EXIT(MPI_Session_init(MPI_INFO_NULL, MPI_ERRHANDLER_NULL, &session),
              ::testing::ExitedWithCode(MPI_ERR_ERRHANDLER),
              "^foldlane: MPI_Session_init: the error handler is MPI_ERRHANDLER_NULL");
}

void fail_to_create() {
  MPI_Session session = begin();
  MPI_Group group = MPI_GROUP_NULL;
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  expect(MPI_Comm_create_errhandler(note_comm, &handler) == MPI_SUCCESS);
  expect(MPI_Group_from_session_pset(session, "mpi://WORLD", &group) == MPI_SUCCESS);
  expect(MPI_Comm_create_from_group(group, nullptr, MPI_INFO_NULL, handler, &comm) == MPI_ERR_ARG);
  expect(seen_comm == MPI_COMM_NULL && seen_code == MPI_ERR_ARG);
  expect(MPI_Group_free(&group) == MPI_SUCCESS);
  end(session);
}

TEST_F(SessionDeathTest, TheHandlerGivenHasTheErrorsOfCommCreateFromGroup) {
  EXPECT_PASSES(fail_to_create());
}

void name_sets() {
  MPI_Session session = begin();
  int count = 0;
  expect(MPI_Session_get_num_psets(session, MPI_INFO_NULL, &count) == MPI_SUCCESS && count == 2);
  const std::vector<std::string> names = {"mpi://WORLD", "mpi://SELF"};
  for (int n = 0; n < count; ++n) {
    const std::string& expected = names[static_cast<std::size_t>(n)];
    const int whole = static_cast<int>(expected.size()) + 1;
    std::string name(20, '#');
    int length = 0;
    expect(MPI_Session_get_nth_pset(session, MPI_INFO_NULL, n, &length, nullptr) == MPI_SUCCESS);
    expect(length == whole);
    expect(MPI_Session_get_nth_pset(session, MPI_INFO_NULL, n, &length, name.data()) == MPI_SUCCESS);
    expect(name.c_str() == expected && length == whole);
    length = 5;
    expect(MPI_Session_get_nth_pset(session, MPI_INFO_NULL, n, &length, name.data()) == MPI_SUCCESS);
    expect(std::string(name.c_str()) == "mpi:" && length == whole);
  }
  end(session);
}

TEST_F(SessionDeathTest, ProcessSetsHaveNames) { EXPECT_PASSES(name_sets()); }

void ask_sets() {
  MPI_Session session = begin();
  for (const char* set : {"mpi://WORLD", "mpi://SELF", "mpi://world", "MPI://Self"}) {
    MPI_Info info = MPI_INFO_NULL;
    expect(MPI_Session_get_pset_info(session, set, &info) == MPI_SUCCESS);
    expect(value_of(info, "mpi_size") == "1");
    expect(MPI_Info_free(&info) == MPI_SUCCESS);
  }
  for (const char* unknown : {"app://mine", "mpi://worlds", "mpi://WORL", "mpi:/WORLD"}) {
    MPI_Group group = MPI_GROUP_EMPTY;
    expect(MPI_Group_from_session_pset(session, unknown, &group) == MPI_SUCCESS);
    expect(group == MPI_GROUP_NULL);
  }
  end(session);
}

TEST_F(SessionDeathTest, ProcessSetsHaveASize) { EXPECT_PASSES(ask_sets()); }

void pass_nonsense() {
  MPI_Session session = begin();
  int length = 20, count = 0;
  char name[20];
  MPI_Info info = MPI_INFO_NULL;
  MPI_Group group = MPI_GROUP_NULL;
  for (int n : {-1, 2}) {
    expect(MPI_Session_get_nth_pset(session, MPI_INFO_NULL, n, &length, name) == MPI_ERR_ARG);
    expect(message_of(MPI_ERR_ARG)
               .find("there is no process set number " + std::to_string(n) + "; they are 0 to 1") !=
           std::string::npos);
  }
  expect(MPI_Session_get_nth_pset(session, MPI_INFO_NULL, 0, nullptr, name) == MPI_ERR_ARG);
  expect(MPI_Session_get_nth_pset(session, MPI_INFO_NULL, 0, &length, nullptr) == MPI_ERR_ARG);
  length = -1;
  expect(MPI_Session_get_nth_pset(session, MPI_INFO_NULL, 0, &length, name) == MPI_ERR_ARG);
  expect(MPI_Session_get_num_psets(session, reinterpret_cast<MPI_Info>(0x77), &count) == MPI_ERR_INFO);
  expect(MPI_Session_get_pset_info(session, "app://mine", &info) == MPI_ERR_ARG);
  expect(message_of(MPI_ERR_ARG).find("there is no process set \"app://mine\"") != std::string::npos);
  expect(MPI_Session_get_pset_info(session, nullptr, &info) == MPI_ERR_ARG);
  expect(MPI_Session_get_pset_info(session, "mpi://SELF", nullptr) == MPI_ERR_ARG);
  expect(MPI_Session_get_info(session, nullptr) == MPI_ERR_ARG);
  expect(MPI_Group_from_session_pset(session, nullptr, &group) == MPI_ERR_ARG);
  expect(MPI_Group_from_session_pset(session, "mpi://SELF", nullptr) == MPI_ERR_ARG);
  end(session);
}

TEST_F(SessionDeathTest, BadArguments) {
  EXPECT_PASSES(pass_nonsense());
  MPI_Session null = MPI_SESSION_NULL;
  EXPECT_EXIT(MPI_Session_finalize(&null), ::testing::ExitedWithCode(MPI_ERR_SESSION),
              "MPI_Session_finalize: the session is MPI_SESSION_NULL");
  EXPECT_EXIT(MPI_Session_finalize(nullptr), ::testing::ExitedWithCode(MPI_ERR_ARG),
              "MPI_Session_finalize: session is null");
  EXPECT_EXIT(
      {
        MPI_Session session = begin();
        MPI_Session again = session;
        end(session);
        MPI_Session_finalize(&again);
      },
      ::testing::ExitedWithCode(MPI_ERR_SESSION), "does not exist; it may have been finalized");
}

void ask_level(const char* asked, const std::string& expected) {
  MPI_Session session = begin(MPI_ERRORS_RETURN, asked);
  MPI_Info info = MPI_INFO_NULL;
  expect(MPI_Session_get_info(session, &info) == MPI_SUCCESS);
  expect(value_of(info, "thread_level") == expected);
  expect(value_of(info, "mpi_memory_alloc_kinds") == "mpi,system");
  expect(MPI_Info_free(&info) == MPI_SUCCESS);
  end(session);
}

TEST_F(SessionDeathTest, ThreadLevels) {
  EXPECT_PASSES({
    ask_level(nullptr, "MPI_THREAD_MULTIPLE");
    for (const char* level :
         {"MPI_THREAD_SINGLE", "MPI_THREAD_FUNNELED", "MPI_THREAD_SERIALIZED", "MPI_THREAD_MULTIPLE"})
      ask_level(level, level);
  });
}

void begin_in_another_thread(int level) {
  int provided = -1;
  MPI_Init_thread(nullptr, nullptr, level, &provided);
  MPI_Session session = MPI_SESSION_NULL;
  int code = MPI_SUCCESS;
  std::thread([&] { code = MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session); }).join();
  const bool allowed = level == MPI_THREAD_SERIALIZED || level == MPI_THREAD_MULTIPLE;
  expect(code == (allowed ? MPI_SUCCESS : MPI_ERR_OTHER));
  if (allowed) {
    end(session);
  } else {
    expect(session == MPI_SESSION_NULL);
    session = begin();  // here, in the main thread; then in any other
    std::thread([] { end(begin()); }).join();
    end(session);
  }
  MPI_Finalize();
}

TEST_F(SessionDeathTest, OfAnotherThreadThanTheMainOneNeedThreads) {
  EXPECT_PASSES(begin_in_another_thread(MPI_THREAD_SINGLE));
  EXPECT_PASSES(begin_in_another_thread(MPI_THREAD_FUNNELED));
  EXPECT_PASSES(begin_in_another_thread(MPI_THREAD_SERIALIZED));
  EXPECT_PASSES(begin_in_another_thread(MPI_THREAD_MULTIPLE));
}

void begin_in_many_threads() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([] {
      for (int round = 0; round < 200; ++round) {
        MPI_Session session = begin();
        MPI_Comm comm = communicator_of(session);
        expect(sum_on(comm) == 1);
        expect(MPI_Comm_free(&comm) == MPI_SUCCESS);
        end(session);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST_F(SessionDeathTest, ManyThreadsBeginAndEndTheirOwn) { EXPECT_PASSES(begin_in_many_threads()); }

}  // namespace
