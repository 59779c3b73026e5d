// Collectives as requests.
#include <memory>
#include <optional>
#include <utility>

#include "api/collective/form.hpp"
#include "api/datatype/datatype_store.hpp"
#include "api/info/info.hpp"
#include "api/request/request_slots.hpp"
#include "engine/collectives/operation.hpp"

namespace foldlane::api {
namespace {

/// A call and all that it needs until it is done.
class CollectiveRequest final : public Request {
 public:
  CollectiveRequest(MPI_Comm comm, Lifetime lifetime, engine::Team& team, const engine::Collective& call,
                    const Kept& kept)
      : Request(comm, lifetime),
        owned_team_(team_to_keep(comm, lifetime)),
        type_map_(kept.type_map),
        operation_(team, call, reduction_of(kept)) {
    if (lifetime == Lifetime::once) begin();
  }

  bool poll() override { return operation_.done(); }
  void advance() override { world.job->process().progress().finish_alone(operation_); }
  bool has_failed() const noexcept override { return operation_.failed(); }
  void finish(MPI_Status&) override {
    if (operation_.failed()) [[unlikely]]
      fail_as(operation_);
  }

 private:
  /// What is under way when its communicator is freed ends before the team does.
  static OwnedTeam team_to_keep(MPI_Comm comm, Lifetime lifetime) {
    return lifetime == Lifetime::persistent ? check_communicator(comm).owned_team : nullptr;
  }
  /// One that lives as long as the operation. Null: the call is no reduction.
  const engine::Reduction* reduction_of(const Kept& kept) {
    if (kept.type == nullptr) return nullptr;
    const Reducer& reducer = reducer_.emplace(kept.op, kept.datatype, *kept.type);
    if (reducer.calls_program() && !kept.type->predefined()) datatype_.emplace(kept.datatype);
    return &*reducer;
  }
  [[noreturn, gnu::cold]] static void fail_as(engine::CollectiveOperation& operation) {
    operation.rethrow();
    fail(operation.trouble(), operation.error());
  }

  void begin() override { operation_.start(); }

  OwnedTeam owned_team_;
  std::optional<Reducer> reducer_;
  std::optional<KeptDatatype> datatype_;
  std::shared_ptr<const engine::TypeMap> type_map_;
  engine::CollectiveOperation operation_;
};

}  // namespace

Requested::Requested(Call call, MPI_Comm comm, MPI_Request* request, Lifetime lifetime, MPI_Info info)
    : call_(call), comm_(comm), request_(check_output(request, "request")), lifetime_(lifetime) {
  *request_ = MPI_REQUEST_NULL;
  if (info != MPI_INFO_NULL && info != nullptr) check_info(info);
}

void Requested::make(engine::Team& team, const engine::Collective& call, const Kept& kept) const {
  const SoleCall sole(call_, comm_);
  *request_ = new_request<CollectiveRequest>(comm_, lifetime_, team, call, kept);
}

}  // namespace foldlane::api
