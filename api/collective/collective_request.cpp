// Collectives as requests.
#include <memory>
#include <optional>
#include <utility>

#include "api/collective/form.hpp"
#include "api/info/info.hpp"
#include "api/request/request_pool.hpp"
#include "engine/collectives/operation.hpp"
#include "engine/progress/frame_pool.hpp"

namespace foldlane::api {
namespace {

/// A call and all that it needs, out of the pool of frames: no memory is asked for in the steady state.
class Keeper {
 public:
  static void* operator new(std::size_t bytes) { return engine::FramePool::of_thread().allocate(bytes); }
  static void operator delete(void* memory, std::size_t bytes) noexcept {
    engine::FramePool::of_thread().release(memory, bytes);
  }

  Keeper(OwnedTeam owned_team, engine::Team& team, const engine::Collective& call, const Kept& kept)
      : owned_team_(std::move(owned_team)),
        layout_(kept.layout),
        operation_(team, with_reduction(call, kept)) {}

  engine::CollectiveOperation& operation() noexcept { return operation_; }

 private:
  /// The description that the operation is to keep: with a reduction that lives as long.
  engine::Collective with_reduction(engine::Collective call, const Kept& kept) {
    if (kept.type == nullptr) return call;
    reducer_.emplace(kept.op, kept.datatype, *kept.type);
    call.reduction = &**reducer_;
    return call;
  }

  OwnedTeam owned_team_;
  std::optional<Reducer> reducer_;
  std::shared_ptr<const engine::Layout> layout_;
  engine::CollectiveOperation operation_;
};

class CollectiveRequest final : public Request {
 public:
  CollectiveRequest(MPI_Comm comm, Lifetime lifetime, engine::Team& team, const engine::Collective& call,
                    const Kept& kept)
      : Request(comm, lifetime),
        keeper_(std::make_unique<Keeper>(team_to_keep(comm, lifetime), team, call, kept)) {
    if (lifetime == Lifetime::once) begin();
  }

  bool poll() override { return operation().done(); }
  void advance() override { world.job->process().progress().finish_alone(operation()); }
  bool has_failed() const noexcept override { return keeper_->operation().failed(); }
  void finish(MPI_Status&) override {
    operation().rethrow();
    if (operation().failed()) [[unlikely]]
      fail(operation().trouble(), operation().error());
  }

 private:
  /// What is under way when its communicator is freed ends before the team does.
  static OwnedTeam team_to_keep(MPI_Comm comm, Lifetime lifetime) {
    return lifetime == Lifetime::persistent ? check_communicator(comm).owned_team : nullptr;
  }

  engine::CollectiveOperation& operation() noexcept { return keeper_->operation(); }
  void begin() override { operation().start(); }

  std::unique_ptr<Keeper> keeper_;
};

}  // namespace

Requested::Requested(MPI_Comm comm, MPI_Request* request, Lifetime lifetime, MPI_Info info)
    : comm_(comm), request_(check_output(request, "request")), lifetime_(lifetime) {
  *request_ = MPI_REQUEST_NULL;
  if (info != MPI_INFO_NULL && info != nullptr) check_info(info);
}

void Requested::make(engine::Team& team, const engine::Collective& call, const Kept& kept) const {
  *request_ = new_request<CollectiveRequest>(comm_, lifetime_, team, call, kept);
}

}  // namespace foldlane::api
