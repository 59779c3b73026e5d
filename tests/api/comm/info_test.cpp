// Info objects: what goes in comes out, in order; limits; MPI_INFO_ENV; what the calls refuse.
#include "api/info/info.hpp"

#include <unistd.h>

#include <array>
#include <string>
#include <thread>
#include <vector>

#include "support/mpi_world.hpp"

namespace {

using foldlane::testing::error_string;

constexpr int kLongestKey = MPI_MAX_INFO_KEY - 1;
constexpr int kLongestValue = MPI_MAX_INFO_VAL - 1;

std::string value_of(MPI_Info info, const char* key) {
  std::array<char, MPI_MAX_INFO_VAL> value{};
  int flag = -1, length = static_cast<int>(value.size());
  EXPECT_EQ(MPI_Info_get_string(info, key, &length, value.data(), &flag), MPI_SUCCESS);
  if (flag == 0) return "(none)";
  EXPECT_EQ(std::string(value.data()).size() + 1, static_cast<std::size_t>(length));
  return value.data();
}

std::vector<std::string> keys_of(MPI_Info info) {
  int count = -1;
  EXPECT_EQ(MPI_Info_get_nkeys(info, &count), MPI_SUCCESS);
  std::vector<std::string> keys;
  for (int n = 0; n < count; ++n) {
    std::array<char, MPI_MAX_INFO_KEY> key{};
    EXPECT_EQ(MPI_Info_get_nthkey(info, n, key.data()), MPI_SUCCESS);
    keys.emplace_back(key.data());
  }
  return keys;
}

MPI_Info stale_info() {
  MPI_Info info = MPI_INFO_NULL;
  EXPECT_EQ(MPI_Info_create(&info), MPI_SUCCESS);
  MPI_Info copy = info;
  EXPECT_EQ(MPI_Info_free(&info), MPI_SUCCESS);
  return copy;
}

class Info : public ::testing::Test {
 protected:
  MPI_Info info = MPI_INFO_NULL;

  void SetUp() override { ASSERT_EQ(MPI_Info_create(&info), MPI_SUCCESS); }
  void TearDown() override {
    const std::uint64_t before = foldlane::api::live_infos();
    EXPECT_EQ(MPI_Info_free(&info), MPI_SUCCESS);
    EXPECT_EQ(info, MPI_INFO_NULL);
    EXPECT_EQ(foldlane::api::live_infos(), before - 1);
  }
  void set(const char* key, const char* value) { EXPECT_EQ(MPI_Info_set(info, key, value), MPI_SUCCESS); }

 private:
  foldlane::testing::ErrorsReturn errors_return_;
};

TEST_F(Info, KeysKeepTheirOrderAndTheirCase) {
  EXPECT_TRUE(keys_of(info).empty());
  set("beta", "1");
  set("Beta", "2");
  set("alpha", "");
  set("beta", "3");
  EXPECT_EQ(keys_of(info), (std::vector<std::string>{"beta", "Beta", "alpha"}));
  EXPECT_EQ(value_of(info, "beta"), "3");
  EXPECT_EQ(value_of(info, "Beta"), "2");
  EXPECT_EQ(value_of(info, "alpha"), "");
  EXPECT_EQ(value_of(info, "ALPHA"), "(none)");
  EXPECT_EQ(MPI_Info_delete(info, "Beta"), MPI_SUCCESS);
  EXPECT_EQ(keys_of(info), (std::vector<std::string>{"beta", "alpha"}));
}

TEST_F(Info, DeletingWhatIsNotThere) {
  set("a", "1");
  EXPECT_EQ(MPI_Info_delete(info, "b"), MPI_ERR_INFO_NOKEY);
  EXPECT_NE(error_string(MPI_ERR_INFO_NOKEY).find("the info has no key \"b\""), std::string::npos);
  EXPECT_EQ(MPI_Info_delete(info, "a"), MPI_SUCCESS);
  EXPECT_EQ(MPI_Info_delete(info, "a"), MPI_ERR_INFO_NOKEY);
}

TEST_F(Info, LimitsOfKeysAndValues) {
  const std::string longest_key(kLongestKey, 'k'), longest_value(kLongestValue, 'v');
  set(longest_key.c_str(), longest_value.c_str());
  EXPECT_EQ(keys_of(info), (std::vector<std::string>{longest_key}));
  EXPECT_EQ(value_of(info, longest_key.c_str()), longest_value);
  const std::string long_key(kLongestKey + 1, 'k'), long_value(kLongestValue + 1, 'v');
  int flag = -7, length = 0;
  char value[2] = "?";
  EXPECT_EQ(MPI_Info_set(info, "key", long_value.c_str()), MPI_ERR_INFO_VALUE);
  EXPECT_NE(error_string(MPI_ERR_INFO_VALUE).find("longer than 1023 characters"), std::string::npos);
  EXPECT_EQ(MPI_Info_set(info, "key", nullptr), MPI_ERR_INFO_VALUE);
  for (const char* key : {long_key.c_str(), "", static_cast<const char*>(nullptr)}) {
    EXPECT_EQ(MPI_Info_set(info, key, "v"), MPI_ERR_INFO_KEY);
    EXPECT_EQ(MPI_Info_delete(info, key), MPI_ERR_INFO_KEY);
    EXPECT_EQ(MPI_Info_get(info, key, 1, value, &flag), MPI_ERR_INFO_KEY);
    EXPECT_EQ(MPI_Info_get_string(info, key, &length, value, &flag), MPI_ERR_INFO_KEY);
    EXPECT_EQ(MPI_Info_get_valuelen(info, key, &length, &flag), MPI_ERR_INFO_KEY);
  }
  EXPECT_EQ(keys_of(info).size(), 1U);
  EXPECT_EQ(flag, -7);
}

TEST_F(Info, GetCutsToTheLengthWithoutTheTerminator) {
  set("key", "value");
  int flag = -1;
  char value[8] = "???????";
  EXPECT_EQ(MPI_Info_get(info, "key", 3, value, &flag), MPI_SUCCESS);
  EXPECT_EQ(flag, 1);
  EXPECT_EQ(std::string(value, 5), std::string("val\0?", 5));
  EXPECT_EQ(MPI_Info_get(info, "key", 7, value, &flag), MPI_SUCCESS);
  EXPECT_STREQ(value, "value");
  EXPECT_EQ(MPI_Info_get(info, "other", 7, value, &flag), MPI_SUCCESS);
  EXPECT_EQ(flag, 0);
  EXPECT_STREQ(value, "value");
  int length = -1;
  EXPECT_EQ(MPI_Info_get_valuelen(info, "key", &length, &flag), MPI_SUCCESS);
  EXPECT_TRUE(flag == 1 && length == 5);
  EXPECT_EQ(MPI_Info_get_valuelen(info, "other", &length, &flag), MPI_SUCCESS);
  EXPECT_TRUE(flag == 0 && length == 5);
}

TEST_F(Info, GetStringCountsTheTerminator) {
  set("key", "value");
  int flag = -1, length = 0;
  char value[8] = "???????";
  EXPECT_EQ(MPI_Info_get_string(info, "key", &length, nullptr, &flag), MPI_SUCCESS);
  EXPECT_TRUE(flag == 1 && length == 6);
  length = 4;
  EXPECT_EQ(MPI_Info_get_string(info, "key", &length, value, &flag), MPI_SUCCESS);
  EXPECT_EQ(length, 6);
  EXPECT_EQ(std::string(value, 5), std::string("val\0?", 5));
  EXPECT_EQ(MPI_Info_get_string(info, "key", &length, value, &flag), MPI_SUCCESS);
  EXPECT_STREQ(value, "value");
  length = 3;
  EXPECT_EQ(MPI_Info_get_string(info, "other", &length, value, &flag), MPI_SUCCESS);
  EXPECT_TRUE(flag == 0 && length == 3);
}

TEST_F(Info, ADuplicateLivesItsOwnLife) {
  MPI_Info copy = MPI_INFO_NULL;
  set("a", "1");
  EXPECT_EQ(MPI_Info_dup(info, &copy), MPI_SUCCESS);
  set("b", "2");
  EXPECT_EQ(MPI_Info_set(copy, "a", "3"), MPI_SUCCESS);
  EXPECT_EQ(keys_of(copy), (std::vector<std::string>{"a"}));
  EXPECT_EQ(value_of(info, "a"), "1");
  EXPECT_EQ(MPI_Info_free(&copy), MPI_SUCCESS);
}

TEST_F(Info, NumbersOfKeysThatDoNotExist) {
  char key[MPI_MAX_INFO_KEY] = "?";
  set("a", "1");
  EXPECT_EQ(MPI_Info_get_nthkey(info, 1, key), MPI_ERR_ARG);
  EXPECT_NE(error_string(MPI_ERR_ARG).find("there is no key number 1; the info has 1 keys"),
            std::string::npos);
  EXPECT_EQ(MPI_Info_get_nthkey(info, -1, key), MPI_ERR_ARG);
  EXPECT_STREQ(key, "?");
}

TEST_F(Info, EveryCallRefusesWhatIsNoInfo) {
  int flag = -7, length = 1;
  char text[MPI_MAX_INFO_KEY] = "?";
  void* memory = nullptr;
  for (MPI_Info bad : {MPI_INFO_NULL, static_cast<MPI_Info>(nullptr), stale_info()}) {
    MPI_Info other = MPI_INFO_NULL, freed = bad;
    EXPECT_EQ(MPI_Info_set(bad, "a", "1"), MPI_ERR_INFO);
    EXPECT_EQ(MPI_Info_delete(bad, "a"), MPI_ERR_INFO);
    EXPECT_EQ(MPI_Info_get(bad, "a", 1, text, &flag), MPI_ERR_INFO);
    EXPECT_EQ(MPI_Info_get_string(bad, "a", &length, text, &flag), MPI_ERR_INFO);
    EXPECT_EQ(MPI_Info_get_valuelen(bad, "a", &length, &flag), MPI_ERR_INFO);
    EXPECT_EQ(MPI_Info_get_nkeys(bad, &length), MPI_ERR_INFO);
    EXPECT_EQ(MPI_Info_get_nthkey(bad, 0, text), MPI_ERR_INFO);
    EXPECT_EQ(MPI_Info_dup(bad, &other), MPI_ERR_INFO);
    EXPECT_EQ(MPI_Info_free(&freed), MPI_ERR_INFO);
    EXPECT_EQ(MPI_Abi_set_fortran_info(bad), MPI_ERR_INFO);
    if (bad != MPI_INFO_NULL) {
      EXPECT_EQ(MPI_Alloc_mem(8, bad, &memory), MPI_ERR_INFO);
    }
    EXPECT_EQ(other, MPI_INFO_NULL);
    EXPECT_EQ(freed, bad);
  }
  EXPECT_TRUE(flag == -7 && length == 1 && memory == nullptr);
}

TEST_F(Info, IsAnArgumentOfOtherCalls) {
  set("anything", "is ignored");
  for (MPI_Info argument : {info, MPI_INFO_NULL, MPI_INFO_ENV}) {
    void* memory = nullptr;
    EXPECT_EQ(MPI_Alloc_mem(8, argument, &memory), MPI_SUCCESS);
    EXPECT_EQ(MPI_Free_mem(memory), MPI_SUCCESS);
  }
}

TEST_F(Info, NullResultsAndNegativeLengths) {
  int flag = -1, length = 4;
  char value[4];
  set("a", "1");
  EXPECT_EQ(MPI_Info_create(nullptr), MPI_ERR_ARG);
  EXPECT_EQ(MPI_Info_create_env(0, nullptr, nullptr), MPI_ERR_ARG);
  EXPECT_EQ(MPI_Info_dup(info, nullptr), MPI_ERR_ARG);
  EXPECT_EQ(MPI_Info_free(nullptr), MPI_ERR_ARG);
  EXPECT_EQ(MPI_Info_get_nkeys(info, nullptr), MPI_ERR_ARG);
  EXPECT_EQ(MPI_Info_get_nthkey(info, 0, nullptr), MPI_ERR_ARG);
  EXPECT_EQ(MPI_Info_get(info, "a", 1, nullptr, &flag), MPI_ERR_ARG);
  EXPECT_EQ(MPI_Info_get(info, "a", 1, value, nullptr), MPI_ERR_ARG);
  EXPECT_EQ(MPI_Info_get(info, "a", -1, value, &flag), MPI_ERR_ARG);
  EXPECT_EQ(MPI_Info_get_string(info, "a", nullptr, value, &flag), MPI_ERR_ARG);
  EXPECT_EQ(MPI_Info_get_string(info, "a", &length, nullptr, &flag), MPI_ERR_ARG);
  length = -1;
  EXPECT_EQ(MPI_Info_get_string(info, "a", &length, value, &flag), MPI_ERR_ARG);
  EXPECT_EQ(MPI_Info_get_valuelen(info, "a", nullptr, &flag), MPI_ERR_ARG);
}

TEST_F(Info, HandlesRunOut) {
  std::vector<MPI_Info> made;
  MPI_Info next = MPI_INFO_NULL;
  int error = MPI_SUCCESS;
  while ((error = MPI_Info_create(&next)) == MPI_SUCCESS && made.size() < 1000000) made.push_back(next);
  EXPECT_EQ(error, MPI_ERR_NO_MEM);
  EXPECT_NE(error_string(MPI_ERR_NO_MEM).find("too many infos exist"), std::string::npos);
  for (MPI_Info& each : made) ASSERT_EQ(MPI_Info_free(&each), MPI_SUCCESS);
}

TEST_F(Info, ThreadsMayShareAnObject) {
  std::vector<std::thread> threads;
  for (const char* key : {"a", "b", "c", "d"}) {
    threads.emplace_back([&, key] {
      for (int round = 0; round < 500; ++round) {
        set(key, std::to_string(round).c_str());
        EXPECT_EQ(value_of(info, key), std::to_string(round));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(keys_of(info).size(), 4U);
}

TEST_F(Info, EnvironmentTellsHowTheProcessWasStarted) {
  char host[MPI_MAX_PROCESSOR_NAME], directory[MPI_MAX_INFO_VAL];
  ASSERT_EQ(gethostname(host, sizeof host), 0);
  ASSERT_NE(getcwd(directory, sizeof directory), nullptr);
  EXPECT_NE(value_of(MPI_INFO_ENV, "command").find("api_info_test"), std::string::npos);
  EXPECT_EQ(value_of(MPI_INFO_ENV, "maxprocs"), "1");
  EXPECT_EQ(value_of(MPI_INFO_ENV, "host"), host);
  EXPECT_EQ(value_of(MPI_INFO_ENV, "wdir"), directory);
  EXPECT_NE(value_of(MPI_INFO_ENV, "arch"), "(none)");
  EXPECT_EQ(value_of(MPI_INFO_ENV, "mpi_initial_errhandler"), "mpi_errors_are_fatal");
  EXPECT_EQ(value_of(MPI_INFO_ENV, "mpi_memory_alloc_kinds"), "mpi,system");
}

TEST_F(Info, EnvironmentCanBeCopiedButNotChanged) {
  MPI_Info env = MPI_INFO_ENV, copy = MPI_INFO_NULL;
  EXPECT_EQ(MPI_Info_set(env, "host", "other"), MPI_ERR_INFO);
  EXPECT_NE(error_string(MPI_ERR_INFO).find("MPI_INFO_ENV belongs to the library"), std::string::npos);
  EXPECT_EQ(MPI_Info_delete(env, "host"), MPI_ERR_INFO);
  EXPECT_EQ(MPI_Info_free(&env), MPI_ERR_INFO);
  EXPECT_EQ(env, MPI_INFO_ENV);
  EXPECT_EQ(MPI_Info_dup(MPI_INFO_ENV, &copy), MPI_SUCCESS);
  EXPECT_EQ(keys_of(copy), keys_of(MPI_INFO_ENV));
  EXPECT_EQ(MPI_Info_set(copy, "host", "other"), MPI_SUCCESS);
  EXPECT_EQ(MPI_Info_free(&copy), MPI_SUCCESS);
}

TEST_F(Info, CreateEnvTakesTheCommandLineItIsGiven) {
  char program[] = "program", first[] = "-n", second[] = "two words";
  char* argv[] = {program, first, second, nullptr};
  MPI_Info env = MPI_INFO_NULL;
  ASSERT_EQ(MPI_Info_create_env(3, argv, &env), MPI_SUCCESS);
  EXPECT_EQ(value_of(env, "command"), "program");
  EXPECT_EQ(value_of(env, "argv"), "-n two words");
  EXPECT_EQ(value_of(env, "maxprocs"), "1");
  EXPECT_EQ(MPI_Info_set(env, "command", "mine"), MPI_SUCCESS);
  EXPECT_EQ(MPI_Info_free(&env), MPI_SUCCESS);
  ASSERT_EQ(MPI_Info_create_env(0, nullptr, &env), MPI_SUCCESS);
  EXPECT_EQ(value_of(env, "command"), value_of(MPI_INFO_ENV, "command"));
  EXPECT_EQ(MPI_Info_free(&env), MPI_SUCCESS);
  EXPECT_EQ(MPI_Info_create_env(-1, argv, &env), MPI_ERR_ARG);
}

TEST_F(Info, ALongCommandLineIsCut) {
  std::string program = "p", word(3000, 'w');
  char* argv[] = {program.data(), word.data()};
  MPI_Info env = MPI_INFO_NULL;
  ASSERT_EQ(MPI_Info_create_env(2, argv, &env), MPI_SUCCESS);
  EXPECT_EQ(value_of(env, "argv"), std::string(kLongestValue, 'w'));
  EXPECT_EQ(MPI_Info_free(&env), MPI_SUCCESS);
}

TEST_F(Info, AbiSizes) {
  MPI_Info sizes = MPI_INFO_NULL;
  ASSERT_EQ(MPI_Abi_get_info(&sizes), MPI_SUCCESS);
  EXPECT_EQ(keys_of(sizes), (std::vector<std::string>{"mpi_aint_size", "mpi_count_size", "mpi_offset_size"}));
  for (const std::string& key : keys_of(sizes)) EXPECT_EQ(value_of(sizes, key.c_str()), "8");
  EXPECT_EQ(MPI_Info_free(&sizes), MPI_SUCCESS);
  EXPECT_EQ(MPI_Abi_get_info(nullptr), MPI_ERR_ARG);
}

// Once per process, so one test tells the whole story.
TEST_F(Info, FortranTypesAreDescribedOnce) {
  MPI_Info told = info;
  EXPECT_EQ(MPI_Abi_get_fortran_info(&told), MPI_SUCCESS);
  EXPECT_EQ(told, MPI_INFO_NULL);
  set("mpi_integer_size", "8");
  EXPECT_EQ(MPI_Abi_set_fortran_info(info), MPI_ERR_ABI);
  EXPECT_NE(error_string(MPI_ERR_ABI).find("mpi_integer_size is \"8\"; this library supports \"4\""),
            std::string::npos);
  set("mpi_integer_size", "4");
  set("mpi_double_precision_size", "8");
  EXPECT_EQ(MPI_Abi_set_fortran_info(info), MPI_SUCCESS);
  EXPECT_EQ(MPI_Abi_set_fortran_info(info), MPI_ERR_ABI);
  EXPECT_EQ(MPI_Abi_get_fortran_info(&told), MPI_SUCCESS);
  EXPECT_EQ(keys_of(told), keys_of(info));
  EXPECT_EQ(MPI_Info_free(&told), MPI_SUCCESS);
  EXPECT_EQ(MPI_Abi_get_fortran_info(nullptr), MPI_ERR_ARG);
}

TEST_F(Info, FortranBooleansAreSetOnce) {
  std::int32_t yes = 1, no = 0, all_bits = -1, got_yes = 7, got_no = 7;
  int is_set = -1;
  EXPECT_EQ(MPI_Abi_get_fortran_booleans(4, &got_yes, &got_no, &is_set), MPI_SUCCESS);
  EXPECT_TRUE(is_set == 0 && got_yes == 7 && got_no == 7);
  EXPECT_EQ(MPI_Abi_set_fortran_booleans(8, &yes, &no), MPI_ERR_ABI);
  EXPECT_EQ(MPI_Abi_set_fortran_booleans(4, &all_bits, &no), MPI_ERR_ABI);
  EXPECT_NE(error_string(MPI_ERR_ABI).find("true is -1 and false is 0"), std::string::npos);
  EXPECT_EQ(MPI_Abi_set_fortran_booleans(4, nullptr, &no), MPI_ERR_ARG);
  EXPECT_EQ(MPI_Abi_set_fortran_booleans(4, &yes, &no), MPI_SUCCESS);
  EXPECT_EQ(MPI_Abi_set_fortran_booleans(4, &yes, &no), MPI_ERR_ABI);
  EXPECT_EQ(MPI_Abi_get_fortran_booleans(4, &got_yes, &got_no, &is_set), MPI_SUCCESS);
  EXPECT_TRUE(is_set == 1 && got_yes == 1 && got_no == 0);
  EXPECT_EQ(MPI_Abi_get_fortran_booleans(2, &got_yes, &got_no, &is_set), MPI_ERR_ABI);
}

}  // namespace
