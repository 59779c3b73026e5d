// What --stats says of a job, as text and as JSON.
#include "statistics/statistics_text.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace foldlane::tools {
namespace {

RankCalls calls_of(int rank, double inside, double waited) {
  RankCalls calls{
      .rank = rank, .calls = 1000, .bytes = 8000, .inside = inside, .waited = waited, .compared = 1000};
  calls.routes[static_cast<std::size_t>(engine::Route::inline_line)] = 1000;
  return calls;
}

/// Rank 1 is late.
JobStatistics job_of_two() {
  RankCalls late = calls_of(1, 0.004, 0.001);
  late.times_late = 998;
  late.kept_waiting = 1.2;
  CallStatistics calls{"MPI_Allreduce", "MPI_COMM_WORLD", 2, {calls_of(0, 1.236, 1.2), late}};
  return {
      .seconds = 2, .binding = "bound as asked for", .cpus = {"0-1", "2-3"}, .absent = {}, .calls = {calls}};
}

TEST(StatisticsText, SaysWhoWasLate) {
  EXPECT_EQ(text_of(job_of_two()),
            "foldlane: statistics of 2 ranks in 2.000 s: 31.0 % of it in collective calls, 30.0 % waiting "
            "there for "
            "ranks that came later\n"
            "CPUs: bound as asked for: rank 0 to 0-1; rank 1 to 2-3\n"
            "MPI_Allreduce on MPI_COMM_WORLD (2 ranks): 2,000 calls of 2 ranks, 8 bytes each\n"
            "    inside   620.000 ms per rank (4.000 ms to 1.236 s)\n"
            "    waiting  600.500 ms per rank (1.000 ms to 1.200 s) of that for ranks that came later\n"
            "    rank 1 was last in 998 of 1,000 calls of MPI_Allreduce on MPI_COMM_WORLD; the others waited "
            "1.200 s "
            "for it, all together\n"
            "    ways     2,000 inline\n");
}

TEST(StatisticsText, SaysWhatSharedMemorySaves) {
  JobStatistics job = job_of_two();
  job.calls[0].ranks[0].direct_bytes = 3 << 20;
  job.calls[0].ranks[1].private_bytes = 5000;
  job.calls[0].ranks[1].private_calls = 1;
  const std::string text = text_of(job);
  EXPECT_NE(text.find("    direct   3.0 MiB were not copied through shared memory\n"), std::string::npos)
      << text;
  EXPECT_NE(text.find("    private  5000 bytes in 1 call were copied through shared memory; in memory of "
                      "MPI_Alloc_mem, or of malloc with --shared-heap, they would not have been\n"),
            std::string::npos)
      << text;
}

TEST(StatisticsText, SaysWhatIsMissing) {
  JobStatistics job = job_of_two();
  job.calls[0].ranks[0].compared = 990;
  EXPECT_NE(text_of(job).find("    10 calls could not be compared with those of the other ranks\n"),
            std::string::npos);
  job.absent = {1};
  EXPECT_NE(text_of(job).find("no statistics of rank 1, which never called MPI_Init\n"), std::string::npos);
  job.calls.clear();
  EXPECT_NE(text_of(job).find("no statistics: no collective call has been completed\n"), std::string::npos);
  job.absent = {0, 1};
  EXPECT_NE(text_of(job).find("no statistics: no rank has called MPI_Init\n"), std::string::npos);
}

TEST(StatisticsText, CountsThreadsEachForItself) {
  JobStatistics job = job_of_two();
  job.seconds = 0.5;
  EXPECT_NE(text_of(job).find(": 124.0 % of it in collective calls of several threads, "), std::string::npos);
}

TEST(StatisticsText, SaysNothingOfWaitingWhereThereIsNobodyElse) {
  JobStatistics job = job_of_two();
  job.calls[0].members = 1;
  for (RankCalls& rank : job.calls[0].ranks) rank.compared = rank.times_late = 0;
  const std::string text = text_of(job);
  EXPECT_EQ(text.find("    waiting"), std::string::npos) << text;
  EXPECT_EQ(text.find("compared"), std::string::npos) << text;
}

TEST(StatisticsJson, IsOneLineWithAllOfIt) {
  const std::string text = json_of(job_of_two());
  EXPECT_EQ(text.find('\n'), text.size() - 1);
  const auto job = nlohmann::json::parse(text);
  EXPECT_EQ(job["ranks"], 2);
  EXPECT_EQ(job["cpus"][1], "2-3");
  const auto& late = job["calls"][0]["ranks"][1];
  EXPECT_EQ(late["last_in_calls"], 998);
  EXPECT_EQ(late["seconds_others_waited"], 1.2);
  EXPECT_EQ(late["ways"]["inline"], 1000);
}

}  // namespace
}  // namespace foldlane::tools
