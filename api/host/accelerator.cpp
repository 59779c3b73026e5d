#include "api/host/accelerator.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace foldlane::host {

std::unique_ptr<Accelerator> Accelerator::start(const Host& host, foldlane_function* calls) {
  auto progress = std::make_unique<HostProgress>(host);
  Founded founded = found_job(host, *progress);
  if (founded.job == nullptr) return nullptr;
  return std::unique_ptr<Accelerator>(new Accelerator(host, calls, std::move(progress), std::move(founded)));
}

Accelerator::Accelerator(const Host& host, foldlane_function* calls, std::unique_ptr<HostProgress> progress,
                         Founded founded)
    : host_(host),
      calls_(calls),
      progress_(std::move(progress)),
      job_(std::move(founded.job)),
      node_comm_(founded.node_comm),
      reductions_(host),
      explains_(Explanation::is_wanted()),
      communicators_(host_, *job_, founded.nodes, explanation_, allow_threads(), [this] { end(); }) {
  std::copy_n(calls, FOLDLANE_CALLS, originals_.begin());
}

/// As the host has granted them. True if several may call at a time.
bool Accelerator::allow_threads() {
  int provided = 0;
  host_.call().Query_thread(&provided);
  if (provided < host_.constants().thread_multiple) return false;
  job_->allow_threads();
  return true;
}

/// The host may still make calls of its own on its way out.
void Accelerator::end() {
  std::copy(originals_.begin(), originals_.end(), calls_);
  if (explains_ && rank() == 0) fmt::print(stderr, "{}", explanation_.text());
  host_.call().Comm_free(&node_comm_);
  job_->leave();
}

}  // namespace foldlane::host

using namespace foldlane::host;

/// foldlane_begin_function of stub.h.
extern "C" FOLDLANE_EXPORT void foldlane_accelerate(void* library, foldlane_function* calls) {
  // Both live as long as the process: the others may still read what lies in its part of the segment.
  static const auto& host = *new std::optional<Host>(Host::find(library));
  if (!host) return say("nothing is accelerated: the program's MPI is not one of those that Foldlane knows");
  static auto& accelerator = *new std::unique_ptr<Accelerator>(Accelerator::start(*host, calls));
  if (accelerator != nullptr) take_calls(*accelerator, calls);
}
