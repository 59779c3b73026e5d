// MPI_Comm_idup, MPI_Comm_idup_with_info.
#include <fmt/format.h>

#include <memory>
#include <utility>

#include "api/comm/comm_dup.hpp"
#include "api/core/calls.hpp"
#include "api/core/maker.hpp"
#include "api/errors/args.hpp"
#include "api/info/info.hpp"
#include "api/objects/communicator.hpp"
#include "api/op/mismatch.hpp"
#include "api/request/request_slots.hpp"
#include "engine/job/founding_operations.hpp"

namespace foldlane::api {
namespace {

class Duplication final : public Request {
 public:
  /// As if MPI_Comm_dup was executed now (MPI-4.1, 7.4.2), but for what takes the other ranks.
  Duplication(MPI_Comm comm, InfoMap info, MPI_Comm* newcomm)
      : Request(comm),
        info_(std::move(info)),
        newcomm_(newcomm),
        parent_(check_communicator(comm).owned_team),
        heritage_(comm),
        founding_(world.job->founding().start_duplicate(*check_communicator(comm).team)) {}

  std::string title() const override { return fmt::format("MPI_Comm_idup({})", api::describe(comm())); }
  bool poll() override { return founding_->done(); }
  bool has_failed() const noexcept override { return founding_->failed(); }
  void note_wait(engine::WaitNote& note) override {
    const Communicator* const parent = find_communicator(comm());
    note.is_known = parent != nullptr;
    if (parent == nullptr) return;
    note.call = "MPI_Comm_idup(" + api::describe(*parent, comm()) + ")";
    parent->team->operations().describe(note);
  }
  void finish(MPI_Status&) override {
    if (founding_->failed()) fail(founding_->trouble(), founding_->error());
    const Making making("MPI_Comm_idup");
    auto team = founding_->result();
    if (!team.ok()) fail(team.error());
    *newcomm_ = heritage_.make(std::move(team.value()), std::move(info_));
  }

 private:
  InfoMap info_;
  MPI_Comm* newcomm_;
  OwnedTeam parent_;  // what is under way ends before it does
  Heritage heritage_;
  std::unique_ptr<engine::Founding::Duplication> founding_;
};

void start(MPI_Comm comm, InfoMap info, MPI_Comm* newcomm, MPI_Request* request) {
  check_output(newcomm, "newcomm");
  check_output(request, "request");
  make_request<Duplication>(*request, comm, std::move(info), newcomm);
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
