// `foldlane info`: what it says that a job takes of shared memory is what a job commits.
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "subprocess.hpp"

namespace foldlane::tests {
namespace {

constexpr std::uint64_t kPageBytes = 4096;

nlohmann::json memory_of(int ranks) {
  const CommandResult result =
      Subprocess({FOLDLANE_BIN "/foldlane", "info", "-n", std::to_string(ranks), "--json"}).wait();
  EXPECT_EQ(result.code, 0) << result.err;
  return nlohmann::json::parse(result.out).at("memory");
}

/// By step of memory_rank.c. Long messages are to go through boxes: what is pulled takes nothing.
std::map<std::string, std::uint64_t> committed_by(int ranks) {
  const CommandResult result =
      Subprocess({FOLDLANE_BIN "/mpiexec", "--quiet", "-n", std::to_string(ranks), FOLDLANE_MEMORY_RANK}, {},
                 {{"FOLDLANE_ARMS", "message-way=boxes"}})
          .wait();
  EXPECT_EQ(result.code, 0) << result.err;
  std::map<std::string, std::uint64_t> committed;
  std::istringstream lines(result.out);
  for (std::string step; lines >> step;) lines >> committed[step];
  return committed;
}

std::uint64_t in_pages(std::uint64_t bytes) { return (bytes + kPageBytes - 1) / kPageBytes * kPageBytes; }

class InfoMemory : public testing::TestWithParam<int> {
 protected:
  std::uint64_t figure(const char* name) const { return memory_.at(name).get<std::uint64_t>(); }
  std::uint64_t at(const char* step) const { return committed_.at(step); }
  std::uint64_t growth(const char* from, const char* to) const { return at(to) - at(from); }

  const std::uint64_t ranks_ = static_cast<std::uint64_t>(GetParam());
  const nlohmann::json memory_ = memory_of(GetParam());
  const std::map<std::string, std::uint64_t> committed_ = committed_by(GetParam());
};

TEST_P(InfoMemory, OfAJobIsThatOfItsRanksAndCommunicators) {
  const std::uint64_t all_slots = figure("slots_per_rank") * figure("slot_bytes");
  EXPECT_EQ(figure("total_bytes"),
            figure("shared_bytes") + ranks_ * (figure("control_bytes_per_rank") + all_slots));
  const std::uint64_t boxes_of_two = ranks_ == 2 ? 2 * all_slots : 0;
  EXPECT_EQ(at("reduced"), figure("total_bytes") + ranks_ * figure("team_bytes_per_rank") + boxes_of_two);
  EXPECT_EQ(growth("reduced", "copy"), ranks_ * figure("team_bytes_per_rank"));
  EXPECT_EQ(growth("copy", "pair"), 2 * figure("team_bytes_per_rank"));
  EXPECT_EQ(growth("pair", "pair_reduced"), 2 * all_slots);
}

/// What the others have counted for a rank lies together in its pages, so that it takes less than a page for
/// each.
TEST_P(InfoMemory, OfMessagesIsThatOfTheirLanes) {
  const std::uint64_t lanes = ranks_ * (ranks_ - 1);
  EXPECT_LE(growth("pair_reduced", "lanes"), lanes * in_pages(figure("lane_bytes")));
  EXPECT_GE(growth("pair_reduced", "lanes"), lanes * figure("lane_bytes") / kPageBytes * kPageBytes);
}

TEST_P(InfoMemory, OfLongerMessagesIsThatOfBlocksAndBoxes) {
  EXPECT_EQ(figure("message_blocks_bytes"), 2U << 20);  // as README.md says
  EXPECT_EQ(figure("transfer_bytes"), 132U << 10);
  EXPECT_GT(growth("lanes", "blocks"), 0U);
  EXPECT_LE(growth("lanes", "blocks"), figure("message_blocks_bytes"));
  const std::uint64_t transfers = growth("blocks", "transfers");
  EXPECT_GE(transfers, 3 * figure("transfer_bytes"));
  EXPECT_LE(transfers, 3 * (figure("transfer_bytes") + kPageBytes));
}

INSTANTIATE_TEST_SUITE_P(Info, InfoMemory, testing::Values(2, 3, 5));

}  // namespace
}  // namespace foldlane::tests
