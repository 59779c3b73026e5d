// Generalized requests: the program says what they stand for, and when that is complete.
#include <fmt/format.h>

#include "api/core/calls.hpp"
#include "api/errors/error_codes.hpp"
#include "api/request/completion.hpp"
#include "api/request/waiting.hpp"

namespace foldlane::api {
namespace {

struct Functions {
  MPI_Grequest_query_function* query;
  MPI_Grequest_free_function* free;
  MPI_Grequest_cancel_function* cancel;
};

void check_callback(const char* function, int code) {
  if (code == MPI_SUCCESS) return;
  fail(code,
       fmt::format("the {} function of the generalized request returned {}", function, name_of_code(code)));
}

class GeneralizedRequest final : public Request {
 public:
  GeneralizedRequest(const Functions& functions, void* extra_state) noexcept
      : Request(MPI_COMM_NULL), functions_(functions), extra_state_(extra_state) {}

  std::string title() const override { return "MPI_Grequest_start()"; }
  bool poll() override { return (state_.observe() & kComplete) != 0; }
  void describe(MPI_Status& status) override {
    check_callback("query", functions_.query(extra_state_, &status));
  }
  /// Both functions run, whatever the first returns. The standard has the code of the last one returned; the
  /// other's is not lost where that one is a success.
  void finish(MPI_Status& status) override {
    const int query_code = functions_.query(extra_state_, &status);
    dispose();
    check_callback("query", query_code);
  }
  void cancel() override { check_callback("cancel", functions_.cancel(extra_state_, poll())); }
  Freed free() override { return set(kFreed) == kComplete ? Freed::now : Freed::later; }
  void dispose() override { check_callback("free", functions_.free(extra_state_)); }

  /// From any thread. What is left to do: the request was freed, or somebody will complete it.
  enum class Next : std::uint8_t { nothing, dispose };
  Next complete() {
    const std::uint32_t before = set(kComplete);
    if ((before & kComplete) != 0) fail(MPI_ERR_REQUEST, "the generalized request is complete already");
    return before == kFreed ? Next::dispose : Next::nothing;
  }

 private:
  // Whoever sets the second of these two has the rest to do.
  static constexpr std::uint32_t kComplete = 1;
  static constexpr std::uint32_t kFreed = 2;

  /// What was set before.
  std::uint32_t set(std::uint32_t bit) noexcept {
    for (;;) {
      const std::uint32_t seen = state_.observe();
      if (state_.claim(seen, seen | bit)) return seen;
    }
  }

  Functions functions_;
  void* extra_state_;
  shm::RealAtoms::Word<std::uint32_t> state_{};
};

GeneralizedRequest& check_generalized(Request& request, MPI_Request handle) {
  auto* const generalized = dynamic_cast<GeneralizedRequest*>(&request);
  if (generalized != nullptr) return *generalized;
  fail(MPI_ERR_REQUEST,
       fmt::format("the request {} is not a generalized one; the library completes it", fmt::ptr(handle)));
}

}  // namespace

int grequest_start(Call call, MPI_Grequest_query_function* query_fn, MPI_Grequest_free_function* free_fn,
                   MPI_Grequest_cancel_function* cancel_fn, void* extra_state, MPI_Request* request) {
  return run_on_requests(call, [&](MPI_Comm&) {
    check_output(query_fn, "query_fn");
    check_output(free_fn, "free_fn");
    check_output(cancel_fn, "cancel_fn");
    check_output(request, "request");
    make_request<GeneralizedRequest>(*request, Functions{query_fn, free_fn, cancel_fn}, extra_state);
  });
}

int grequest_complete(Call call, MPI_Request request) {
  return run_on_requests(call, [&](MPI_Comm&) {
    PinnedRequest pinned(request);
    GeneralizedRequest& generalized = check_generalized(*pinned, request);
    const bool somebody_completes_it = generalized.complete() == GeneralizedRequest::Next::nothing;
    wake_waiting();
    if (somebody_completes_it) return;
    pinned.end();  // nobody finds it any more, and the pin keeps it until its last function has run
    generalized.dispose();
  });
}

}  // namespace foldlane::api
