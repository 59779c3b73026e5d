// Files appear whole or not at all.
#include "bench/present/output_file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>

#include "support/bench_run.hpp"

namespace foldlane::bench {
namespace {

namespace fs = std::filesystem;

class OutputFileTest : public testing::Test {
 protected:
  std::ptrdiff_t number_of_files() const {
    return std::distance(fs::directory_iterator(tree_.root()), fs::directory_iterator());
  }

  FakeTree tree_;
  fs::path path_ = tree_.root() / "a.json";
};

TEST_F(OutputFileTest, IsThereWhenItIsComplete) {
  OutputFile file(path_);
  EXPECT_FALSE(fs::exists(path_));
  file.complete("all of it");
  EXPECT_EQ(content_of(path_), "all of it");
  EXPECT_EQ(number_of_files(), 1);
}

TEST_F(OutputFileTest, LeavesWhatWasThereIfItIsNeverComplete) {
  { const OutputFile file(path_); }
  EXPECT_EQ(number_of_files(), 0);
  tree_.write("a.json", "of yesterday");
  { const OutputFile file(path_); }
  EXPECT_EQ(content_of(path_), "of yesterday");
  EXPECT_EQ(number_of_files(), 1);
}

TEST_F(OutputFileTest, ReplacesWhatALinkPointsTo) {
  tree_.write("a.json", "of yesterday");
  const fs::path link = tree_.root() / "link";
  fs::create_symlink("a.json", link);
  OutputFile(link).complete("of today");
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_EQ(content_of(path_), "of today");
}

TEST_F(OutputFileTest, DoesNotReplaceAPipe) {
  ASSERT_EQ(::mkfifo(path_.c_str(), 0600), 0);
  const int reader = ::open(path_.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  OutputFile(path_).complete("of today");
  std::array<char, 16> text{};
  EXPECT_EQ(::read(reader, text.data(), text.size()), 8);
  EXPECT_STREQ(text.data(), "of today");
  EXPECT_TRUE(fs::is_fifo(path_));
  ::close(reader);
}

TEST_F(OutputFileTest, IsNamedWhereItCannotBeWritten) {
  const std::string path = tree_.root() / "none" / "a.json";
  try {
    const OutputFile file(path);
    FAIL() << "was opened";
  } catch (const std::runtime_error& error) {
    EXPECT_EQ(error.what(), "cannot write " + path);
  }
}

TEST_F(OutputFileTest, IsNamedWhereItCannotBeCompleted) {
  {
    OutputFile file(path_);
    fs::create_directory(path_);
    EXPECT_THROW(file.complete("anything"), std::runtime_error);
  }
  EXPECT_EQ(number_of_files(), 1);
}

}  // namespace
}  // namespace foldlane::bench
