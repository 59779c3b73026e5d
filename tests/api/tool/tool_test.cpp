// The tool interface: control and performance variables.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <set>
#include <string>
#include <vector>

#include "support/tool_fixture.hpp"

namespace {

using foldlane::testing::error_string;

using foldlane::testing::handle_of;
using foldlane::testing::Tool;

std::string text_cvar(int index) {
  MPI_T_cvar_handle handle = MPI_T_CVAR_HANDLE_NULL;
  int count = -1;
  EXPECT_EQ(MPI_T_cvar_handle_alloc(index, nullptr, &handle, &count), MPI_SUCCESS);
  std::string text(static_cast<std::size_t>(count), '?');
  EXPECT_EQ(MPI_T_cvar_read(handle, text.data()), MPI_SUCCESS);
  EXPECT_EQ(MPI_T_cvar_handle_free(&handle), MPI_SUCCESS);
  EXPECT_EQ(handle, MPI_T_CVAR_HANDLE_NULL);
  EXPECT_EQ(text.back(), '\0');
  return text.c_str();
}

unsigned long number_cvar(int index) {
  MPI_T_cvar_handle handle = MPI_T_CVAR_HANDLE_NULL;
  int count = -1;
  unsigned long value = 0;
  EXPECT_EQ(MPI_T_cvar_handle_alloc(index, nullptr, &handle, &count), MPI_SUCCESS);
  EXPECT_EQ(count, 1);
  EXPECT_EQ(MPI_T_cvar_read(handle, &value), MPI_SUCCESS);
  EXPECT_EQ(MPI_T_cvar_handle_free(&handle), MPI_SUCCESS);
  return value;
}

TEST(ToolUse, IsCounted) {
  int provided = -1, count = -7;
  EXPECT_EQ(MPI_T_cvar_get_num(&count), MPI_T_ERR_NOT_INITIALIZED);
  EXPECT_EQ(error_string(MPI_T_ERR_NOT_INITIALIZED)
                .find("MPI_T_ERR_NOT_INITIALIZED: the tool interface is not "
                      "initialized (last: MPI_T_cvar_get_num: "),
            0U);
  EXPECT_EQ(count, -7);
  EXPECT_EQ(MPI_T_finalize(), MPI_T_ERR_NOT_INITIALIZED);
  for (int level : {MPI_THREAD_SINGLE, MPI_THREAD_MULTIPLE}) {
    EXPECT_EQ(MPI_T_init_thread(level, &provided), MPI_SUCCESS);
    EXPECT_EQ(provided, level);
  }
  EXPECT_EQ(MPI_T_finalize(), MPI_SUCCESS);
  EXPECT_EQ(MPI_T_cvar_get_num(&count), MPI_SUCCESS);
  EXPECT_EQ(MPI_T_finalize(), MPI_SUCCESS);
  EXPECT_EQ(MPI_T_cvar_get_num(&count), MPI_T_ERR_NOT_INITIALIZED);
  EXPECT_EQ(MPI_T_init_thread(3, &provided), MPI_T_ERR_INVALID);
  EXPECT_EQ(MPI_T_init_thread(MPI_THREAD_SINGLE, nullptr), MPI_T_ERR_INVALID);
  EXPECT_EQ(MPI_T_cvar_get_num(&count), MPI_T_ERR_NOT_INITIALIZED);
}

TEST_F(Tool, ControlVariablesDescribeThemselves) {
  int num = 0;
  std::set<std::string> names;
  ASSERT_EQ(MPI_T_cvar_get_num(&num), MPI_SUCCESS);
  for (int index = 0; index < num; ++index) {
    std::array<char, 256> name{}, desc{};
    int name_len = name.size(), desc_len = desc.size(), verbosity = -1, bind = -1, scope = -1;
    MPI_Datatype datatype = MPI_DATATYPE_NULL;
    MPI_T_enum enumtype = handle_of<MPI_T_enum>(7);
    ASSERT_EQ(MPI_T_cvar_get_info(index, name.data(), &name_len, &verbosity, &datatype, &enumtype,
                                  desc.data(), &desc_len, &bind, &scope),
              MPI_SUCCESS);
    EXPECT_EQ(std::strlen(name.data()) + 1, static_cast<std::size_t>(name_len));
    EXPECT_EQ(std::strlen(desc.data()) + 1, static_cast<std::size_t>(desc_len));
    EXPECT_GT(desc_len, 1);
    const bool text = index == cvar("FOLDLANE_DISABLE_ISA") || index == cvar("FOLDLANE_ARMS");
    EXPECT_EQ(datatype, text ? MPI_CHAR : MPI_UNSIGNED_LONG);
    EXPECT_TRUE(bind == MPI_T_BIND_NO_OBJECT && scope == MPI_T_SCOPE_CONSTANT);
    EXPECT_TRUE(verbosity >= MPI_T_VERBOSITY_USER_BASIC && verbosity <= MPI_T_VERBOSITY_MPIDEV_ALL);
    EXPECT_EQ(enumtype, MPI_T_ENUM_NULL);
    EXPECT_EQ(cvar(name.data()), index);
    names.insert(name.data());
  }
  EXPECT_EQ(names, (std::set<std::string>{"FOLDLANE_DISABLE_ISA", "FOLDLANE_ARMS", "foldlane_slot_bytes",
                                          "foldlane_slots_per_rank", "foldlane_team_limit"}));
}

TEST_F(Tool, TextsAreCutAndTheirLengthTold) {
  const int index = cvar("foldlane_slot_bytes");
  const int needed = sizeof "foldlane_slot_bytes";
  const auto get_name = [&](char* name, int* length) {
    return MPI_T_cvar_get_info(index, name, length, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
                               nullptr);
  };
  std::array<char, 32> name;
  name.fill('?');
  int length = 0;
  EXPECT_EQ(get_name(name.data(), &length), MPI_SUCCESS);
  EXPECT_TRUE(length == needed && name[0] == '?');
  length = 5;
  EXPECT_EQ(get_name(nullptr, &length), MPI_SUCCESS);
  EXPECT_EQ(length, needed);
  EXPECT_EQ(get_name(name.data(), nullptr), MPI_SUCCESS);
  EXPECT_EQ(name[0], '?');
  length = 5;
  EXPECT_EQ(get_name(name.data(), &length), MPI_SUCCESS);
  EXPECT_EQ(length, needed);
  EXPECT_EQ(std::string(name.data(), 6), std::string("fold\0?", 6));
  length = needed;
  EXPECT_EQ(get_name(name.data(), &length), MPI_SUCCESS);
  EXPECT_STREQ(name.data(), "foldlane_slot_bytes");
  length = -1;
  EXPECT_EQ(get_name(name.data(), &length), MPI_T_ERR_INVALID);
}

TEST_F(Tool, ControlVariablesCanBeRead) {
  const char* disabled = std::getenv("FOLDLANE_DISABLE_ISA");
  EXPECT_EQ(text_cvar(cvar("FOLDLANE_DISABLE_ISA")), disabled == nullptr ? "" : disabled);
  // A job without a launcher moves nothing through its slots and has no peers to found teams with.
  EXPECT_EQ(number_cvar(cvar("foldlane_slot_bytes")), 4096U);
  EXPECT_EQ(number_cvar(cvar("foldlane_slots_per_rank")), 4U);
  EXPECT_EQ(number_cvar(cvar("foldlane_team_limit")), 1U);
}

TEST_F(Tool, ControlVariablesRefuse) {
  int index = -7, count = -7;
  unsigned long value = 7;
  MPI_T_cvar_handle handle = MPI_T_CVAR_HANDLE_NULL;
  EXPECT_EQ(MPI_T_cvar_get_index("foldlane_SLOT_BYTES", &index), MPI_T_ERR_INVALID_NAME);
  EXPECT_EQ(MPI_T_cvar_get_index(nullptr, &index), MPI_T_ERR_INVALID);
  EXPECT_EQ(MPI_T_cvar_get_index("foldlane_slot_bytes", nullptr), MPI_T_ERR_INVALID);
  EXPECT_EQ(MPI_T_cvar_get_num(nullptr), MPI_T_ERR_INVALID);
  for (int bad : {-1, 5}) {
    EXPECT_EQ(MPI_T_cvar_handle_alloc(bad, nullptr, &handle, &count), MPI_T_ERR_INVALID_INDEX);
    EXPECT_EQ(MPI_T_cvar_get_info(bad, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
                                  nullptr),
              MPI_T_ERR_INVALID_INDEX);
  }
  EXPECT_NE(error_string(MPI_T_ERR_INVALID_INDEX).find("the index is 5; there are 5 control variables"),
            std::string::npos);
  EXPECT_EQ(MPI_T_cvar_handle_alloc(0, nullptr, nullptr, &count), MPI_T_ERR_INVALID);
  EXPECT_EQ(MPI_T_cvar_handle_alloc(0, nullptr, &handle, nullptr), MPI_T_ERR_INVALID);
  EXPECT_TRUE(index == -7 && count == -7 && handle == MPI_T_CVAR_HANDLE_NULL);
  ASSERT_EQ(MPI_T_cvar_handle_alloc(1, nullptr, &handle, &count), MPI_SUCCESS);
  EXPECT_EQ(MPI_T_cvar_write(handle, &value), MPI_T_ERR_CVAR_SET_NEVER);
  EXPECT_EQ(MPI_T_cvar_read(handle, nullptr), MPI_T_ERR_INVALID);
  MPI_T_cvar_handle stale = handle;
  EXPECT_EQ(MPI_T_cvar_handle_free(&handle), MPI_SUCCESS);
  EXPECT_EQ(MPI_T_cvar_read(stale, &value), MPI_T_ERR_INVALID_HANDLE);
  EXPECT_EQ(MPI_T_cvar_write(stale, &value), MPI_T_ERR_INVALID_HANDLE);
  EXPECT_EQ(MPI_T_cvar_handle_free(&stale), MPI_T_ERR_INVALID_HANDLE);
  EXPECT_EQ(MPI_T_cvar_handle_free(&handle), MPI_T_ERR_INVALID_HANDLE);
  EXPECT_EQ(MPI_T_cvar_handle_free(nullptr), MPI_T_ERR_INVALID);
  EXPECT_EQ(value, 7U);
}

TEST_F(Tool, PerformanceVariablesDescribeThemselves) {
  int num = 0;
  std::set<std::string> names;
  ASSERT_EQ(MPI_T_pvar_get_num(&num), MPI_SUCCESS);
  for (int index = 0; index < num; ++index) {
    std::array<char, 256> name{}, desc{};
    int name_len = name.size(), desc_len = desc.size(), verbosity = -1, var_class = -1, bind = -1;
    int readonly = -1, continuous = -1, atomic = -1;
    MPI_Datatype datatype = MPI_DATATYPE_NULL;
    MPI_T_enum enumtype = handle_of<MPI_T_enum>(7);
    ASSERT_EQ(MPI_T_pvar_get_info(index, name.data(), &name_len, &verbosity, &var_class, &datatype, &enumtype,
                                  desc.data(), &desc_len, &bind, &readonly, &continuous, &atomic),
              MPI_SUCCESS);
    const bool state = std::string(name.data()) == "foldlane_isa_level";
    const auto is_one_of = [&](std::initializer_list<const char*> beginnings) {
      return std::any_of(beginnings.begin(), beginnings.end(), [&](const char* beginning) {
        return std::string(name.data()).starts_with(beginning);
      });
    };
    const bool counter = is_one_of({"foldlane_direct_calls", "foldlane_pulled_calls", "foldlane_kept_",
                                    "foldlane_message", "foldlane_limit_lifts", "foldlane_sleeps"});
    EXPECT_EQ(var_class, state                                         ? MPI_T_PVAR_CLASS_STATE
                         : counter                                     ? MPI_T_PVAR_CLASS_COUNTER
                         : std::string(name.data()).ends_with("_peak") ? MPI_T_PVAR_CLASS_HIGHWATERMARK
                                                                       : MPI_T_PVAR_CLASS_LEVEL);
    EXPECT_EQ(datatype, state ? MPI_INT : MPI_UNSIGNED_LONG);
    EXPECT_TRUE(bind == MPI_T_BIND_NO_OBJECT && readonly == 1 && continuous == 1 && atomic == 0);
    EXPECT_EQ(enumtype, MPI_T_ENUM_NULL);
    EXPECT_EQ(pvar(name.data(), var_class), index);
    names.insert(name.data());
  }
  for (const char* name :
       {"foldlane_isa_level", "foldlane_communicators", "foldlane_groups", "foldlane_infos", "foldlane_ops",
        "foldlane_direct_calls", "foldlane_kept_slot_stores_plain", "foldlane_kept_slot_stores_streaming",
        "foldlane_kept_result_stores_plain", "foldlane_kept_result_stores_streaming",
        "foldlane_kept_message_stores_plain", "foldlane_kept_message_stores_streaming",
        "foldlane_kept_hand_back_dirty", "foldlane_kept_hand_back_clean"}) {
    EXPECT_EQ(names.count(name), 1U) << name;
  }
  EXPECT_EQ(MPI_T_pvar_get_info(0, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
                                nullptr, nullptr, nullptr, nullptr),
            MPI_SUCCESS);
}

class PerformanceVariables : public Tool {
 protected:
  MPI_T_pvar_session session = MPI_T_PVAR_SESSION_NULL;

  void SetUp() override {
    Tool::SetUp();
    ASSERT_EQ(MPI_T_pvar_session_create(&session), MPI_SUCCESS);
  }
  void TearDown() override {
    EXPECT_EQ(MPI_T_pvar_session_free(&session), MPI_SUCCESS);
    EXPECT_EQ(session, MPI_T_PVAR_SESSION_NULL);
    Tool::TearDown();
  }
  MPI_T_pvar_handle handle_for(const char* name, int var_class = MPI_T_PVAR_CLASS_LEVEL) {
    MPI_T_pvar_handle handle = MPI_T_PVAR_HANDLE_NULL;
    int count = -1;
    EXPECT_EQ(MPI_T_pvar_handle_alloc(session, pvar(name, var_class), nullptr, &handle, &count), MPI_SUCCESS);
    EXPECT_EQ(count, 1);
    return handle;
  }
  unsigned long level(MPI_T_pvar_handle handle) {
    unsigned long value = 4711;
    EXPECT_EQ(MPI_T_pvar_read(session, handle, &value), MPI_SUCCESS);
    return value;
  }
};

void do_nothing(void*, void*, int*, MPI_Datatype*) {}

TEST_F(PerformanceVariables, CountTheObjectsThatLive) {
  const MPI_T_pvar_handle groups = handle_for("foldlane_groups"), infos = handle_for("foldlane_infos");
  const MPI_T_pvar_handle ops = handle_for("foldlane_ops");
  const unsigned long groups_before = level(groups), infos_before = level(infos), ops_before = level(ops);
  MPI_Group group = MPI_GROUP_NULL;
  MPI_Info info = MPI_INFO_NULL;
  MPI_Op op = MPI_OP_NULL;
  ASSERT_EQ(MPI_Comm_group(MPI_COMM_SELF, &group), MPI_SUCCESS);
  EXPECT_EQ(level(groups), groups_before + 1);
  ASSERT_EQ(MPI_Info_create(&info), MPI_SUCCESS);
  EXPECT_EQ(level(infos), infos_before + 1);
  ASSERT_EQ(MPI_Op_create(do_nothing, 1, &op), MPI_SUCCESS);
  EXPECT_EQ(level(ops), ops_before + 1);
  MPI_Group_free(&group);
  MPI_Info_free(&info);
  MPI_Op_free(&op);
  EXPECT_TRUE(level(groups) == groups_before && level(infos) == infos_before && level(ops) == ops_before);
  EXPECT_EQ(level(handle_for("foldlane_communicators")), 2U);
}

TEST_F(PerformanceVariables, TheInstructionSetLevelIsOneOfThoseDescribed) {
  const int index = pvar("foldlane_isa_level", MPI_T_PVAR_CLASS_STATE);
  std::array<char, 256> desc{};
  int length = desc.size(), value[2] = {-1, -7};
  EXPECT_EQ(MPI_T_pvar_get_info(index, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, desc.data(),
                                &length, nullptr, nullptr, nullptr, nullptr),
            MPI_SUCCESS);
  const MPI_T_pvar_handle handle = handle_for("foldlane_isa_level", MPI_T_PVAR_CLASS_STATE);
  EXPECT_EQ(MPI_T_pvar_read(session, handle, value), MPI_SUCCESS);
  EXPECT_EQ(value[1], -7) << "an int, not more, is written";
  EXPECT_NE(std::string(desc.data()).find(std::string(" ").append(std::to_string(value[0])).append(" ")),
            std::string::npos)
      << desc.data();
}

TEST_F(PerformanceVariables, AlwaysRunAndAreReadOnly) {
  const MPI_T_pvar_handle handle = handle_for("foldlane_groups");
  unsigned long value = 7;
  EXPECT_EQ(MPI_T_pvar_start(session, handle), MPI_T_ERR_PVAR_NO_STARTSTOP);
  EXPECT_EQ(MPI_T_pvar_stop(session, handle), MPI_T_ERR_PVAR_NO_STARTSTOP);
  EXPECT_EQ(MPI_T_pvar_write(session, handle, &value), MPI_T_ERR_PVAR_NO_WRITE);
  EXPECT_NE(error_string(MPI_T_ERR_PVAR_NO_WRITE).find("foldlane_groups is read-only"), std::string::npos);
  EXPECT_EQ(MPI_T_pvar_reset(session, handle), MPI_T_ERR_PVAR_NO_WRITE);
  EXPECT_EQ(MPI_T_pvar_readreset(session, handle, &value), MPI_T_ERR_PVAR_NO_WRITE);
  EXPECT_EQ(value, 7U);
  for (auto* call : {MPI_T_pvar_start, MPI_T_pvar_stop, MPI_T_pvar_reset}) {
    EXPECT_EQ(call(session, MPI_T_PVAR_ALL_HANDLES), MPI_SUCCESS);
  }
  EXPECT_EQ(MPI_T_pvar_read(session, MPI_T_PVAR_ALL_HANDLES, &value), MPI_T_ERR_INVALID_HANDLE);
  EXPECT_EQ(MPI_T_pvar_write(session, MPI_T_PVAR_ALL_HANDLES, &value), MPI_T_ERR_INVALID_HANDLE);
}

TEST_F(PerformanceVariables, HandlesBelongToTheirSession) {
  MPI_T_pvar_session other = MPI_T_PVAR_SESSION_NULL;
  MPI_T_pvar_handle handle = handle_for("foldlane_groups");
  unsigned long value = 7;
  ASSERT_EQ(MPI_T_pvar_session_create(&other), MPI_SUCCESS);
  EXPECT_EQ(MPI_T_pvar_read(other, handle, &value), MPI_T_ERR_INVALID_HANDLE);
  EXPECT_EQ(MPI_T_pvar_start(other, handle), MPI_T_ERR_INVALID_HANDLE);
  EXPECT_EQ(MPI_T_pvar_handle_free(other, &handle), MPI_T_ERR_INVALID_HANDLE);
  EXPECT_EQ(MPI_T_pvar_session_free(&other), MPI_SUCCESS);
  EXPECT_EQ(MPI_T_pvar_handle_free(session, &handle), MPI_SUCCESS);
  EXPECT_EQ(handle, MPI_T_PVAR_HANDLE_NULL);
  EXPECT_EQ(MPI_T_pvar_handle_free(session, &handle), MPI_T_ERR_INVALID_HANDLE);
  EXPECT_EQ(MPI_T_pvar_handle_free(session, nullptr), MPI_T_ERR_INVALID);
}

TEST_F(PerformanceVariables, AFreedSessionTakesItsHandlesAlong) {
  MPI_T_pvar_session first = session;
  const MPI_T_pvar_handle handle = handle_for("foldlane_groups");
  unsigned long value = 7;
  EXPECT_EQ(MPI_T_pvar_session_free(&first), MPI_SUCCESS);
  EXPECT_EQ(MPI_T_pvar_read(session, handle, &value), MPI_T_ERR_INVALID_SESSION);
  EXPECT_EQ(MPI_T_pvar_session_free(&session), MPI_T_ERR_INVALID_SESSION);
  ASSERT_EQ(MPI_T_pvar_session_create(&session), MPI_SUCCESS);
  EXPECT_EQ(MPI_T_pvar_read(session, handle, &value), MPI_T_ERR_INVALID_HANDLE);
  EXPECT_EQ(value, 7U);
}

// More handles than can exist at a time, if sessions kept theirs.
TEST_F(PerformanceVariables, HandlesOfFreedSessionsAreUsedAgain) {
  const int index = pvar("foldlane_groups", MPI_T_PVAR_CLASS_LEVEL);
  for (int round = 0; round < 70; ++round) {
    MPI_T_pvar_session crowded = MPI_T_PVAR_SESSION_NULL;
    ASSERT_EQ(MPI_T_pvar_session_create(&crowded), MPI_SUCCESS);
    for (int i = 0; i < 1000; ++i) {
      MPI_T_pvar_handle handle = MPI_T_PVAR_HANDLE_NULL;
      int count = -1;
      ASSERT_EQ(MPI_T_pvar_handle_alloc(crowded, index, nullptr, &handle, &count), MPI_SUCCESS);
    }
    ASSERT_EQ(MPI_T_pvar_session_free(&crowded), MPI_SUCCESS);
  }
}

TEST_F(Tool, HandlesRunOut) {
  std::vector<MPI_T_cvar_handle> handles;
  MPI_T_cvar_handle handle = MPI_T_CVAR_HANDLE_NULL;
  int count = -1, error = MPI_SUCCESS;
  while ((error = MPI_T_cvar_handle_alloc(0, nullptr, &handle, &count)) == MPI_SUCCESS &&
         handles.size() < 1000000) {
    handles.push_back(handle);
  }
  EXPECT_EQ(error, MPI_T_ERR_OUT_OF_HANDLES);
  EXPECT_GT(handles.size(), 60000U);
  for (MPI_T_cvar_handle& each : handles) ASSERT_EQ(MPI_T_cvar_handle_free(&each), MPI_SUCCESS);
}

TEST_F(PerformanceVariables, Refuse) {
  int num = 0, index = -7, count = -7;
  MPI_T_pvar_handle handle = MPI_T_PVAR_HANDLE_NULL;
  ASSERT_EQ(MPI_T_pvar_get_num(&num), MPI_SUCCESS);
  for (int bad : {-1, num}) {
    EXPECT_EQ(MPI_T_pvar_handle_alloc(session, bad, nullptr, &handle, &count), MPI_T_ERR_INVALID_INDEX);
    EXPECT_EQ(MPI_T_pvar_get_info(bad, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
                                  nullptr, nullptr, nullptr, nullptr),
              MPI_T_ERR_INVALID_INDEX);
  }
  EXPECT_EQ(MPI_T_pvar_get_index("foldlane_groups", MPI_T_PVAR_CLASS_STATE, &index), MPI_T_ERR_INVALID_NAME);
  EXPECT_EQ(MPI_T_pvar_get_index("nothing", MPI_T_PVAR_CLASS_LEVEL, &index), MPI_T_ERR_INVALID_NAME);
  EXPECT_EQ(MPI_T_pvar_get_index(nullptr, MPI_T_PVAR_CLASS_LEVEL, &index), MPI_T_ERR_INVALID);
  EXPECT_EQ(MPI_T_pvar_get_num(nullptr), MPI_T_ERR_INVALID);
  EXPECT_EQ(MPI_T_pvar_handle_alloc(MPI_T_PVAR_SESSION_NULL, 0, nullptr, &handle, &count),
            MPI_T_ERR_INVALID_SESSION);
  EXPECT_EQ(MPI_T_pvar_handle_alloc(session, 0, nullptr, nullptr, &count), MPI_T_ERR_INVALID);
  EXPECT_EQ(MPI_T_pvar_handle_alloc(session, 0, nullptr, &handle, nullptr), MPI_T_ERR_INVALID);
  EXPECT_EQ(MPI_T_pvar_session_create(nullptr), MPI_T_ERR_INVALID);
  EXPECT_EQ(MPI_T_pvar_session_free(nullptr), MPI_T_ERR_INVALID);
  EXPECT_EQ(MPI_T_pvar_start(MPI_T_PVAR_SESSION_NULL, MPI_T_PVAR_ALL_HANDLES), MPI_T_ERR_INVALID_SESSION);
  EXPECT_TRUE(index == -7 && count == -7 && handle == MPI_T_PVAR_HANDLE_NULL);
  handle = handle_for("foldlane_groups");
  EXPECT_EQ(MPI_T_pvar_read(session, handle, nullptr), MPI_T_ERR_INVALID);
}

[[noreturn]] void read_disabled_levels() {
  int provided = -1, index = -1;
  setenv("FOLDLANE_DISABLE_ISA", "avx512,avx2", 1);
  MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
  MPI_T_cvar_get_index("FOLDLANE_DISABLE_ISA", &index);
  const bool first = text_cvar(index) == "avx512,avx2";
  setenv("FOLDLANE_DISABLE_ISA", "sse", 1);
  const bool later = text_cvar(index) == "avx512,avx2";
  MPI_Finalize();
  std::exit(first && later ? 77 : 1);
}

TEST(ToolDeathTest, TheDisabledLevelsAreThoseOfTheEnvironment) {
  EXPECT_EXIT(read_disabled_levels(), ::testing::ExitedWithCode(77), "^$");
}

}  // namespace
