// MPI_Comm_idup, MPI_Comm_idup_with_info.
#include <memory>
#include <utility>

#include "api/args.hpp"
#include "api/calls.hpp"
#include "api/comm_dup.hpp"
#include "api/info.hpp"
#include "api/request.hpp"
#include "engine/founding_request.hpp"

namespace foldlane::api {
namespace {

class Duplication final : public Request {
 public:
  Duplication(MPI_Comm comm, InfoMap info, MPI_Comm* newcomm)
      : comm_(comm),
        info_(std::move(info)),
        newcomm_(newcomm),
        founding_(world.job->founding().start_duplicate(*check_communicator(comm).team)) {}

  bool test() override {
    if (founding_ != nullptr && founding_->step()) complete();
    return founding_ == nullptr;
  }
  void wait() override {
    if (founding_ == nullptr) return;
    founding_->finish();
    complete();
  }
  MPI_Comm comm() const override { return comm_; }

 private:
  void complete() {
    auto team = std::exchange(founding_, nullptr)->result();
    if (!team.ok()) fail(*check_communicator(comm_).team, team.error());
    *newcomm_ = new_duplicate(comm_, std::move(team.value()), std::move(info_));
  }

  MPI_Comm comm_;
  InfoMap info_;
  MPI_Comm* newcomm_;
  std::shared_ptr<engine::Founding::Request> founding_;  // null once complete
};

void start(MPI_Comm comm, InfoMap info, MPI_Comm* newcomm, MPI_Request* request) {
  check_output(newcomm, "newcomm");
  check_output(request, "request");
  *request = new_request_handle(std::make_shared<Duplication>(comm, std::move(info), newcomm));
}

}  // namespace

int comm_idup(Call call, MPI_Comm comm, MPI_Comm* newcomm, MPI_Request* request) {
  return run(call, comm, [&] {
    check_communicator(comm);
    start(comm, {}, newcomm, request);
  });
}

int comm_idup_with_info(Call call, MPI_Comm comm, MPI_Info info, MPI_Comm* newcomm, MPI_Request* request) {
  return run(call, comm, [&] {
    check_communicator(comm);
    start(comm, check_info(info), newcomm, request);
  });
}

}  // namespace foldlane::api
