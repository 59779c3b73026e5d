#include "shm/base/stderr_reader.hpp"

#include <gtest/gtest.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <future>
#include <string_view>

#include "shm/base/unique_fd.hpp"

namespace foldlane::shm {
namespace {

constexpr std::string_view kText = "the job ends\n";

/// Standard error is a pipe with the text in it.
class StderrReader : public testing::Test {
 protected:
  StderrReader() : kept_(::dup(STDERR_FILENO)) {
    std::array<int, 2> ends{};
    EXPECT_EQ(::pipe(ends.data()), 0);
    reader_.reset(ends[0]);
    const UniqueFd writer(ends[1]);
    ::dup2(writer.get(), STDERR_FILENO);
    EXPECT_EQ(::write(STDERR_FILENO, kText.data(), kText.size()), static_cast<ssize_t>(kText.size()));
  }
  ~StderrReader() override { ::dup2(kept_.get(), STDERR_FILENO); }

  static int left() {
    int bytes = -1;
    ::ioctl(STDERR_FILENO, FIONREAD, &bytes);
    return bytes;
  }
  void read_all() const {
    std::array<char, kText.size()> text{};
    EXPECT_EQ(::read(reader_.get(), text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }

 private:
  UniqueFd kept_;
  UniqueFd reader_;
};

TEST_F(StderrReader, IsAwaited) {
  const auto reading = std::async(std::launch::async, [&] { read_all(); });
  EXPECT_TRUE(await_reader_of_stderr());
  EXPECT_EQ(left(), 0);
}

TEST_F(StderrReader, IsAwaitedNoLongerThanThat) {
  const auto begun = std::chrono::steady_clock::now();
  EXPECT_FALSE(await_reader_of_stderr());
  EXPECT_GE(std::chrono::steady_clock::now() - begun, std::chrono::milliseconds(100));
  EXPECT_EQ(left(), static_cast<int>(kText.size()));
}

}  // namespace
}  // namespace foldlane::shm
