// What launchers say about a rank, and what they leave out.
#include "engine/identity/launchers.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

namespace foldlane::engine {
namespace {

using Variables = std::vector<std::pair<std::string, std::string>>;

const Variables kOpenMpi{{"OMPI_COMM_WORLD_RANK", "1"},
                         {"OMPI_COMM_WORLD_SIZE", "4"},
                         {"OMPI_COMM_WORLD_LOCAL_RANK", "1"},
                         {"OMPI_COMM_WORLD_LOCAL_SIZE", "4"},
                         {"PMIX_RANK", "1"},
                         {"PMIX_NAMESPACE", "731578369"}};
const Variables kPals{{"PALS_RANKID", "1"}, {"PMI_RANK", "1"},          {"PMI_SIZE", "4"},
                      {"PALS_APID", "x-7"}, {"PALS_LOCAL_RANKID", "1"}, {"PMI_LOCAL_SIZE", "4"}};
const Variables kSlurm{{"SLURM_PROCID", "1"},         {"SLURM_STEP_NUM_TASKS", "4"}, {"SLURM_LOCALID", "1"},
                       {"SLURM_STEP_NUM_NODES", "1"}, {"SLURM_JOB_ID", "12"},        {"SLURM_STEP_ID", "3"}};
const Variables kFlux{{"FLUX_TASK_RANK", "1"},
                      {"FLUX_JOB_SIZE", "4"},
                      {"FLUX_TASK_LOCAL_ID", "1"},
                      {"FLUX_JOB_NNODES", "1"},
                      {"FLUX_JOB_ID", "f1234"}};
const Variables kTorch{{"RANK", "1"},
                       {"WORLD_SIZE", "4"},
                       {"LOCAL_RANK", "1"},
                       {"MASTER_PORT", "29500"},
                       {"TORCHELASTIC_RESTART_COUNT", "0"}};

/// Nothing of a launcher that this test itself may have been started by.
class Launchers : public testing::Test {
 protected:
  void SetUp() override { set({}); }
  void TearDown() override { set({}); }

  void set(const Variables& variables) {
    for (const auto& [name, value] : std::exchange(set_, {})) unsetenv(name.c_str());
    for (const char* name : {"PMI_FD", "PMI_PORT", "FOLDLANE_RANK", "FOLDLANE_ALONE"}) unsetenv(name);
    for (const Variables* each : {&kOpenMpi, &kPals, &kSlurm, &kFlux, &kTorch})
      for (const auto& [name, value] : *each) unsetenv(name.c_str());
    for (const auto& [name, value] : variables) setenv(name.c_str(), value.c_str(), 1);
    set_ = variables;
  }
  /// Of the process that these variables make.
  shm::Result<ForeignRank> rank_with(Variables variables, const std::string& name = {},
                                     const std::string& value = {}) {
    for (auto& each : variables)
      if (each.first == name) each.second = value;
    if (value.empty()) std::erase_if(variables, [&](const auto& each) { return each.first == name; });
    set(variables);
    const Launcher* const launcher = foreign_launcher();
    if (launcher == nullptr) return shm::Error{shm::Errc::invalid, "nobody"};
    return rank_under(*launcher);
  }
  std::string problem_with(const Variables& variables, const std::string& name,
                           const std::string& value = {}) {
    const auto rank = rank_with(variables, name, value);
    return rank.ok() ? "none" : rank.error().message;
  }

 private:
  Variables set_;
};

TEST_F(Launchers, SayWhoARankIs) {
  for (const Variables* each : {&kOpenMpi, &kPals, &kSlurm, &kFlux, &kTorch}) {
    const auto rank = rank_with(*each);
    ASSERT_TRUE(rank.ok()) << rank.error().message;
    EXPECT_EQ(rank.value().rank, 1);
    EXPECT_EQ(rank.value().size, 4);
  }
}

TEST_F(Launchers, GiveEachJobANameOfItsOwn) {
  EXPECT_EQ(rank_with(kSlurm).value().job, "SLURM_JOB_ID 12 3");
  EXPECT_EQ(rank_with(kOpenMpi).value().job, "PMIX_NAMESPACE 731578369");
  EXPECT_NE(rank_with(kTorch).value().job, rank_with(kTorch, "MASTER_PORT", "29501").value().job);
  EXPECT_NE(rank_with(kTorch).value().job, rank_with(kTorch, "TORCHELASTIC_RESTART_COUNT", "1").value().job);
}

TEST_F(Launchers, AreNotThereForAJobOfOne) {
  EXPECT_EQ(problem_with({}, ""), "nobody");
  EXPECT_EQ(problem_with(kSlurm, "SLURM_STEP_ID"), "nobody");  // a batch script
  Variables alone = kOpenMpi;
  alone.emplace_back("FOLDLANE_ALONE", "1");
  EXPECT_EQ(problem_with(alone, ""), "nobody");
  Variables ours = kOpenMpi;
  ours.emplace_back("FOLDLANE_RANK", "0");
  EXPECT_EQ(problem_with(ours, ""), "nobody");
}

TEST_F(Launchers, InsideOthersComeFirst) {
  Variables both = kSlurm;
  both.insert(both.end(), kOpenMpi.begin(), kOpenMpi.end());
  set(both);
  EXPECT_STREQ(foreign_launcher()->name, "Open MPI's mpirun");
}

TEST_F(Launchers, ThatSayTooLittleAreNamedWithWhatIsMissing) {
  EXPECT_EQ(
      problem_with(kOpenMpi, "OMPI_COMM_WORLD_SIZE"),
      "Open MPI's mpirun has started this process (OMPI_COMM_WORLD_RANK is set): OMPI_COMM_WORLD_SIZE is "
      "missing. FOLDLANE_ALONE=1 makes it a job of its own");
  const std::pair<const Variables&, std::vector<const char*>> cases[] = {
      {kOpenMpi, {"OMPI_COMM_WORLD_LOCAL_RANK", "PMIX_NAMESPACE"}},
      {kPals, {"PMI_SIZE", "PALS_LOCAL_RANKID", "PALS_APID"}},
      {kSlurm,
       {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_LOCALID", "SLURM_STEP_NUM_NODES", "SLURM_JOB_ID"}},
      {kFlux, {"FLUX_JOB_SIZE", "FLUX_TASK_LOCAL_ID", "FLUX_JOB_NNODES", "FLUX_JOB_ID"}},
      {kTorch, {"RANK", "WORLD_SIZE", "LOCAL_RANK", "MASTER_PORT"}}};
  for (const auto& [variables, names] : cases)
    for (const char* name : names)
      EXPECT_NE(problem_with(variables, name).find(std::string(name) + " is missing"), std::string::npos)
          << problem_with(variables, name);
  EXPECT_NE(problem_with({{"WORLD_SIZE", "2"}}, "").find("RANK, LOCAL_RANK, MASTER_PORT are missing"),
            std::string::npos);
  EXPECT_NE(problem_with({{"PMI_RANK", "0"}, {"PMI_SIZE", "2"}}, "").find("PMI_FD is missing"),
            std::string::npos);
  EXPECT_NE(problem_with({{"PMIX_RANK", "0"}}, "").find("OMPI_COMM_WORLD_SIZE"), std::string::npos);
}

TEST_F(Launchers, ThatContradictThemselvesAreNamed) {
  EXPECT_NE(
      problem_with(kOpenMpi, "OMPI_COMM_WORLD_RANK", "4").find("WORLD_RANK is 4, OMPI_COMM_WORLD_SIZE is 4"),
      std::string::npos);
  EXPECT_NE(problem_with(kTorch, "RANK", "one").find("RANK is 'one', no number of 0 or more"),
            std::string::npos);
  EXPECT_NE(problem_with(kTorch, "RANK", "-1").find("RANK is '-1'"), std::string::npos);
}

TEST_F(Launchers, OfSeveralNodesAreToldOfThePreload) {
  const std::pair<const Variables&, std::pair<const char*, const char*>> cases[] = {
      {kOpenMpi, {"OMPI_COMM_WORLD_LOCAL_SIZE", "2"}},
      {kOpenMpi, {"OMPI_COMM_WORLD_LOCAL_RANK", "0"}},
      {kSlurm, {"SLURM_STEP_NUM_NODES", "2"}},
      {kFlux, {"FLUX_JOB_NNODES", "2"}},
      {kTorch, {"LOCAL_RANK", "0"}},
      {kPals, {"PMI_LOCAL_SIZE", "1"}}};
  for (const auto& [variables, change] : cases) {
    const std::string problem = problem_with(variables, change.first, change.second);
    EXPECT_NE(problem.find(std::string("several nodes (") + change.first + " is " + change.second),
              std::string::npos)
        << problem;
    EXPECT_NE(problem.find("`foldlane accelerate`"), std::string::npos) << problem;
  }
}

TEST_F(Launchers, GiveUpAfterAMinuteOrAsTold) {
  EXPECT_EQ(join_timeout_s().value(), 60);
  set({{"FOLDLANE_JOIN_TIMEOUT", "5"}});
  EXPECT_EQ(join_timeout_s().value(), 5);
  set({{"FOLDLANE_JOIN_TIMEOUT", "soon"}});
  EXPECT_EQ(join_timeout_s().error().message, "FOLDLANE_JOIN_TIMEOUT is 'soon', no number of 0 or more");
}

}  // namespace
}  // namespace foldlane::engine
