#include "bench/progress.hpp"

#include <gtest/gtest.h>

#include <sstream>

namespace foldlane::bench {
namespace {

class ProgressLine : public ::testing::Test {
 protected:
  std::string since_last() {
    std::string text = out.str();
    out.str("");
    return text;
  }

  double now = 100;
  std::ostringstream out;
  Progress::Clock clock = [this] { return now; };
};

TEST_F(ProgressLine, IsRewrittenAndErased) {
  Progress progress(4, out, true, false, clock);
  progress.begin("allreduce 8 B");
  EXPECT_EQ(since_last(), "\r\x1b[K1/4 allreduce 8 B                [........................]");
  now += 10;
  progress.update(0.5);
  EXPECT_EQ(since_last(), "\r\x1b[K1/4 allreduce 8 B                [###.....................]  1:10 left");
  now += 10;
  progress.begin("a name that is longer than the line has room for");
  EXPECT_EQ(since_last(), "\r\x1b[K2/4 a name that is longer than t [######..................]  1:00 left");
  progress.end();
  EXPECT_EQ(since_last(), "\r\x1b[K");
  progress.end();
  EXPECT_EQ(since_last(), "");
}

TEST_F(ProgressLine, IsErasedIfTheRunIsLeftByAnException) {
  {
    Progress progress(1, out, true, false, clock);
    progress.begin("barrier");
    since_last();
  }
  EXPECT_EQ(since_last(), "\r\x1b[K");
}

TEST_F(ProgressLine, IsDrawnTenTimesPerSecondAtMost) {
  Progress progress(1, out, true, false, clock);
  progress.begin("barrier");
  since_last();
  now += 0.09;
  progress.update(0.5);
  EXPECT_EQ(since_last(), "");
  now += 0.02;
  progress.update(0.5);
  EXPECT_NE(since_last(), "");
}

TEST_F(ProgressLine, FitsEightyColumnsWhateverIsSaid) {
  Progress progress(1000, out, true, false, clock);
  for (int i = 0; i < 1005; ++i) {
    now += 3;
    progress.begin(std::string(200, 'x'));
    progress.update(7);
    EXPECT_LE(since_last().size(), 80U + 4);
  }
}

TEST_F(ProgressLine, IsNotWrittenToFiles) {
  Progress quiet(2, out, false, false, clock);
  quiet.begin("allreduce 8 B");
  now += 1;
  quiet.update(0.5);
  quiet.end();
  EXPECT_EQ(since_last(), "");
  Progress verbose(2, out, false, true, clock);
  verbose.begin("allreduce 8 B");
  now += 1;
  verbose.update(0.5);
  verbose.begin("allreduce 32 B");
  verbose.end();
  EXPECT_EQ(since_last(), "1/2 allreduce 8 B\n2/2 allreduce 32 B\n");
}

}  // namespace
}  // namespace foldlane::bench
