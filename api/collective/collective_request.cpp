#include "api/collective/collective_request.hpp"

#include <fmt/format.h>

#include <cctype>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>

#include "api/collective/blocks.hpp"
#include "api/objects/communicator.hpp"
#include "api/statistics/recorded_call.hpp"
#include "engine/team/call_names.hpp"

namespace foldlane::api {
namespace {

/// One of which a note is taken: every one when statistics are wanted.
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

}  // namespace

Keeping::Keeping(const Kept& kept) {
  if (kept.type_map != nullptr) of_call_ = *kept.type_map;
  if (kept.counts != nullptr) {
    const auto members = static_cast<std::size_t>(kept.members);
    auto counts = std::make_unique<std::int64_t[]>(members);
    for (std::size_t member = 0; member < members; ++member)
      counts[member] = (*kept.counts)[static_cast<int>(member)];
    of_call_ = std::move(counts);
  }
  if (kept.movement != nullptr)
    of_call_ = std::make_unique<const KeptMovement>(*kept.movement, *kept.sends, *kept.receives);
  if (!kept.by_program) return;
  reducer_.emplace(kept.op, kept.datatype, *kept.type);
  if (!kept.type->predefined()) datatype_.emplace(kept.datatype);
}

const std::int64_t* Keeping::counts() const noexcept {
  const auto* const counts = std::get_if<std::unique_ptr<std::int64_t[]>>(&of_call_);
  return counts == nullptr ? nullptr : counts->get();
}

const engine::Movement* Keeping::movement() const noexcept {
  const auto* const movement = std::get_if<std::unique_ptr<const KeptMovement>>(&of_call_);
  return movement == nullptr ? nullptr : &***movement;
}

Keeping::~Keeping() = default;

void fail_as(engine::CollectiveOperation& operation) {
  operation.rethrow();
  fail(operation.trouble(), operation.error());
}

std::string title_of(const engine::CallInfo& call, Lifetime lifetime, MPI_Comm comm) {
  std::string name(engine::name_of(call));
  if (lifetime == Lifetime::persistent) {
    name[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(name[0])));
    return fmt::format("MPI_{}_init({})", name, describe(comm));
  }
  return fmt::format("MPI_I{}({})", name, describe(comm));
}

void make_long_request(MPI_Request& to, MPI_Comm comm, Lifetime lifetime, engine::Team& team,
                       engine::Collective call, Kept kept) {
  using Long = CollectiveRequest<engine::OperationOf<engine::LongCall>>;
  make_request<Long>(to, comm, lifetime, team, call, kept);
}

void make_pair_box_request(MPI_Request& to, MPI_Comm comm, Lifetime lifetime, engine::Team& team,
                           const engine::PairArguments& call) {
  using Kind = CollectiveRequest<engine::OperationOf<engine::PairMoving>>;
  make_request<Kind>(to, comm, lifetime, team, call);
}

void make_recorded_request(MPI_Request& to, MPI_Comm comm, Lifetime lifetime, engine::Team& team,
                           const engine::Collective& call, const Kept& kept) {
  const auto form = lifetime == Lifetime::persistent ? engine::Form::persistent : engine::Form::nonblocking;
  const RecordedRequestCall recorded(team, call, form);
  engine::with_operation_for(team, call, [&]<class Operation>(std::type_identity<Operation>) {
    auto request = std::make_unique<CollectiveRequest<Operation>>(comm, lifetime, team, call, kept);
    make_request<RecordedRequest>(to, comm, lifetime, recorded, std::move(request));
  });
}

}  // namespace foldlane::api
