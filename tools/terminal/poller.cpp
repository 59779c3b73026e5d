#include "terminal/poller.hpp"

namespace foldlane::tools {

void Poller::clear() {
  polled_.clear();
  actions_.clear();
}

void Poller::watch(int fd, short events, std::function<void()> action) {
  polled_.push_back({fd, events, 0});
  actions_.push_back(std::move(action));
}

void Poller::wait(int timeout_ms) {
  if (::poll(polled_.data(), polled_.size(), timeout_ms) <= 0) return;
  for (std::size_t i = 0; i < polled_.size(); ++i) {
    if (polled_[i].revents != 0) actions_[i]();
  }
}

}  // namespace foldlane::tools
