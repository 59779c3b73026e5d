#include "api/request/companion.hpp"

#include <new>
#include <utility>

#include "api/core/failure.hpp"
#include "api/request/request.hpp"
#include "api/request/request_slots.hpp"
#include "api/request/taken_request.hpp"

namespace foldlane::api {
namespace {

class AccompaniedRequest final : public Request {
 public:
  AccompaniedRequest(TakenRequest& request, const FoldlaneCompanion& companion) noexcept
      : Request(request->comm(), request->is_persistent() ? Lifetime::persistent : Lifetime::once),
        request_(std::move(request)),
        companion_(companion) {}
  ~AccompaniedRequest() override {
    request_.end();
    companion_.release(companion_.context);
  }

  std::string title() const override { return request_->title(); }
  void begin() override {
    if (!is_persistent()) return;  // has begun before it was accompanied
    companion_.start(companion_.context);
    request_->begin();
  }
  bool poll() override { return request_->poll(); }
  bool advance() override { return request_->advance(); }
  bool has_failed() const noexcept override { return request_->has_failed(); }
  void describe(MPI_Status& status) override { request_->describe(status); }
  void finish(MPI_Status& status) override {
    request_->finish(status);
    companion_.finish(companion_.context);
  }
  void note_wait(engine::WaitNote& note) override { request_->note_wait(note); }
  PartitionedRequest* partitioned() noexcept override { return request_->partitioned(); }
  void cancel() override { request_->cancel(); }
  Freed free() override {
    if (!is_active()) return Freed::now;
    fail(MPI_ERR_REQUEST,
         "a request whose array section is copied cannot be freed while it is active; wait for it");
  }

 private:
  TakenRequest request_;  // nobody else finds it
  FoldlaneCompanion companion_;
};

}  // namespace
}  // namespace foldlane::api

int foldlane_accompany_request(MPI_Request* request, const FoldlaneCompanion* companion) {
  using namespace foldlane::api;
  try {
    TakenRequest taken = take_request(*request);
    make_request<AccompaniedRequest>(*request, taken, *companion);
    return MPI_SUCCESS;
  } catch (const Failure& failure) {
    return failure.code;
  } catch (const std::bad_alloc&) {
    return MPI_ERR_NO_MEM;
  }
}
