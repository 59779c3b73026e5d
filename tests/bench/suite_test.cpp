// The list of cases: sizes as written, sweeps, and what each call makes of them.
#include "bench/suite.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <climits>
#include <set>
#include <stdexcept>

#include "bench/report/pattern.hpp"

namespace foldlane::bench {
namespace {

using Sizes = std::vector<std::uint64_t>;

std::string complaint_about(const SuiteRequest& request) {
  try {
    cases_for(request);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "none";
}

SuiteRequest request_for(const std::string& call, const Sizes& sizes = {8}) {
  return {{call}, sizes, {Buffers::hot}, {}};
}

Sizes sizes_of(const std::vector<Case>& cases) {
  Sizes sizes;
  for (const Case& what : cases) sizes.push_back(what.bytes);
  return sizes;
}

TEST(Size, HasBinaryUnits) {
  EXPECT_EQ(parse_size("8"), 8u);
  EXPECT_EQ(parse_size("17B"), 17u);
  EXPECT_EQ(parse_size("4K"), 4096u);
  EXPECT_EQ(parse_size("64KiB"), 65536u);
  EXPECT_EQ(parse_size("3M"), 3u << 20);
  EXPECT_EQ(parse_size("1MiB"), 1u << 20);
  EXPECT_EQ(parse_size("2GiB"), 1ull << 31);
}

class BadSize : public testing::TestWithParam<const char*> {};

TEST_P(BadSize, IsRefusedByName) {
  try {
    parse_size(GetParam());
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find(std::string("'") + GetParam() + "'"), std::string::npos);
  }
}
INSTANTIATE_TEST_SUITE_P(Suite, BadSize,
                         testing::Values("", "K", "-8", "8 K", " 8", "1.5K", "8k", "8KB", "8KiBs", "8T",
                                         "8BiB", "0x8", "1234567890123", "999999999999G"));

TEST(Sweep, GoesFromTheFirstUpToTheLast) {
  EXPECT_EQ(size_sweep(8, 512, 4), (Sizes{8, 32, 128, 512}));
  EXPECT_EQ(size_sweep(8, 511, 4), (Sizes{8, 32, 128}));
  EXPECT_EQ(size_sweep(3, 3, 2), (Sizes{3}));
}

TEST(Sweep, EndsAlsoWhereNumbersDo) {
  EXPECT_EQ(size_sweep(1ull << 62, ~0ull, 4), (Sizes{1ull << 62}));
  EXPECT_EQ(size_sweep(1, ~0ull, 1ull << 32), (Sizes{1, 1ull << 32}));
}

TEST(Sweep, RefusesWhatWouldNotEnd) {
  EXPECT_THROW(size_sweep(0, 8, 2), std::invalid_argument);
  EXPECT_THROW(size_sweep(16, 8, 2), std::invalid_argument);
  EXPECT_THROW(size_sweep(8, 16, 1), std::invalid_argument);
  EXPECT_THROW(size_sweep(8, 16, 0), std::invalid_argument);
}

TEST(Cases, AreOrderedByCallBuffersAndSize) {
  const auto cases = cases_for({{"scan", "bcast"}, {8, 16}, {Buffers::fresh, Buffers::hot}, {}});
  ASSERT_EQ(cases.size(), 8u);
  EXPECT_EQ(sizes_of(cases), (Sizes{8, 16, 8, 16, 8, 16, 8, 16}));
  EXPECT_EQ(cases[1].buffers, Buffers::fresh);
  EXPECT_EQ(cases[2].buffers, Buffers::hot);
  EXPECT_EQ(cases[3].call, "scan");
  EXPECT_EQ(cases[4].call, "bcast");
}

TEST(Cases, AreThoseOfEachNumberOfThreads) {
  SuiteRequest request{{"pingpong", "stream"}, {8, 16}, {Buffers::hot}, {}};
  request.threads = {1, 3};
  std::vector<int> threads;
  for (const Case& what : cases_for(request)) threads.push_back(what.threads);
  EXPECT_EQ(threads, (std::vector{1, 1, 3, 3, 1, 1, 3, 3}));
}

TEST(Cases, OfCallsWithoutThreadsAreOnlyOfOne) {
  for (const std::string& call : known_calls()) {
    SuiteRequest request = request_for(call);
    request.threads = {1};
    EXPECT_EQ(cases_for(request).at(0).threads, call == "fold" ? 0 : 1) << call;
    request.threads = {2};
    const std::string complaint = knows_threads(call) ? "none" : "--threads 2: " + call;
    EXPECT_TRUE(complaint_about(request).starts_with(complaint)) << complaint_about(request);
  }
}

TEST(Cases, AreOfWholeElements) {
  SuiteRequest request = request_for("allreduce", {1, 8, 9});
  EXPECT_EQ(sizes_of(cases_for(request)), (Sizes{8, 8, 16}));
  request.common.type = "uint8";
  request.common.op = "bxor";
  EXPECT_EQ(sizes_of(cases_for(request)), (Sizes{1, 8, 9}));
}

TEST(Cases, ScatterWholeElementsToEveryRank) {
  for (const char* call : {"reduce_scatter", "reduce_scatter_block"}) {
    SuiteRequest request = request_for(call, {8, 24, 25});
    request.common.ranks = 3;
    EXPECT_EQ(sizes_of(cases_for(request)), (Sizes{24, 24, 48})) << call;
  }
}

TEST(Cases, OfABarrierAreOne) {
  SuiteRequest request{{"barrier"}, {8, 16}, {Buffers::hot, Buffers::fresh}, {}};
  request.common = {.call = "",
                    .type = "float",
                    .op = "max",
                    .in_place = true,
                    .unaligned = true,
                    .huge_pages = true,
                    .alloc_mem = true};
  const auto cases = cases_for(request);
  ASSERT_EQ(cases.size(), 1u);
  EXPECT_EQ(cases[0], (Case{.call = "barrier"}));
}

TEST(Cases, HaveARootAndAnInPlaceFormWhereTheseMeanSomething) {
  const std::vector<std::string> collectives = known_collectives();
  for (const std::string& call : known_calls()) {
    SuiteRequest request = request_for(call);
    request.roots = {1};
    request.common.in_place = true;
    const Case what = cases_for(request).at(0);
    const std::set<std::string> with_root{"reduce", "bcast", "gather", "gatherv", "scatter", "scatterv"};
    EXPECT_EQ(what.root, with_root.contains(call) ? 1 : 0) << call;
    const bool is_collective = std::find(collectives.begin(), collectives.end(), call) != collectives.end();
    EXPECT_EQ(what.in_place, is_collective && call != "bcast" && call != "barrier") << call;
  }
}

TEST(Cases, OfFormsAreWhatTheBlockingCallsAre) {
  for (const std::string& call : known_collectives()) {
    for (const std::string& form : {"i" + call, call + "_init"}) {
      SuiteRequest request{{call, form}, {20}, {Buffers::hot}, {}};
      request.common.ranks = 3;
      request.roots = {1};
      request.common.in_place = true;
      std::vector<Case> cases = cases_for(request);
      ASSERT_EQ(cases.size(), 2u);
      EXPECT_EQ(cases[1].call, form);
      cases[1].call = call;
      EXPECT_EQ(cases[1], cases[0]) << form;
    }
  }
  for (const char* call : {"ireduce_local", "fold_init", "iallreduce_init", "ipingpong"})
    EXPECT_NE(complaint_about(request_for(call)).find("no call"), std::string::npos) << call;
}

TEST(Cases, OfMessagesAreTimedInALoopAndHaveNoOperation) {
  for (const std::string& call : known_patterns()) {
    SuiteRequest request = request_for(call, {7});
    request.common.op = "max";
    EXPECT_EQ(cases_for(request),
              (std::vector<Case>{{.call = call, .bytes = 8, .timing = Timing::back_to_back}}));
  }
}

TEST(Cases, OfMessagesAreRefusedWhereARankHasNobody) {
  for (const std::string& call : known_patterns()) {
    SuiteRequest request = request_for(call);
    request.common.ranks = 1;
    EXPECT_NE(complaint_about(request).find(call), std::string::npos);
    request.common.ranks = 3;
    const bool among_all = call == "exchange" || call == "incast";
    EXPECT_EQ(complaint_about(request) == "none", among_all) << call;
    request.common.ranks = 4;
    EXPECT_EQ(complaint_about(request), "none") << call;
  }
}

TEST(Cases, ThatOverlapHaveEverythingBeside) {
  SuiteRequest request{{"iallreduce", "bcast_init"}, {8, 16}, {Buffers::hot}, {}, true};
  const auto cases = cases_for(request);
  ASSERT_EQ(cases.size(), 12u);
  EXPECT_EQ(cases[1].beside, Beside::tests);
  EXPECT_EQ(cases[2].beside, Beside::no_calls);
  EXPECT_EQ(cases[5].beside, Beside::late);
  EXPECT_EQ(cases[6].call, "bcast_init");
}

TEST(Cases, ThatCannotOverlapAreRefused) {
  SuiteRequest request{{"iallreduce"}, {8}, {Buffers::hot}, {}, true};
  for (const char* call : {"allreduce", "ibarrier", "fold"}) {
    request.calls = {call};
    EXPECT_NE(complaint_about(request).find(std::string("beside ") + call), std::string::npos) << call;
  }
  request.calls = {"iallreduce"};
  request.common.ranks = 1;
  EXPECT_NE(complaint_about(request).find("2 ranks or more"), std::string::npos);
  request.common.ranks = 2;
  request.common.timing = Timing::back_to_back;
  EXPECT_NE(complaint_about(request).find("--osu"), std::string::npos);
}

TEST(Cases, HaveEachRootInTurnWhereTheyHaveOne) {
  SuiteRequest request{{"gatherv", "allreduce"}, {8, 16}, {Buffers::hot}, {}};
  request.roots = {1, 0};
  std::vector<int> roots;
  for (const Case& what : cases_for(request)) roots.push_back(what.root);
  EXPECT_EQ(roots, (std::vector{1, 1, 0, 0, 0, 0}));
}

TEST(Cases, AreRefusedWithTheUnknownNameAndTheKnownOnes) {
  EXPECT_EQ(complaint_about(request_for("allreduce")), "none");
  const std::string call = complaint_about(request_for("allreduse"));
  EXPECT_NE(call.find("'allreduse'"), std::string::npos) << call;
  EXPECT_NE(call.find("reduce_scatter_block"), std::string::npos) << call;
  SuiteRequest request = request_for("allreduce");
  request.common.type = "doubel";
  EXPECT_NE(complaint_about(request).find("'doubel'"), std::string::npos) << complaint_about(request);
  request = request_for("allreduce");
  request.common.op = "avg";
  EXPECT_NE(complaint_about(request).find("'avg'"), std::string::npos) << complaint_about(request);
}

TEST(Cases, AreRefusedIfNamesDoNotGoTogether) {
  SuiteRequest request = request_for("allreduce");
  request.common.op = "band";
  EXPECT_EQ(complaint_about(request), "band is not defined for double");
  request.common.type = "int8";
  EXPECT_EQ(complaint_about(request), "none");
}

TEST(Cases, AreRefusedWithARootThatIsNoRank) {
  SuiteRequest request = request_for("bcast");
  for (const int root : {-1, 2}) {
    request.roots = {root};
    EXPECT_EQ(complaint_about(request), "root " + std::to_string(root) + " is none of 2 ranks");
  }
}

TEST(Cases, HaveNoMoreElementsThanAnMpiCount) {
  EXPECT_EQ(complaint_about(request_for("allreduce", {8ull * INT_MAX})), "none");
  const std::string complaint = complaint_about(request_for("allreduce", {8ull * INT_MAX + 1}));
  EXPECT_NE(complaint.find("17179869177"), std::string::npos) << complaint;
}

TEST(Cases, OfBlocksHaveNoLargerOneThanAskedForAndNoneTwice) {
  SuiteRequest request{{"alltoall", "igather", "allreduce"}, {8, 16, 32, 64}, {Buffers::hot}, {}, false, 24};
  EXPECT_EQ(sizes_of(cases_for(request)), (Sizes{8, 16, 24, 8, 16, 24, 8, 16, 32, 64}));
}

TEST(Cases, OfBlocksHaveDisplacementsThatAnIntCanSay) {
  constexpr std::uint64_t kMost = INT_MAX / 2;  // elements of two ranks
  EXPECT_EQ(complaint_about(request_for("alltoallv", {8 * kMost})), "none");
  EXPECT_NE(complaint_about(request_for("alltoallv", {8 * kMost + 1})).find("more elements"),
            std::string::npos);
  EXPECT_EQ(complaint_about(request_for("alltoallw", {1 << 29})), "none");
  EXPECT_NE(complaint_about(request_for("alltoallw", {1 << 30})).find("more elements"), std::string::npos);
}

TEST(Cases, OfBlocksHaveNoOperation) {
  SuiteRequest request = request_for("allgather");
  request.common.op = "max";
  EXPECT_EQ(cases_for(request).at(0), (Case{.call = "allgather", .bytes = 8}));
}

TEST(BenchSuite, TimesCallsOfOneRankInALoop) {
  SuiteRequest request{{"allreduce", "reduce_local", "fold"}, {8}, {Buffers::hot}, {}};
  for (const Case& what : cases_for(request))
    EXPECT_EQ(what.timing, what.call == "allreduce" ? Timing::stamped : Timing::back_to_back);
  request.common.ranks = 1;
  for (const Case& what : cases_for(request)) EXPECT_EQ(what.timing, Timing::back_to_back);
}

}  // namespace
}  // namespace foldlane::bench
