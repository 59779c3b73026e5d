// What programs with mistakes are told, although they have their results.
#include <gtest/gtest.h>

#include <algorithm>

#include "subprocess.hpp"

namespace foldlane::tests {
namespace {

using Lines = std::vector<std::string>;

/// What two ranks say, in an order of its own. With the exit code, if the job fails.
Lines said(const std::string& mistake, const Lines& options = {}, const std::string& ranks = "2") {
  Lines arguments = options;
  arguments.insert(arguments.end(), {"-n", ranks, FOLDLANE_MISTAKES_RANK, mistake});
  const CommandResult result = mpiexec(arguments);
  EXPECT_EQ(result.out, "");
  Lines lines = lines_of(result.err);
  if (result.code != 0) lines.push_back("exit code " + std::to_string(result.code));
  return lines;
}

TEST(Leaks, AreNoMistakeUnlessTheyAreLookedFor) { EXPECT_EQ(said("all-kinds"), Lines()); }

TEST(Leaks, AreNotThereInACorrectProgram) { EXPECT_EQ(said("nothing", {"--check", "leaks"}), Lines()); }

TEST(Leaks, OfEachKindAreNamedWithTheCallThatMadeThem) {
  EXPECT_EQ(
      said("all-kinds", {"--check", "leaks"}, "1"),
      (Lines{
          "foldlane: rank 0: leak: MPI_Comm_create_keyval made an attribute key that was not freed",
          "foldlane: rank 0: leak: MPI_Comm_dup made a communicator (communicator 0x10000 of 1 ranks) that "
          "was not freed",
          "foldlane: rank 0: leak: MPI_Comm_idup made a communicator (second) that was not freed",
          "foldlane: rank 0: leak: MPI_Type_vector made a datatype (unnamed, committed) that was not freed",
          "foldlane: rank 0: leak: MPI_Type_contiguous made a datatype (three, not committed) that was not "
          "freed",
          "foldlane: rank 0: leak: MPI_Comm_create_errhandler made an error handler that was not freed",
          "foldlane: rank 0: leak: MPI_Comm_group made a group (of 1 ranks) that was not freed",
          "foldlane: rank 0: leak: MPI_Info_create made an info (0 keys) that was not freed",
          "foldlane: rank 0: leak: MPI_Mprobe made a matched message (from rank 0, tag 4, 4 bytes, "
          "MPI_COMM_WORLD) that was not freed",
          "foldlane: rank 0: leak: MPI_Op_create made an operation that was not freed",
          "foldlane: rank 0: leak: MPI_Send_init(dest 0, tag 5, 4 bytes, MPI_COMM_WORLD) made a request that "
          "was not freed",
          "foldlane: rank 0: leak: MPI_Barrier_init(MPI_COMM_WORLD) made a request that was not freed",
          "foldlane: rank 0: leaks: 1 attribute key, 2 communicators, 2 datatypes, 1 error handler, 1 group, "
          "1 info, 1 matched message, 1 operation, 2 requests",
      }));
}

TEST(Leaks, BeyondTheFirstTenAreCounted) {
  const Lines lines = said("many", {"--check", "leaks"}, "1");
  ASSERT_EQ(lines.size(), 12U);
  EXPECT_EQ(lines[10], "foldlane: rank 0: leak: and 3 more datatypes");
  EXPECT_EQ(lines[11], "foldlane: rank 0: leaks: 13 datatypes");
}

TEST(Leaks, AreSessionsThatWereNotFinalized) {
  EXPECT_EQ(said("session", {"--check", "leaks"}, "1")[0],
            "foldlane: rank 0: leak: MPI_Session_init made a session that was not freed");
}

TEST(Check, RefusesWhatItDoesNotKnow) {
  EXPECT_EQ(said("nothing", {"--check", "leaks,leeks"}),
            (Lines{"foldlane: --check leaks,leeks: there is no check 'leeks'; known are leaks, types, ready",
                   "exit code 2"}));
  const Lines by_variable = said("nothing", {"-x", "FOLDLANE_CHECK=leeks"}, "1");
  ASSERT_FALSE(by_variable.empty());
  EXPECT_EQ(
      by_variable[0],
      "foldlane: MPI_Init: reading FOLDLANE_CHECK: there is no check 'leeks'; known are leaks, types, ready "
      "(MPI_ERR_OTHER)");
}

TEST(ActiveRequests, AreNamedWhenMpiEnds) {
  EXPECT_EQ(said("requests"),
            (Lines{"foldlane: rank 0: MPI_Finalize: 4 requests are still active: MPI_Issend(dest 0, tag 3, 4 "
                   "bytes, MPI_COMM_WORLD), done, but no call has completed it; MPI_Irecv(source 0, tag 3, 4 "
                   "bytes, MPI_COMM_WORLD), done, but no call has completed it; MPI_Irecv(any source, any "
                   "tag, 8 bytes, MPI_COMM_WORLD); MPI_Ibarrier(MPI_COMM_SELF), done, but no call has "
                   "completed it"}));
}

TEST(ActiveRequests, BeyondTheFirstTenAreCounted) {
  const Lines lines = said("many-requests");
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_NE(lines[0].find("12 requests are still active"), std::string::npos) << lines[0];
  EXPECT_NE(lines[0].find("tag 9, 4 bytes, MPI_COMM_WORLD); and 2 more"), std::string::npos) << lines[0];
}

TEST(Types, ThatDifferAreToldOnceOnACommunicator) {
  EXPECT_EQ(said("types"),
            (Lines{"foldlane: rank 1: receiving from rank 0 with tag 0 on MPI_COMM_WORLD: the receive is of "
                   "MPI_INT, but the message that was sent by rank 0 with tag 0 is of MPI_DOUBLE",
                   "foldlane: rank 1: receiving from any rank with any tag on MPI_COMM_WORLD: the receive is "
                   "of MPI_INT, but the message that was sent by rank 0 with tag 8 is of MPI_FLOAT"}));
}

TEST(Types, OfSeveralKindsAreComparedIfTheMessageIsWhole) {
  const std::string receiving = "foldlane: rank 1: receiving from rank 0 with tag ";
  EXPECT_EQ(said("kinds"),
            (Lines{receiving + "10 on MPI_COMM_WORLD: the message that was sent by rank 0 with tag 10 has "
                               "other elements than the receive, or has them in another order",
                   receiving + "11 on MPI_COMM_WORLD: the receive is of several kinds of elements, but the "
                               "message that was sent by rank 0 with tag 11 is of MPI_INT",
                   receiving + "12 on MPI_COMM_WORLD: the receive is of MPI_DOUBLE, but the message that was "
                               "sent by rank 0 with tag 12 is of several kinds of elements"}));
}

TEST(Types, ThatDifferAreAnErrorIfTheyAreChecked) {
  const Lines lines = said("types", {"--check", "types"});
  ASSERT_FALSE(lines.empty());
  EXPECT_EQ(lines[0],
            "foldlane: rank 1: MPI_Recv on MPI_COMM_WORLD: receiving from rank 0 with tag 0 on "
            "MPI_COMM_WORLD: the receive is of MPI_INT, but the message that was sent by rank 0 with tag 0 "
            "is of MPI_DOUBLE (MPI_ERR_TYPE)");
  EXPECT_EQ(lines.back(), "exit code 3");
}

/// Of 4 bytes each, by rank 0 with these tags.
std::string listed(int first_tag, int messages) {
  std::string text;
  for (int i = 0; i < messages; ++i)
    text += (i == 0 ? " by" : "; by") + std::string(" rank 0 with tag ") + std::to_string(first_tag + i) +
            ", 4 bytes";
  return text;
}

TEST(LostMessages, AreNamedWhenMpiEndsAndCountedBeyondTheFirstTen) {
  const std::string where = "sent on MPI_COMM_WORLD and never received:";
  EXPECT_EQ(said("lost-one"), (Lines{"foldlane: rank 1: 1 message was " + where + listed(3, 1)}));
  EXPECT_EQ(said("lost-ten"), (Lines{"foldlane: rank 1: 10 messages were " + where + listed(0, 10)}));
  EXPECT_EQ(said("lost-twelve"),
            (Lines{"foldlane: rank 1: 12 messages were " + where + listed(0, 10) + "; and 2 more"}));
}

TEST(LostMessages, AreNamedWhateverTheirLengthAndWhoeverSentThem) {
  EXPECT_EQ(
      said("lost-lengths"),
      (Lines{"foldlane: rank 1: 1 message was sent on MPI_COMM_SELF and never received: by rank 0 with "
             "tag 6, 1 bytes",
             "foldlane: rank 1: 5 messages were sent on MPI_COMM_WORLD and never received: by rank 0 "
             "with tag 0, 0 bytes; by rank 0 with tag 2, 97 bytes; by rank 0 with tag 4, 8192 bytes; by "
             "rank 0 with tag 6, 100000 bytes; by rank 0 with tag 8, 1048576 bytes"}));
}

TEST(LostMessages, AreNamedWhenTheirCommunicatorIsFreed) {
  EXPECT_EQ(
      said("lost-freed"),
      (Lines{
          "foldlane: rank 1: 12 messages were sent on pair and never received:" + listed(1, 10) +
              "; and 2 more",
          "foldlane: rank 1: 1 message was sent on a communicator and never received: by rank 0 with tag 7, "
          "100000 bytes",
          "foldlane: rank 1: 1 message was sent on MPI_COMM_WORLD and never received:" + listed(9, 1)}));
}

TEST(LostMessages, AreNamedThoughTheirCommunicatorStays) {
  Lines lines = said("lost-kept");
  std::sort(lines.begin(), lines.end());
  EXPECT_EQ(
      lines,
      (Lines{"foldlane: rank 1: 1 message was sent on a communicator and never received: by rank 0 with "
             "tag 2, 1048576 bytes",
             "foldlane: rank 1: 1 message was sent on kept and never received:" + listed(1, 1)}));
}

constexpr char kTooEarly[] =
    "receiving from rank 0 with tag 0 on MPI_COMM_WORLD: the message was sent by rank 0 with tag 0 by "
    "MPI_Rsend or its kin, which must not begin before the receive has";

TEST(ReadySends, WithoutAReceiveAreToldOnceOnACommunicator) {
  EXPECT_EQ(said("ready"), (Lines{std::string("foldlane: rank 1: ") + kTooEarly}));
}

TEST(ReadySends, WithoutAReceiveAreAnErrorIfTheyAreChecked) {
  const Lines lines = said("ready", {"--check", "leaks,ready"});
  ASSERT_FALSE(lines.empty());
  EXPECT_EQ(lines[0],
            std::string("foldlane: rank 1: MPI_Recv on MPI_COMM_WORLD: ") + kTooEarly + " (MPI_ERR_OTHER)");
}

}  // namespace
}  // namespace foldlane::tests
