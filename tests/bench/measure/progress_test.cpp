#include "bench/measure/progress.hpp"

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
  Progress progress(out, true, clock);
  progress.show("allreduce 8 B", 0);
  EXPECT_EQ(since_last(), "\r\x1b[Kallreduce 8 B                        [........................]");
  now += 10;
  progress.show("allreduce 8 B", 0.125);
  EXPECT_EQ(since_last(),
            "\r\x1b[Kallreduce 8 B                        [###.....................]  1:10 left");
  now += 10;
  progress.show("a name that is longer than the line has room for", 0.25);
  EXPECT_EQ(since_last(),
            "\r\x1b[Ka name that is longer than the line  [######..................]  1:00 left");
  progress.end();
  EXPECT_EQ(since_last(), "\r\x1b[K");
  progress.end();
  EXPECT_EQ(since_last(), "");
}

TEST_F(ProgressLine, IsErasedIfTheRunIsLeftByAnException) {
  {
    Progress progress(out, true, clock);
    progress.show("barrier", 0);
    since_last();
  }
  EXPECT_EQ(since_last(), "\r\x1b[K");
}

TEST_F(ProgressLine, IsDrawnTenTimesPerSecondAtMost) {
  Progress progress(out, true, clock);
  progress.show("barrier", 0);
  since_last();
  now += 0.09;
  progress.show("barrier", 0.5);
  EXPECT_EQ(since_last(), "");
  now += 0.02;
  progress.show("barrier", 0.5);
  EXPECT_NE(since_last(), "");
}

TEST_F(ProgressLine, FitsEightyColumnsWhateverIsSaid) {
  Progress progress(out, true, clock);
  now += 3000;
  progress.show(std::string(200, 'x'), 7);
  EXPECT_LE(since_last().size(), 80U + 4);
}

TEST_F(ProgressLine, IsNotWrittenToFiles) {
  Progress progress(out, false, clock);
  progress.show("allreduce 8 B", 0.5);
  progress.end();
  EXPECT_EQ(since_last(), "");
}

}  // namespace
}  // namespace foldlane::bench
