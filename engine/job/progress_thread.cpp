#include "engine/job/progress_thread.hpp"

#include <signal.h>

#include <cstdlib>
#include <string_view>

#include "shm/job/job.hpp"

namespace foldlane::engine {
namespace {

/// What is started meanwhile has all signals blocked.
class SignalsBlocked {
 public:
  SignalsBlocked() noexcept {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_;
};

}  // namespace

bool ProgressThread::is_wanted() noexcept {
  const char* const value = std::getenv(shm::kProgressThreadVariable);
  return value != nullptr && std::string_view(value) == "1";
}

ProgressThread::ProgressThread(Job& job) : job_(job) {
  const SignalsBlocked blocked;
  thread_ = std::thread([this] { job_.wait_until([this] { return stopping_.observe() != 0; }); });
}

ProgressThread::~ProgressThread() {
  stopping_.publish(1);
  job_.wake_waiting();
  thread_.join();
}

}  // namespace foldlane::engine
