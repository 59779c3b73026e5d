// A run of everything that `foldlane bench` measures, every result verified, and every form of output.
#include <gtest/gtest.h>

#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "bench/report/call_traits.hpp"
#include "bench/report/pattern.hpp"
#include "bench/suite.hpp"
#include "shm/machine/placement.hpp"
#include "support/bench_run.hpp"

namespace foldlane::bench {
namespace {

using nlohmann::json;

void expect_right(const json& result) {
  EXPECT_FALSE(result.at("figures").empty()) << result.dump();
  for (const json& figure : result.at("figures")) {
    const json& check = figure.at("check");
    EXPECT_EQ(check.at("done"), result.at("what").at("call") != "barrier") << result.dump();
    EXPECT_EQ(check.at("wrong_elements"), 0) << result.dump();
    EXPECT_TRUE(check.at("same_on_all_ranks")) << result.dump();
    EXPECT_TRUE(check.at("canonical")) << result.dump();
    const json& time = figure.at("time");
    EXPECT_GT(time.at("value"), 0) << result.dump();
    EXPECT_LE(time.at("low"), time.at("value"));
    EXPECT_LE(time.at("value"), time.at("high"));
    EXPECT_GT(figure.at("samples"), 0);
  }
}

/// The cases of a run, each of which is right.
json right_cases(Words arguments) {
  arguments.insert(arguments.end(), {"--json", "-"});
  const auto result = bench(arguments);
  EXPECT_EQ(result.code, 0) << result.err;
  const json cases = report_of(result).at("cases");
  for (const json& entry : cases) expect_right(entry);
  return cases;
}

const Words kAllCalls = [] {
  Words calls = known_collectives();
  calls.insert(calls.end(), {"reduce_local", "fold"});
  return calls;
}();

Words all_calls_with(const Words& arguments) {
  Words all = kAllCalls;
  all.insert(all.end(), arguments.begin(), arguments.end());
  return all;
}

TEST(Bench, MeasuresAndVerifiesEveryCall) {
  const FakeTree tree;
  const std::string file = tree.root() / "report.json";
  const auto result =
      bench(all_calls_with({"-n", "2", "-b", "8", "-e", "512K", "-f", "256", "--json", file}));
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_NE(result.out.find("allreduce"), std::string::npos);  // the table goes to stdout all the same
  const json cases = json::parse(content_of(file)).at("cases");
  ASSERT_EQ(cases.size(), (kAllCalls.size() - 1) * 3 + 1);  // one of a barrier
  std::set<std::string> calls;
  for (const json& entry : cases) {
    expect_right(entry);
    calls.insert(entry.at("what").at("call"));
    ASSERT_FALSE(entry.at("limits").empty()) << entry.dump();
    for (const json& limit : entry.at("limits")) EXPECT_GT(limit.at("time").at("value"), 0);
    EXPECT_GT(entry.at("over_bound").at("value"), 0);
  }
  EXPECT_EQ(calls, std::set<std::string>(kAllCalls.begin(), kAllCalls.end()));
}

const Words kPatterns = known_patterns();

Words patterns_with(const Words& arguments) {
  Words all = kPatterns;
  all.insert(all.end(), arguments.begin(), arguments.end());
  return all;
}

TEST(Bench, MeasuresAndVerifiesMessages) {
  const json cases = right_cases(patterns_with({"-n", "2", "-b", "8", "-e", "2M", "-f", "512"}));
  ASSERT_EQ(cases.size(), kPatterns.size() * 3);
  for (const json& entry : cases) {
    EXPECT_EQ(entry.at("what").at("timing"), "back_to_back");
    EXPECT_GT(entry.at("over_bound").at("value"), 0) << entry.dump();
  }
}

TEST(Bench, MeasuresAndVerifiesMessagesOfMoreRanksThanCpus) {
  EXPECT_EQ(right_cases(patterns_with({"-n", "4", "-b", "24", "-e", "24"})).size(), kPatterns.size());
}

TEST(Bench, MeasuresAndVerifiesBlocksInPlaceAtARootAmongMoreRanksThanCpus) {
  Words arguments = known_collectives();
  std::erase_if(arguments, [](const std::string& call) { return !moves_blocks(call); });
  arguments.insert(arguments.end(), {"-n", "3", "--root", "1", "--in-place", "-b", "24", "-e", "24"});
  EXPECT_EQ(right_cases(arguments).size(), 9u);
}

TEST(Bench, MeasuresAndVerifiesEachRootInTurn) {
  const json cases = right_cases({"bcast", "reduce", "gather", "gatherv", "scatter", "scatterv", "-n", "3",
                                  "--root", "0,2", "-b", "24", "-e", "24"});
  ASSERT_EQ(cases.size(), 12u);
  for (std::size_t i = 0; i < cases.size(); ++i)
    EXPECT_EQ(cases[i].at("what").at("root"), i % 2 == 0 ? 0 : 2);
}

TEST(Bench, MeasuresAndVerifiesBlocksAmongNeighboursInEveryForm) {
  const json cases = right_cases({"neighbor_allgather", "neighbor_alltoall", "ineighbor_allgather",
                                  "ineighbor_alltoall", "neighbor_allgather_init", "neighbor_alltoall_init",
                                  "--in-place", "-n", "3", "-b", "24", "-e", "24"});
  ASSERT_EQ(cases.size(), 6u);
  for (const json& entry : cases) EXPECT_EQ(entry.at("what").at("in_place"), false) << entry.dump();
}

/// Each is both neighbours of the other one.
TEST(Bench, MeasuresAndVerifiesBlocksOnARingOfTwo) {
  const json cases = right_cases(
      {"neighbor_allgather", "neighbor_alltoall", "-n", "2", "-b", "8", "-e", "256K", "-f", "32768"});
  ASSERT_EQ(cases.size(), 4u);
  for (const json& entry : cases) EXPECT_GT(entry.at("over_bound").at("value"), 0) << entry.dump();
}

TEST(Bench, PrintsTheColumnsOfOsu) {
  const auto result = bench({"allreduce", "-b", "8", "-e", "128", "--osu"});
  EXPECT_EQ(result.code, 0) << result.err;
  Words sizes;
  for (const std::string& line : tests::lines_of(result.out)) {
    if (line.empty() || line[0] == '#') continue;
    std::smatch match;
    ASSERT_TRUE(std::regex_match(line, match, std::regex("([0-9]+) +([0-9]+\\.[0-9]+)"))) << line;
    EXPECT_GT(std::stod(match[2]), 0);
    sizes.push_back(match[1]);
  }
  EXPECT_EQ(sizes, (Words{"8", "32", "128"}));
}

TEST(Bench, WritesEveryForm) {
  const FakeTree tree;
  const std::string html = tree.root() / "a.html", svg = tree.root() / "a.svg";
  const Words small{"-b", "8", "-e", "32"};
  const auto with = [&](const Words& more) {
    Words arguments = small;
    arguments.insert(arguments.end(), more.begin(), more.end());
    const auto result = bench(arguments);
    EXPECT_EQ(result.code, 0) << result.err;
    return result.out;
  };
  const auto csv = tests::lines_of(with({"--csv", "-", "--html", html, "--svg", svg}));
  ASSERT_EQ(csv.size(), 3u);
  EXPECT_TRUE(csv[0].starts_with("call,type,op,bytes,")) << csv[0];
  EXPECT_TRUE(csv[1].starts_with("allreduce,double,sum,8,")) << csv[1];
  EXPECT_NE(with({"--md", "-"}).find("\n|"), std::string::npos);
  EXPECT_NE(content_of(html).find("</html>"), std::string::npos);
  EXPECT_TRUE(content_of(svg).starts_with("<svg") || content_of(svg).starts_with("<?xml"));
  EXPECT_NE(content_of(svg).find("</svg>"), std::string::npos);
}

TEST(Bench, SaysWhatItCannotWrite) {
  const auto result = bench({"-b", "8", "-e", "8", "--json", "/no/such/directory/x.json"});
  EXPECT_EQ(result.code, 1);
  EXPECT_NE(result.err.find("/no/such/directory/x.json"), std::string::npos) << result.err;
}

class BenchVariant : public testing::TestWithParam<Words> {};

TEST_P(BenchVariant, IsRight) {
  const json cases = right_cases(all_calls_with(GetParam()));
  EXPECT_GE(cases.size(), kAllCalls.size());
}
INSTANTIATE_TEST_SUITE_P(
    Bench, BenchVariant,
    testing::Values(Words{"-b", "8", "-e", "64K", "-f", "8192", "--type", "int32", "--op", "max"},
                    Words{"-b", "8", "-e", "64K", "-f", "8192", "--type", "float", "--op", "prod"},
                    Words{"-b", "7", "-e", "7K", "-f", "1024", "--type", "uint8", "--op", "bxor"},
                    Words{"-b", "4K", "-e", "4K", "--in-place"},
                    Words{"-b", "4K", "-e", "4K", "--root", "1", "--unaligned", "--huge-pages"},
                    Words{"-b", "8", "-e", "4K", "-f", "512", "--buffers", "rotating,fresh"},
                    Words{"-b", "4K", "-e", "4K", "--unbound", "--osu"},
                    Words{"-b", "8", "-e", "4K", "-f", "512", "-n", "1"}));

TEST(Bench, CountsInTheModeItWasAskedFor) {
  const json what = right_cases({"bcast", "-b", "4K", "-e", "4K", "--root", "1", "--unaligned", "--type",
                                 "float", "--buffers", "fresh"})
                        .at(0)
                        .at("what");
  EXPECT_EQ(what.at("root"), 1);
  EXPECT_EQ(what.at("unaligned"), true);
  EXPECT_EQ(what.at("type"), "float");
  EXPECT_EQ(what.at("buffers"), "fresh");
}

TEST(Bench, HasMoreRanksThanCpus) {
  const json cases = right_cases({"reduce_scatter", "allreduce", "-n", "3", "-b", "1000", "-e", "1000"});
  ASSERT_EQ(cases.size(), 2u);
  EXPECT_EQ(cases[0].at("what").at("bytes"), 1008);  // whole elements for each of three
}

/// The root of a broadcast can be gone before the last rank enters: that rank's time alone is next to none.
TEST(Bench, TimesRanksThatShareCpusFromTheFirstEntryOn) {
  const std::string ranks = std::to_string(shm::usable_cpus().usable + 6);
  const json cases = right_cases({"bcast", "-n", ranks, "-b", "8", "-e", "8"});
  ASSERT_EQ(cases.size(), 1u);
  EXPECT_EQ(cases[0].at("what").at("timing"), "whole");
  const json& figure = cases[0].at("figures")[0];
  EXPECT_GT(figure.at("time").at("value").get<double>(), figure.at("skew").get<double>());
}

TEST(Bench, SweepsRanks) {
  const json cases = right_cases({"-n", "1,2", "-b", "8", "-e", "8"});
  ASSERT_EQ(cases.size(), 2u);
  EXPECT_EQ(cases[0].at("what").at("ranks"), 1);
  EXPECT_EQ(cases[1].at("what").at("ranks"), 2);
}

TEST(Bench, LeavesOutVerificationIfAsked) {
  const auto result = bench({"-b", "8", "-e", "8", "--no-verify", "--json", "-"});
  EXPECT_EQ(report_of(result).at("cases")[0].at("figures")[0].at("check").at("done"), false);
}

TEST(Bench, EndsWithCode2AndHelpsWithCode0) {
  const auto wrong = bench({"gathered"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_EQ(wrong.out, "");
  EXPECT_NE(wrong.err.find("'gathered'"), std::string::npos);
  const auto help = bench({"--help"});
  EXPECT_EQ(help.code, 0);
  EXPECT_EQ(help.err, "");
}

}  // namespace
}  // namespace foldlane::bench
