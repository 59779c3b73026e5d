#include "terminal/input_feed.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace foldlane::tools {

namespace {

bool in_foreground() { return ::tcgetpgrp(STDIN_FILENO) == ::getpgrp(); }

}  // namespace

InputFeed::InputFeed() {
  if (::isatty(STDIN_FILENO) == 0) return;
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return;
  pipe_ = {shm::UniqueFd(ends[0]), shm::UniqueFd(ends[1])};
  ::fcntl(ends[1], F_SETFL, O_NONBLOCK);
}

void InputFeed::watch(Poller& poller) {
  if (!pipe_.write_end.open()) return;
  if (paused_) paused_ = !in_foreground();
  if (!typed_.empty()) {
    poller.watch(pipe_.write_end.get(), POLLOUT, [this] { feed(); });
  } else if (ended_) {
    pipe_.write_end.reset();
  } else if (!paused_) {
    poller.watch(STDIN_FILENO, POLLIN, [this] { read_terminal(); });
  }
}

void InputFeed::read_terminal() {
  if (!in_foreground()) {
    paused_ = true;  // a background job that reads the terminal is stopped, and supervision with it
    return;
  }
  std::array<char, 4096> buffer{};
  const ssize_t count = ::read(STDIN_FILENO, buffer.data(), buffer.size());
  if (count < 0 && errno == EINTR) return;
  ended_ = count <= 0;
  if (count > 0) typed_.assign(buffer.data(), static_cast<std::size_t>(count));
}

void InputFeed::feed() {
  const ssize_t count = ::write(pipe_.write_end.get(), typed_.data(), typed_.size());
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (count < 0) {
    typed_.clear();
    pipe_.write_end.reset();  // rank 0 reads no more
    return;
  }
  typed_.erase(0, static_cast<std::size_t>(count));
}

}  // namespace foldlane::tools
