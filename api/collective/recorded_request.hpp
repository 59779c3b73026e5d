// A collective as a request of which a note is taken: every one when statistics are wanted.
#pragma once

#include <memory>
#include <utility>

#include "api/request/request.hpp"
#include "api/statistics/recorded_call.hpp"

namespace foldlane::api {

class RecordedRequest final : public Request {
 public:
  RecordedRequest(MPI_Comm comm, Lifetime lifetime, const RecordedRequestCall& call,
                  std::unique_ptr<Request> request)
      : Request(comm, lifetime), call_(call), request_(std::move(request)) {}

  std::string title() const override { return request_->title(); }
  void begin() override {
    call_.enter();
    request_->begin();
    call_.started();
  }
  bool poll() override { return request_->poll(); }
  bool advance() override { return request_->advance(); }
  bool has_failed() const noexcept override { return request_->has_failed(); }
  void note_wait(engine::WaitNote& note) override { request_->note_wait(note); }
  void finish(MPI_Status& status) override {
    request_->finish(status);
    call_.leave();
  }

 private:
  RecordedRequestCall call_;
  std::unique_ptr<Request> request_;
};

}  // namespace foldlane::api
