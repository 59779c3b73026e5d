// The parts of the tool interface that are counted as nothing.
#include <utility>

#include "support/tool_fixture.hpp"

namespace {

using foldlane::testing::handle_of;
using foldlane::testing::Tool;

TEST_F(Tool, ThereAreNoCategories) {
  int value = -7;
  for (auto* call :
       {MPI_T_category_get_num, MPI_T_category_changed, MPI_T_event_get_num, MPI_T_source_get_num}) {
    EXPECT_EQ(call(&value), MPI_SUCCESS);
    EXPECT_EQ(std::exchange(value, -7), 0);
    EXPECT_EQ(call(nullptr), MPI_T_ERR_INVALID);
  }
  for (auto* call : {MPI_T_category_get_categories, MPI_T_category_get_cvars, MPI_T_category_get_pvars,
                     MPI_T_category_get_events}) {
    EXPECT_EQ(call(0, 1, &value), MPI_T_ERR_INVALID_INDEX);
  }
  EXPECT_EQ(MPI_T_category_get_num_events(0, &value), MPI_T_ERR_INVALID_INDEX);
  EXPECT_EQ(MPI_T_category_get_info(0, nullptr, &value, nullptr, &value, &value, &value, &value),
            MPI_T_ERR_INVALID_INDEX);
  EXPECT_EQ(MPI_T_category_get_index("all", &value), MPI_T_ERR_INVALID_NAME);
  EXPECT_EQ(MPI_T_category_get_index(nullptr, &value), MPI_T_ERR_INVALID);
  EXPECT_EQ(MPI_T_enum_get_info(MPI_T_ENUM_NULL, &value, nullptr, &value), MPI_T_ERR_INVALID_INDEX);
  EXPECT_EQ(MPI_T_enum_get_item(MPI_T_ENUM_NULL, 0, &value, nullptr, &value), MPI_T_ERR_INVALID_INDEX);
  EXPECT_EQ(value, -7);
}

TEST_F(Tool, ThereAreNoEvents) {
  int value = -7;
  MPI_Count count = -7;
  MPI_Info info = MPI_INFO_NULL;
  const auto registration = handle_of<MPI_T_event_registration>(0x10000);
  const auto instance = handle_of<MPI_T_event_instance>(0x10000);
  const auto safety = MPI_T_CB_REQUIRE_NONE;
  MPI_T_event_registration made = nullptr;
  EXPECT_EQ(MPI_T_event_get_index("all", &value), MPI_T_ERR_INVALID_NAME);
  EXPECT_EQ(MPI_T_event_get_info(0, nullptr, &value, &value, nullptr, nullptr, &value, nullptr, &info,
                                 nullptr, &value, &value),
            MPI_T_ERR_INVALID_INDEX);
  EXPECT_EQ(MPI_T_event_handle_alloc(0, nullptr, MPI_INFO_NULL, &made), MPI_T_ERR_INVALID_INDEX);
  EXPECT_EQ(MPI_T_event_handle_free(registration, nullptr, nullptr), MPI_T_ERR_INVALID_HANDLE);
  EXPECT_EQ(MPI_T_event_handle_get_info(registration, &info), MPI_T_ERR_INVALID_HANDLE);
  EXPECT_EQ(MPI_T_event_handle_set_info(registration, info), MPI_T_ERR_INVALID_HANDLE);
  EXPECT_EQ(MPI_T_event_register_callback(registration, safety, info, nullptr, nullptr),
            MPI_T_ERR_INVALID_HANDLE);
  EXPECT_EQ(MPI_T_event_callback_get_info(registration, safety, &info), MPI_T_ERR_INVALID_HANDLE);
  EXPECT_EQ(MPI_T_event_callback_set_info(registration, safety, info), MPI_T_ERR_INVALID_HANDLE);
  EXPECT_EQ(MPI_T_event_set_dropped_handler(registration, nullptr), MPI_T_ERR_INVALID_HANDLE);
  EXPECT_EQ(MPI_T_event_read(instance, 0, &value), MPI_T_ERR_INVALID_HANDLE);
  EXPECT_EQ(MPI_T_event_copy(instance, &value), MPI_T_ERR_INVALID_HANDLE);
  EXPECT_EQ(MPI_T_event_get_timestamp(instance, &count), MPI_T_ERR_INVALID_HANDLE);
  EXPECT_EQ(MPI_T_event_get_source(instance, &value), MPI_T_ERR_INVALID_HANDLE);
  EXPECT_EQ(MPI_T_source_get_info(0, nullptr, &value, nullptr, &value, nullptr, &count, &count, &info),
            MPI_T_ERR_INVALID_INDEX);
  EXPECT_EQ(MPI_T_source_get_timestamp(0, &count), MPI_T_ERR_INVALID_INDEX);
  EXPECT_TRUE(value == -7 && count == -7 && info == MPI_INFO_NULL && made == nullptr);
}

}  // namespace
