#include "launch/signal_setup.hpp"

#include <sys/signalfd.h>
#include <unistd.h>

namespace foldlane::tools {
namespace {

constexpr int kHandled[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGTSTP, SIGCONT};

bool ignored(int signal) {
  struct sigaction action {};
  return ::sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

}  // namespace

SignalSetup::SignalSetup() {
  sigset_t taken;
  sigemptyset(&taken);
  for (const int signal : kHandled) {
    if (!ignored(signal)) sigaddset(&taken, signal);
  }
  ::sigprocmask(SIG_BLOCK, &taken, &original_mask_);
  fd_.reset(::signalfd(-1, &taken, SFD_CLOEXEC | SFD_NONBLOCK));
  struct sigaction ignore {};
  ignore.sa_handler = SIG_IGN;
  ::sigaction(SIGPIPE, &ignore, &original_pipe_);
}

std::optional<int> SignalSetup::next() const {
  signalfd_siginfo info{};
  if (::read(fd_.get(), &info, sizeof(info)) != static_cast<ssize_t>(sizeof(info))) return std::nullopt;
  return static_cast<int>(info.ssi_signo);
}

void SignalSetup::restore() const noexcept {
  ::sigaction(SIGPIPE, &original_pipe_, nullptr);
  ::sigprocmask(SIG_SETMASK, &original_mask_, nullptr);
}

bool ends_job(int signal) noexcept {
  return signal == SIGINT || signal == SIGTERM || signal == SIGHUP || signal == SIGQUIT;
}

}  // namespace foldlane::tools
