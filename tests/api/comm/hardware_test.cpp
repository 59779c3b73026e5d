// What MPI_Comm_split_type takes and MPI_Get_hw_resource_info gives, with one rank.
#include "support/mpi_world.hpp"

namespace {

using foldlane::testing::error_string;
using foldlane::testing::ErrorsReturn;

class Info {
 public:
  Info() { MPI_Info_create(&info_); }
  ~Info() { MPI_Info_free(&info_); }
  Info& set(const char* key, const std::string& value) {
    EXPECT_EQ(MPI_Info_set(info_, key, value.c_str()), MPI_SUCCESS);
    return *this;
  }
  operator MPI_Info() const { return info_; }

 private:
  MPI_Info info_ = MPI_INFO_NULL;
};

std::string value_of(MPI_Info info, const char* key) {
  char text[MPI_MAX_INFO_VAL];
  int length = sizeof text, found = 0;
  EXPECT_EQ(MPI_Info_get_string(info, key, &length, text, &found), MPI_SUCCESS);
  return found != 0 ? text : "(missing)";
}

/// "none", or the kind of hardware the new communicator says it shares.
std::string split_by(int type, MPI_Info info) {
  MPI_Comm made = MPI_COMM_WORLD;
  EXPECT_EQ(MPI_Comm_split_type(MPI_COMM_WORLD, type, 0, info, &made), MPI_SUCCESS);
  if (made == MPI_COMM_NULL) return "none";
  MPI_Info hints = MPI_INFO_NULL;
  EXPECT_EQ(MPI_Comm_get_info(made, &hints), MPI_SUCCESS);
  const std::string kind = value_of(hints, "mpi_hw_resource_type");
  EXPECT_EQ(MPI_Info_free(&hints), MPI_SUCCESS);
  EXPECT_EQ(MPI_Comm_free(&made), MPI_SUCCESS);
  return kind;
}

class Hardware : public ::testing::Test {
  ErrorsReturn errors_return_;
};

TEST_F(Hardware, GuidedSplitsByTheKindNamed) {
  for (const char* kind : {"hwloc://Machine", "Machine", "mpi_shared_memory"}) {
    Info info;
    info.set("mpi_hw_resource_type", kind);
    EXPECT_EQ(split_by(MPI_COMM_TYPE_HW_GUIDED, info), kind);
    EXPECT_EQ(split_by(MPI_COMM_TYPE_RESOURCE_GUIDED, info), kind);
  }
}

TEST_F(Hardware, GuidedByNothingKnownGivesNoCommunicator) {
  EXPECT_EQ(split_by(MPI_COMM_TYPE_HW_GUIDED, MPI_INFO_NULL), "none");
  EXPECT_EQ(split_by(MPI_COMM_TYPE_RESOURCE_GUIDED, MPI_INFO_NULL), "none");
  EXPECT_EQ(split_by(MPI_COMM_TYPE_HW_GUIDED, Info().set("mpi_hw_resource_type", "bicycle")), "none");
  EXPECT_EQ(split_by(MPI_COMM_TYPE_RESOURCE_GUIDED, Info().set("mpi_hw_resource_type", "bicycle")), "none");
  EXPECT_EQ(split_by(MPI_COMM_TYPE_RESOURCE_GUIDED, Info().set("mpi_pset_name", "app://mine")), "none");
}

TEST_F(Hardware, OnlyResourceGuidedKnowsProcessSets) {
  for (const char* set : {"mpi://WORLD", "mpi://SELF", "mpi://world", "MPI://Self"}) {
    Info info;
    info.set("mpi_pset_name", set);
    EXPECT_EQ(split_by(MPI_COMM_TYPE_RESOURCE_GUIDED, info), "(missing)");
    EXPECT_EQ(split_by(MPI_COMM_TYPE_HW_GUIDED, info), "none");
  }
}

TEST_F(Hardware, TwoThingsToSplitByAreAnError) {
  Info info;
  info.set("mpi_pset_name", "mpi://WORLD").set("mpi_hw_resource_type", "Core");
  MPI_Comm made = MPI_COMM_NULL;
  const int code = MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_RESOURCE_GUIDED, 0, info, &made);
  EXPECT_EQ(code, MPI_ERR_INFO_VALUE);
  EXPECT_NE(error_string(code).find("the info has both mpi_hw_resource_type and mpi_pset_name"),
            std::string::npos);
}

TEST_F(Hardware, OneRankCannotBeSplitUnguided) {
  Info info;
  EXPECT_EQ(split_by(MPI_COMM_TYPE_HW_UNGUIDED, info), "none");
  EXPECT_EQ(value_of(info, "mpi_hw_resource_type"), "(missing)");
  EXPECT_EQ(split_by(MPI_COMM_TYPE_HW_UNGUIDED, MPI_INFO_NULL), "none");
}

TEST_F(Hardware, SharedAndUndefinedAreAsBefore) {
  EXPECT_EQ(split_by(MPI_COMM_TYPE_SHARED, MPI_INFO_NULL), "(missing)");
  EXPECT_EQ(split_by(MPI_UNDEFINED, MPI_INFO_NULL), "none");
}

TEST_F(Hardware, UnknownSplitTypesAreErrors) {
  MPI_Comm made = MPI_COMM_NULL;
  EXPECT_EQ(MPI_Comm_split_type(MPI_COMM_WORLD, 12345, 0, MPI_INFO_NULL, &made), MPI_ERR_ARG);
  EXPECT_NE(error_string(MPI_ERR_ARG).find("split_type is 12345"), std::string::npos);
}

TEST_F(Hardware, EveryKindToldWithTrueCanBeSplitBy) {
  MPI_Info told = MPI_INFO_NULL;
  ASSERT_EQ(MPI_Get_hw_resource_info(&told), MPI_SUCCESS);
  int count = 0;
  ASSERT_EQ(MPI_Info_get_nkeys(told, &count), MPI_SUCCESS);
  EXPECT_GE(count, 3);  // shared memory, the machine, its processing units
  EXPECT_EQ(value_of(told, "hwloc://Machine"), "true");
  EXPECT_EQ(value_of(told, "mpi_shared_memory"), "true");
  for (int n = 0; n < count; ++n) {
    char kind[MPI_MAX_INFO_KEY];
    ASSERT_EQ(MPI_Info_get_nthkey(told, n, kind), MPI_SUCCESS);
    const std::string bound = value_of(told, kind);
    ASSERT_TRUE(bound == "true" || bound == "false") << bound;
    EXPECT_EQ(split_by(MPI_COMM_TYPE_HW_GUIDED, Info().set("mpi_hw_resource_type", kind)),
              bound == "true" ? kind : "none");
  }
  EXPECT_EQ(MPI_Info_free(&told), MPI_SUCCESS);
  EXPECT_EQ(MPI_Get_hw_resource_info(nullptr), MPI_ERR_ARG);
}

}  // namespace
