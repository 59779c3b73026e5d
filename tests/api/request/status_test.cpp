// Statuses: bytes as counts of items and of basic elements, the cancelled flag, the public fields.
#include "api/request/status.hpp"

#include <array>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "api/datatype/elements.hpp"
#include "support/mpi_world.hpp"

namespace {

using foldlane::api::bytes_of;
using foldlane::api::ElementRun;
using foldlane::api::elements_in;
using foldlane::testing::error_string;

constexpr MPI_Count kHuge = std::numeric_limits<MPI_Count>::max();

class Status : public ::testing::Test {
 protected:
  // As in a program that never cleared it: what the calls do not set must not matter.
  MPI_Status status{3, 4, 5, {-1, -1, -1, -1, -1}};

  void receive(std::int64_t bytes) { foldlane::api::set_received_bytes(status, bytes); }

  // Both forms, which must agree where the int can hold the number.
  MPI_Count count(MPI_Datatype datatype) {
    int narrow = -1;
    MPI_Count wide = -1;
    EXPECT_EQ(MPI_Get_count(&status, datatype, &narrow), MPI_SUCCESS);
    EXPECT_EQ(MPI_Get_count_c(&status, datatype, &wide), MPI_SUCCESS);
    EXPECT_EQ(narrow, wide);
    return wide;
  }
  MPI_Count elements(MPI_Datatype datatype) {
    int narrow = -1;
    MPI_Count wide = -1, old = -1;
    EXPECT_EQ(MPI_Get_elements(&status, datatype, &narrow), MPI_SUCCESS);
    EXPECT_EQ(MPI_Get_elements_c(&status, datatype, &wide), MPI_SUCCESS);
    EXPECT_EQ(MPI_Get_elements_x(&status, datatype, &old), MPI_SUCCESS);
    EXPECT_TRUE(narrow == wide && old == wide);
    return wide;
  }

 private:
  foldlane::testing::ErrorsReturn errors_return_;
};

TEST_F(Status, WholeItemsOnly) {
  receive(24);
  EXPECT_EQ(count(MPI_INT), 6);
  EXPECT_EQ(count(MPI_DOUBLE), 3);
  EXPECT_EQ(count(MPI_DOUBLE_INT), 2);
  EXPECT_EQ(count(MPI_C_DOUBLE_COMPLEX), MPI_UNDEFINED);
  EXPECT_EQ(elements(MPI_C_DOUBLE_COMPLEX), MPI_UNDEFINED);
  receive(0);
  EXPECT_EQ(count(MPI_INT), 0);
  EXPECT_EQ(elements(MPI_DOUBLE_INT), 0);
}

TEST_F(Status, NumbersThatDoNotFitAnIntAreUndefinedThere) {
  int narrow = -1;
  MPI_Count wide = -1;
  receive(MPI_Count{1} << 32);
  EXPECT_EQ(MPI_Get_count(&status, MPI_BYTE, &narrow), MPI_SUCCESS);
  EXPECT_EQ(narrow, MPI_UNDEFINED);
  EXPECT_EQ(MPI_Get_count_c(&status, MPI_BYTE, &wide), MPI_SUCCESS);
  EXPECT_EQ(wide, MPI_Count{1} << 32);
  EXPECT_EQ(MPI_Get_elements(&status, MPI_SHORT, &narrow), MPI_SUCCESS);
  EXPECT_EQ(narrow, MPI_UNDEFINED);
  EXPECT_EQ(MPI_Get_elements_c(&status, MPI_SHORT, &wide), MPI_SUCCESS);
  EXPECT_EQ(wide, MPI_Count{1} << 31);
  EXPECT_EQ(MPI_Get_elements_x(&status, MPI_SHORT, &wide), MPI_SUCCESS);
  EXPECT_EQ(wide, MPI_Count{1} << 31);
  EXPECT_EQ(count(MPI_LONG), MPI_Count{1} << 29);
}

TEST_F(Status, PairsHaveTwoElements) {
  struct Case {
    MPI_Datatype pair;
    int value_bytes, index_bytes;
  };
  for (const Case& c : {Case{MPI_DOUBLE_INT, 8, 4}, Case{MPI_SHORT_INT, 2, 4}, Case{MPI_FLOAT_INT, 4, 4},
                        Case{MPI_LONG_INT, 8, 4}, Case{MPI_2INT, 4, 4}, Case{MPI_2REAL, 4, 4},
                        Case{MPI_2DOUBLE_PRECISION, 8, 8}, Case{MPI_2INTEGER, 4, 4},
                        Case{MPI_LONG_DOUBLE_INT, static_cast<int>(sizeof(long double)), 4}}) {
    const int pair_bytes = c.value_bytes + c.index_bytes;
    receive(3 * pair_bytes);
    EXPECT_EQ(count(c.pair), 3);
    EXPECT_EQ(elements(c.pair), 6);
    receive(3 * pair_bytes + c.value_bytes);
    EXPECT_EQ(count(c.pair), MPI_UNDEFINED);
    EXPECT_EQ(elements(c.pair), 7);
    receive(3 * pair_bytes + 1);
    EXPECT_EQ(elements(c.pair), MPI_UNDEFINED);
  }
}

TEST_F(Status, SetElementsIsWhatGetElementsFinds) {
  for (MPI_Datatype datatype : {MPI_CHAR, MPI_DOUBLE, MPI_SHORT_INT, MPI_2DOUBLE_PRECISION}) {
    for (int n : {0, 1, 2, 3, 1000}) {
      receive(-1);
      EXPECT_EQ(MPI_Status_set_elements(&status, datatype, n), MPI_SUCCESS);
      EXPECT_EQ(elements(datatype), n);
      receive(-1);
      EXPECT_EQ(MPI_Status_set_elements_x(&status, datatype, n), MPI_SUCCESS);
      EXPECT_EQ(elements(datatype), n);
    }
  }
  MPI_Count wide = -1;
  EXPECT_EQ(MPI_Status_set_elements_c(&status, MPI_INT, kHuge / 4), MPI_SUCCESS);
  EXPECT_EQ(MPI_Get_elements_c(&status, MPI_INT, &wide), MPI_SUCCESS);
  EXPECT_EQ(wide, kHuge / 4);
}

TEST_F(Status, SetElementsRefuses) {
  receive(12);
  EXPECT_EQ(MPI_Status_set_elements(&status, MPI_INT, -1), MPI_ERR_COUNT);
  EXPECT_EQ(MPI_Status_set_elements_c(&status, MPI_INT, kHuge), MPI_ERR_COUNT);
  EXPECT_NE(error_string(MPI_ERR_COUNT).find("elements of MPI_INT"), std::string::npos);
  EXPECT_EQ(MPI_Status_set_elements(&status, MPI_DATATYPE_NULL, 1), MPI_ERR_TYPE);
  EXPECT_EQ(MPI_Status_set_elements(MPI_STATUS_IGNORE, MPI_INT, 1), MPI_ERR_ARG);
  EXPECT_EQ(count(MPI_INT), 3);
}

TEST_F(Status, Cancelled) {
  int flag = -1;
  receive(8);
  for (int set : {1, 0, 77}) {
    EXPECT_EQ(MPI_Status_set_cancelled(&status, set), MPI_SUCCESS);
    EXPECT_EQ(MPI_Test_cancelled(&status, &flag), MPI_SUCCESS);
    EXPECT_EQ(flag, set != 0);
  }
  EXPECT_EQ(count(MPI_INT), 2);
}

TEST_F(Status, PublicFields) {
  int value = -1;
  EXPECT_EQ(MPI_Status_set_source(&status, 10), MPI_SUCCESS);
  EXPECT_EQ(MPI_Status_set_tag(&status, 11), MPI_SUCCESS);
  EXPECT_EQ(MPI_Status_set_error(&status, MPI_ERR_TRUNCATE), MPI_SUCCESS);
  EXPECT_TRUE(status.MPI_SOURCE == 10 && status.MPI_TAG == 11 && status.MPI_ERROR == MPI_ERR_TRUNCATE);
  EXPECT_EQ(MPI_Status_get_source(&status, &value), MPI_SUCCESS);
  EXPECT_EQ(value, 10);
  EXPECT_EQ(MPI_Status_get_tag(&status, &value), MPI_SUCCESS);
  EXPECT_EQ(value, 11);
  EXPECT_EQ(MPI_Status_get_error(&status, &value), MPI_SUCCESS);
  EXPECT_EQ(value, MPI_ERR_TRUNCATE);
}

TEST_F(Status, NoStatusAndNoResult) {
  int value = -7;
  MPI_Count wide = -7;
  for (auto* call : {MPI_Get_count, MPI_Get_elements}) {
    EXPECT_EQ(call(MPI_STATUS_IGNORE, MPI_INT, &value), MPI_ERR_ARG);
    EXPECT_EQ(call(&status, MPI_INT, nullptr), MPI_ERR_ARG);
    EXPECT_EQ(call(&status, MPI_DATATYPE_NULL, &value), MPI_ERR_TYPE);
  }
  EXPECT_EQ(MPI_Get_count_c(MPI_STATUS_IGNORE, MPI_INT, &wide), MPI_ERR_ARG);
  for (auto* call : {MPI_Status_get_source, MPI_Status_get_tag, MPI_Status_get_error, MPI_Test_cancelled}) {
    EXPECT_EQ(call(MPI_STATUS_IGNORE, &value), MPI_ERR_ARG);
    EXPECT_EQ(call(&status, nullptr), MPI_ERR_ARG);
  }
  for (auto* call :
       {MPI_Status_set_source, MPI_Status_set_tag, MPI_Status_set_error, MPI_Status_set_cancelled}) {
    EXPECT_EQ(call(MPI_STATUS_IGNORE, 1), MPI_ERR_ARG);
  }
  EXPECT_EQ(error_string(MPI_ERR_ARG)
                .find("MPI_ERR_ARG: invalid argument (last: MPI_Status_set_cancelled: "
                      "status is null)"),
            0U);
  EXPECT_TRUE(value == -7 && wide == -7);
}

TEST(Elements, OfDerivedDatatypes) {
  const int lengths[] = {2, 3, 1};
  const MPI_Aint displacements[] = {0, 16, 24};
  const MPI_Datatype types[] = {MPI_DOUBLE, MPI_SHORT, MPI_INT};
  const std::vector<std::int64_t> ends{8, 16, 18, 20, 22, 26};  // of the packed elements
  MPI_Datatype mixed, twice;
  ASSERT_EQ(MPI_Type_create_struct(3, lengths, displacements, types, &mixed), MPI_SUCCESS);
  ASSERT_EQ(MPI_Type_contiguous(2, mixed, &twice), MPI_SUCCESS);
  MPI_Status status{};
  for (std::int64_t item = 0; item < 5; ++item) {
    for (std::size_t end = 0; end < ends.size(); ++end) {
      const auto elements = item * 6 + static_cast<std::int64_t>(end) + 1;
      for (MPI_Datatype type : {mixed, twice}) {
        MPI_Count found = -1;
        ASSERT_EQ(MPI_Status_set_elements_c(&status, type, elements), MPI_SUCCESS);
        EXPECT_EQ(foldlane::api::received_bytes(status), item * 26 + ends[end]);
        ASSERT_EQ(MPI_Get_elements_c(&status, type, &found), MPI_SUCCESS);
        EXPECT_EQ(found, elements);
      }
    }
  }
  MPI_Count found = -1;
  foldlane::api::set_received_bytes(status, 26 + 9);
  ASSERT_EQ(MPI_Get_elements_c(&status, twice, &found), MPI_SUCCESS);
  EXPECT_EQ(found, MPI_UNDEFINED);  // ends within an element
  MPI_Type_free(&mixed);
  MPI_Type_free(&twice);
}

TEST(Elements, RunsOfElements) {
  const std::array<ElementRun, 3> runs{{{2, 8}, {3, 2}, {1, 4}}};  // 6 elements in 26 bytes
  const std::vector<std::int64_t> ends{0, 8, 16, 18, 20, 22, 26};
  for (std::int64_t items : {0, 5}) {
    std::size_t whole = 0;
    for (std::int64_t bytes = 0; bytes < 26; ++bytes) {
      const bool at_end = bytes == ends[whole];
      const auto expected =
          at_end ? std::optional(items * 6 + static_cast<std::int64_t>(whole)) : std::nullopt;
      EXPECT_EQ(elements_in(items * 26 + bytes, runs), expected) << bytes;
      if (at_end) {
        EXPECT_EQ(bytes_of(*expected, runs), items * 26 + bytes);
        ++whole;
      }
    }
  }
}

TEST(Elements, ItemsWithoutElements) {
  const std::span<const ElementRun> none;
  EXPECT_EQ(elements_in(0, none), 0);
  EXPECT_EQ(elements_in(1, none), std::nullopt);
  EXPECT_EQ(bytes_of(0, none), 0);
  EXPECT_EQ(bytes_of(1, none), std::nullopt);
}

TEST(Elements, BytesBeyond64BitsAreNone) {
  const std::array<ElementRun, 2> runs{{{1, 8}, {1, 4}}};
  const std::int64_t most = std::numeric_limits<std::int64_t>::max() / 12 * 2;
  EXPECT_TRUE(bytes_of(most, runs).has_value());
  EXPECT_FALSE(bytes_of(most + 1, runs).has_value());
  EXPECT_FALSE(bytes_of(most + 2, runs).has_value());
}

}  // namespace
