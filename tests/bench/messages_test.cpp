// Patterns of messages, of an MPI whose messages go through files, which can go wrong, and of one without
// any.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "bench/report/pattern.hpp"
#include "support/bench_run.hpp"
#include "support/fake_peer.hpp"

namespace foldlane::bench {
namespace {

using nlohmann::json;

const Words kPatterns = known_patterns();

/// Our launcher and a measurement program that was built with the tests; each launch has a directory.
class OtherMpi {
 public:
  explicit OtherMpi(const std::string& probe, const std::string& fault = "none")
      : peer_("echo HYDRA; echo Version: 4.2.1",
              "while [ \"$1\" != -o ]; do shift; done; exec ln -sf " + probe + " \"$2\"",
              "export FILE_MESSAGES_FAULT=" + fault + " FILE_MESSAGES=$(mktemp -d " + files_.root().string() +
                  "/XXXXXX); exec " FOLDLANE_BIN "/mpiexec \"$@\"") {}
  std::string path() const { return peer_.path(); }

 private:
  FakeTree files_;
  FakePeer peer_;
};

json cases_against(const OtherMpi& peer, Words arguments) {
  arguments.insert(arguments.begin(), kPatterns.begin(), kPatterns.end());
  arguments.insert(arguments.end(), {"--vs", peer.path(), "--json", "-"});
  const auto result = bench(arguments);
  EXPECT_EQ(result.err, "");
  return report_of(result).at("cases");
}

/// Elements of which `peer` has wrong ones, by pattern.
std::map<std::string, std::uint64_t> wrong_elements(const OtherMpi& peer, const Words& arguments) {
  std::map<std::string, std::uint64_t> wrong;
  for (const json& entry : cases_against(peer, arguments)) {
    const json figure = figure_of(entry, peer.path());
    EXPECT_EQ(figure.at("check").at("done"), true);
    EXPECT_GT(figure.at("time").at("value"), 0);
    wrong[entry.at("what").at("call")] += figure.at("check").at("wrong_elements").get<std::uint64_t>();
  }
  EXPECT_EQ(wrong.size(), kPatterns.size());
  return wrong;
}

TEST(Messages, OfEveryPatternAreMeasuredAndVerified) {
  const OtherMpi peer(FOLDLANE_FILE_MESSAGES);
  const json cases =
      cases_against(peer, {"-n", "2", "-b", "8", "-e", "8", "--buffers", "hot,rotating", "--unaligned"});
  ASSERT_EQ(cases.size(), kPatterns.size() * 2);
  for (const json& entry : cases) {
    const json figure = figure_of(entry, peer.path());
    EXPECT_EQ(figure.at("check").at("done"), true);
    EXPECT_EQ(figure.at("check").at("wrong_elements"), 0) << entry.dump();
    EXPECT_GT(figure.at("time").at("value"), 0) << entry.dump();
    std::set<std::string> limits;
    for (const json& limit : entry.at("limits")) limits.insert(limit.at("name"));
    EXPECT_TRUE(limits.contains("copy")) << entry.dump();
  }
}

TEST(Messages, OfMoreRanksAreVerified) {
  for (const auto& [call, wrong] :
       wrong_elements(OtherMpi(FOLDLANE_FILE_MESSAGES), {"-n", "4", "-b", "24", "-e", "24"}))
    EXPECT_EQ(wrong, 0) << call;
}

TEST(Messages, WithAWrongByteAreCaught) {
  for (const auto& [call, wrong] :
       wrong_elements(OtherMpi(FOLDLANE_FILE_MESSAGES, "flip"), {"-n", "2", "-b", "24", "-e", "24"})) {
    // The last element of each message that is received.
    const std::map<std::string, std::uint64_t> received{{"pingpong", 2}, {"stream", 64},
                                                        {"exchange", 2}, {"bidirectional", 128},
                                                        {"incast", 16},  {"unexpected", 64}};
    EXPECT_EQ(wrong, received.at(call)) << call;
  }
}

/// A round trip leaves behind what the exchange should bring.
TEST(Messages, ThatOnlySeemToArriveAreCaught) {
  for (const auto& [call, wrong] :
       wrong_elements(OtherMpi(FOLDLANE_FILE_MESSAGES, "lose"), {"-n", "2", "-b", "8", "-e", "8"}))
    EXPECT_EQ(wrong, call == "exchange" ? 2 : 0) << call;
}

TEST(Messages, FromTheWrongSourceAreCaught) {
  for (const auto& [call, wrong] :
       wrong_elements(OtherMpi(FOLDLANE_FILE_MESSAGES, "misname"), {"-n", "4", "-b", "8", "-e", "8"}))
    EXPECT_EQ(wrong > 0, call == "incast") << call;
}

TEST(Messages, ThatAnMpiDoesNotHaveAreNamedAndTheRunGoesOn) {
  const OtherMpi peer(FOLDLANE_NO_MESSAGES);
  const auto result =
      bench({"pingpong", "stream", "allreduce", "-b", "8", "-e", "8", "--vs", peer.path(), "--json", "-"});
  const json cases = report_of(result).at("cases");
  ASSERT_EQ(cases.size(), 3u);
  for (const std::size_t i : {0U, 1U}) EXPECT_TRUE(is_lacked_by(cases[i], peer.path())) << cases[i].dump();
  EXPECT_GT(figure_of(cases[2], peer.path()).at("time").at("value"), 0);
}

TEST(MessagesSuite, EndsWithHalfRoundTripsAndRatesAndMeans) {
  const OtherMpi peer(FOLDLANE_FILE_MESSAGES);
  const FakeTree tree;
  const std::string file = tree.root() / "report.json", text = tree.root() / "report.md";
  const auto result = bench({"--suite", "p2p", "pingpong", "stream", "-b", "8", "-e", "8", "--buffers", "hot",
                             "--vs", peer.path(), "--json", file, "--md", text});
  for (const std::string& out : {result.out, content_of(text)}) {
    EXPECT_NE(out.find("Half a round trip of MPI"), std::string::npos) << out;
    EXPECT_NE(out.find("up to 64 in flight"), std::string::npos) << out;
    EXPECT_NE(out.find(" M/s"), std::string::npos) << out;
    EXPECT_NE(out.find("Never slower than the best peer? 2 cases"), std::string::npos) << out;
  }
  const json report = json::parse(content_of(file));
  EXPECT_EQ(report.at("p2p").at("small_up_to"), 2048);
  EXPECT_EQ(report.at("never_slower").at("cases"), 2);
}

TEST(MessagesSuite, IsAnErrorWithoutPeers) {
  const auto result =
      bench({"--suite", "p2p", "pingpong", "-b", "8", "-e", "8"}, {{"PATH", "/no/such/directory"}});
  EXPECT_EQ(result.code, 1);
  EXPECT_NE(result.err.find("--suite p2p: there is no peer to compare with"), std::string::npos)
      << result.err;
}

}  // namespace
}  // namespace foldlane::bench
